//! `effigy tree`: the execution tree, as text and as pictures.
//!
//! Source: King 1976, section 4, figures 6 and 8.

use crate::args::TreeArgs;
use crate::hurry::Hurried;
use crate::progress::{say, say_json};
use crate::run::{checks, interrupts, load, resident_memory, solver_config};
use crate::{Code, Failure, heap, oo, pli};
use effigy_engine::{Budget, Engine, Inspect};
use effigy_explore::{Config, PathEnd, Search, Sink, explore};
use effigy_heap::Detail;
use effigy_llvm::Options;
use effigy_report::record::Recorder;
use effigy_report::tree::Tree;
use effigy_solver::{QueryBudget, chain};
use effigy_term::Terms;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

pub(crate) fn tree(args: &TreeArgs) -> Result<Code, Failure> {
    let interrupt = interrupts();
    let tree = if pli::is_pli(&args.files) {
        let program = pli::program(&args.files, &args.pli, args.entry.as_deref())?;
        walked(&program, &pli::title(&program, &args.pli), args, program.limit(), &interrupt)?
    } else if args.model.model.is_some() && oo::is_oo(&args.files) {
        let program = oo::program(&args.files)?;
        let name = Arc::clone(&program.name);
        match oo::modelled(program, &args.model, false) {
            oo::Modelled::Forward(machine) => walked(&machine, &name, args, None, &interrupt)?,
            oo::Modelled::Traces(machine) => walked(&machine, &name, args, None, &interrupt)?,
        }
    } else if heap::is_verified(&args.files) {
        let verification = heap::Verification::load(&args.files, args.method.as_deref())?;
        let how = heap::How { smt: &args.solver.smt, inference: &args.inference, interrupt: &interrupt };
        walked(&verification.walked(&how, Detail::Statements), &verification.name(), args, None, &interrupt)?
    } else {
        let options = Options {
            entry: args.entry.clone(),
            buffer: 8,
            checks: checks(&[], &[], &args.files)?,
            strict_externals: false,
            args: Vec::new(),
        };
        let program = load(&args.files, &args.flags, options)?;
        let program = program.with_sources(&|file| std::fs::read_to_string(file).ok());
        walked(&program, args.entry.as_deref().unwrap_or("main"), args, None, &interrupt)?
    };
    if let Some(file) = &args.svg {
        write(file, &effigy_report::tree::svg::render(&tree), args.force)?;
    }
    if let Some(file) = &args.dot {
        write(file, &effigy_report::tree::dot::render(&tree), args.force)?;
    }
    if args.json {
        say_json(&tree)?;
    } else {
        say(&effigy_report::tree::text::render(&tree, width()))?;
    }
    let failed =
        tree.nodes.iter().any(|it| it.leaf.as_ref().is_some_and(|it| it.kind == effigy_report::tree::LeafKind::Error));
    // That the picture is cut where the user wanted it is no failure.
    Ok(if failed { Code::Found } else { Code::Nothing })
}

/// Walks a program of any language, recording.
fn walked<L: Inspect>(
    language: &L,
    call: &str,
    args: &TreeArgs,
    limit: Option<u64>,
    interrupt: &Arc<AtomicBool>,
) -> Result<Tree, Failure> {
    let terms = Terms::new();
    let mut solver = chain(&solver_config(&args.solver, interrupt)?);
    let query = QueryBudget { steps: None, time: Some(Duration::from_secs(10)) };
    let config = Config {
        search: Search::Dfs,
        seed: 1,
        budget: Budget {
            time: Some(args.max_time),
            memory: Some(8000 << 20),
            paths: Some(args.max_paths),
            steps: None,
            path_steps: args.max_path_steps.or(limit),
            depth: Some(args.depth),
            interrupt: Arc::clone(interrupt),
        },
        query,
        feasibility: args.check,
        values: 64,
    };
    let mut recorder = Recorder::new(language, &terms);
    explore(language, &terms, &mut *solver, &config, &mut recorder, &mut Nothing);
    let brief = QueryBudget { steps: None, time: Some(Duration::from_millis(100)) };
    let mut hurried = Hurried::new(&mut *solver);
    let mut engine = Engine { terms: &terms, solver: &mut hurried, budget: brief };
    Ok(recorder.tree(&mut engine, call))
}

/// The recorder sees all.
struct Nothing;

impl<S> Sink<S> for Nothing {
    fn ended(&mut self, _end: &PathEnd<'_, S>) {}

    fn resident_memory(&mut self) -> Option<u64> {
        resident_memory()
    }
}

/// Writes a picture; what the user made is not overwritten.
fn write(file: &Path, text: &str, force: bool) -> Result<(), Failure> {
    if file.exists() && !force {
        return Err(Failure(format!("{} exists already; --force overwrites it", file.display())));
    }
    std::fs::write(file, text).map_err(|error| Failure(format!("{}: {error}", file.display())))
}

/// The columns of the terminal.
fn width() -> usize {
    let columns = std::env::var("COLUMNS").ok().and_then(|it| it.parse().ok());
    columns.filter(|it| *it >= 40).unwrap_or(100)
}
