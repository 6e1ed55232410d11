//! A place in an object, and why it is touched.
//!
//! Knows: objects by their numbers, offsets. Never: whether a place is in bounds, which step/access.rs looks at.

use super::ObjectId;
use effigy_term::Term;

/// Why memory is touched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Access {
    Read,
    Write,
}

impl Access {
    pub(crate) fn verb(self) -> &'static str {
        match self {
            Access::Read => "reading",
            Access::Write => "writing",
        }
    }
}

/// A place in an object, known to be in bounds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    pub(crate) object: ObjectId,
    pub(crate) offset: Offset,
}

/// An offset in an object.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Offset {
    Known(usize),
    /// 64 bits wide.
    Symbolic(Term),
}
