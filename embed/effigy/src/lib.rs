//! Symbolic execution as a library: a test is given every value of its inputs, and the program's own compiler and its
//! own run do the execution.
//!
//! Knows: Rust's types and operators over a session (`effigy-session`). Never: another language, a database.
//! Source: Near and Jackson 2014, *Symbolic Execution for (Almost) Free*.
//!
//! ```
//! use effigy::prelude::*;
//!
//! fn average(a: Sym<u8>, b: Sym<u8>) -> Sym<u8> {
//!     (a + b) / 2
//! }
//!
//! let report = effigy::verify("average", &Options::default(), false, || {
//!     average(effigy::input("a"), effigy::input("b"));
//! });
//! assert_eq!(report.counterexamples[0].failure.message, "attempt to add with overflow");
//! ```

// What the attributes write names this crate as its user does.
extern crate self as effigy;

mod arith;
mod block_on;
mod boolean;
mod cast;
mod compare;
pub mod exp;
pub mod expect;
pub mod index;
pub mod merge;
mod methods;
mod num;
pub mod object;
mod pictures;
#[doc(hidden)]
pub mod rewritten;
pub mod scalar;
pub mod spec;
pub mod sym;
pub mod symbolic;
#[doc(hidden)]
pub mod test;
pub mod text;
pub mod verify;
#[doc(hidden)]
pub mod written;

pub use block_on::block_on;
pub use effigy_macros::{ReadOnly, Symbolic, symbolic, test};
pub use effigy_session as session;
pub use exp::Exp;
pub use expect::{Expectation, expect};
pub use merge::{Merge, ReadOnly};
pub use pictures::{Pictures, pictures};
pub use scalar::{Int, Scalar};
pub use spec::{Conclude, Spec, exists, forall};
pub use sym::{Operand, Sym};
pub use symbolic::{Expression, Symbolic};
pub use text::{SymStr, Text};
pub use verify::{Counterexample, Options, Report, assume, input, verify};

/// Everything that a test names.
pub mod prelude {
    pub use crate::assume;
    pub use crate::expect::{Expectation, Same, ToBe, ToCompare, ToEqual, ToInclude, expect};
    pub use crate::index::At;
    pub use crate::merge::Merge;
    pub use crate::spec::{Logic, Spec, exists, forall};
    pub use crate::sym::Sym;
    pub use crate::symbolic::Symbolic;
    pub use crate::text::SymStr;
    pub use crate::verify::Options;
    pub use effigy_macros::Symbolic;
}

/// Only inputs matter of which this holds: `assume!(a < b)`.
#[macro_export]
macro_rules! assume {
    ($cond:expr $(,)?) => {
        $crate::assume($cond)
    };
}
