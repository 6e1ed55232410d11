//! Decision procedures for one theory each: neither layers of the chain nor parts of the local core, which both use them.
//!
//! Knows: formulas and what follows from them. Never: layers, scopes, processes.
//!
//! Ranges and truth tables decide too, by evaluating: they stand beside the evaluator, in `effigy_term`.

pub(crate) mod domains;
pub(crate) mod elimination;
pub(crate) mod linear;
pub(crate) mod powers;
