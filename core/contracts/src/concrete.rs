//! The concrete interpreter: what a program does with values in place of terms.
//!
//! Knows: statements, expressions and assertions over concrete heaps. Never: terms, chunks, solvers: tests of the verifier
//! use it as an oracle that shares nothing with it but the [`Program`].
//!
//! Ghost statements do nothing. A predicate means its body. A location is accessible if it exists; amounts matter only
//! inside of one assertion, where those of a location must not exceed 1: so `acc(a.f) && acc(b.f)` says `a != b`.
//! What a program leaves open (fields of a new object, a variable that was not set) is the least value of its type.
//! Domain functions have the values that [`World::define`] or `assume f(a) == v` gives them.
//!
//! [`run`] executes a method, [`holds_before`] tells whether a state is one that its precondition allows.

mod assertion;
mod collection;
mod evaluate;
mod execute;
mod value;
mod world;

#[cfg(test)]
mod tests;

pub use value::{ConcreteValue, ObjectId};
pub use world::World;

use crate::program::{Exp, LabelId, MemberVariable, MethodId, Program, Span, Type};
use std::sync::Arc;

/// What an execution may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ConcreteBudget {
    /// Statements and parts of expressions.
    pub steps: u64,
    /// How deep the evaluation of expressions may nest, applications of functions included. The machine's stack grows
    /// with it: 1,000 fit into the two megabytes of a thread.
    pub depth: u32,
    /// Whether contracts of methods and invariants of loops are checked as they are met.
    pub contracts: bool,
}

impl ConcreteBudget {
    /// So many steps, with contracts.
    pub fn of(steps: u64) -> ConcreteBudget {
        ConcreteBudget { steps, depth: 1000, contracts: true }
    }
}

/// Why an execution did not end as it should.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}:{}: {kind}", span.line, span.column)]
pub struct ConcreteError {
    /// The rule that was broken.
    pub kind: ConcreteErrorKind,
    /// The construct whose execution broke it.
    pub span: Span,
}

/// The rule whose violation ended an execution.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ConcreteErrorKind {
    /// `assert`, `exhale`, `join` or `asserting` of something false.
    #[error("the assertion does not hold")]
    AssertionFalse,
    /// A precondition does not hold where its method is called.
    #[error("the precondition does not hold")]
    Precondition,
    /// A postcondition does not hold at the end of its method.
    #[error("the postcondition does not hold")]
    Postcondition,
    /// An invariant does not hold where its loop's condition is evaluated.
    #[error("the invariant does not hold")]
    Invariant,
    /// A field of `null` was accessed.
    #[error("the receiver is null")]
    NullDereference,
    /// A field that the object does not have.
    #[error("the object has no such field")]
    MissingField,
    /// An index outside of a sequence.
    #[error("the index is out of range")]
    IndexOutOfRange,
    /// A key outside of a map.
    #[error("the map has no such key")]
    MissingKey,
    /// An integer was divided by zero.
    #[error("the divisor is zero")]
    DivisionByZero,
    /// `old` of a label that was not reached.
    #[error("the label was not reached")]
    LabelNotReached,
    /// An assumption is false: no execution goes this way.
    #[error("the assumption does not hold")]
    Infeasible,
    /// The budget's steps ran out, or a value grew too large.
    #[error("out of steps")]
    OutOfSteps,
    /// The budget's depth ran out.
    #[error("nested too deeply")]
    TooDeep,
    /// Something has no concrete meaning here: its name.
    #[error("cannot be executed: {0}")]
    Unsupported(Arc<str>),
}

impl ConcreteErrorKind {
    /// Whether the program did what a verified program never does. Otherwise the execution says nothing.
    pub fn is_failure(&self) -> bool {
        use ConcreteErrorKind::*;
        !matches!(self, Infeasible | OutOfSteps | TooDeep | Unsupported(_))
    }
}

type ConcreteResult<T> = Result<T, ConcreteError>;

fn fail<T>(kind: ConcreteErrorKind, span: Span) -> ConcreteResult<T> {
    Err(ConcreteError { kind, span })
}

fn unsupported<T>(what: &str, span: Span) -> ConcreteResult<T> {
    fail(ConcreteErrorKind::Unsupported(what.into()), span)
}

/// Executes a method from the empty heap and gives its results.
pub fn run(
    program: &Program,
    method: MethodId,
    args: &[ConcreteValue],
    budget: ConcreteBudget,
) -> Result<Vec<ConcreteValue>, ConcreteError> {
    run_in(program, &mut World::default(), method, args, budget)
}

