//! The theories of collections: their axioms hold, do not contradict one another, and prove what they should.

pub mod corpus;
pub mod evaluate;
pub mod random;
pub mod z3;

mod axioms;
mod shapes;
mod theorems;
