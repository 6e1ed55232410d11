//! The smart constructors: the only way to make a term.
//!
//! Knows: simplification rules, each named. Never: satisfiability.
//!
//! Sort errors are bugs of the caller and panic; input never reaches them because languages type-check first.

mod array;
mod bits;
mod bitvec;
mod bitwise;
mod boolean;
mod compare;
mod integer;
mod symbol;
