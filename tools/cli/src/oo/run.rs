//! `effigy run` of an object-oriented program: a row for each path, under one of the two models.
//!
//! Source: de Boer and Bonsangue 2021.

use super::{Modelled, explain, modelled, program};
use crate::args::{RunArgs, check_timing};
use crate::hurry::Hurried;
use crate::leaves::{Leaf, Leaves, report};
use crate::progress::{ProgressLine, say, say_json};
use crate::run::{interrupts, solver_config, table_config};
use crate::{Code, Failure};
use effigy_engine::{Engine, Feasibility};
use effigy_explore::{Config, explore};
use effigy_oo::run::machine::{Machine, REDUCED, State};
use effigy_oo::run::memory::Memory;
use effigy_solver::{QueryBudget, chain};
use effigy_term::Terms;
use std::time::Duration;

pub(crate) fn run(args: &RunArgs) -> Result<Code, Failure> {
    let check = match args.check.as_slice() {
        [] => Feasibility::default(),
        [only] => check_timing(only).map_err(Failure)?,
        _ => return Err(Failure("--check: branch or leaf was expected, once".to_owned())),
    };
    match modelled(program(&args.files)?, &args.model, args.explain) {
        Modelled::Forward(machine) => run_with(&machine, args, check),
        Modelled::Traces(machine) => run_with(&machine, args, check),
    }
}

fn run_with<M: Memory>(machine: &Machine<M>, args: &RunArgs, check: Feasibility) -> Result<Code, Failure> {
    let interrupt = interrupts();
    let terms = Terms::new();
    let mut solver = chain(&solver_config(&args.solver, &interrupt)?);
    let config = Config { feasibility: check, ..table_config(args, interrupt) };
    let mut leaves = Leaves { ends: Vec::new(), progress: ProgressLine::new(!args.json && !args.quiet) };
    let exploration = explore(machine, &terms, &mut *solver, &config, &mut (), &mut leaves);
    leaves.progress.clear();
    leaves.ends.retain(|it| !it.state.is_redundant());
    // What is shown may be longer than it need be, and must not take longer than the walk.
    let brief = QueryBudget { steps: None, time: Some(args.solver_timeout.min(Duration::from_millis(100))) };
    let mut hurried = Hurried::new(&mut *solver);
    let mut engine = Engine { terms: &terms, solver: &mut hurried, budget: brief };
    let cut = exploration.paths.total_cut();
    let mut report = report(machine, &mut engine, &leaves.ends, args.pli.pc, cut, &|_| None);
    for (_, _, count) in exploration.notes.iter().filter(|it| it.0.kind == REDUCED) {
        let moves = if count == 1 { "move" } else { "moves" };
        report
            .remarks
            .push(format!("{count} {moves} of threads skipped: another order does the same (--no-por shows all)"));
    }
    let complete = exploration.is_complete();
    if args.json {
        let mut json = report.json(&machine.program().name, complete);
        json["model"] = M::NAME.into();
        json["solver_seconds"] = exploration.solver_time.as_secs_f64().into();
        json["seconds"] = exploration.time.as_secs_f64().into();
        let size = |it: &Leaf<State<M>>| terms.shared_size(it.trail.condition.conjuncts());
        json["largest_path_condition"] = leaves.ends.iter().map(size).max().unwrap_or(0).into();
        let all = leaves.ends.iter().flat_map(|it| it.trail.condition.conjuncts());
        json["path_conditions"] = terms.shared_size(all).into();
        json["peak_memory"] = peak_memory().into();
        if args.explain {
            json["explained"] = explain::json(machine, &terms, &leaves.ends);
        }
        say_json(&json)?;
    } else {
        if args.explain {
            say(&explain::text(machine, &terms, &leaves.ends))?;
        }
        say(&report.text(false, args.quiet))?;
        if hurried.gave_up() && !args.quiet {
            say("some formulas are longer than they need be: making them shorter takes too long\n")?;
        }
    }
    Ok(match (report.errors.is_empty(), complete) {
        (false, _) => Code::Found,
        (true, true) => Code::Nothing,
        (true, false) => Code::Cut,
    })
}

/// The most that the process ever took, in bytes, where it is known.
fn peak_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|it| it.strip_prefix("VmHWM:"))?;
    Some(line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()? * 1024)
}
