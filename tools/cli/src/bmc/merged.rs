//! `effigy run --merge`: what `run` tells, of paths that are merged where they meet.
//!
//! Knows: runs to the ends of the program and into its bugs, which are tests. Never: how paths are merged.

use super::bugs_collected;
use crate::args::RunArgs;
use crate::collect::{Extras, WalkOutcome, reached};
use crate::frontend::{Layout, Plan, ReportHooks};
use crate::progress::is_shown;
use crate::run::{RunOutput, conclude, created};
use crate::solver::of_one_question;
use crate::test_files::TestFiles;
use crate::walk::{Account as Walked, Receiver, Tail};
use crate::{Code, Failure, limits};
use effigy_bmc::{Account, Config, Encoding, Ended, Verdict};
use effigy_engine::{
    Context, Coverage, Decision, Inputs, Joins, Limit, Note, Notes, Outcome, Path, PathId, PathName, Trail, Turning,
    VariableValue, follow,
};
use effigy_report::leaf::{Leaf, LeafEnd};
use effigy_solver::{Statistics, chain};
use effigy_term::Terms;
use effigy_term::eval::Evaluator;
use effigy_walk::{Ending, Exploration};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub(crate) fn run<P: Plan>(
    plan: &P,
    args: &RunArgs,
    joins: Joins,
    interrupt: &Arc<AtomicBool>,
) -> Result<Code, Failure> {
    if let Some(flag) = of_single_paths(args) {
        return Err(Failure(format!(
            "--merge goes without {flag}: merged paths have no order, no length of their own"
        )));
    }
    let language = plan.merging_language()?;
    if !language.joins(joins) {
        let only = match joins {
            Joins::Marked => "programs of this language have no marks: --merge heuristic, always, or never",
            _ => "of programs of this language all paths are merged, or none: --merge always, or never",
        };
        return Err(Failure(only.to_owned()));
    }
    let about = plan.about(&language);
    let (time, usual_time) = limits::time(&args.limits, !args.output.json && is_shown());
    let walk = limits::of_run(&args.limits, time, &about, interrupt);
    let memory = limits::watch_memory(limits::most_memory(args.limits.max_memory), interrupt);
    let solver = of_one_question(&args.solver, interrupt)?;
    let (terms, mut solver) = (solver.terms(), chain(&solver));
    let most_steps = walk.budget.path_steps.unwrap_or(u64::MAX);
    let config = Config {
        bound: &|_: &Turning| None,
        budget: walk.budget.clone(),
        query: walk.query,
        values: walk.values,
        induction: false,
        invariants: false,
        joins,
        encoding: Encoding::Values,
        ends: true,
        dump: None,
        others: None,
        progress: &|_| {},
    };
    let Some(mut account) = language.check_bounded(&terms, &mut *solver, &config) else {
        return Err(Failure("the paths of programs of this language are not merged yet".to_owned()));
    };
    account.stopped = memory.limit(account.stopped);
    let RunOutput { folder, .. } = created(args, &about, plan)?;
    let replayable = about.native.as_ref().is_some_and(|it| it.replayable);
    let tests = Arc::new(TestFiles::new(folder, args.output.ktest, replayable, language.words_distinguish_bugs()));
    let mut collector = bugs_collected(&language, &terms, &account, &about, &tests, most_steps);
    for (number, it) in account.ends.iter().enumerate() {
        let mut leaf = end(it, number);
        if about.layout == Layout::Table {
            leaf.path_condition =
                leaf.inputs.iter().map(|it| format!("{} = {}", it.name, it.display()).into()).collect();
            leaf.results = results(&language, &terms, it, most_steps);
        }
        tests.add(&mut leaf);
        collector.leaf(leaf);
    }
    let collected: WalkOutcome = collector.finish()?;
    let mut statistics = Statistics::default();
    solver.statistics(&mut statistics);
    statistics.count_rules(&terms);
    let exploration = exploration(&account);
    let coverage = reached(language.sites(), &exploration);
    let mut remarks = language.remarks(&exploration);
    let (subject, verb) = if account.ways == 1.0 { ("path", "is") } else { ("paths", "are") };
    remarks.push(format!("{} {subject} {verb} merged into {}", written(account.ways), account.ends.len()));
    let tail = Tail { statistics, tree: None, sizes: None };
    let account = Walked { exploration, tail, workers: 1 };
    let extras = Extras {
        coverage: coverage.as_ref(),
        remarks,
        telling: Default::default(),
        usual_time,
        rules: args.output.stats,
    };
    let mut document = collected.document("run", &about, &walk, account, extras);
    conclude(args, &about, &mut document, &collected, coverage.as_ref())
}

