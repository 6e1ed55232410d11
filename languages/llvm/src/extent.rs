//! An access and the end of the object that it must not leave.
//!
//! Knows: how far away an access lies for one input. Never: whether it may (`step/access`).

use effigy_term::eval::Evaluator;
use effigy_term::{Model, Term, Terms, Value};

/// An access of `size` bytes at an offset from the start of an object, and the object's size.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// The offset of the access, 64 bits that are signed.
    pub offset: Term,
    /// The size of the access in bytes.
    pub size: u64,
    /// The size of the object, 64 bits.
    pub end: Term,
}

impl Extent {
    /// The number of bytes between the object and the access for these inputs; 0 if they touch or overlap.
    pub(crate) fn gap(&self, terms: &Terms, model: &Model) -> u64 {
        let number = |it: Term| match Evaluator::new(terms, model).value(it) {
            Some(Value::BitVec(bits)) => bits.to_u64(),
            _ => None,
        };
        let (Some(offset), Some(end)) = (number(self.offset), number(self.end)) else { return 0 };
        match offset.cast_signed() {
            before @ ..0 => before.unsigned_abs().saturating_sub(self.size),
            _ => offset.saturating_sub(end),
        }
    }
}
