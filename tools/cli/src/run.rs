//! `effigy run`: explore a program of any language, report bugs, write tests.
//!
//! Knows: which reports there are. Never: a language.

use crate::args::{OutputArgs, RunArgs};
use crate::collect::{Collected, Collector, Extras, Live, Wanted, reached};
use crate::frontend::{About, Layout, Plan, Reported};
use crate::hurry::Patience;
use crate::mark::Mark;
use crate::progress::{ProgressLine, colours, say, say_json, to_terminal};
use crate::solver::solver_config;
use crate::walk::{Telling, walk};
use crate::{Code, Failure, limits};
use effigy_report::bugs::{self, Style};
use effigy_report::coverage::{Coverage, lcov};
use effigy_report::document::Document;
use effigy_report::folder::Folder;
use effigy_report::leaf::Leaf;
use effigy_report::{summary, trace};
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub(crate) fn run<P: Plan>(plan: &P, args: &RunArgs, interrupt: &Arc<AtomicBool>) -> Result<Code, Failure> {
    let language = plan.language()?;
    let about = plan.about(&language);
    let config = limits::of_run(&args.limits, &about, interrupt);
    let patience = Patience::of_run(config.budget.time);
    let telling = Telling {
        layout: about.layout,
        pc: args.output.pc,
        leaves: true,
        tree: args.output.trace.then_some(about.title.as_str()),
        patience: &patience,
    };
    let solver = solver_config(&args.solver, interrupt)?;
    let mut collector = Collector::new(wanted(args, &about, language.words_distinguish_bugs())?);
    let account = walk(&language, &solver, &config, &telling, &mut collector);
    let collected = collector.finish()?;
    let coverage = reached(language.sites(), &account.exploration);
    let mut remarks = language.remarks(&account.exploration);
    if patience.is_out() {
        remarks.push("some formulas are longer than they need be: making them shorter takes too long".to_owned());
    }
    let extras = Extras { coverage: coverage.as_ref(), remarks, telling: patience.spent() };
    let document = collected.document("run", &about, &config, account, extras);
    if let Some(folder) = &collected.folder {
        write(folder, &document, coverage.as_ref())?;
    }
    print(&args.output, about.layout, &document, &collected)?;
    Ok(match (document.bugs.is_empty(), document.complete) {
        (false, _) => Code::Found,
        (true, true) => Code::Nothing,
        (true, false) => Code::Cut,
    })
}

fn wanted(args: &RunArgs, about: &About, words_distinguish_bugs: bool) -> Result<Wanted, Failure> {
    let output = &args.output;
    let usual = (about.layout == Layout::Counts).then_some(Path::new("effigy-out"));
    let folder = match output.out.as_deref().or(usual) {
        Some(path) => {
            let mark = serde_json::to_string_pretty(&Mark::new(&args.start, about)).map_err(Failure::of)?;
            Some(Folder::create(path, &mark).map_err(Failure::of)?)
        }
        None => None,
    };
    let talks = !output.json && !output.quiet;
    Ok(Wanted {
        folder,
        ktest: output.ktest,
        live: match (output.live, talks && to_terminal()) {
            (true, _) => Live::All,
            (false, true) => Live::Some,
            (false, false) => Live::No,
        },
        progress: ProgressLine::new(talks),
        layout: about.layout,
        replayable: about.native.as_ref().is_some_and(|it| it.replayable),
        words_distinguish_bugs,
    })
}

fn write(folder: &Folder, document: &Document, coverage: Option<&Coverage>) -> Result<(), Failure> {
    let json = |it: &dyn erased::Json| it.bytes();
    let put = |name: &str, bytes: &[u8]| folder.write(name, bytes).map_err(Failure::of);
    put("summary.json", &json(document)?)?;
    put("summary.txt", summary::counts(document, true).as_bytes())?;
    if let Some(coverage) = coverage {
        put("coverage.json", &json(coverage)?)?;
        put("coverage.info", lcov(coverage).as_bytes())?;
    }
    Ok(())
}

/// Anything that can be written as JSON.
mod erased {
    use crate::Failure;

    pub(super) trait Json {
        fn bytes(&self) -> Result<Vec<u8>, Failure>;
    }

    impl<T: serde::Serialize> Json for T {
        fn bytes(&self) -> Result<Vec<u8>, Failure> {
            serde_json::to_vec_pretty(self).map_err(Failure::of)
        }
    }
}

fn print(args: &OutputArgs, layout: Layout, document: &Document, collected: &Collected) -> Result<(), Failure> {
    if args.json {
        return say_json(document);
    }
    let mut text = String::new();
    for (at, leaf) in collected.leaves().enumerate() {
        if let Some(explained) = &leaf.explained {
            let _ = write!(text, "path {}\n{}\n", at + 1, explained.text);
        }
    }
    if let Some(tree) = &document.tree {
        text.push_str(&trace::render(tree));
    }
    let leaves: Vec<&Leaf> = collected.leaves().collect();
    if layout == Layout::Table && document.tree.is_none() && document.paths.completed > 0 {
        let _ = writeln!(text, "{}", summary::table(&leaves).render());
    }
    let style = Style { colour: colours() };
    for bug in &document.bugs {
        let _ = writeln!(text, "{}", bugs::render(bug, style, &source_line));
    }
    if layout == Layout::Table {
        text.push_str(&summary::unknown(&leaves));
    }
    if !args.quiet {
        match layout {
            Layout::Counts => text.push_str(&summary::counts(document, args.stats)),
            Layout::Table => {
                text.push_str(&summary::tally(document));
                if args.stats {
                    text.push_str(&summary::layers(document));
                }
            }
        }
    }
    say(&text)
}

/// A line of a file, if it is there.
fn source_line(file: &str, line: u32) -> Option<String> {
    let text = std::fs::read_to_string(file).ok()?;
    text.lines().nth(line.checked_sub(1)? as usize).map(str::to_owned)
}
