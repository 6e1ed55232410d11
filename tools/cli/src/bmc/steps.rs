//! The run into a bug, line by line: what each line has changed, how its condition came out, what came from outside.
//!
//! Knows: the run of the inputs of a bug. Never: the formula that has led to them.

use crate::frontend::ReportHooks;
use effigy_bmc::Found;
use effigy_engine::{Context, Input, Path, Place, Standing, Variable};
use effigy_report::test_case::{TestInput, TestPlace};
use effigy_solver::{QueryBudget, Solver};
use effigy_term::{Term, Terms};
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The number of lines that are kept from the beginning of a run, and from its end.
const MOST_LINES: u64 = 2_000;

/// So many turns are kept: those that follow are found again by who follows these.
const MOST_TURNS: usize = 100_000;

/// The run into a bug.
#[derive(Serialize)]
pub(super) struct Run {
    /// The class of the bug.
    kind: &'static str,
    /// The place of the bug.
    #[serde(flatten)]
    pub(super) place: TestPlace,
    /// The lines, in the order in which the run begins them.
    pub(super) steps: Vec<RunStep>,
    /// So many lines in the middle are not told.
    #[serde(skip_serializing_if = "is_zero")]
    left_out: u64,
    /// What has led there, in the order in which it came about.
    #[serde(skip)]
    pub(super) turns: Vec<Turn>,
}

/// What the run has taken its way by.
pub(super) struct Turn {
    pub(super) place: Place,
    /// The text of the line.
    pub(super) source: Arc<str>,
    pub(super) what: What,
}

pub(super) enum What {
    /// A condition came out so.
    Outcome(bool),
    /// This input came from outside.
    Input(TestInput),
}

fn is_zero(it: &u64) -> bool {
    *it == 0
}

/// A line that the run executes.
#[derive(Clone, Serialize)]
pub(super) struct RunStep {
    #[serde(flatten)]
    pub(super) place: TestPlace,
    /// The number of calls in progress.
    depth: usize,
    /// The text of the line.
    pub(super) source: Arc<str>,
    /// How its condition came out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) outcome: Option<bool>,
    /// What it has got from outside.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) inputs: Vec<TestInput>,
    /// Variables with the values that they have got.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    changed: Vec<(Arc<str>, String)>,
}

/// The run into a bug, made again. `None` if it does not come there again.
pub(super) fn told<L: ReportHooks>(
    language: &L,
    terms: &Terms,
    solver: &mut dyn Solver,
    query: QueryBudget,
    found: &Found,
) -> Option<Run> {
    let mut teller = Teller::new(language, terms, &found.witness.inputs);
    let came = effigy_bmc::again(language, terms, solver, query, found, &mut |ctx, path| teller.arrive(ctx, path));
    came.then(|| teller.run(found))
}

/// An execution of a line.
struct Line {
    place: Place,
    source: Arc<str>,
    /// The number of the line's execution.
    number: u64,
}

/// A call that has not returned.
struct Call {
    /// The line that it stands on, and the number of its execution.
    line: Option<Line>,
    /// What was last known of its variables.
    values: BTreeMap<Arc<str>, String>,
}

/// Who follows a run and tells its lines.
struct Teller<'a, L> {
    language: &'a L,
    terms: &'a Terms,
    calls: Vec<Call>,
    steps: BTreeMap<u64, RunStep>,
    /// The number of lines begun so far.
    count: u64,
    /// The inputs of the run, and how many it has asked for.
    inputs: &'a [Input],
    asked: usize,
    turns: Vec<Turn>,
    /// Where the run stood last.
    standing: Option<Standing>,
}

