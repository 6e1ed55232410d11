//! `effigy run --concolic INPUT` and `effigy tree --generations INPUT`: one run, real and symbolic at once, and the
//! inputs that come of it.
//!
//! Knows: the flags, what is told. Never: a language, how sides are turned.

mod input;

use crate::args::{RunArgs, TreeArgs};
use crate::frontend::{About, Plan, ReportHooks};
use crate::limits::watch_memory;
use crate::progress::{say, say_json};
use crate::solver::solver_config;
use crate::tree::write;
use crate::{Code, Failure};
use effigy_concolic::{Campaign, Config, Layer, Limits, Run, Tried, Why, concolic, generate_inputs};
use effigy_engine::{Inspect, Outcome, PathOutcome, Question, Site, Witness};
use effigy_report::concolic::{ConcolicRun, Condition, PinnedValue, Side, render};
use effigy_report::document::Writer;
use effigy_report::generations::{GeneratedInput, Generations, NegatedCondition, Turn};
use effigy_report::leaf::LeafEnd;
use effigy_report::plural::counted;
use effigy_report::test_case::{TestBug, TestInput};
use effigy_solver::{QueryBudget, chain};
use effigy_term::print::PathBounds;
use effigy_term::range::Ranges;
use effigy_term::truth_table::TruthTables;
use effigy_term::{Term, Terms};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Executes one input concretely and symbolically, and prints its path.
pub(crate) fn run<P: Plan>(plan: &P, args: &RunArgs, input: &str) -> Result<Code, Failure> {
    let language = plan.language()?;
    let about = plan.about(&language);
    let given = input::given(input, &about)?;
    let (given, by_name) = (given.values, given.by_name);
    let time = match args.limits.max_time {
        Some(crate::args::MaxTime::Of(time)) => Some(time),
        _ => None,
    };
    let steps = args.limits.max_path_steps.or(args.limits.max_steps).or(about.path_steps);
    let limits = Limits { steps: steps.unwrap_or(u64::MAX), time, ..Limits::default() };
    let terms = Terms::without(&args.solver.no_rule);
    let run = concolic(&language, &terms, &given, &limits);
    let asked: Vec<&str> = run.symbols(&terms).map(|it| &*terms.symbol_info(it.0).name).collect();
    let is_asked = |name: &str| {
        let pieces = format!("{name}[");
        asked.iter().any(|it| *it == name || it.starts_with(&pieces))
    };
    let names = || given.iter().map(|it| it.0).filter(|it| !it.ends_with("_size") && !is_asked(it));
    if let Some(name) = names().next().filter(|_| by_name) {
        let inputs = crate::names::listed(asked.iter().map(|it| it.split('[').next().unwrap_or(it)));
        return Err(Failure(format!("--concolic {name}: this run asks for no input {name}; its inputs: {inputs}")));
    }
    let names = names();
    let told = ConcolicRun {
        effigy: Writer::default(),
        language: about.language,
        program: about.program.clone(),
        inputs: run.witness.inputs.iter().map(TestInput::from).collect(),
        unasked: names.map(str::to_owned).collect(),
        decisions: run.name.clone(),
        end: end(run.outcome.as_ref(), &run.witness),
        output: String::from_utf8_lossy(&run.witness.output).into_owned(),
        steps: run.steps,
        conditions: conditions(&language, &terms, &run),
        pinned: run.pinned.iter().map(|(place, count)| PinnedValue { place: place.into(), count: *count }).collect(),
        undefined: run.passed.iter().filter(|it| terms.is_undefined(it.cond)).count() as u64,
        notes: run.notes.iter().map(|(note, _, count)| (format!("{}: {}", note.kind, note.what), count)).collect(),
    };
    match args.output.json {
        true => say_json(&told)?,
        false => say(&render(&told))?,
    }
    Ok(code(&told.end))
}

fn code(end: &LeafEnd) -> Code {
    match end {
        LeafEnd::Bug(_) => Code::Found,
        LeafEnd::Exit(_) | LeafEnd::Dropped | LeafEnd::Redundant => Code::Nothing,
        LeafEnd::Unsupported { .. } | LeafEnd::Undecided { .. } | LeafEnd::Cut(_) => Code::Cut,
    }
}

fn end(outcome: Option<&PathOutcome>, witness: &Witness) -> LeafEnd {
    match outcome {
        None => LeafEnd::Cut("limit of the run".to_owned()),
        // A code that depends on the input is known only under it.
        Some(Ok(Outcome::Exit { code })) => LeafEnd::Exit(code.or(witness.exit)),
        Some(Ok(Outcome::Silent)) => LeafEnd::Dropped,
        Some(Ok(Outcome::Violation(violation))) => LeafEnd::Bug(TestBug::from(&**violation)),
        Some(Err(it)) => it.into(),
    }
}

