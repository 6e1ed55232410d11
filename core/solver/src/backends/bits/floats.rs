//! Operations on floats as circuits.

use super::circuit::Result;
use super::circuits::Word;
use super::gates::Gates;
use effigy_term::float::FloatOp;

/// About the most gates that an operation takes.
pub(super) fn most_gates(_: FloatOp) -> usize {
    0
}

/// The bits of an operation on words of the widths that it takes.
///
/// # Errors
/// What is not made into a circuit, by what it is.
pub(super) fn operation(_: &mut Gates, _: FloatOp, _: &[&Word]) -> Result<Word> {
    Err("floating-point operations".to_owned())
}
