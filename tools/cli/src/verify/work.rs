//! Members verified in parallel, handed back in order.
//!
//! Knows: threads, the interrupt, panics. Never: what a member is, the terminal.

use super::read::panic_text;
use effigy_report::verify::MemberReport;
use effigy_verify::{Config, Member, MemberOutcome, Program, Verdict, verify};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Instant;

/// Deep programs make deep terms.
const STACK: usize = 256 << 20;

/// One member to verify.
#[derive(Clone, Copy)]
pub(crate) struct Job<'a> {
    pub(crate) program: &'a Program,
    pub(crate) member: Member,
    pub(crate) config: &'a Config,
    /// The outcome, if an earlier run knew it.
    pub(crate) known: Option<&'a MemberOutcome>,
}

/// Verifies all of them, `threads` at a time. `done` gets the reports in the order of the jobs, each with its outcome
/// if that may be kept for later runs; `tick` gets how many are finished whenever one is.
pub(crate) fn all(
    jobs: &[Job<'_>],
    threads: usize,
    done: &mut dyn FnMut(usize, MemberReport, Option<MemberOutcome>),
    tick: &mut dyn FnMut(usize),
) -> std::io::Result<()> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..threads.min(jobs.len()) {
            let (sender, next) = (sender.clone(), &next);
            let worker = move || {
                while let Some(job) = jobs.get(next.load(Ordering::Relaxed)).and_then(|_| {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    jobs.get(at).map(|job| (at, job))
                }) {
                    if sender.send((job.0, one(job.1))).is_err() {
                        return;
                    }
                }
            };
            std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, worker)?;
        }
        drop(sender);
        let (mut waiting, mut turn, mut finished) = (BTreeMap::new(), 0, 0);
        for (at, (report, keep)) in receiver {
            finished += 1;
            tick(finished);
            waiting.insert(at, (report, keep));
            while let Some((report, keep)) = waiting.remove(&turn) {
                done(turn, report, keep);
                turn += 1;
            }
        }
        Ok(())
    })
}

fn one(job: &Job<'_>) -> (MemberReport, Option<MemberOutcome>) {
    let Job { program, member, config, known } = *job;
    let start = Instant::now();
    if let Some(outcome) = known {
        return (MemberReport::new(program, outcome.clone(), start.elapsed(), true), None);
    }
    let interrupted = || config.prover.interrupt.load(Ordering::Relaxed);
    let undecided = || Verdict::Undecided("stopped before there was a verdict".into());
    if interrupted() {
        let outcome = MemberOutcome { member, verdict: undecided(), effort: effigy_verify::Effort::default() };
        return (MemberReport::new(program, outcome, start.elapsed(), false), None);
    }
    match catch_unwind(AssertUnwindSafe(|| verify(program, member, config))) {
        Ok(mut outcome) => {
            // What failed because the solver was stopped did not fail.
            if interrupted() && !matches!(outcome.verdict, Verdict::Verified) {
                outcome.verdict = undecided();
            }
            (MemberReport::new(program, outcome.clone(), start.elapsed(), false), Some(outcome))
        }
        Err(panic) => (MemberReport::crashed(program, member, panic_text(&*panic), start.elapsed()), None),
    }
}
