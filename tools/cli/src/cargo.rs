//! `effigy cargo`: the harnesses of a cargo package, each run on all of its inputs. `cargo effigy` calls it.
//!
//! Knows: which harnesses are wanted, in which order they are told. Never: how a package is built (`build`), how a path is
//! walked (`run`, in a process for each harness).

mod build;
pub(crate) mod compiler;
mod counterexample;
mod harness_crates;
mod harness_run;
mod native_replay;
mod report;
mod written_tests;

use crate::args::CargoArgs;
use crate::progress::say;
use crate::{Code, Failure};
use build::{BuiltTarget, TargetId};
use harness_run::{HarnessRun, run_harness};
use report::{Report, Summary};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// A harness, and where its program is.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Harness {
    /// The path of the function, with the crate's name.
    name: String,
    /// The crate that it uses.
    library: &'static str,
    /// The file in which it stands, as the compiler was given it.
    file: String,
    /// The line of its attribute.
    line: u32,
    /// It must panic on some run.
    should_panic: bool,
    /// What it needs that is not supported.
    refused: Option<String>,
    /// The name of its function in the program.
    symbol: String,
    /// The program, as LLVM IR.
    program: std::path::PathBuf,
    /// The target that it is part of.
    target: TargetId,
}

impl Harness {
    /// Where the tests of its paths are.
    fn output_folder(&self) -> std::path::PathBuf {
        self.program.with_extension("out").join(format!("{}-{}", self.name.replace("::", "-"), self.line))
    }

    /// Whether the user wants it.
    fn is_wanted(&self, args: &CargoArgs) -> bool {
        // The name as it is written in the crate, or with the crate's name before it.
        let short = self.name.split_once("::").map_or(&*self.name, |it| it.1);
        args.harness.is_empty()
            || args.harness.iter().any(|it| match args.exact {
                true => *it == self.name || it == short,
                false => self.name.contains(&**it),
            })
    }
}

/// Builds the package, finds its harnesses and runs them.
///
/// # Errors
/// When cargo cannot build the package, or no harness has the wanted name.
pub(crate) fn cargo(args: &CargoArgs, interrupt: &Arc<AtomicBool>) -> Result<Code, Failure> {
    if args.action.is_some() {
        let status = build::playback(&args.cargo, &args.words)?;
        return Ok(if status.success() { Code::Nothing } else { Code::Failed });
    }
    let Some(targets) = build::build(&args.cargo, args.quiet || args.json)? else {
        // Cargo has said why.
        return Ok(Code::Failed);
    };
    let all = harnesses(&targets)?;
    let found = all.len();
    let wanted: Vec<Harness> = all.into_iter().filter(|it| it.is_wanted(args)).collect();
    if wanted.is_empty() && found > 0 {
        let what = args.harness.join("`, `");
        return Err(Failure(format!("no harness is called `{what}`; `cargo effigy --list` lists all {found}")));
    }
    let mut report = Report::new(args);
    if args.list {
        return report.list(&wanted).map(|()| Code::Nothing);
    }
    if wanted.is_empty() {
        eprintln!(
            "no harnesses: a harness is a function with #[kani::proof] under #[cfg(kani)], or with \
             #[effigy_harness::proof] under #[cfg(effigy)]"
        );
    }
    let begun = Instant::now();
    report.begin(wanted.len())?;
    let runs = run_all(args, &wanted, interrupt, &mut report)?;
    if args.write_tests {
        for note in written_tests::write(&wanted, &runs)? {
            say(&note)?;
        }
    }
    let mut replayed = None;
    if args.replay {
        let Some(native) = build::build_native(&args.cargo, args.quiet || args.json)? else {
            return Ok(Code::Failed);
        };
        replayed = Some(native_replay::replay(&native, &wanted)?);
    }
    let summary = Summary::of(&runs, begun.elapsed());
    report.end(&wanted, &runs, &summary, replayed.as_ref())?;
    let differs = replayed.is_some_and(|it| !it.different.is_empty());
    Ok(if summary.all_passed() && !differs { Code::Nothing } else { Code::Failed })
}

/// The harnesses of all targets, by name. A program may have one that is called as one of the library is.
fn harnesses(targets: &[BuiltTarget]) -> Result<Vec<Harness>, Failure> {
    let mut res: Vec<Harness> = Vec::new();
    for target in targets {
        res.extend(target.harnesses()?);
    }
    res.sort_by(|a, b| (&a.name, &a.file, a.line).cmp(&(&b.name, &b.file, b.line)));
    Ok(res)
}

/// Runs the harnesses, some at a time; told in their order.
fn run_all(
    args: &CargoArgs,
    harnesses: &[Harness],
    interrupt: &Arc<AtomicBool>,
    report: &mut Report<'_>,
) -> Result<Vec<HarnessRun>, Failure> {
    let jobs = args.jobs.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
    let jobs = jobs.min(harnesses.len());
    let next = AtomicUsize::new(0);
    let finished: Mutex<BTreeMap<usize, HarnessRun>> = Mutex::new(BTreeMap::new());
    let (sender, receiver) = std::sync::mpsc::channel::<usize>();
    let mut told = 0;
    std::thread::scope(|scope| {
        for _ in 0..jobs {
            let sender = sender.clone();
            scope.spawn(|| {
                let sender = sender;
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(harness) = harnesses.get(at) else { return };
                    let run = match interrupt.load(Ordering::Relaxed) {
                        true => HarnessRun::not_begun(),
                        false => run_harness(args, harness, jobs == 1),
                    };
                    finished.lock().unwrap_or_else(PoisonError::into_inner).insert(at, run);
                    if sender.send(at).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        while receiver.recv().is_ok() {
            let finished = finished.lock().unwrap_or_else(PoisonError::into_inner);
            while let Some(run) = finished.get(&told) {
                report.harness(&harnesses[told], run)?;
                told += 1;
            }
        }
        Ok(())
    })?;
    Ok(finished.into_inner().unwrap_or_else(PoisonError::into_inner).into_values().collect())
}
