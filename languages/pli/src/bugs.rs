//! The classes of errors that a program can make.

use effigy_engine::BugKind;

/// Division, MOD or REM by zero.
pub const DIVISION_BY_ZERO: BugKind = BugKind("division-by-zero");
/// A subscript that is not within the bounds of its array.
pub const SUBSCRIPT: BugKind = BugKind("subscript-out-of-bounds");
/// A variable or an element that is used before it has a value.
pub const UNINITIALISED: BugKind = BugKind("uninitialised-value");
/// A result that does not fit the width of machine integers.
pub const OVERFLOW: BugKind = BugKind("signed-overflow");
/// A power with a negative exponent.
pub const NEGATIVE_EXPONENT: BugKind = BugKind("negative-exponent");
/// ASSERT or PROVE of what does not hold.
pub const ASSERTION: BugKind = BugKind("assertion-failed");
/// A function that returns without a value.
pub const NO_VALUE: BugKind = BugKind("no-value");

/// All classes, each with what it is.
pub const BUG_KINDS: &[(BugKind, &str)] = &[
    (DIVISION_BY_ZERO, "division by zero"),
    (SUBSCRIPT, "a subscript that is not within the bounds of its array"),
    (UNINITIALISED, "a variable or an element that is used before it has a value"),
    (OVERFLOW, "a result that does not fit the width (only with --width)"),
    (NEGATIVE_EXPONENT, "a power with a negative exponent"),
    (ASSERTION, "an ASSERT or PROVE of what does not hold"),
    (NO_VALUE, "a function that returns without a value"),
];
