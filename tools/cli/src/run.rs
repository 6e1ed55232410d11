//! `effigy run`: explore a program, report bugs, write tests.

use crate::args::{RunArgs, SolverArgs};
use crate::progress::{ProgressLine, colours, say, say_json};
use crate::{Code, Failure};
use effigy_engine::{Budget, BugKind, Feasibility, Place};
use effigy_explore::{Config, End, Exploration, PathEnd, Progress, Search, Sink, explore};
use effigy_llvm::{BUG_KINDS, Checks, Options, Program, SiteKind, driver};
use effigy_report::bugs::{self, Style};
use effigy_report::coverage::{CoverageSite, coverage, lcov};
use effigy_report::folder::Folder;
use effigy_report::ktest::{self, KTest};
use effigy_report::summary::{
    CoverageSummary, FoundBug, Incomplete, Layer, Paths, SolverSummary, Summary, text as summary_text,
};
use effigy_report::tests::{Expectation, Test, test};
use effigy_solver::{QueryBudget, SolverConfig, Statistics, chain};
use effigy_term::Terms;
use effigy_term::print::math;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a run notes in its folder, so that `effigy replay` can build the program again.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Mark {
    /// The files of the program, absolute.
    pub(crate) files: Vec<PathBuf>,
    /// Flags for clang.
    pub(crate) flags: Vec<String>,
    /// The arguments of main.
    pub(crate) args: Vec<String>,
    /// Where the compiler ran.
    pub(crate) directory: PathBuf,
    /// The C program that calls the entry, if it is not main.
    pub(crate) harness: Option<String>,
}

pub(crate) fn list_bugs(json: bool) -> Result<(), Failure> {
    let languages = [
        ("C, C++ and Rust", BUG_KINDS),
        ("PL/I", effigy_pli::BUG_KINDS),
        ("Object language", effigy_oo::run::obligation::BUG_KINDS),
    ];
    if json {
        let of = |language: &str, it: &(BugKind, &str)| serde_json::json!({ "kind": it.0.0, "what": it.1, "language": language });
        let kinds = languages.iter().flat_map(|(name, kinds)| kinds.iter().map(|it| of(name, it)));
        return say_json(&serde_json::json!({ "bugs": kinds.collect::<Vec<_>>() }));
    }
    let mut text = String::new();
    for (at, (name, kinds)) in languages.iter().enumerate() {
        text.push_str(&format!("{}{name}\n", if at > 0 { "\n" } else { "" }));
        kinds.iter().for_each(|(kind, what)| text.push_str(&format!("  {:<23} {what}\n", kind.0)));
    }
    say(&text)
}

pub(crate) fn run(args: &RunArgs) -> Result<Code, Failure> {
    let options = Options {
        entry: args.entry.clone(),
        buffer: args.buffer,
        checks: checks(&args.check, &args.no_check, &args.files)?,
        strict_externals: args.strict_externals,
        args: args.args.clone(),
    };
    let program = load(&args.files, &args.flags, options)?;
    let folder = Folder::create(args.out.as_deref().unwrap_or("effigy-out".as_ref()), &mark(args, &program)?)
        .map_err(Failure::of)?;
    let interrupt = interrupts();
    let terms = Terms::new();
    let mut solver = chain(&solver_config(&args.solver, &interrupt)?);
    let config = config(args, interrupt);
    let mut writer = Writer {
        terms: &terms,
        folder: &folder,
        ktest: args.ktest,
        replayable: driver::has_sources(&args.files),
        progress: ProgressLine::new(!args.json && !args.quiet),
        written: 0,
        bugs: HashMap::new(),
        failure: None,
    };
    let exploration = explore(&program, &terms, &mut *solver, &config, &mut (), &mut writer);
    writer.progress.clear();
    if let Some(failure) = writer.failure.take() {
        return Err(failure);
    }
    let mut statistics = Statistics::default();
    solver.statistics(&mut statistics);
    let summary = summarise(&program, &exploration, &writer, &statistics);
    write_reports(&program, &exploration, &folder, &summary)?;
    print(args, &summary)?;
    Ok(match (summary.bugs.is_empty(), summary.complete) {
        (false, _) => Code::Found,
        (true, true) => Code::Nothing,
        (true, false) => Code::Cut,
    })
}

/// How the arguments want a program to be explored.
pub(crate) fn config(args: &RunArgs, interrupt: Arc<AtomicBool>) -> Config {
    Config {
        search: args.search,
        seed: args.seed,
        budget: Budget {
            time: args.max_time,
            memory: Some(args.max_memory << 20),
            paths: args.max_paths,
            steps: args.max_steps,
            path_steps: args.max_path_steps,
            depth: args.max_depth,
            interrupt,
        },
        query: QueryBudget { steps: None, time: Some(args.solver_timeout) },
        feasibility: Feasibility::Branch,
        values: args.max_values.max(1),
    }
}

