//! From a model of the formula to a run of the program: what is told of a bug is told of the run.
//!
//! Knows: the inputs of the model, in the order in which the run asks for them. Never: the formula.

use crate::account::Found;
use effigy_engine::{
    Context, Coverage, Engine, Event, Forks, Guide, Inputs, Language, Notes, Ordered, Outcome, Path, PathId, Policy,
    Trail, Violated, Violation, Witness, advance,
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

/// Makes the run into a bug again, and says whether it came there: `watch` sees each state in which it stands, the last
/// one before the bug included.
pub fn again<L: Language>(
    language: &L,
    terms: &Terms,
    solver: &mut dyn Solver,
    budget: QueryBudget,
    found: &Found,
    watch: &mut dyn FnMut(&mut Context<'_>, &L::State),
) -> bool {
    let inputs = found.inputs.clone();
    let steps = found.steps.saturating_add(1);
    let ran = watched(language, terms, solver, budget, inputs, &found.model, steps, Some(watch));
    ran.and_then(|it| it.violation)
        .is_some_and(|it| (it.kind, &it.place) == (found.violation.kind, &found.violation.place))
}

/// The run of these inputs, if it ends in a bug or by itself within so many transitions. Storage that was never written
/// is anything there: only of it there are questions left.
pub(crate) fn run<L: Language>(
    language: &L,
    terms: &Terms,
    solver: &mut dyn Solver,
    budget: QueryBudget,
    inputs: Vec<Value>,
    model: &Model,
    most_steps: u64,
) -> Option<Ran> {
    watched(language, terms, solver, budget, inputs, model, most_steps, None)
}

/// Sees a state.
type Watch<'w, S> = &'w mut dyn FnMut(&mut Context<'_>, &S);

#[expect(clippy::too_many_arguments, reason = "those of a run")]
fn watched<L: Language>(
    language: &L,
    terms: &Terms,
    solver: &mut dyn Solver,
    budget: QueryBudget,
    values: Vec<Value>,
    model: &Model,
    most_steps: u64,
    mut watch: Option<Watch<'_, L::State>>,
) -> Option<Ran> {
    let on_values = language.runs_on_values();
    let inputs = if on_values { Inputs::Ordered(Ordered::new(values.clone())) } else { Inputs::Symbolic };
    let (mut coverage, mut notes) = (Coverage::default(), Notes::default());
    let mut ctx = Context::new(terms, &inputs, &mut coverage, &mut notes);
    let mut path = Path { id: PathId(0), state: language.start(&mut ctx), trail: Trail::new() };
    let mut guide = Guide::Model;
    if !on_values {
        path.trail.witness = Some(model.clone().into());
    }
    let mut engine = Engine { terms, solver, budget };
    let mut left = most_steps;
    let violation = loop {
        if let Some(watch) = &mut watch {
            watch(&mut ctx, &path.state);
        }
        let given = if watch.is_some() { left.min(1) } else { left };
        let mut fuel = given;
        let mut policy = if on_values { Policy::fork(&mut engine) } else { Policy::Follow(&mut guide) };
        let event = advance(language, &mut ctx, &mut path, &mut policy, &mut fuel);
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
    let model = match &inputs {
        Inputs::Ordered(order) => order.model(),
        _ => model.clone(),
    };
    let witness = language.witness(&ctx, &path.state, &known.overridden_by(&model));
    let steps = most_steps - left;
    Some(Ran { violation, model, inputs: values, steps, witness, coverage })
}
