//! Termination measures, which the verifier does not know yet.
//!
//! Knows: when a `decreases` clause is a proof obligation. Never: how to prove one.
//!
//! A clause matters to a verdict only if there is something to prove: a tuple, for a function that applies functions or
//! unfolds predicates in its contract or body, a method that calls methods or loops, or at a loop. `_` and `*` are
//! nothing to prove, the body of an abstract member neither, and what uses nothing that could run for ever terminates
//! whatever its measure is.
//! A function's obligation is an unsupported postcondition (whoever applies it gets no verdict either: its body is
//! assumed there); a method's is the first statement of its body, so that callers are not concerned; a loop's stands in
//! front of the loop.
//! Source: silver's `FunctionCheck.scala` and `MethodCheck.scala`.

use crate::ast::Span;
use crate::check::tree::{Decreases, Function, MeasureKind, Method, Node, Op, Stmt, StmtKind};

/// The name by which an unsupported measure is reported.
pub const NAME: &str = "termination measures";

/// The clause that is to be proved of a function.
pub fn of_function(function: &Function) -> Option<Span> {
    let mut parts = function.pre.iter().chain(&function.post).chain(&function.body);
    let applies = |it: &Node| it.any(&mut |it| matches!(it.op, Op::Function(_) | Op::Unfolding));
    if parts.any(applies) { tuple(&function.decreases) } else { None }
}

/// The clause that is to be proved of a method.
pub fn of_method(method: &Method) -> Option<Span> {
    if method.body.as_ref()?.iter().any(may_run_on) { tuple(&method.decreases) } else { None }
}

/// The clause that is to be proved of a loop.
pub fn of_loop(clauses: &[Decreases]) -> Option<Span> {
    tuple(clauses)
}

fn tuple(clauses: &[Decreases]) -> Option<Span> {
    clauses.iter().find(|it| it.kind == MeasureKind::Tuple).map(|it| it.span)
}

fn may_run_on(stmt: &Stmt) -> bool {
    let mut res = matches!(stmt.kind, StmtKind::Call { .. } | StmtKind::While { .. } | StmtKind::Goto(_));
    stmt.parts(&mut |_| {}, &mut |it| res |= may_run_on(it));
    res
}