/// The same for a program whose leaves are a table: in the order of the tree, unless the user wants another.
pub(crate) fn table_config(args: &RunArgs, interrupt: Arc<AtomicBool>) -> Config {
    let search = if args.search == Search::Interleaved { Search::Dfs } else { args.search };
    Config { search, ..config(args, interrupt) }
}

/// Compiles and reads a program.
pub(crate) fn load(files: &[PathBuf], flags: &[String], options: Options) -> Result<Program, Failure> {
    let modules = driver::modules(files, flags).map_err(Failure::of)?;
    effigy_llvm::load(&modules, options).map_err(|error| match &error {
        effigy_llvm::LoadError::Read { error: inner, .. } => {
            let caret = " ".repeat((inner.column.saturating_sub(1) as usize).min(inner.excerpt.len()));
            Failure(format!("{error}\n  {}\n  {caret}^", inner.excerpt))
        }
        _ => Failure::of(error),
    })
}

/// The classes of bugs to look for in a program of these files.
pub(crate) fn checks(check: &[String], no_check: &[String], files: &[PathBuf]) -> Result<Checks, Failure> {
    let mut checks = Checks::default();
    let by_name = |name: &String| {
        Checks::by_name(name).ok_or_else(|| Failure(format!("`{name}` is no class of bugs; `effigy bugs` lists them")))
    };
    if !check.is_empty() {
        BUG_KINDS.iter().for_each(|it| checks.set(it.0, false));
        for name in check {
            checks.set(by_name(name)?, true);
        }
    } else if !driver::has_sources(files) {
        // Optimised code may compute what overflows and never use it: no bug of the source.
        checks.set(effigy_llvm::checks::SIGNED_OVERFLOW, false);
    }
    for name in no_check {
        checks.set(by_name(name)?, false);
    }
    Ok(checks)
}

/// The chain of solvers that the arguments ask for.
pub(crate) fn solver_config(solver: &SolverArgs, interrupt: &Arc<AtomicBool>) -> Result<SolverConfig, Failure> {
    if let Some(log) = &solver.query_log {
        std::fs::create_dir_all(log).map_err(|error| Failure(format!("{}: {error}", log.display())))?;
    }
    Ok(SolverConfig {
        layers: solver.layers.on,
        log: solver.query_log.clone(),
        backend: solver.solver,
        smt: solver.smt.clone(),
        interrupt: Arc::clone(interrupt),
    })
}

/// Ctrl-C sets a flag, so that what was found is written; a second one ends the process.
pub(crate) fn interrupts() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&flag);
    let handler = move || {
        if set.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    };
    if let Err(error) = ctrlc::set_handler(handler) {
        tracing::warn!(%error, "Ctrl-C will not be caught");
    }
    flag
}

fn mark(args: &RunArgs, program: &Program) -> Result<String, Failure> {
    let absolute = |it: &PathBuf| std::path::absolute(it).unwrap_or_else(|_| it.clone());
    let mark = Mark {
        files: args.files.iter().map(absolute).collect(),
        flags: args.flags.clone(),
        args: args.args.clone(),
        directory: std::env::current_dir().unwrap_or_default(),
        harness: program.harness(),
    };
    serde_json::to_string_pretty(&mark).map_err(Failure::of)
}

/// Writes each test as soon as its path ends.
struct Writer<'a> {
    terms: &'a Terms,
    folder: &'a Folder,
    ktest: bool,
    replayable: bool,
    progress: ProgressLine,
    written: u64,
    /// The test that shows each bug first.
    bugs: HashMap<(BugKind, Place), Test>,
    failure: Option<Failure>,
}

fn test_name(id: u64) -> String {
    format!("tests/test{id:06}")
}

impl Writer<'_> {
    fn write(&mut self, test: &Test) -> Result<(), Failure> {
        let json = serde_json::to_vec_pretty(test).map_err(Failure::of)?;
        let name = test_name(test.id);
        self.folder.write(&format!("{name}.json"), &json).map_err(Failure::of)?;
        if self.ktest {
            let objects = test.inputs.iter().map(|it| (it.name.clone(), it.to_bytes().unwrap_or_default()));
            let ktest = KTest { arguments: vec!["program".to_owned()], objects: objects.collect() };
            self.folder.write(&format!("{name}.ktest"), &ktest::write(&ktest)).map_err(Failure::of)?;
        }
        Ok(())
    }
}

impl<S> Sink<S> for Writer<'_> {
    fn ended(&mut self, end: &PathEnd<'_, S>) {
        if self.failure.is_some() || !end.certain {
            return;
        }
        let expect = match &end.end {
            End::Exit { code } => Expectation::Exit(code.unwrap_or(0)),
            End::Bug(violation) => Expectation::Bug((&**violation).into()),
            End::Silent | End::Infeasible | End::Cut(_) | End::Unsupported { .. } | End::Undecided { .. } => return,
        };
        let key = match &end.end {
            End::Bug(violation) => Some((violation.kind, violation.place.clone())),
            _ => None,
        };
        // One test for each bug, not for each path into it.
        if key.as_ref().is_some_and(|it| self.bugs.contains_key(it)) {
            return;
        }
        let condition = end.trail.condition.readable(self.terms).into_iter().map(|it| math(self.terms, it)).collect();
        self.written += 1;
        let test = test(self.written, expect, &end.witness, condition, &end.trail.name(), self.replayable);
        if let Err(failure) = self.write(&test) {
            self.failure = Some(failure);
        }
        if let Some(key) = key {
            self.bugs.insert(key, test);
        }
    }

    fn progress(&mut self, progress: &Progress) {
        self.progress.show(progress);
    }

    fn resident_memory(&mut self) -> Option<u64> {
        resident_memory()
    }
}

