//! `effigy tree`: the execution tree, as text and as pictures.
//!
//! Source: King 1976, section 4, figures 6 and 8.

use crate::args::{ConditionForm, TreeArgs};
use crate::collect::{Collector, CollectorConfig, Extras, Live, reached};
use crate::frontend::{Plan, ReportHooks};
use crate::progress::{ProgressLine, say, say_json};
use crate::solver::solver_config;
use crate::test_files::TestFiles;
use crate::time_allowance::TimeAllowance;
use crate::walk::{LeafOptions, walk};
use crate::{Code, Failure, limits};
use effigy_report::tree::{LeafKind, StateDetail};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub(crate) fn tree<P: Plan>(plan: &P, args: &TreeArgs, interrupt: &Arc<AtomicBool>) -> Result<Code, Failure> {
    let language = plan.language()?;
    let about = plan.about(&language);
    let config = limits::of_tree(args, &about, interrupt);
    let showing = match (args.states, args.full) {
        (false, _) => about.showing,
        (true, false) => StateDetail::Changes,
        (true, true) => StateDetail::States,
    };
    let patience = TimeAllowance::of_run(config.budget.time);
    let tests = Arc::new(TestFiles::new(None, false, false, language.words_distinguish_bugs()));
    let telling = LeafOptions {
        layout: about.layout,
        pc: ConditionForm::Short,
        // The text and the pictures are drawn from the tree alone.
        leaves: args.json,
        tree: Some((&about.title, showing)),
        patience: &patience,
        tests: &tests,
    };
    let mut collector = Collector::new(CollectorConfig {
        tests: Arc::clone(&tests),
        live: Live::No,
        progress: ProgressLine::new(false),
        layout: about.layout,
    });
    let mut account = walk(&language, &solver_config(&args.solver, interrupt)?, &config, &telling, &mut collector);
    let mut tree = account.tail.tree.take().unwrap_or_default();
    tree.remarks = language.remarks(&account.exploration);
    let missed = account.exploration.notes.iter().filter(|it| it.0.incomplete);
    tree.remarks.extend(missed.map(|(note, ..)| format!("missed {}: {}", note.kind, note.what)));
    if let Some(file) = &args.svg {
        write(file, &effigy_report::tree::svg::render(&tree), args.force)?;
    }
    if let Some(file) = &args.dot {
        write(file, &effigy_report::tree::dot::render(&tree), args.force)?;
    }
    if let Some(file) = &args.html {
        write(file, &effigy_report::tree::html::render(&tree), args.force)?;
    }
    let failed = tree.nodes.iter().any(|it| it.leaf.as_ref().is_some_and(|it| it.kind == LeafKind::Error));
    if args.json {
        account.tail.tree = Some(tree);
        let coverage = reached(language.sites(), &account.exploration);
        let remarks = language.remarks(&account.exploration);
        let collected = collector.finish()?;
        let extras =
            Extras { coverage: coverage.as_ref(), remarks, telling: patience.spent(), usual_time: false, rules: false };
        say_json(&collected.document("tree", &about, &config, account, extras))?;
    } else {
        say(&match showing {
            StateDetail::Statements => effigy_report::tree::text::render(&tree, width()),
            StateDetail::Texts | StateDetail::Changes | StateDetail::States => {
                effigy_report::tree::states::render(&tree, width())
            }
        })?;
    }
    // That the picture is cut where the user wanted it is no failure.
    Ok(if failed { Code::Found } else { Code::Nothing })
}

/// Writes a picture; what the user made is not overwritten.
pub(crate) fn write(file: &Path, text: &str, force: bool) -> Result<(), Failure> {
    if file.exists() && !force {
        return Err(Failure(format!("{} exists already; --force overwrites it", file.display())));
    }
    std::fs::write(file, text).map_err(|error| Failure(format!("{}: {error}", file.display())))
}

/// The columns of the terminal.
pub(crate) fn width() -> usize {
    let columns = std::env::var("COLUMNS").ok().and_then(|it| it.parse().ok());
    columns.filter(|it| *it >= 40).unwrap_or(100)
}
