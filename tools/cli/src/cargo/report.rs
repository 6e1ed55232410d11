//! How the harnesses are told: as `cargo test` tells tests, or as one JSON object.
//!
//! Knows: lines and members. Never: how a verdict came about (`harness_run`).

use super::Harness;
use super::counterexample::Counterexample;
use super::harness_run::{HarnessRun, Verdict};
use super::native_replay::Replayed;
use crate::Failure;
use crate::args::CargoArgs;
use crate::progress::say;
use effigy_llvm::driver::{self, CompileUnit};
use effigy_report::document::Writer;
use effigy_report::plural::counted;
use serde_json::json;
use std::path::PathBuf;
use std::time::Duration;

/// How many harnesses ended how.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Summary {
    passed: usize,
    failed: usize,
    undecided: usize,
    refused: usize,
    time: Duration,
}

impl Summary {
    pub(super) fn of(runs: &[HarnessRun], time: Duration) -> Summary {
        let count = |is_it: fn(&Verdict) -> bool| runs.iter().filter(|it| is_it(&it.verdict)).count();
        Summary {
            passed: count(|it| *it == Verdict::Passed),
            failed: count(|it| *it == Verdict::Failed),
            undecided: count(|it| matches!(it, Verdict::Undecided(_))),
            refused: count(|it| matches!(it, Verdict::Refused(_))),
            time,
        }
    }

    pub(super) fn all_passed(&self) -> bool {
        self.failed + self.undecided + self.refused == 0
    }
}

/// What is printed, and what is not.
pub(super) struct Report<'a> {
    args: &'a CargoArgs,
}

