//! `effigy replay`: run tests on the native program and compare.

mod blind_spots;
mod native;
mod runner;
mod schedule;
mod server;
mod verdict;

use crate::args::ReplayArgs;
use crate::progress::{say, say_json, warn};
use crate::run_manifest::RunManifest;
use crate::{Code, Failure};
use effigy_llvm::checks::{LEAK, STACK_OVERFLOW};
use effigy_llvm::driver::{self, Instrumentation, Native, NativeProgram, Sanitizer, Scratch};
use effigy_report::folder::{Folder, NEWEST, is_test_file};
use effigy_report::place_words::at;
use effigy_report::plural::counted;
use effigy_report::test_case::{Expectation, Test, TestInput};
use runner::Runner;
use serde::Serialize;
use std::collections::BTreeMap;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use verdict::Verdict;

#[derive(Debug, Serialize)]
struct Report {
    tests: usize,
    agree: usize,
    differ: usize,
    skipped: usize,
    results: Vec<TestResult>,
}

#[derive(Debug, Serialize)]
struct TestResult {
    test: String,
    agrees: Option<bool>,
    predicted: String,
    native: String,
}

pub(crate) fn replay(args: &ReplayArgs) -> Result<Code, Failure> {
    let mut what = args.what.clone();
    if what.is_empty() {
        what.push(PathBuf::from(NEWEST));
    }
    let mut results = Vec::new();
    // The native program of a folder is built once for all of its tests.
    let mut folders: Vec<(PathBuf, Vec<PathBuf>)> = Vec::new();
    for path in &what {
        let (folder, tests) = tests_of(path)?;
        match folders.iter_mut().find(|it| it.0 == folder) {
            Some(known) => known.1.extend(tests),
            None => folders.push((folder, tests)),
        }
    }
    for (folder, tests) in folders {
        replay_folder(&folder, &tests, args, &mut results)?;
    }
    let count = |wanted: Option<bool>| results.iter().filter(|it| it.agrees == wanted).count();
    let report = Report {
        tests: results.len(),
        agree: count(Some(true)),
        differ: count(Some(false)),
        skipped: count(None),
        results,
    };
    if args.json {
        say_json(&report)?;
    } else {
        for result in &report.results {
            match result.agrees {
                Some(true) => {}
                Some(false) => {
                    say(&format!(
                        "{}: differs\n  predicted {}\n  native    {}\n",
                        result.test, result.predicted, result.native
                    ))?;
                }
                None if args.quiet => {}
                None => say(&format!("{}: skipped: {}\n", result.test, result.native))?,
            }
        }
        let skipped = if report.skipped > 0 { format!(", {} skipped", report.skipped) } else { String::new() };
        let (tests, agree, differ) = (report.tests, report.agree, report.differ);
        let verb = if differ == 1 { "differs" } else { "differ" };
        if !args.quiet {
            let tests = counted(tests as u64, "test");
            say(&format!("{tests} replayed: {agree} as predicted, {differ} {verb}{skipped}\n"))?;
        }
    }
    Ok(if report.differ > 0 { Code::Found } else { Code::Nothing })
}

/// The output folder of a path, and the tests that it names.
fn tests_of(path: &Path) -> Result<(PathBuf, Vec<PathBuf>), Failure> {
    if path.is_dir() {
        let tests = path.join("tests");
        Folder::mark(path).map_err(Failure::of)?;
        let entries = std::fs::read_dir(&tests).map_err(|it| Failure(format!("{}: {it}", tests.display())))?;
        let mut files: Vec<PathBuf> =
            entries.flatten().map(|it| it.path()).filter(|it| it.extension().is_some_and(|it| it == "json")).collect();
        files.sort();
        // The user may keep files of other kinds there; a damaged test of ours is no such file.
        files.retain(|it| {
            let is_named = it.file_name().and_then(|it| it.to_str()).is_some_and(is_test_file);
            if !is_named {
                warn(&format!("{} is passed over: tests are called test000001.json and so on", it.display()));
            }
            is_named
        });
        // A run that was killed has begun one, and told nobody.
        files.retain(|it| {
            let is_empty = std::fs::metadata(it).is_ok_and(|it| it.len() == 0);
            if is_empty {
                warn(&format!("{} is empty: the run was killed as it began it", it.display()));
            }
            !is_empty
        });
        return Ok((path.to_owned(), files));
    }
    if !path.is_file() {
        return Err(Failure(format!(
            "{}: an output folder or a test was expected; make one with `effigy run`",
            path.display()
        )));
    }
    let folder = path.parent().and_then(Path::parent);
    match folder {
        Some(folder) => Ok((folder.to_owned(), vec![path.to_owned()])),
        None => Err(Failure(format!("{}: this test is not in an output folder", path.display()))),
    }
}