impl<'a, L: ReportHooks> Teller<'a, L> {
    fn new(language: &'a L, terms: &'a Terms, inputs: &'a [Input]) -> Teller<'a, L> {
        let (calls, steps, turns) = (Vec::new(), BTreeMap::new(), Vec::new());
        Teller { language, terms, calls, steps, count: 0, inputs, asked: 0, turns, standing: None }
    }

    /// The run stands here now.
    fn arrive(&mut self, ctx: &mut Context<'_>, path: &Path<L::State>) {
        let state = &path.state;
        self.heard(state);
        let standing = self.language.standing(state);
        if let (Some(from), Some(to)) = (std::mem::replace(&mut self.standing, standing), standing) {
            self.decided(self.language.outcome(from, to));
        }
        let statement = self.language.statement(state);
        let depth = self.language.depth(state);
        if statement.number == 0 || depth == 0 {
            return;
        }
        let is_same = |call: &Call| {
            let line = call.line.as_ref();
            line.is_some_and(|it| it.place.line == statement.place.line && it.place.file == statement.place.file)
        };
        if self.calls.len() == depth && self.calls.last().is_some_and(is_same) {
            return;
        }
        self.calls.truncate(depth);
        if self.calls.len() == depth {
            // What the line has changed is there when the next one begins.
            self.changed(ctx, path);
        }
        let is_back = self.calls.get(depth - 1).is_some_and(is_same);
        if is_back {
            return;
        }
        let is_called = self.calls.len() < depth;
        self.calls.resize_with(depth, || Call { line: None, values: BTreeMap::new() });
        let number = self.count;
        self.count += 1;
        let step = RunStep {
            place: (&Place { function: Arc::clone(&statement.procedure), ..statement.place.clone() }).into(),
            depth,
            source: Arc::clone(&statement.text),
            outcome: None,
            inputs: Vec::new(),
            changed: Vec::new(),
        };
        self.steps.insert(number, step);
        if let Some(middle) = number.checked_sub(MOST_LINES).filter(|it| *it >= MOST_LINES) {
            self.steps.remove(&middle);
        }
        if let Some(call) = self.calls.last_mut() {
            call.line = Some(Line { place: statement.place, source: statement.text, number });
        }
        if is_called {
            // What a call begins with is no change.
            self.values(ctx, path);
        }
    }

    fn line(&self) -> Option<&Line> {
        self.calls.last()?.line.as_ref()
    }

    fn step(&mut self) -> Option<&mut RunStep> {
        let number = self.line()?.number;
        self.steps.get_mut(&number)
    }

    /// The run turns on the line on which it stands.
    fn turn(&mut self, what: What) {
        let Some(line) = self.line().filter(|_| self.turns.len() < MOST_TURNS) else { return };
        let turn = Turn { place: line.place.clone(), source: Arc::clone(&line.source), what };
        self.turns.push(turn);
    }

    /// What came from outside belongs to the line that the run stands on.
    fn heard(&mut self, state: &L::State) {
        while self.asked < self.language.inputs(state) {
            let input = self.inputs.get(self.asked).map(TestInput::from);
            self.asked += 1;
            let Some(input) = input else { continue };
            self.turn(What::Input(input.clone()));
            if let Some(step) = self.step() {
                step.inputs.push(input);
            }
        }
    }

    fn decided(&mut self, outcome: Option<bool>) {
        let Some(outcome) = outcome else { return };
        self.turn(What::Outcome(outcome));
        if let Some(step) = self.step() {
            step.outcome = Some(outcome);
        }
    }

    /// The variables of the innermost call; what has changed since they were looked at last.
    fn values(&mut self, ctx: &mut Context<'_>, path: &Path<L::State>) -> Vec<(Arc<str>, String)> {
        let variables = self.language.variables(ctx, &path.state);
        let bounds = std::cell::LazyCell::new(|| path.trail.bounds(self.terms));
        let mut res = Vec::new();
        for Variable { name, value } in variables {
            // The run is concrete but for storage that was never written.
            let show = |it: Term| match self.terms.symbols(it).is_empty() {
                true => self.language.show(self.terms, it),
                false => self.language.show_on(self.terms, it, &bounds),
            };
            let Some(value) = value.text(show) else { continue };
            let Some(call) = self.calls.last_mut() else { return res };
            if call.values.get(&name) != Some(&value) {
                call.values.insert(Arc::clone(&name), value.clone());
                res.push((name, value));
            }
        }
        res
    }

    fn changed(&mut self, ctx: &mut Context<'_>, path: &Path<L::State>) {
        let changed = self.values(ctx, path);
        if let Some(step) = self.step() {
            for it in changed {
                step.changed.retain(|known| known.0 != it.0);
                step.changed.push(it);
            }
        }
    }

    fn run(self, found: &Found) -> Run {
        let left_out = self.count - self.steps.len() as u64;
        let (kind, place) = (found.violation.kind.0, (&found.violation.place).into());
        Run { kind, place, steps: self.steps.into_values().collect(), left_out, turns: self.turns }
    }
}

/// Lines of a run that are shown, at its beginning and at its end.
const SHOWN: (usize, usize) = (20, 60);

/// So many characters of a line's text are shown.
const MOST_TEXT: usize = 60;

impl Run {
    /// Whether this is the run into a bug.
    pub(super) fn leads_to(&self, kind: &str, place: &TestPlace) -> bool {
        self.kind == kind && self.place == *place
    }

    /// For people: a line each.
    pub(super) fn render(&self) -> String {
        let row = |it: &RunStep| {
            let file = it.place.file.rsplit('/').next().unwrap_or_default();
            let at = format!("{file}:{}", it.place.line);
            let mut text: String =
                format!("{:indent$}{}", "", it.source, indent = 2 * (it.depth.saturating_sub(1).min(8)));
            if text.chars().count() > MOST_TEXT {
                text = text.chars().take(MOST_TEXT - 1).chain(['…']).collect();
            }
            let outcome = it.outcome.map(|it| if it { "holds" } else { "does not hold" }.to_owned());
            let inputs = it.inputs.iter().map(|it| format!("{} gives {}", it.name, it.display()));
            let changed = it.changed.iter().map(|(name, value)| format!("{name} = {value}"));
            let told: Vec<String> = inputs.chain(outcome).chain(changed).collect();
            (at, text, told.join(", "))
        };
        let (first, last) = SHOWN;
        let hidden = self.steps.len().saturating_sub(first + last);
        let shown = |at: usize| hidden == 0 || at < first || at >= first + hidden;
        let rows: Vec<_> = self.steps.iter().enumerate().filter(|it| shown(it.0)).map(|it| (it.0, row(it.1))).collect();
        let width =
            |of: &dyn Fn(&(String, String, String)) -> usize| rows.iter().map(|it| of(&it.1)).max().unwrap_or(0);
        let (at, text) = (width(&|it| it.0.chars().count()), width(&|it| it.1.chars().count()));
        let mut res = String::from("  the run:\n");
        for (number, (place, source, told)) in rows {
            if hidden > 0 && number == first + hidden {
                res.push_str(&format!("  … {} lines\n", hidden as u64 + self.left_out));
            }
            res.push_str(format!("  {place:at$}  {source:text$}  {told}").trim_end());
            res.push('\n');
        }
        res
    }
}
