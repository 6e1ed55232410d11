//! Whole campaigns on small programs: what must be found is found, whatever the program does to us.
//!
//! The programs are in `tests/programs`. Time is never compared: a campaign ends when all is found that is due, and
//! a limit that is never reached only keeps a failure from taking for ever.

use effigy_fleet::LocalFleet;
use effigy_fuzz::{Account, Bug, Config, FindingKind, Kind, Pace, RUNTIME, Status, Watcher, fuzz, inputs_of};
use effigy_llvm::driver::{self, CompileUnit, Fuzzed, Scratch};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// No campaign here takes so long.
const LIMIT: Duration = Duration::from_secs(240);

/// A program, compiled both ways.
struct Subject {
    scratch: Scratch,
    program: PathBuf,
    sanitized: PathBuf,
    kind: Kind,
}

impl Subject {
    fn new(name: &str, kind: Kind) -> Subject {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(name);
        let scratch = Scratch::new().unwrap();
        let build = |sanitized| {
            let units = CompileUnit::all(std::slice::from_ref(&file), &[]);
            let what = Fuzzed { units: &units, link: &[], driven: None, runtime: RUNTIME, sanitized };
            driver::fuzzed(&what, &scratch).unwrap().program
        };
        Subject { program: build(false), sanitized: build(true), scratch, kind }
    }

    fn config(&self, output: &str) -> Config {
        let scratch = self.scratch.path().join(format!("{output}.scratch"));
        std::fs::create_dir_all(&scratch).unwrap();
        Config {
            program: self.program.clone(),
            sanitized: self.sanitized.clone(),
            kind: self.kind,
            isolate: false,
            most: 256,
            timeout: Duration::from_millis(500),
            memory: 256,
            seed: 1,
            scratch,
            output: self.scratch.path().join(output),
            seeds: Vec::new(),
            sync: None,
            max_time: Some(LIMIT),
            max_runs: None,
            stop_at_first_bug: false,
            interrupt: Arc::new(AtomicBool::new(false)),
            jobs: 1,
            symbolic: Vec::new(),
            pace: Arc::new(Pace::new(1)),
            others: false,
        }
    }
}

/// Ends a campaign when all kinds of bugs that are due were found.
struct Until {
    due: Vec<&'static str>,
    enough: Arc<AtomicBool>,
}

impl Watcher for Until {
    fn status(&mut self, _: &Status) {}

    fn bug(&mut self, bug: &Bug) {
        if let Some(at) = self.due.iter().position(|it| *it == bug.report.kind) {
            self.due.remove(at);
        }
        if self.due.is_empty() {
            self.enough.store(true, Ordering::Relaxed);
        }
    }
}

