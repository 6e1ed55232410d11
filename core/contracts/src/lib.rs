//! Programs with contracts: what readers of `.vpr` and `.oo` hand over, and what such a program does with values.
//!
//! Knows: members, statements, assertions, and the concrete interpreter. Never: text, terms, heaps of symbols, solvers.
//! Source: Smans, Jacobs, Piessens, "Symbolic Execution for Implicit Dynamic Frames" (2010), section 2; fractional
//! permissions and labels as Viper has them.

pub mod concrete;
pub mod program;

pub use program::{Program, Span};

use program::{FunctionId, MethodId, PredicateId};

/// Something that gets a verdict of its own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Member {
    /// A function: contract and body well-formed, postcondition holds.
    Function(FunctionId),
    /// A predicate: body well-formed and self-framing.
    Predicate(PredicateId),
    /// A method: contract well-formed, body satisfies it.
    Method(MethodId),
}

/// What has to be verified: functions, predicates, methods, each in the order of the source. Domains are trusted.
pub fn members(program: &Program) -> Vec<Member> {
    let mut res: Vec<Member> = (0..program.functions.len() as u32).map(|it| Member::Function(FunctionId(it))).collect();
    res.extend((0..program.predicates.len() as u32).map(|it| Member::Predicate(PredicateId(it))));
    res.extend((0..program.methods.len() as u32).map(|it| Member::Method(MethodId(it))));
    res
}
