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

/// The most contents of uninitialised storage that are tried.
const MOST_CONTENTS: u32 = 64;

/// A run that was made.
pub(crate) struct Ran {
    /// The bug that it ends in; `None` where the program ends by itself.
    pub(crate) violation: Option<Violation>,
    /// The inputs, by the names that they have on the path alone.
    pub(crate) model: Model,
    /// The inputs in the order in which the run asks for them, and what is not asked for.
    pub(crate) inputs: Vec<Value>,
    /// The ways that the run takes where the contents of uninitialised storage leave several.
    pub(crate) contents: Vec<usize>,
    /// The number of transitions that were made.
    pub(crate) steps: u64,
    pub(crate) witness: Witness,
    pub(crate) coverage: Coverage,
}

impl Ran {
    /// The run as one into a bug; `None` where it ends in none.
    pub(crate) fn found(self) -> Option<Found> {
        let Ran { violation, model, inputs, contents, steps, witness, .. } = self;
        Some(Found { violation: violation?, model, inputs, contents, steps, witness })
    }
}

/// Makes the run into a bug again, and says whether it came there: `watch` sees the path at each state in which it stands,
/// the last one before the bug included.
pub fn again<L: Language>(
    language: &L,
    terms: &Terms,
    solver: &mut dyn Solver,
    budget: QueryBudget,
    found: &Found,
    watch: &mut dyn FnMut(&mut Context<'_>, &Path<L::State>),
) -> bool {
    let run = Run { inputs: found.inputs.clone(), model: &found.model, most_steps: found.steps.saturating_add(1) };
    let mut contents = Contents::leading(&found.contents);
    let ran = watched(language, terms, solver, budget, &run, &mut contents, Some(watch));
    ran.and_then(|it| it.violation)
        .is_some_and(|it| (it.kind, &it.place) == (found.violation.kind, &found.violation.place))
}

/// The inputs of a run.
pub(crate) struct Run<'m> {
    /// In the order in which the run asks for them.
    pub(crate) inputs: Vec<Value>,
    /// The model that they are of.
    pub(crate) model: &'m Model,
    /// The most transitions that it makes.
    pub(crate) most_steps: u64,
}

/// Whether a run is looked for that ends so: in a bug, or by itself.
pub(crate) type Wanted<'w> = dyn FnMut(Option<&Violation>) -> bool + 'w;

/// The result of running some inputs. Where uninitialised storage is read there are several runs.
pub(crate) enum Runs {
    /// This run ends as it is wanted.
    Came(Box<Ran>),
    /// No run ends so, whatever the contents.
    Differ,
    /// None of the runs that were made ends so, and not all were made.
    Many,
}

/// Makes the run of these inputs. Storage that was never written is anything there: of its contents those are tried that
/// lead to different places, until a run ends as it is `wanted`.
pub(crate) fn run<L: Language>(
    language: &L,
    terms: &Terms,
    solver: &mut dyn Solver,
    budget: QueryBudget,
    run: &Run<'_>,
    wanted: &mut Wanted<'_>,
) -> Runs {
    let mut contents = Contents::default();
    for _ in 0..MOST_CONTENTS {
        let ran = watched(language, terms, solver, budget, run, &mut contents, None);
        if let Some(ran) = ran.filter(|it| wanted(it.violation.as_ref())) {
            return Runs::Came(Box::new(ran));
        }
        if !contents.next() {
            return Runs::Differ;
        }
    }
    Runs::Many
}

/// The contents of storage that was never written, of which the inputs do not tell: which way they lead, at each question
/// to which they are the answer.
#[derive(Default)]
struct Contents {
    /// The way that is taken, and how many there are.
    ways: Vec<(usize, usize)>,
    /// Questions that the run came to.
    asked: usize,
}

impl Contents {
    /// Those that lead these ways.
    fn leading(ways: &[usize]) -> Contents {
        Contents { ways: ways.iter().map(|it| (*it, it + 1)).collect(), asked: 0 }
    }

    /// Which of so many ways is taken.
    fn take(&mut self, of: usize) -> usize {
        if self.asked == self.ways.len() {
            self.ways.push((0, of));
        }
        let way = self.ways[self.asked].0;
        self.asked += 1;
        way.min(of.saturating_sub(1))
    }

    /// The next ones, if there are others.
    fn next(&mut self) -> bool {
        self.ways.truncate(self.asked);
        self.asked = 0;
        while let Some((way, of)) = self.ways.pop() {
            if way + 1 < of {
                self.ways.push((way + 1, of));
                return true;
            }
        }
        false
    }

    fn taken(&self) -> Vec<usize> {
        self.ways[..self.asked].iter().map(|it| it.0).collect()
    }
}

/// A listener that sees the path at each state of a run.
type Watch<'w, S> = &'w mut dyn FnMut(&mut Context<'_>, &Path<S>);

/// The run of these inputs and contents, if it ends in a bug or by itself.
fn watched<L: Language>(
    language: &L,
    terms: &Terms,
    solver: &mut dyn Solver,
    budget: QueryBudget,
    run: &Run<'_>,
    contents: &mut Contents,
    mut watch: Option<Watch<'_, L::State>>,
) -> Option<Ran> {
    let Run { inputs: values, model, most_steps } = run;
    let on_values = language.runs_on_values();
    let inputs = if on_values { Inputs::Ordered(Ordered::new(values.clone())) } else { Inputs::Symbolic };
    let (mut coverage, mut notes) = (Coverage::default(), Notes::default());
    let mut ctx = Context::new(terms, &inputs, &mut coverage, &mut notes);
    let mut path = Path { id: PathId(0), state: language.start(&mut ctx), trail: Trail::new() };
    let mut guide = Guide::Model;
    if !on_values {
        path.trail.witness = Some((*model).clone().into());
    }
    let mut engine = Engine { terms, solver, budget };
    let mut left = *most_steps;
    let violation = loop {
        if let Some(watch) = &mut watch {
            watch(&mut ctx, &path);
        }
        let given = if watch.is_some() { left.min(1) } else { left };
        let mut fuel = given;
        let mut policy = if on_values { Policy::fork(&mut engine) } else { Policy::Follow(&mut guide) };
        let event = advance(language, &mut ctx, &mut path, &mut policy, &mut fuel);
        left -= given - fuel;
        match event {
            Event::Ended(Ok(Outcome::Violation(violation))) => break Some(*violation),
            Event::Ended(Ok(Outcome::Exit { .. })) => break None,
            Event::Violated(it) => {
                let Violated { violation, into, past, .. } = *it;
                match past {
                    Some(past) if contents.take(2) == 1 => path.grant(language, past),
                    _ => {
                        into.witness.as_ref()?;
                        path.trail = into;
                        break Some(*violation);
                    }
                }
            }
            Event::Moved if left == 0 => return None,
            Event::Moved | Event::Answered | Event::Held(_) => {}
            // Two contents of storage that was never written lead to different places.
            Event::Forked(Forks { mut ways, .. }) => {
                let way = ways.swap_remove(contents.take(ways.len()));
                path.take(language, way);
            }
            _ => return None,
        }
    };
    let known = path.trail.witness.clone()?.into_model();
    let model = match &inputs {
        Inputs::Ordered(order) => order.model(),
        _ => (*model).clone(),
    };
    let witness = language.witness(&ctx, &path.state, &known.overridden_by(&model));
    let violation = violation.map(|it| it.with_message(witness.message.as_deref()));
    let steps = *most_steps - left;
    let contents = contents.taken();
    Some(Ran { violation, model, inputs: values.clone(), contents, steps, witness, coverage })
}
