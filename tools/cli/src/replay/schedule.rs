//! Tests of programs with several threads: the schedule that their native run is held to.
//!
//! Knows: the file that `languages/llvm/runtime/schedule.c` reads, what that says at the end of a run, and which
//! instrumentation shows a class of bugs. Never: how a run is made.

use super::native::NativeRun;
use super::verdict::{Verdict, describe, first_report, signs};
use effigy_llvm::checks::{DATA_RACE, DEADLOCK, LOCK_MISUSE, THREAD_MISUSE};
use effigy_llvm::driver::{Instrumentation, Sanitizer};
use effigy_report::test_case::{Expectation, Test};
use std::fmt::Write as _;
use std::path::Path;

/// The exit code of a run in which no thread can go on, and how its last words begin.
const DEADLOCKED: (i32, &str) = (89, "effigy: deadlock: ");
/// That of a run that came to the end of its schedule, and did not end.
const AT_END: (i32, &str) = (90, "effigy: the schedule is at its end");
/// That of a run that left its schedule.
const LEFT: (i32, &str) = (91, "effigy: the schedule is left: ");

/// What the runtime says where ThreadSanitizer does not know what orders two accesses.
const BLIND: &str = "effigy: ThreadSanitizer does not follow ";

/// How the program of a test is instrumented.
pub(super) fn instrumentation(test: &Test) -> Instrumentation {
    let kind = match &test.expect {
        Expectation::Bug(bug) => &*bug.kind,
        _ => "",
    };
    let is = |class: effigy_engine::BugKind| kind == class.0;
    let sanitizer = match kind {
        "uninitialised-value" => Sanitizer::Memory,
        _ if is(DATA_RACE) || is(LOCK_MISUSE) => Sanitizer::Thread,
        _ => Sanitizer::AddressUndefined,
    };
    // A thread alone can wait for ever, and misuse a lock: the scheduler sees it.
    let holds_schedule =
        !test.schedule.is_empty() || [DATA_RACE, DEADLOCK, LOCK_MISUSE, THREAD_MISUSE].into_iter().any(is);
    Instrumentation { sanitizer, holds_schedule }
}

/// The file that the runtime reads; `None` where the test does not say what its threads do.
pub(super) fn lines(test: &Test) -> Option<String> {
    let mut res = format!("{}\n", u8::from(test.unlocks_are_turns));
    for turn in &test.schedule {
        if turn.action.is_empty() || turn.action.contains(char::is_whitespace) {
            return None;
        }
        let wakes = turn.wakes.map_or(-1, i64::from);
        let _ = writeln!(res, "{} {} {wakes}", turn.thread, turn.action);
    }
    Some(res)
}

/// The last words of a run that the scheduler has ended in this way.
fn last_words<'a>(run: &'a NativeRun, (code, words): (i32, &str)) -> Option<&'a str> {
    if run.code != Some(code) {
        return None;
    }
    run.errors.lines().rev().find_map(|it| it.strip_prefix(words))
}

/// Whether a run has taken all turns of its schedule, by the file that the runtime writes. At its end the main thread has
/// a turn for each function that is registered for it, also where nothing of the program follows.
pub(super) fn is_taken(test: &Test, turns: &Path) -> bool {
    let taken = std::fs::read(turns).ok().and_then(|it| Some(i32::from_ne_bytes(it.get(..4)?.try_into().ok()?)));
    let left = test.schedule.get(usize::try_from(taken.unwrap_or(0)).unwrap_or(0)..).unwrap_or_default();
    left.iter().all(|it| it.action == "exit" && left.first().is_some_and(|first| first.thread == it.thread))
}

/// What the scheduler says of a run; `None` where the program or a sanitizer has ended it, or ThreadSanitizer has seen
/// what was predicted.
///
/// ThreadSanitizer sees the accesses of files that are compiled here, and not those of bitcode: `is_compiled`.
pub(super) fn verdict(test: &Test, run: &NativeRun, is_compiled: bool) -> Option<Verdict> {
    if let Some(verdict) = by_thread_sanitizer(test, run) {
        return Some(verdict);
    }
    if run.late {
        let what = "it cannot be held to its schedule: a thread did not come to its next action in time";
        return Some(Verdict::Unseen(what.to_owned()));
    }
    if let Some(why) = last_words(run, LEFT) {
        return Some(Verdict::Unseen(format!("it cannot be held to its schedule: {why}")));
    }
    let is_deadlock = matches!(&test.expect, Expectation::Bug(bug) if bug.kind == DEADLOCK.0);
    if let Some(what) = last_words(run, DEADLOCKED) {
        return Some(match (is_deadlock, &test.expect) {
            (true, _) | (_, Expectation::Cut(_)) => Verdict::Agrees,
            _ => Verdict::Differs(format!("deadlock: {what}")),
        });
    }
    if last_words(run, AT_END).is_some() {
        return Some(match (&test.expect, first_report(&run.report)) {
            (Expectation::Cut(_), _) => Verdict::Agrees,
            (_, Some(_)) => return None,
            (Expectation::Bug(bug), None) if bug.kind == DATA_RACE.0 && !is_compiled => {
                Verdict::Unseen("ThreadSanitizer does not see the accesses of bitcode".to_owned())
            }
            (_, None) => Verdict::Differs("it came to the end of its schedule, and goes on".to_owned()),
        });
    }
    // Who waits outside of the scheduler's sight is no deadlock of the schedule.
    is_deadlock.then(|| Verdict::Differs(describe(run)))
}

/// What ThreadSanitizer says where a data race was predicted, or the misuse of a lock. A run goes on after a report.
fn by_thread_sanitizer(test: &Test, run: &NativeRun) -> Option<Verdict> {
    let Expectation::Bug(bug) = &test.expect else { return None };
    let is_judged = bug.kind == DATA_RACE.0 || bug.kind == LOCK_MISUSE.0;
    if !is_judged || !signs(&bug.kind).iter().any(|it| run.report.contains(it)) {
        return None;
    }
    // What it does not follow may look like a race elsewhere.
    let file = bug.place.file.rsplit('/').next().unwrap_or_default();
    let is_there = run.report.contains(&format!("{file}:{}", bug.place.line));
    match blind_spot(run) {
        Some(what) if !is_there => Some(Verdict::Unseen(format!("ThreadSanitizer does not follow {what}"))),
        _ => Some(Verdict::Agrees),
    }
}

/// What the program does that ThreadSanitizer does not follow.
fn blind_spot(run: &NativeRun) -> Option<&str> {
    run.errors.lines().find_map(|it| it.strip_prefix(BLIND))
}

/// A data race in a run that was to have none, by its report; `None` also where ThreadSanitizer cannot tell.
pub(super) fn unexpected_race(run: &NativeRun) -> Option<&str> {
    if blind_spot(run).is_some() {
        return None;
    }
    run.report.lines().find(|line| signs(DATA_RACE.0).iter().any(|it| line.contains(it)))
}
