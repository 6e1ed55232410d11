//! The classes of bugs that are looked for, and which of them are switched on.
//!
//! Knows: their names. Never: how they are found.

use effigy_engine::BugKind;

macro_rules! bugs {
    ($($(#[$doc:meta])* $constant:ident = $name:literal, $what:literal;)*) => {
        $($(#[$doc])* pub const $constant: BugKind = BugKind($name);)*

        /// Every class: its name in flags and reports, and what it is.
        pub const BUG_KINDS: &[(BugKind, &str)] = &[$(($constant, $what)),*];
    };
}

bugs! {
    /// Reading outside of an object.
    OUT_OF_BOUNDS_READ = "out-of-bounds-read", "reading outside of an object";
    /// Writing outside of an object.
    OUT_OF_BOUNDS_WRITE = "out-of-bounds-write", "writing outside of an object";
    /// Using the null pointer.
    NULL_DEREFERENCE = "null-dereference", "reading, writing or calling through the null pointer";
    /// Using memory after `free`.
    USE_AFTER_FREE = "use-after-free", "using memory after it was freed";
    /// Using a local variable after its function returned.
    USE_AFTER_SCOPE = "use-after-scope", "using a local variable after its scope has ended";
    /// Using an address that belongs to nothing.
    WILD_POINTER = "wild-pointer", "using an address at which nothing was ever allocated";
    /// Writing to a constant.
    WRITE_TO_CONSTANT = "write-to-constant", "writing to a constant";
    /// Freeing twice.
    DOUBLE_FREE = "double-free", "freeing memory that was freed before";
    /// Freeing what `malloc` did not return.
    INVALID_FREE = "invalid-free", "freeing what the malloc family did not return";
    /// Freeing with a function of another family, or with another layout.
    ALLOC_DEALLOC_MISMATCH = "alloc-dealloc-mismatch", "freeing with another function (free, delete, delete[]) or, in Rust, another layout than belongs to the allocation";
    /// Deciding on an uninitialised value.
    UNINITIALISED_VALUE = "uninitialised-value", "a branch or an address that depends on an uninitialised value";
    /// Dividing by zero.
    DIVISION_BY_ZERO = "division-by-zero", "division by zero";
    /// Signed arithmetic that overflows.
    SIGNED_OVERFLOW = "signed-overflow", "signed arithmetic that overflows";
    /// Shifting by the width or more.
    SHIFT_TOO_LARGE = "shift-too-large", "a shift by a negative amount, or by the width of the type or more";
    /// An index that its array does not have, wherever in the object it leads.
    INDEX_OUT_OF_BOUNDS = "index-out-of-bounds", "an index that its array within an object does not have (-- -fsanitize=array-bounds)";
    /// What has no class of its own, most of which only clang's own checks find.
    UNDEFINED_BEHAVIOUR = "undefined-behaviour", "a pointer that wraps around, a value that its type does not have (Rust), and what clang's checks find (-- -fsanitize=...)";
    /// Reaching what the compiler was told cannot be reached.
    UNREACHABLE_REACHED = "unreachable-reached", "reaching the end of a non-void function or __builtin_unreachable";
    /// An array of variable length without elements.
    ARRAY_LENGTH = "array-length", "an array of variable length whose length is 0, negative, or beyond any stack";
    /// A failed assertion.
    ASSERTION_FAILED = "assertion-failed", "an assertion that fails";
    /// A call of `abort`.
    ABORT = "abort", "a call of abort";
    /// An exception that ends a program.
    UNCAUGHT_EXCEPTION = "uncaught-exception", "an exception of C++ that no handler catches, or that leaves what must not throw";
    /// A panic.
    PANIC = "panic", "a panic of a Rust program";
    /// Calls that nest so deep that no room is left on the stack.
    STACK_OVERFLOW = "stack-overflow", "calls that nest deeper than a stack of 8 MiB has room for";
    /// Calling something that is no function of that type.
    BAD_CALL = "bad-call", "calling through a pointer that is no function";
    /// What the program itself reports.
    REPORTED = "reported", "an error that the program reports by klee_report_error";
    /// `memcpy` with overlapping arguments.
    OVERLAPPING_COPY = "overlapping-copy", "memcpy or strcpy with arguments that overlap";
    /// A block that nobody can free any more when the program ends.
    LEAK = "leak", "memory that is still allocated when main returns or exit is called, and that nothing points to any more";
    /// Two accesses of two threads to the same memory that nothing orders.
    DATA_RACE = "data-race", "two threads that access the same memory at once, at least one to write, not both atomically";
    /// Threads that wait for each other.
    DEADLOCK = "deadlock", "no thread can go on: each waits for a lock, a signal or another thread";
    /// A lock that is not used as it must be.
    LOCK_MISUSE = "lock-misuse", "unlocking a lock that the thread does not hold, destroying one that is held, or using one that was destroyed";
    /// A thread that is not used as it must be.
    THREAD_MISUSE = "thread-misuse", "joining or detaching a thread that was joined or detached before, or that never was";
    /// A floating-point division by zero.
    FLOAT_DIVISION_BY_ZERO = "float-division-by-zero", "a floating-point division by zero (only with --check)";
    /// An operation on numbers that has none as its result.
    NAN = "nan", "arithmetic on numbers that makes a NaN (only with --check)";
    /// An operation on finite numbers whose result is infinite.
    INFINITY = "infinity", "arithmetic on finite numbers that makes an infinity (only with --check)";
}

/// The classes that only floats have; IEEE 754 defines what happens.
const OF_FLOATS: &[BugKind] = &[FLOAT_DIVISION_BY_ZERO, NAN, INFINITY];

/// The classes that are looked for only where they are asked for: leaks by what follows whole runs to their ends.
pub const OFF_BY_DEFAULT: &[BugKind] = &[FLOAT_DIVISION_BY_ZERO, NAN, INFINITY, LEAK];

/// What is said of an address whose distance from its object is no signed number of 64 bits. In a native run it is another
/// address, at which there may be nothing to see.
pub const WRAPS_AROUND: &str = "wraps around in 64 bits";

/// What clang's checks are called in `llvm.ubsantrap` (`SanitizerHandler` in its CodeGenFunction.h): the class, and what has
/// happened.
const OF_CLANG: &[(u64, BugKind, &str)] = &[
    (0, SIGNED_OVERFLOW, "an addition overflows"),
    (1, UNREACHABLE_REACHED, "execution reaches __builtin_unreachable"),
    (3, DIVISION_BY_ZERO, "a division by zero, or one that overflows"),
    (5, UNDEFINED_BEHAVIOUR, "a floating-point number does not fit the integer that it is made"),
    (6, UNDEFINED_BEHAVIOUR, "a function is called through a pointer of another type"),
    (7, UNDEFINED_BEHAVIOUR, "an implicit conversion changes the value"),
    (8, UNDEFINED_BEHAVIOUR, "zero is passed to a builtin that does not take it"),
    (10, UNDEFINED_BEHAVIOUR, "a value that its type does not have"),
    (11, UNREACHABLE_REACHED, "the end of a function that returns a value is reached"),
    (12, SIGNED_OVERFLOW, "a multiplication overflows"),
    (13, SIGNED_OVERFLOW, "a negation overflows"),
    (16, UNDEFINED_BEHAVIOUR, "null is passed where that is not allowed"),
    (17, UNDEFINED_BEHAVIOUR, "null is returned where that is not allowed"),
    (18, INDEX_OUT_OF_BOUNDS, "an index is outside of its array"),
    (19, UNDEFINED_BEHAVIOUR, "arithmetic on a pointer overflows"),
    (20, SHIFT_TOO_LARGE, "a shift is too far, of a negative number, or loses bits"),
    (21, SIGNED_OVERFLOW, "a subtraction overflows"),
    (22, UNDEFINED_BEHAVIOUR, "an address is null, misaligned, or of too small an object"),
    (24, ARRAY_LENGTH, "the length of an array is not positive"),
];

/// The class of a check of clang's, by its number in `llvm.ubsantrap`, and what has happened.
pub(crate) fn of_clang(number: u64) -> (BugKind, &'static str) {
    let known = OF_CLANG.iter().find(|it| it.0 == number);
    known.map_or((UNDEFINED_BEHAVIOUR, "a check of clang fails"), |it| (it.1, it.2))
}

/// Which classes are switched on.
#[derive(Clone, Debug)]
pub struct Checks {
    off: Vec<BugKind>,
}

impl Default for Checks {
    /// All but those that are [`OFF_BY_DEFAULT`].
    fn default() -> Checks {
        Checks { off: OFF_BY_DEFAULT.to_vec() }
    }
}

impl Checks {
    /// The class of this name.
    pub fn by_name(name: &str) -> Option<BugKind> {
        BUG_KINDS.iter().map(|it| it.0).find(|it| it.0 == name)
    }

    /// Switches a class on or off.
    pub fn set(&mut self, kind: BugKind, on: bool) {
        self.off.retain(|it| *it != kind);
        if !on {
            self.off.push(kind);
        }
    }

    /// Whether a class is looked for.
    pub fn is_on(&self, kind: BugKind) -> bool {
        !self.off.contains(&kind)
    }

    /// Whether a class is looked for that only floats have.
    pub(crate) fn look_at_floats(&self) -> bool {
        OF_FLOATS.iter().any(|it| self.is_on(*it))
    }
}

/// Whether a program ends by this class of bugs itself, as it was written to.
pub(crate) fn is_an_end(kind: BugKind) -> bool {
    [ASSERTION_FAILED, ABORT, UNCAUGHT_EXCEPTION, PANIC, REPORTED].contains(&kind)
}