/// A flag that says something of one path after the other.
fn of_single_paths(args: &RunArgs) -> Option<&'static str> {
    let RunArgs { limits, output, .. } = args;
    let given = [
        (args.resume.is_some(), "--resume"),
        (args.jobs.is_some_and(|it| it > 1), "--jobs"),
        (limits.max_paths.is_some(), "--max-paths"),
        (limits.max_depth.is_some(), "--max-depth"),
        (output.trace, "--trace"),
        (output.live, "--live"),
    ];
    given.into_iter().find(|it| it.0).map(|it| it.1)
}

/// A number of paths, for people.
fn written(ways: f64) -> String {
    match ways {
        ..1e6 => format!("{ways:.0}"),
        // The number of paths of a loop that forks in each iteration is beyond any `f64` after 1,024 of them.
        f64::INFINITY => "more than 1e308".to_owned(),
        _ => format!("{ways:.1e}"),
    }
}

/// The end of a run. Merged paths have no name: it has its number.
fn end(it: &Ended, number: usize) -> Leaf {
    let name = PathName(vec![Decision::Alternative(number as u32)]);
    Leaf::new(name, LeafEnd::Exit(it.witness.exit), 0).with_witness(&it.witness)
}

/// The results of the run to an end, for a table.
fn results<L: ReportHooks>(language: &L, terms: &Terms, ended: &Ended, most_steps: u64) -> Vec<(String, String)> {
    let inputs = Inputs::Symbolic;
    let (mut coverage, mut notes) = (Coverage::default(), Notes::default());
    let mut ctx = Context::new(terms, &inputs, &mut coverage, &mut notes);
    let trail = Trail { witness: Some(ended.model.clone().into()), ..Trail::new() };
    let mut path = Path { id: PathId(0), state: language.start(&mut ctx), trail };
    let Some(Ok(Outcome::Exit { .. })) = follow(language, &mut ctx, &mut path, most_steps) else { return Vec::new() };
    let variables = language.results(&mut ctx, &path.state);
    let mut evaluator = Evaluator::new(terms, &ended.model);
    let mut show = |term| match evaluator.value(term) {
        Some(value) => language.show(terms, terms.of_value(terms.sort(term), &value)),
        None => language.show(terms, term),
    };
    let mut told = |it: &VariableValue| it.text(&mut show).unwrap_or_else(|| "?".to_owned());
    variables.iter().map(|it| (it.name.to_string(), told(&it.value))).collect()
}

/// The account as that of a walk.
fn exploration(account: &Account) -> Exploration {
    let mut res = Exploration {
        coverage: account.coverage.clone(),
        steps: account.steps,
        time: account.time,
        solver_time: account.solver,
        stopped: account.stopped,
        notes: account.notes.clone(),
        ..Exploration::default()
    };
    for it in &account.properties {
        match &it.verdict {
            Verdict::Bug(_) => res.count(&Ending::Bug(it.kind.0.to_owned(), it.place.clone())),
            Verdict::Unknown => res.count(&Ending::Undecided(it.kind.0.to_owned(), it.place.clone())),
            Verdict::Correct | Verdict::Bounded => {}
        }
    }
    account.ends.iter().for_each(|_| res.count(&Ending::Completed));
    for it in &account.missed {
        res.count(&Ending::Unsupported(it.what.clone(), it.place.clone()));
    }
    for (_, place) in account.notes.of(Note::ENDLESS) {
        res.count(&Ending::Cut(Limit::Repeats, place.clone()));
    }
    for it in &account.needs {
        res.count(&Ending::Undecided("a loop that goes round more often".to_owned(), it.turning.place.clone()));
    }
    res
}