/// Executes a method on a heap, which it changes, and gives its results.
pub fn run_in(
    program: &Program,
    world: &mut World,
    method: MethodId,
    args: &[ConcreteValue],
    budget: ConcreteBudget,
) -> Result<Vec<ConcreteValue>, ConcreteError> {
    Interpreter::new(program, budget).run(world, method, args)
}

/// Whether a method's precondition holds of a heap and arguments.
pub fn holds_before(
    program: &Program,
    world: &World,
    method: MethodId,
    args: &[ConcreteValue],
    budget: ConcreteBudget,
) -> Result<bool, ConcreteError> {
    let callee = &program.methods[method.index()];
    let mut scope = Scope::new(&callee.variables, args, world, callee.labels.len());
    Interpreter::new(program, budget).all_hold(world, &mut scope, &callee.pre)
}

/// Whether a method's postcondition holds of the heaps before and after, arguments and results.
pub fn holds_after(
    program: &Program,
    before: &World,
    after: &World,
    method: MethodId,
    args: &[ConcreteValue],
    results: &[ConcreteValue],
    budget: ConcreteBudget,
) -> Result<bool, ConcreteError> {
    let callee = &program.methods[method.index()];
    let values: Vec<ConcreteValue> = args.iter().chain(results).cloned().collect();
    let mut scope = Scope::new(&callee.variables, &values, before, callee.labels.len());
    Interpreter::new(program, budget).all_hold(after, &mut scope, &callee.post)
}

/// The values of a member's variables, and the heaps that `old` means.
struct Scope<'p> {
    declared: &'p [MemberVariable],
    variables: Vec<Option<ConcreteValue>>,
    old: World,
    labels: Vec<Option<World>>,
    result: Option<ConcreteValue>,
}

impl<'p> Scope<'p> {
    /// The first variables have these values.
    fn new(declared: &'p [MemberVariable], values: &[ConcreteValue], old: &World, labels: usize) -> Scope<'p> {
        let mut variables: Vec<Option<ConcreteValue>> = values.iter().cloned().map(Some).collect();
        variables.resize(declared.len().max(values.len()), None);
        Scope { declared, variables, old: old.clone(), labels: vec![None; labels], result: None }
    }

    fn old(&self, label: Option<LabelId>, span: Span) -> ConcreteResult<World> {
        match label {
            None => Ok(self.old.clone()),
            Some(label) => match self.labels.get(label.index()) {
                Some(Some(world)) => Ok(world.clone()),
                _ => fail(ConcreteErrorKind::LabelNotReached, span),
            },
        }
    }
}

/// Counts what is left of the budget.
struct Interpreter<'p> {
    program: &'p Program,
    budget: ConcreteBudget,
    steps: u64,
    depth: u32,
}

impl<'p> Interpreter<'p> {
    fn new(program: &'p Program, budget: ConcreteBudget) -> Interpreter<'p> {
        Interpreter { program, budget, steps: 0, depth: 0 }
    }

    /// Counts this number of steps against the budget.
    fn charge(&mut self, steps: u64, span: Span) -> ConcreteResult<()> {
        self.steps = self.steps.saturating_add(steps);
        if self.steps > self.budget.steps { fail(ConcreteErrorKind::OutOfSteps, span) } else { Ok(()) }
    }

    /// One level deeper; the way back is a decrement of `depth`.
    fn enter(&mut self, span: Span) -> ConcreteResult<()> {
        self.charge(1, span)?;
        if self.depth >= self.budget.depth {
            return fail(ConcreteErrorKind::TooDeep, span);
        }
        self.depth += 1;
        Ok(())
    }

    /// Whether assertions hold together: what they ask for is summed up.
    fn all_hold(&mut self, world: &World, scope: &mut Scope, assertions: &[Exp]) -> ConcreteResult<bool> {
        let mut taken = assertion::Footprint::default();
        for it in assertions {
            if !self.takes(world, scope, it, &assertion::whole(), &mut taken)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The least value of a type; `None` for domains.
pub fn least(typ: &Type) -> Option<ConcreteValue> {
    Some(match typ {
        Type::Int => ConcreteValue::Int(0.into()),
        Type::Bool => ConcreteValue::Bool(false),
        Type::Ref => ConcreteValue::Null,
        Type::Perm => ConcreteValue::Perm(num_traits::Zero::zero()),
        Type::Seq(_) => ConcreteValue::Seq(Arc::default()),
        Type::Set(_) => ConcreteValue::Set(Arc::default()),
        Type::Multiset(_) => ConcreteValue::Multiset(Arc::default()),
        Type::Map(..) => ConcreteValue::Map(Arc::default()),
        Type::Domain(..) | Type::Var(_) => return None,
    })
}