fn read_test(path: &Path) -> Result<Test, Failure> {
    let failed = |it: &dyn std::fmt::Display| Failure(format!("{}: {it}", path.display()));
    let bytes = std::fs::read(path).map_err(|it| failed(&it))?;
    Test::parse(&bytes).map_err(|it| Failure(format!("{}:{it}", path.display())))
}

fn replay_folder(
    folder: &Path,
    tests: &[PathBuf],
    args: &ReplayArgs,
    results: &mut Vec<TestResult>,
) -> Result<(), Failure> {
    let mark = RunManifest::read(folder)?;
    if !matches!(mark.language.as_str(), "" | "llvm") {
        let folder = folder.display();
        return Err(Failure(format!("{folder}: tests of C and C++ programs are replayed, not of this language")));
    }
    let scratch = Scratch::new().map_err(Failure::of)?;
    let build = Builder { mark: &mark, scratch: &scratch, programs: Default::default() };
    // As many at once as there are processors.
    let workers = args.jobs.map_or_else(|| std::thread::available_parallelism().map_or(1, NonZero::get), usize::from);
    let workers = workers.min(tests.len().max(1));
    let next = AtomicUsize::new(0);
    let work = |worker: usize| -> Vec<(usize, Result<TestResult, Failure>)> {
        let mut done = Vec::new();
        let own = scratch.path().join(format!("worker{worker}"));
        let mut runner = Runner::new(own, args.isolate);
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(path) = tests.get(at) else { return done };
            let result = read_test(path).and_then(|test| replay_test(path, &test, &build, &mut runner, args));
            let failed = result.is_err();
            done.push((at, result));
            if failed {
                // The others end with the tests that they have.
                next.fetch_max(tests.len(), Ordering::Relaxed);
            }
        }
    };
    let mut all = std::thread::scope(|scope| {
        let others: Vec<_> = (1..workers).map(|worker| scope.spawn(move || work(worker))).collect();
        let mut all = work(0);
        for other in others {
            match other.join() {
                Ok(done) => all.extend(done),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        all
    });
    all.sort_by_key(|it| it.0);
    for (_, result) in all {
        results.push(result?);
    }
    Ok(())
}

/// The native programs, built when first needed.
struct Builder<'a> {
    mark: &'a RunManifest,
    scratch: &'a Scratch,
    /// By sanitizer, without a schedule and with one.
    programs: [[OnceLock<Result<Native, Failure>>; 2]; 3],
}

impl Builder<'_> {
    fn program(&self, instrumentation: Instrumentation) -> Result<&Native, Failure> {
        let (row, name) = match instrumentation.sanitizer {
            Sanitizer::AddressUndefined => (0, "AddressSanitizer"),
            Sanitizer::Memory => (1, "MemorySanitizer"),
            Sanitizer::Thread => (2, "ThreadSanitizer"),
        };
        let slot = &self.programs[row][usize::from(instrumentation.holds_schedule)];
        let mark = self.mark;
        let built = slot.get_or_init(|| {
            let (harness, driven) = (mark.harness.as_deref(), mark.driven.as_ref());
            let what = NativeProgram { units: &mark.units(), link: &mark.link, harness, driven };
            let program = driver::native(&what, instrumentation, self.scratch).map_err(Failure::of)?;
            // One that cannot start would differ from each test.
            native::starts(&program.program, self.scratch.path()).map_err(|error| {
                Failure(format!(
                    "the program under {name} cannot start, so no test could be replayed: {error}; it reserves \
                     terabytes of addresses: is there a limit (`ulimit -v`)?"
                ))
            })?;
            Ok(program)
        });
        built.as_ref().map_err(|it| Failure(it.0.clone()))
    }
}

