//! The smart constructors: the only way to make a term.
//!
//! Knows: simplification rules, written `match: ... result: ...` where they are applied. Their names
//! are those of [`Rule`]; an example of each, which is tested, is in `core/term/tests/laws.txt`; that they are right is tested against an evaluation without
//! terms (`core/term/tests/it/construction.rs`). Never: satisfiability.
//!
//! Sources: SMT-LIB 2.6, theory FixedSizeBitVectors, for the meaning; the rules are the usual ones of bitvector
//! solvers (Brummayer 2009, "Efficient SMT Solving for Bit-Vectors and the Extensional Theory of Arrays", chapter 3).
//!
//! Sort errors are bugs of the caller and panic; input never reaches them because languages type-check first.

mod array;
mod bits;
mod bitvec;
mod bitwise;
mod boolean;
mod compare;
mod float;
mod integer;
mod polynomial;
mod real;
mod rule;
mod symbol;

pub use rule::Rule;
pub(crate) use rule::RuleCounters;
