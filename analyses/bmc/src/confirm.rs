//! From a model of the formula to a run of the program: what is told of a bug is told of the run.
//!
//! Knows: the inputs of the model, in the order in which the run asks for them. Never: the formula.

use crate::account::Found;
use effigy_engine::{
    Context, Coverage, Engine, Event, Forks, Inputs, Language, Notes, Ordered, Outcome, Path, PathId, Policy, Trail,
    Violated, Violation, Witness, advance,
};
use effigy_solver::{QueryBudget, Solver};
use effigy_term::{Model, Terms, Value};

/// A run that was made.
pub(crate) struct Ran {
    /// The bug that it ends in; `None` where the program ends by itself.
    pub(crate) violation: Option<Violation>,
    /// The inputs, by the names that they have on the path alone.
    pub(crate) model: Model,
    /// The inputs in the order in which the run asks for them, and what is not asked for.
    pub(crate) inputs: Vec<Value>,
    /// Transitions made.
    pub(crate) steps: u64,
    pub(crate) witness: Witness,
    pub(crate) coverage: Coverage,
}

impl Ran {
    /// As a run into a bug.
    pub(crate) fn found(self) -> Option<Found> {
        let Ran { violation, model, inputs, steps, witness, .. } = self;
        Some(Found { violation: violation?, model, inputs, steps, witness })
    }
}

/// Makes the run into a bug again: `watch` sees each state in which it stands, the last one before the bug included.
pub fn again<L: Language>(
    language: &L,
    terms: &Terms,
    solver: &mut dyn Solver,
    budget: QueryBudget,
    found: &Found,
    watch: &mut dyn FnMut(&mut Context<'_>, &L::State),
) {
    let inputs = found.inputs.clone();
    watched(language, terms, solver, budget, inputs, found.steps.saturating_add(1), Some(watch));
}

/// The run of these inputs, if it ends in a bug or by itself within so many transitions. Storage that was never written
/// is anything there: only of it there are questions left.
pub(crate) fn run<L: Language>(
    language: &L,
    terms: &Terms,
    solver: &mut dyn Solver,
    budget: QueryBudget,
    inputs: Vec<Value>,
    most_steps: u64,
) -> Option<Ran> {
    watched(language, terms, solver, budget, inputs, most_steps, None)
}

/// Sees a state.
type Watch<'w, S> = &'w mut dyn FnMut(&mut Context<'_>, &S);

fn watched<L: Language>(
    language: &L,
    terms: &Terms,
    solver: &mut dyn Solver,
    budget: QueryBudget,
    values: Vec<Value>,
    most_steps: u64,
    mut watch: Option<Watch<'_, L::State>>,
) -> Option<Ran> {
    let inputs = Inputs::Ordered(Ordered::new(values.clone()));
    let (mut coverage, mut notes) = (Coverage::default(), Notes::default());
    let mut ctx = Context::new(terms, &inputs, &mut coverage, &mut notes);
    let mut path = Path { id: PathId(0), state: language.start(&mut ctx), trail: Trail::new() };
    let mut engine = Engine { terms, solver, budget };
    let mut left = most_steps;
    let violation = loop {
        if let Some(watch) = &mut watch {
            watch(&mut ctx, &path.state);
        }
        let given = if watch.is_some() { left.min(1) } else { left };
        let mut fuel = given;
        let event = advance(language, &mut ctx, &mut path, &mut Policy::fork(&mut engine), &mut fuel);
        left -= given - fuel;
        match event {
            Event::Ended(Outcome::Violation(violation)) => break Some(*violation),
            Event::Ended(Outcome::Exit { .. }) => break None,
            Event::Violated(it) => {
                let Violated { violation, into, .. } = *it;
                into.witness.as_ref()?;
                path.trail = into;
                break Some(*violation);
            }
            Event::Moved if left == 0 => return None,
            Event::Moved | Event::Answered | Event::Held(_) => {}
            // Two contents of storage that was never written lead to different places, and nobody looks for that.
            Event::Forked(Forks { mut ways, .. }) => {
                let way = ways.swap_remove(0);
                path.take(language, way);
            }
            _ => return None,
        }
    };
    let known = path.trail.witness.clone()?.into_model();
    let witness = language.witness(&ctx, &path.state, &known);
    let Inputs::Ordered(order) = &inputs else { return None };
    let steps = most_steps - left;
    Some(Ran { violation, model: order.model(), inputs: values, steps, witness, coverage })
}