/// Runs a campaign until all that is due was found.
fn run(config: &Config, due: &[&'static str]) -> Account {
    let mut until = Until { due: due.to_vec(), enough: Arc::clone(&config.interrupt) };
    let account = fuzz(config, Box::<LocalFleet>::default(), &mut until).unwrap();
    assert!(until.due.is_empty(), "not found: {:?}; {:?}", until.due, account.status);
    account
}

#[test]
fn the_loop_survives_crashes_hangs_and_greed() {
    let subject = Subject::new("ends.c", Kind::Target);
    // The division is in the program twice, called from two lines: two bugs.
    let divisions = ["division-by-zero", "division-by-zero"];
    let due = [&["hang", "out-of-memory", "null-dereference", "out-of-bounds-read", "stack-overflow"], &divisions[..]]
        .concat();
    let account = run(&subject.config("out"), &due);
    // Each was seen again alone, and is in the folder as it was told.
    for bug in &account.bugs {
        assert_eq!(std::fs::read(&bug.path).unwrap(), bug.input);
        let folder = bug.path.parent().unwrap().file_name().unwrap();
        assert_eq!(folder, if bug.found == FindingKind::Hang { "hangs" } else { "crashes" });
    }
    assert!(account.status.board.workers > 3, "{:?}", account.status);
    let lines: Vec<_> = account.bugs.iter().filter(|it| it.report.kind == "division-by-zero").collect();
    assert_ne!(lines[0].report.frames[1].line, lines[1].report.frames[1].line);
}

#[test]
fn compares_of_all_kinds_are_solved() {
    // Integers of all widths, floating point, text, sums, digits, a checksum: no chance in a million runs.
    let subject = Subject::new("compares.c", Kind::Target);
    let account = run(&subject.config("out"), &["abort"]);
    assert_eq!(account.bugs.len(), 1);
    assert_eq!(account.bugs[0].report.frames[0].function, "LLVMFuzzerTestOneInput");
}

#[test]
fn panics_of_rust_are_found_behind_compares() {
    let subject = Subject::new("panics.rs", Kind::Target);
    // An assertion, an index, an overflow: each is a bug of its own, told with the line of the program.
    let account = run(&subject.config("out"), &["panic", "panic", "panic"]);
    let mut lines: Vec<u32> = account.bugs.iter().map(|it| it.report.frames[0].line).collect();
    lines.sort_unstable();
    assert_eq!(lines, [15, 17, 20], "{:?}", account.bugs);
}

#[test]
fn several_loops_share_what_they_find() {
    let subject = Subject::new("compares.c", Kind::Target);
    let mut config = subject.config("out");
    config.jobs = 3;
    let account = run(&config, &["abort"]);
    assert_eq!(account.bugs.len(), 1);
    assert!(account.status.board.workers >= 3);
    let queue = inputs_of(&config.output.join("queue")).unwrap();
    let different: std::collections::BTreeSet<_> = queue.iter().collect();
    assert_eq!((queue.len(), different.len()), (account.status.queue, account.status.queue));
}

#[test]
fn a_program_with_a_main_has_a_process_for_each_run() {
    let subject = Subject::new("stdin.c", Kind::Stdin);
    // Its global counter would be wrong in the second run of one process.
    let account = run(&subject.config("out"), &["assertion-failed"]);
    assert_eq!(account.bugs.len(), 1, "{:?}", account.bugs);
    assert_eq!(account.bugs[0].input, b"magic");
}

#[test]
fn what_was_slow_when_it_was_found_is_solved_all_the_same() {
    let subject = Subject::new("slow_at_first.c", Kind::Stdin);
    let account = run(&subject.config("out"), &["assertion-failed"]);
    // Where the machine is slow, too, its first runs may hang.
    let failed = account.bugs.iter().find(|it| it.report.kind == "assertion-failed").expect("a bug");
    assert_eq!(failed.input, b"magic");
}

#[test]
fn what_was_found_is_found_again_by_the_next() {
    let subject = Subject::new("compares.c", Kind::Target);
    let mut config = subject.config("out");
    let first = run(&config, &["abort"]);
    let queue = |config: &Config| inputs_of(&config.output.join("queue")).unwrap();
    let before = queue(&config);
    assert!(first.status.queue >= 5 && before.len() == first.status.queue);
    // A campaign in the same folder has all of it, without a run of its own.
    config.interrupt = Arc::new(AtomicBool::new(false));
    let second = run(&config, &["abort"]);
    assert!(second.bugs[0].known && second.bugs[0].path == first.bugs[0].path);
    assert_eq!(second.bugs.len(), 1);
    let after = queue(&config);
    assert!(before.iter().all(|it| after.contains(it)));
    // Another one that reads this one's queue goes on from there.
    let mut other = subject.config("elsewhere");
    other.sync = Some(subject.scratch.path().to_owned());
    other.seed = 7;
    let third = run(&other, &["abort"]);
    assert!(third.status.synced > 0, "{:?}", third.status);
}

#[test]
fn a_program_without_a_source_is_refused() {
    let subject = Subject::new("nothing.ll", Kind::Target);
    let config = subject.config("out");
    let mut until = Until { due: Vec::new(), enough: Arc::clone(&config.interrupt) };
    let refused = fuzz(&config, Box::<LocalFleet>::default(), &mut until);
    assert!(refused.is_err(), "{refused:?}");
}
