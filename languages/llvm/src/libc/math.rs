//! The functions of `math.h`, and LLVM's intrinsics on floats.
//!
//! Knows: which of them IEEE 754 defines to the last bit: those are exact on symbolic arguments. The others are what the
//! library of this machine says, on concrete arguments alone.
//! Source: C17, 7.12; LLVM Language Reference, "Standard C/C++ Library Intrinsics".

pub(super) mod arithmetic;
mod bounds;
pub(super) mod classes;
pub(super) mod errors;
pub(super) mod exponents;
pub(super) mod integers;
pub(super) mod of_machine;
pub(super) mod rounding_mode;

use crate::machine::Flow;
use crate::value::Val;
use effigy_term::{BvValue, Term, Terms, Width};

type Done = Flow<Option<Val>>;

/// An `int` of the program.
fn int(terms: &Terms, value: i64) -> Term {
    terms.bv(BvValue::from_i64(Width::W32, value))
}