impl<'a> Report<'a> {
    pub(super) fn new(args: &'a CargoArgs) -> Report<'a> {
        Report { args }
    }

    pub(super) fn list(&mut self, harnesses: &[Harness]) -> Result<(), Failure> {
        if self.args.json {
            let harness = |it: &Harness| json!({"name": it.name, "file": it.file, "line": it.line});
            let all: Vec<_> = harnesses.iter().map(harness).collect();
            return say(&format!("{}\n", json!({"effigy": Writer::default(), "command": "cargo", "harnesses": all})));
        }
        for it in harnesses {
            say(&format!("{}: harness\n", it.name))?;
        }
        say(&format!("\n{}\n", counted(harnesses.len() as u64, "harness")))
    }

    pub(super) fn begin(&mut self, count: usize) -> Result<(), Failure> {
        match self.args.json || self.args.quiet {
            true => Ok(()),
            false => say(&format!("\nrunning {}\n", counted(count as u64, "harness"))),
        }
    }

    pub(super) fn harness(&mut self, harness: &Harness, run: &HarnessRun) -> Result<(), Failure> {
        if self.args.json || self.args.quiet {
            return Ok(());
        }
        let panics = if harness.should_panic { " - should panic" } else { "" };
        let work = match run.verdict {
            Verdict::Refused(_) => String::new(),
            _ => format!(" ({:.2}s, {})", run.time.as_secs_f64(), counted(run.paths, "path")),
        };
        say(&format!("harness {}{panics} ... {}{work}\n", harness.name, run.verdict.word()))
    }

    pub(super) fn end(
        &mut self,
        harnesses: &[Harness],
        runs: &[HarnessRun],
        summary: &Summary,
        replayed: Option<&Replayed>,
    ) -> Result<(), Failure> {
        if self.args.json {
            let mut document = document(harnesses, runs, summary);
            if let Some(it) = replayed {
                document["replayed"] = json!({
                    "as_predicted": it.as_predicted, "different": it.different, "not_comparable": it.not_comparable,
                });
            }
            return say(&format!("{document}\n"));
        }
        let mut res = String::new();
        let all = || harnesses.iter().zip(runs);
        let has_failed = |it: &HarnessRun| it.verdict == Verdict::Failed;
        let is_shown = |it: &HarnessRun| matches!(it.verdict, Verdict::Undecided(_)) && !it.counterexamples.is_empty();
        for (harness, run) in all().filter(|it| has_failed(it.1) || is_shown(it.1)) {
            if res.is_empty() {
                res.push_str("\nfailures:\n");
            }
            res.push_str(&failure(harness, run));
        }
        let others: Vec<String> = all().filter_map(|(harness, run)| reason(&harness.name, &run.verdict)).collect();
        if !others.is_empty() {
            res.push_str(&format!("\nnot decided:\n{}", others.concat()));
        }
        let told = |told: &str, harness: &Harness| format!("{}: {told}", harness.name);
        let covered: Vec<String> = all().flat_map(|it| it.1.covered.iter().map(|text| told(text, it.0))).collect();
        if !covered.is_empty() && !self.args.quiet {
            res.push_str("\nreached:\n");
            covered.iter().for_each(|it| res.push_str(&format!("    {it}\n")));
        }
        let mut remarks = driver::remarks(&CompileUnit::all(&[PathBuf::from("harnesses.rs")], &[]));
        remarks.extend(all().flat_map(|it| it.1.remarks.iter().map(|text| told(text, it.0))));
        if !self.args.quiet && !runs.is_empty() {
            res.push('\n');
            remarks.iter().for_each(|it| res.push_str(&format!("note: {it}\n")));
        }
        if let Some(it) = replayed {
            let different = it.different.len();
            let count = counted((it.as_predicted + different) as u64, "test");
            res.push_str(&format!("\n{count} replayed natively: {} as predicted, {different} differ", it.as_predicted));
            match it.not_comparable {
                0 => res.push('\n'),
                more => res.push_str(&format!("; {more} end in what a native run does not show\n")),
            }
            it.different.iter().for_each(|it| res.push_str(&format!("    {it}\n")));
        }
        let Summary { passed, failed, undecided, refused, time } = summary;
        let result = if summary.all_passed() { "ok" } else { "FAILED" };
        res.push_str(&format!(
            "\nharness result: {result}. {passed} passed; {failed} failed; {undecided} undecided; {refused} refused; \
             finished in {:.2}s\n",
            time.as_secs_f64()
        ));
        say(&res)
    }
}

/// A harness that has failed: its bugs, with the values of each and a test.
fn failure(harness: &Harness, run: &HarnessRun) -> String {
    let mut res = format!("\n---- {} ----\n", harness.name);
    let shown: Vec<_> = run.counterexamples.iter().filter(|it| !(harness.should_panic && it.is_panic)).collect();
    if shown.is_empty() && run.verdict == Verdict::Failed {
        res.push_str("it must panic on some input, and no input makes it panic\n");
    }
    for it in shown {
        let place = &it.bug.place;
        res.push_str(&format!("{}:{}:{}: {}\n", place.file, place.line, place.column, it.bug.message));
        for place in &it.bug.stack {
            res.push_str(&format!("  called from {} ({}:{})\n", place.function, place.file, place.line));
        }
        it.values().iter().for_each(|it| res.push_str(&format!("    {it}\n")));
        if it.is_certain {
            let test = it.test(&harness.name, harness.library);
            res.push_str("  as a test (--write-tests adds it to the file):\n");
            test.lines().for_each(|it| res.push_str(&format!("    {it}\n")));
        } else {
            res.push_str("  possible only: it rests on what is not known of the world outside\n");
        }
    }
    res
}

/// Why a harness is not decided, on a line.
fn reason(name: &str, verdict: &Verdict) -> Option<String> {
    match verdict {
        Verdict::Undecided(why) => Some(format!("    {name}: {why}\n")),
        Verdict::Refused(what) => Some(format!("    {name}: {what} is not supported\n")),
        Verdict::Passed | Verdict::Failed => None,
    }
}

fn document(harnesses: &[Harness], runs: &[HarnessRun], summary: &Summary) -> serde_json::Value {
    let all: Vec<serde_json::Value> = harnesses
        .iter()
        .zip(runs)
        .map(|(harness, run)| {
            let bug = |it: &Counterexample| json!({"bug": it.bug, "inputs": it.inputs, "certain": it.is_certain});
            let bugs: Vec<_> = run.counterexamples.iter().map(bug).collect();
            let why = match &run.verdict {
                Verdict::Undecided(why) | Verdict::Refused(why) => Some(why),
                Verdict::Passed | Verdict::Failed => None,
            };
            json!({
                "name": harness.name,
                "file": harness.file,
                "line": harness.line,
                "result": run.verdict.word().to_lowercase(),
                "why": why,
                "paths": run.paths,
                "seconds": run.time.as_secs_f64(),
                "bugs": bugs,
                "covered": run.covered,
                "remarks": run.remarks,
            })
        })
        .collect();
    json!({
        "effigy": Writer::default(),
        "command": "cargo",
        "harnesses": all,
        "passed": summary.passed,
        "failed": summary.failed,
        "undecided": summary.undecided,
        "refused": summary.refused,
        "seconds": summary.time.as_secs_f64(),
    })
}
