//! The smart constructors: the only way to make a term.
//!
//! Knows: simplification rules, each named. Never: satisfiability.
//!
//! Sort errors are bugs of the caller and panic; input never reaches them because languages type-check first.

mod array;
mod bitvec;
mod boolean;
mod integer;
mod symbol;
