//! Sorts, hash-consed terms, their simplification at construction, their evaluation and their printing.
//!
//! Knows: the mathematics of values (booleans, bitvectors of any width, unbounded integers, exact fractions, arrays,
//! uninterpreted sorts and functions).
//! Never: a solver, a path, a language, a file.
//!
//! A [`Term`] is a handle of 4 bytes into a [`Terms`] arena. Terms are built only by the smart
//! constructors of [`Terms`], which simplify; two equal terms of one arena have equal handles.

pub mod bv;
pub mod float;
mod ids;
mod list;
pub mod node;
mod size;
pub mod sort;
pub mod symbol;
pub mod value;

mod terms;

pub mod model;

pub mod eval;
pub mod fingerprint;
mod fold;
pub mod plain;
pub mod print;
pub mod range;
pub mod rules;
mod substitute;
pub mod truth_table;

pub use bv::BvValue;
pub use list::PersistentList;
pub use model::Model;
pub use node::{BvOp, Node, Polynomial, Term};
pub use rules::Rule;
pub use sort::{Sort, Width};
pub use symbol::{FunctionSymbol, Symbol, SymbolKind};
pub use terms::Terms;
pub use value::Value;
