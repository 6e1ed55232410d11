//! The concrete run of a language for given inputs: the oracle of its symbolic run.
//!
//! Knows: one path without a solver. Never: forks.

use crate::context::{Context, Inputs};
use crate::coverage::Coverage;
use crate::decision::Decision;
use crate::language::{Language, Step};
use crate::notes::Notes;
use crate::outcome::{Outcome, Witness};
use effigy_term::eval::Evaluator;
use effigy_term::{Model, Terms};

/// What came of a concrete run.
#[derive(Clone, Debug)]
pub struct ConcreteRun {
    /// How it ended; `None` when the steps ran out.
    pub outcome: Option<Outcome>,
    /// The inputs that were read and what was written.
    pub witness: Witness,
    /// Transitions made.
    pub steps: u64,
    /// What was reached.
    pub coverage: Coverage,
    /// What was approximated.
    pub notes: Notes,
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
    let mut coverage = Coverage::default();
    let mut notes = Notes::default();
    let model = Model::new();
    let mut ctx = Context { terms, inputs, coverage: &mut coverage, notes: &mut notes };
    let mut state = start(&mut ctx);
    let mut fuel = max_steps;
    let outcome = loop {
        let step = language.step(&mut ctx, &mut state, &mut fuel);
        let mut evaluator = Evaluator::new(terms, &model);
        let decision = match step {
            Step::Exit(outcome) => break Some(outcome),
            Step::Next if fuel == 0 => break None,
            Step::Next => continue,
            Step::Branch(alternatives) => {
                match alternatives.iter().position(|it| evaluator.truth(it.cond) == Some(true)) {
                    Some(index) => Decision::Alternative(index as u32),
                    None => break None,
                }
            }
            Step::Value(term) => match evaluator.value(term) {
                Some(value) => Decision::Value(value),
                None => break None,
            },
            Step::Require { cond, violation } => match evaluator.truth(cond) {
                Some(true) => Decision::Granted,
                Some(false) => break Some(Outcome::Violation(violation)),
                None => break None,
            },
            Step::Assume(cond) => match evaluator.truth(cond) {
                Some(true) => Decision::Granted,
                _ => break Some(Outcome::Silent),
            },
        };
        language.answer(&mut state, decision);
    };
    let witness = language.witness(&ctx, &state, &model);
    (ConcreteRun { outcome, witness, steps: max_steps - fuel, coverage, notes }, state)
}
