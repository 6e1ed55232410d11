//! Replay: from a decision sequence back to the path that it names.
//!
//! Knows: one path, its decisions. Never: a solver, unless the caller asks for feasibility later.

use crate::context::Context;
use crate::decision::Decision;
use crate::language::{Language, Step};
use crate::path::{Path, PathId, Trail};
use effigy_term::Value;

/// Why a decision sequence could not be replayed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReplayError {
    /// The path ended before its decisions did.
    #[error("the path ended after {taken} of {total} decisions")]
    EndedEarly {
        /// Decisions taken.
        taken: usize,
        /// Decisions given.
        total: usize,
    },
    /// The decision does not answer the question that was asked.
    #[error("decision {at} does not fit the question there")]
    DoesNotFit {
        /// The number of the decision, from zero.
        at: usize,
    },
}

/// Walks to the path that `decisions` names, up to its next question after the last of them.
/// The trail has no witness: whoever goes on from here asks the solver.
pub fn replay<L: Language>(
    language: &L,
    ctx: &mut Context<'_>,
    decisions: &[Decision],
) -> Result<Path<L::State>, ReplayError> {
    let state = language.start(ctx);
    let mut path = Path { id: PathId(0), state, trail: Trail::new() };
    let mut taken = 0;
    while taken < decisions.len() {
        let mut fuel = 1_000_000;
        let step = language.step(ctx, &mut path.state, &mut fuel);
        path.trail.steps += 1_000_000 - fuel;
        let does_not_fit = ReplayError::DoesNotFit { at: taken };
        let (decision, cond) = match step {
            Step::Next => continue,
            Step::Exit(_) => {
                return Err(ReplayError::EndedEarly { taken, total: decisions.len() });
            }
            Step::Require { cond, .. } | Step::Assume(cond) => (Decision::Granted, cond),
            Step::Branch(alternatives) => match &decisions[taken] {
                Decision::Alternative(index) => match alternatives.get(*index as usize) {
                    Some(it) => (decisions[taken].clone(), it.cond),
                    None => return Err(does_not_fit),
                },
                _ => return Err(does_not_fit),
            },
            Step::Value(term) => match &decisions[taken] {
                Decision::Value(value) if fits(ctx, term, value) => {
                    let constant = ctx.terms.of_value(ctx.terms.sort(term), value);
                    (decisions[taken].clone(), ctx.terms.eq(term, constant))
                }
                _ => return Err(does_not_fit),
            },
        };
        if decision != Decision::Granted {
            taken += 1;
            path.trail.decisions.push(decision.clone());
        }
        path.trail.condition.assume(ctx.terms, cond);
        path.trail.witness = None;
        language.answer(&mut path.state, decision);
    }
    Ok(path)
}

fn fits(ctx: &Context<'_>, term: effigy_term::Term, value: &Value) -> bool {
    use effigy_term::Sort;
    match (ctx.terms.sort(term), value) {
        (Sort::Bool, Value::Bool(_)) | (Sort::Int, Value::Int(_)) | (Sort::Real, Value::Real(_)) => true,
        (Sort::BitVec(width), Value::BitVec(it)) => it.width() == width,
        _ => false,
    }
}
