//! Floyd's method: a procedure is cut at its assertions, every path between two of them is executed symbolically, and
//! what must hold at its end is proved from its path condition.
//!
//! Knows: verification conditions and their verdicts. Never: a language, how a proof is shown.
//! Source: King 1976, section 8 (steps 1 to 4).
//!
//! What is proved is partial correctness: nothing is said of executions that do not end.

mod condition;
mod walk;

pub use condition::{Condition, PathStep, Proof, Verdict};
pub use walk::{Config, prove};
