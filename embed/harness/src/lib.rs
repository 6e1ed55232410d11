//! Harnesses for `cargo effigy`: a function that says for which inputs code must do what, run on all of them.
//!
//! ```
//! #[cfg(effigy)]
//! mod harnesses {
//!     #[effigy_harness::proof]
//!     fn halves_add_up() {
//!         let n: u8 = effigy_harness::any();
//!         assert_eq!(n / 2 + n.div_ceil(2), n);
//!     }
//! }
//! ```
//!
//! Under `cargo effigy` (`--cfg effigy`) a value of [`any`] stands for all values of its type. Elsewhere it is the next of
//! the values that [`concrete_playback_run`] was given: a counterexample as a test.
//!
//! The crate has no dependencies. A crate named `kani` with the same content takes its place where a harness was
//! written for Kani.

mod arbitrary;
mod bounded;
mod harness;
mod recorded;
#[cfg(not(effigy))]
mod replay;
pub mod slice;
pub mod vec;

pub use arbitrary::Arbitrary;
pub use bounded::{BoundedArbitrary, bounded_any};
pub use effigy_harness_macros::*;
#[doc(hidden)]
pub use harness::{Harness, HarnessEnd, HarnessKind};

pub use recorded::concrete_playback_run;
#[cfg(not(effigy))]
#[doc(hidden)]
pub use replay::replay;

use std::panic::Location;

/// Any value of a type.
#[track_caller]
pub fn any<T: Arbitrary>() -> T {
    T::any()
}

/// Any value of a type for which `holds` is true.
#[track_caller]
pub fn any_where<T: Arbitrary, F: FnOnce(&T) -> bool>(holds: F) -> T {
    let res = T::any();
    assume(holds(&res));
    res
}

/// Drops the runs on which `condition` is false: nothing is claimed of them.
pub fn assume(condition: bool) {
    recorded::assume(condition);
}

/// Asserts `condition`, with a message.
#[track_caller]
pub fn assert(condition: bool, message: &'static str) {
    if !condition {
        panic!("{message}");
    }
}

/// Notes whether some run comes here with `condition` true; said at the end, and no failure.
#[track_caller]
pub fn cover(condition: bool, message: &'static str) {
    recorded::cover(condition, message, Location::caller());
}

/// `cover!()`, `cover!(condition)`, `cover!(condition, "message")`: see [`cover()`].
#[macro_export]
macro_rules! cover {
    () => {
        $crate::cover(true, "this place is reached")
    };
    ($condition:expr $(,)?) => {
        $crate::cover($condition, concat!("cover condition: ", stringify!($condition)))
    };
    ($condition:expr, $message:literal $(,)?) => {
        $crate::cover($condition, $message)
    };
}

/// `implies!(a => b)`: `b` holds wherever `a` does.
#[macro_export]
macro_rules! implies {
    ($premise:expr => $conclusion:expr) => {
        !($premise) || ($conclusion)
    };
}
