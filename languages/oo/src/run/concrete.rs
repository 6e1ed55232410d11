//! The concrete semantics: what a program does with values.
//!
//! Knows: values, a heap, stacks of calls, threads. Never: terms, solvers, the symbolic models. It is the oracle that
//! those are tested with, so it is written from the paper and the program alone, plainly, and for no speed.
//! Source: de Boer and Bonsangue 2021, sections 2 to 4, "Concrete ...".
//!
//! What happens in which order, in one statement:
//!
//! | statement | order |
//! |---|---|
//! | `h := e` | the parts of h (receiver, receiver ≠ nil, index, bounds), then e, then the update |
//! | `h := new C` | the object is created, then the parts of h, then the update |
//! | `h := new T[e]` | e, e ≥ 0, then the object is created, then the parts of h, then the update |
//! | `h := e0.m(ē)` | e0, e0 ≠ nil, ē from left to right; and at the return the parts of h in the state *after* the call |
//!
//! A *move* is a statement of these, a test, an assumption or assertion, a call, `return e` (r := e), the end of a call
//! (h := r), the start of threads, the entry of `atomic`. Threads interleave between moves; all else (entering and
//! leaving blocks, leaving `atomic`, joining threads) is not seen.

mod evaluate;
mod execute;
mod value;

#[cfg(test)]
mod tests;

pub use evaluate::evaluate;
pub use execute::run;
pub use value::{Heap, Locals, MapValue, Object, ObjectId, Valuation, Value};

use super::program::StmtId;

/// ⊥: why an expression has no value or a statement no successor.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Fault {
    /// A field, an item or a method of nil.
    NilDereference,
    /// A subscript that is not of the array.
    OutOfBounds,
    /// Division by zero, or the remainder of one.
    DivisionByZero,
    /// `new T[e]` with e < 0.
    NegativeSize,
    /// `assert b` with b false.
    Assertion,
    /// None of the program's faults: it is not well-typed, a reference of the valuation leads nowhere, or a number
    /// would fill the memory.
    Unfit,
}

/// The reason why a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum End {
    /// Nothing is left to do.
    Completed,
    /// A statement had no successor.
    Fault {
        /// The fault that left the statement without a successor.
        fault: Fault,
        /// The statement that was to be executed.
        stmt: StmtId,
    },
    /// `assume b` or `|a| = e` was false: this input does not matter.
    AssumptionFailed,
    /// As many moves as were allowed have been made.
    OutOfSteps,
}

/// A run: ⟨S, V⟩ →* ⟨S', V'⟩.
#[derive(Clone, Debug)]
pub struct Run {
    /// The reason why the run ended.
    pub end: End,
    /// V' of the globals and the heap.
    pub valuation: Valuation,
    /// The local variables of the calls that were open then, outermost first; the first are those of the main
    /// statement. Of the thread that moved last.
    pub frames: Vec<Locals>,
    /// The outcomes of the tests of `if` and `while`, in order.
    pub branches: Vec<bool>,
    /// Of each point at which more than one thread could move: which did, and of how many.
    pub choices: Vec<(usize, usize)>,
    /// What the main statement returned.
    pub result: Option<Value>,
    /// How many moves were made.
    pub steps: usize,
}