/// What the process takes, in bytes.
pub(crate) fn resident_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

fn sites(program: &Program, exploration: &Exploration) -> effigy_report::coverage::Coverage {
    coverage(program.sites().iter().enumerate().map(|(index, site)| CoverageSite {
        lines: site.lines.iter().map(|(file, line)| (file.to_string(), *line)).collect(),
        branch: site.kind != SiteKind::Code,
        reached: exploration.coverage.contains(effigy_engine::Site(index as u32)),
    }))
}

fn summarise(program: &Program, exploration: &Exploration, writer: &Writer<'_>, statistics: &Statistics) -> Summary {
    let counts = &exploration.paths;
    let found = exploration.bugs.iter().filter_map(|((kind, place), count)| {
        let (_, test) = writer.bugs.iter().find(|it| it.0.0.0 == kind && it.0.1 == *place)?;
        let Expectation::Bug(bug) = &test.expect else { return None };
        Some(FoundBug {
            bug: bug.clone(),
            paths: *count,
            test: format!("{}.json", test_name(test.id)),
            inputs: test.inputs.clone(),
            path_condition: test.path_condition.clone(),
            assumed: test.assumed,
        })
    });
    let coverage = sites(program, exploration);
    let mut incomplete: Vec<Incomplete> = Vec::new();
    let mut add = |kind: &str, what: &str, place: &Place, count: u64, missed: bool| {
        incomplete.push(Incomplete {
            kind: kind.to_owned(),
            what: what.to_owned(),
            place: place.into(),
            count,
            missed,
        });
    };
    for (what, (place, count)) in &exploration.unsupported {
        add("unsupported", what, place, *count, true);
    }
    for (what, (place, count)) in &exploration.undecided {
        add("undecided", what, place, *count, true);
    }
    for (note, place, count) in exploration.notes.iter() {
        add(&note.kind, &note.what, place, count, note.incomplete);
    }
    Summary {
        paths: Paths {
            completed: counts.completed,
            cut: counts.total_cut(),
            errored: counts.errored,
            silent: counts.silent,
            unsupported: counts.unsupported,
            undecided: counts.undecided,
            cut_by: counts.cut.iter().map(|(limit, count)| (limit.to_string(), *count)).collect(),
        },
        bugs: found.collect(),
        coverage: CoverageSummary {
            lines_covered: coverage.lines_covered,
            lines_total: coverage.lines_total,
            branches_covered: coverage.branches_covered,
            branches_total: coverage.branches_total,
        },
        solver: SolverSummary {
            time: exploration.solver_time.as_secs_f64(),
            layers: statistics
                .layers
                .iter()
                .map(|it| Layer {
                    name: it.name.to_owned(),
                    queries: it.queries,
                    answered: it.answered,
                    time: it.time.as_secs_f64(),
                })
                .collect(),
        },
        instructions: exploration.steps,
        time: exploration.time.as_secs_f64(),
        complete: exploration.is_complete(),
        stopped: exploration.stopped.map(|it| it.to_string()),
        incomplete,
        folder: writer.folder.path().display().to_string(),
        tests: writer.written,
    }
}

fn write_reports(
    program: &Program,
    exploration: &Exploration,
    folder: &Folder,
    summary: &Summary,
) -> Result<(), Failure> {
    let coverage = sites(program, exploration);
    use erased::Json;
    folder.write("summary.json", &summary.bytes()?).map_err(Failure::of)?;
    folder.write("summary.txt", summary_text(summary, true, true).as_bytes()).map_err(Failure::of)?;
    folder.write("coverage.json", &coverage.bytes()?).map_err(Failure::of)?;
    folder.write("coverage.info", lcov(&coverage).as_bytes()).map_err(Failure::of)
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

fn print(args: &RunArgs, summary: &Summary) -> Result<(), Failure> {
    if args.json {
        return say_json(summary);
    }
    let style = Style { colour: colours() };
    let source = |file: &str, line: u32| {
        let text = std::fs::read_to_string(file).ok()?;
        text.lines().nth(line.checked_sub(1)? as usize).map(str::to_owned)
    };
    let mut text = String::new();
    for found in &summary.bugs {
        text.push_str(&bugs::render(found, style, &source));
        text.push('\n');
    }
    if !args.quiet {
        text.push_str(&summary_text(summary, true, args.stats));
    }
    say(&text)
}