fn replay_test(
    path: &Path,
    test: &Test,
    build: &Builder<'_>,
    runner: &mut Runner,
    args: &ReplayArgs,
) -> Result<TestResult, Failure> {
    let predicted = match &test.expect {
        Expectation::Exit(code) => format!("exit code {}", code & 0xff),
        Expectation::Bug(bug) => format!("{}{}", bug.kind, at(&bug.place.file, bug.place.line)),
        Expectation::Cut(why) => format!("cut: {why}"),
    };
    let name = path.display().to_string();
    let skip = |why: &str| TestResult {
        test: name.clone(),
        agrees: None,
        predicted: predicted.clone(),
        native: why.to_owned(),
    };
    if !test.replayable {
        return Ok(skip("it rests on values that a native run need not give"));
    }
    let instrumentation = schedule::instrumentation(test);
    let Some(schedule) = schedule::lines(test) else {
        return Ok(skip("its schedule does not say what threads do: it was written by an earlier effigy"));
    };
    let program = match build.program(instrumentation) {
        Ok(program) => program,
        // It does not run on each machine, and does not take each program that AddressSanitizer takes.
        Err(error) if instrumentation.sanitizer == Sanitizer::Thread => return Ok(skip(&error.0)),
        Err(error) => return Err(error),
    };
    let own = runner.folder().to_owned();
    std::fs::create_dir_all(&own).map_err(|error| Failure(format!("{}: {error}", own.display())))?;
    let inputs = own.join("test.txt");
    let wrong = || Failure(format!("{name}: its inputs are not hexadecimal"));
    let mut values = BTreeMap::new();
    for input in &test.inputs {
        values.insert(input.name.clone(), input.to_bytes().ok_or_else(wrong)?);
    }
    let given = build.mark.surroundings.given(&mut values);
    let lines = input_lines(test.inputs.iter().filter(|it| values.contains_key(&it.name)));
    std::fs::write(&inputs, lines).map_err(|error| Failure(format!("{}: {error}", inputs.display())))?;
    let turns = own.join("test.txt.turns");
    if instrumentation.holds_schedule {
        // That of another test.
        let _ = std::fs::remove_file(&turns);
        let path = own.join("test.txt.schedule");
        std::fs::write(&path, schedule).map_err(|error| Failure(format!("{}: {error}", path.display())))?;
    }
    let room = native::room(&own, &given).map_err(Failure::of)?;
    let stack = match &test.expect {
        Expectation::Bug(bug) if bug.kind == STACK_OVERFLOW.0 => native::Stack::Usual,
        _ => native::Stack::Ample,
    };
    let is_compiled = build.mark.units().iter().all(|it| it.is_source());
    let leaks = matches!(&test.expect, Expectation::Bug(bug) if bug.kind == LEAK.0);
    let limits = native::Limits { stack, timeout: args.timeout, leaks };
    let repeated = match test.expect {
        Expectation::Exit(_) => runner.repeated(instrumentation, program, &given, (&inputs, &room), args.timeout),
        // What ends in a bug ends its process.
        _ => None,
    };
    let verdict = match repeated.map(|it| verdict::compare(test, &it)) {
        Some(Verdict::Agrees) => Verdict::Agrees,
        // A process of its own has the last word.
        _ => {
            let run = runner.run(instrumentation, &program.program, &given, (&inputs, &room), limits);
            let run = run.map_err(Failure::of)?;
            let held = if instrumentation.holds_schedule { schedule::verdict(test, &run, is_compiled) } else { None };
            let verdict = match held.unwrap_or_else(|| verdict::compare(test, &run)) {
                Verdict::Agrees if instrumentation.holds_schedule && !schedule::is_taken(test, &turns) => {
                    Verdict::Differs("it ends in this way before its schedule is at its end".to_owned())
                }
                verdict => verdict,
            };
            blind_spots::judged(verdict, test, &run, &build.mark.directory)
        }
    };
    let verdict = match (&test.expect, verdict) {
        (Expectation::Exit(code), Verdict::Agrees) if !test.schedule.is_empty() => {
            // A data race that was not found changes no exit code here.
            let instrumentation = Instrumentation { sanitizer: Sanitizer::Thread, ..instrumentation };
            let room = native::room(&own, &given).map_err(Failure::of)?;
            let run = build.program(instrumentation).ok().map(|program| {
                runner.run(instrumentation, &program.program, &given, (&inputs, &room), limits).map_err(Failure::of)
            });
            match run.transpose()?.as_ref().and_then(schedule::unexpected_race) {
                Some(report) => Verdict::Differs(format!("exit code {}, but {}", code & 0xff, report.trim())),
                None => Verdict::Agrees,
            }
        }
        (_, verdict) => verdict,
    };
    Ok(TestResult {
        test: name,
        agrees: match verdict {
            Verdict::Agrees => Some(true),
            Verdict::Differs(_) => Some(false),
            Verdict::Unseen(_) => None,
        },
        predicted,
        native: match verdict {
            Verdict::Agrees => "as predicted".to_owned(),
            Verdict::Differs(what) | Verdict::Unseen(what) => what,
        },
    })
}

/// The lines that the runtime reads.
fn input_lines<'a>(inputs: impl Iterator<Item = &'a TestInput>) -> String {
    let line = |it: &TestInput| format!("{} {}\n", effigy_report::test_case::hex(it.name.as_bytes()), it.bytes);
    inputs.map(line).collect()
}