/// What the run passed, for people.
fn conditions<L: ReportHooks>(language: &L, terms: &Terms, run: &Run) -> Vec<Condition> {
    // What was passed before says which sums do not overflow here, on either side.
    let mut bounds = PathBounds::default();
    let told = |it: &effigy_engine::Passed| {
        let kind = match &it.question {
            Question::Branch { .. } => "branch",
            Question::Value { .. } => "value",
            Question::Required { .. } => "required",
            Question::Assumed { .. } => "assumed",
        };
        let shown = |cond| language.show_on(terms, cond, &bounds);
        let other = |it: effigy_engine::Other| Side { side: it.label.text().to_owned(), holds: shown(it.cond) };
        let name = match &it.question {
            Question::Value { value, .. } => language.name_of_value(value),
            _ => None,
        };
        let res = Condition {
            place: (&it.place).into(),
            kind,
            side: name.unwrap_or_else(|| it.side()),
            holds: shown(it.cond),
            decided: it.decided,
            others: it.others(terms).into_iter().map(other).collect(),
        };
        bounds.assume(terms, it.cond);
        res
    };
    // What holds for any input says nothing of this one.
    let tables = TruthTables::new();
    let says_nothing = |it: &&effigy_engine::Passed| Ranges::new(terms, &tables).truth(it.cond) == Some(true);
    run.passed.iter().filter(|it| !says_nothing(it)).map(told).collect()
}

/// The generational search from one seed.
pub(crate) fn generations<P: Plan>(
    plan: &P,
    args: &TreeArgs,
    input: &str,
    interrupt: &Arc<AtomicBool>,
) -> Result<Code, Failure> {
    let language = plan.language()?;
    let about = plan.about(&language);
    let seed = input::given(input, &about)?.values;
    let budget = QueryBudget { steps: None, time: Some(std::time::Duration::from_secs(10)) };
    let steps = args.max_path_steps.or(about.path_steps).unwrap_or(Limits::default().steps);
    let campaign = Campaign {
        expand: Config { budget, ..Config::default() },
        run: Limits { steps, ..Limits::default() },
        inputs: Some(usize::try_from(args.max_paths).unwrap_or(usize::MAX)),
        time: Some(args.max_time),
        interrupt: Arc::clone(interrupt),
    };
    let _watch = watch_memory(8000 << 20, interrupt);
    let sites = language.sites();
    let is_block = |it: Site| sites.get(it.0 as usize).is_none_or(|it| !it.branch);
    let solver = solver_config(&args.solver, interrupt)?;
    let (terms, mut solver) = (solver.terms(), chain(&solver));
    let found = generate_inputs(&language, &terms, &mut *solver, seed, &campaign, &is_block);
    let show = |it: Term| language.show(&terms, it);
    let told = told(&about, &found.inputs, &found.why, found.complete, &show)?;
    let path = told.by_path();
    if let Some(file) = &args.svg {
        write(file, &effigy_report::tree::svg::render(&path), args.force)?;
    }
    if let Some(file) = &args.dot {
        write(file, &effigy_report::tree::dot::render(&path), args.force)?;
    }
    if let Some(file) = &args.html {
        let page = effigy_report::tree::html::render_all(&[&path, &told.by_generation()]);
        write(file, &page, args.force)?;
    }
    match args.json {
        true => say_json(&told)?,
        false => say(&told.render())?,
    }
    let failed = told.inputs.iter().any(|it| matches!(it.end, LeafEnd::Bug(_)));
    Ok(if failed { Code::Found } else { Code::Nothing })
}

fn told(
    about: &About,
    inputs: &[Tried],
    why: &Why,
    complete: bool,
    show: &dyn Fn(Term) -> String,
) -> Result<Generations, Failure> {
    let input = |it: &Tried| GeneratedInput {
        parent: it.parent,
        generation: it.generation,
        score: it.score,
        bound: it.bound,
        inputs: it.witness.inputs.iter().map(TestInput::from).collect(),
        turned: it.turned.as_ref().map(|it| NegatedCondition {
            place: (&it.place).into(),
            side: it.label.text().to_owned(),
            holds: show(it.cond),
            layer: match it.layer {
                Layer::Alone => "alone",
                Layer::Solved => "solved",
                Layer::Unpinned => "unpinned",
                Layer::Optimistic => "optimistic",
            },
        }),
        end: end(it.outcome.as_ref(), &it.witness),
        path: {
            let turn =
                |(place, side): &(effigy_engine::Place, String)| Turn { place: place.into(), side: side.clone() };
            it.turns.iter().map(turn).collect()
        },
        diverged: it.diverged,
    };
    Ok(Generations {
        effigy: Writer::default(),
        language: about.language,
        program: about.program.clone(),
        title: about.title.clone(),
        inputs: inputs.iter().map(input).collect(),
        complete,
        sides: serde_json::to_value(why).map_err(Failure::of)?,
        told: sides(why),
    })
}

/// What became of the sides that were not taken, on one line.
fn sides(why: &Why) -> String {
    let counts = [
        (why.alone, "by the condition alone"),
        (why.solved, "solved with the path before"),
        (why.unpinned, "solved without values that were kept"),
        (why.optimistic, "tried against the path before"),
        (why.unsatisfiable, "unsatisfiable"),
        (why.undecided, "not decided"),
        (why.pruned, "asked or taken before"),
        (why.capped, "of one branch too often"),
        (why.unasked, "behind the budget of a run"),
        (why.choices, "decided by no input"),
        (why.undefined, "of uninitialised storage"),
        (why.foreign, "of foreign functions"),
    ];
    let told = counts.iter().filter(|it| it.0 > 0).map(|(count, what)| format!("{count} {what}"));
    let mut res = format!("{}: {}", counted(why.sides, "side"), told.collect::<Vec<_>>().join(", "));
    if why.pinned > 0 {
        res.push_str(&format!("; {} kept as they are", counted(why.pinned, "value")));
    }
    if why.diverged > 0 {
        res.push_str(&format!("; {} left the path that was predicted", counted(why.diverged, "run")));
    }
    res
}
