//! Binary floating-point numbers of IEEE 754: formats, rounding, operations, and what they come to.
//!
//! Knows: how a number is encoded in the bits of a bitvector, and the exact result of each operation. Never: circuits,
//! languages, the floating-point unit of this machine.
//!
//! A float is a bitvector: sign, exponent, fraction, as the interchange formats of IEEE 754-2019, 3.4 lay them out. What an
//! operation makes is one NaN, [`Format::nan`]; what it is given may be any.
//! Sources: IEEE 754-2019; SMT-LIB 2.6, theory FloatingPoint, for what is left open there.

mod exact;
mod format;
mod literal;
mod operation;
mod rounding;

pub use exact::{Exact, Number};
pub use format::Format;
pub use literal::literal;
pub use operation::FloatOp;
pub use rounding::Rounding;
