//! `effigy run` of a PL/I program: King's TEST, a row for each leaf of the execution tree.
//!
//! Source: King 1976, section 7.

use crate::args::RunArgs;
use crate::hurry::Hurried;
use crate::leaves::{Leaf, Leaves, report};
use crate::progress::{ProgressLine, say, say_json};
use crate::run::{interrupts, solver_config, table_config};
use crate::{Code, Failure};
use effigy_engine::{Engine, Inspect, Observer, Violation};
use effigy_explore::explore;
use effigy_pli::State;
use effigy_report::record::Recorder;
use effigy_report::trace;
use effigy_solver::{QueryBudget, chain};
use effigy_term::Terms;
use std::time::Duration;

pub(crate) fn run(args: &RunArgs) -> Result<Code, Failure> {
    let program = super::program(&args.files, &args.pli, args.entry.as_deref())?;
    let interrupt = interrupts();
    let terms = Terms::new();
    let mut solver = chain(&solver_config(&args.solver, &interrupt)?);
    let mut config = table_config(args, interrupt);
    config.budget.path_steps = args.max_path_steps.or(program.limit());
    let mut leaves = Leaves { ends: Vec::new(), progress: ProgressLine::new(!args.json && !args.quiet) };
    let mut recorder = Recorder::new(&program, &terms);
    let observer: &mut dyn Observer<State> = if args.trace { &mut recorder } else { &mut () };
    let exploration = explore(&program, &terms, &mut *solver, &config, observer, &mut leaves);
    leaves.progress.clear();
    // What is shown may be longer than it need be, and must not take longer than the walk.
    let brief = QueryBudget { steps: None, time: Some(args.solver_timeout.min(Duration::from_millis(100))) };
    let mut hurried = Hurried::new(&mut *solver);
    let mut engine = Engine { terms: &terms, solver: &mut hurried, budget: brief };
    if args.trace {
        let tree = recorder.tree(&mut engine, &super::title(&program, &args.pli));
        if args.json {
            say_json(&tree)?;
        } else {
            say(&trace::render(&tree))?;
        }
    }
    // What was to be assumed of an array cannot hold: every input of such a path is wrong.
    let dropped = |leaf: &Leaf<State>| {
        Some(Violation {
            kind: effigy_pli::SUBSCRIPT,
            message: program.asked(&leaf.state)?.to_string(),
            place: program.place_in(&leaf.state),
            stack: Vec::new(),
        })
    };
    let cut = exploration.paths.total_cut();
    let mut report = report(&program, &mut engine, &leaves.ends, args.pli.pc, cut, &dropped);
    for leaf in leaves.ends.iter().filter(|it| !program.assumptions(&it.state).is_empty()) {
        report.open.extend(program.open_arrays(&leaf.state).iter().map(|it| it.to_string()));
    }
    let complete = exploration.is_complete();
    let hurried = hurried.gave_up();
    if args.json && !args.trace {
        say_json(&report.json(program.call_text(), complete))?;
    } else if !args.json {
        say(&report.text(args.trace, args.quiet))?;
        if hurried && !args.quiet {
            say("some formulas are longer than they need be: making them shorter takes too long\n")?;
        }
    }
    Ok(match (report.errors.is_empty(), complete) {
        (false, _) => Code::Found,
        (true, true) => Code::Nothing,
        (true, false) => Code::Cut,
    })
}
