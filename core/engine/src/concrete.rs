//! The concrete run of a language for given inputs: the oracle of its symbolic run.
//!
//! Knows: one path without a solver. Never: forks.

use crate::advance::{Event, Policy, advance};
use crate::context::{Context, Inputs};
use crate::coverage::Coverage;
use crate::guide::Guide;
use crate::language::Language;
use crate::notes::Notes;
use crate::outcome::{PathOutcome, Witness};
use crate::path::{Path, PathId, Trail};
use effigy_term::{Model, Terms};

/// The result of a concrete run.
#[derive(Clone, Debug)]
pub struct ConcreteRun {
    /// How it ended; `None` when the steps ran out, or a question had no answer.
    pub outcome: Option<PathOutcome>,
    /// The inputs that were read and what was written.
    pub witness: Witness,
    /// The number of transitions that were made.
    pub steps: u64,
    /// The sites of the program that were reached.
    pub coverage: Coverage,
    /// The approximations that were made on the way.
    pub notes: Notes,
}

/// Follows a path by its own model to its end; `None` when the steps ran out, or a question had no answer.
pub fn follow<L: Language>(
    language: &L,
    ctx: &mut Context<'_>,
    path: &mut Path<L::State>,
    max_steps: u64,
) -> Option<PathOutcome> {
    let mut guide = Guide::Model;
    let mut fuel = max_steps;
    loop {
        match advance(language, ctx, path, &mut Policy::Follow(&mut guide), &mut fuel) {
            Event::Ended(outcome) => return Some(outcome),
            Event::Moved if fuel == 0 => return None,
            Event::Moved | Event::Answered | Event::Held(_) => {}
            _ => return None,
        }
    }
}

/// Runs `language` on `inputs`, for at most `max_steps` transitions.
///
/// A question can only arise over undefined storage; it is answered as if that storage were zero.
pub fn run_concretely<L: Language>(language: &L, terms: &Terms, inputs: &Inputs, max_steps: u64) -> ConcreteRun {
    let start = |ctx: &mut Context<'_>| language.start(ctx);
    run_concretely_from(language, terms, inputs, max_steps, start).0
}

/// Like [`run_concretely`], from a state of the caller's choice (the start of a call); with the state at the end.
pub fn run_concretely_from<L: Language>(
    language: &L,
    terms: &Terms,
    inputs: &Inputs,
    max_steps: u64,
    start: impl FnOnce(&mut Context<'_>) -> L::State,
) -> (ConcreteRun, L::State) {
    let (mut coverage, mut notes) = (Coverage::default(), Notes::default());
    let mut ctx = Context::new(terms, inputs, &mut coverage, &mut notes);
    let mut path = Path { id: PathId(0), state: start(&mut ctx), trail: Trail::new() };
    let outcome = follow(language, &mut ctx, &mut path, max_steps);
    let witness = language.witness(&ctx, &path.state, &Model::new());
    let steps = path.trail.steps;
    (ConcreteRun { outcome, witness, steps, coverage, notes }, path.state)
}
