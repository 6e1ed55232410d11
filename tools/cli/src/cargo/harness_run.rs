//! The run of one harness: `effigy run` or `effigy bmc` in a process of its own.
//!
//! Knows: their command lines and what their JSON says. Never: how it is told (`report`).

use super::Harness;
use super::counterexample::Counterexample;
use crate::args::{CargoArgs, MaxTime};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// What is known of a harness after its run.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Verdict {
    /// Every path was followed to its end, and none is a failure. Of a harness that must panic: some path panics, and
    /// none has another bug.
    Passed,
    /// Some input makes it fail, or none makes it panic that must.
    Failed,
    /// It is not known: why.
    Undecided(String),
    /// It needs what is not supported: what.
    Refused(String),
}

impl Verdict {
    /// As it stands behind the name of the harness.
    pub(super) fn word(&self) -> &'static str {
        match self {
            Verdict::Passed => "ok",
            Verdict::Failed => "FAILED",
            Verdict::Undecided(_) => "undecided",
            Verdict::Refused(_) => "refused",
        }
    }
}

/// A harness that was run.
#[derive(Clone, Debug)]
pub(super) struct HarnessRun {
    pub(super) verdict: Verdict,
    /// The paths that came to an end.
    pub(super) paths: u64,
    pub(super) time: Duration,
    /// The bugs, each with inputs that lead to it.
    pub(super) counterexamples: Vec<Counterexample>,
    /// The places that were to be reached and were.
    pub(super) covered: Vec<String>,
    /// What the verdict rests on, a sentence each.
    pub(super) remarks: Vec<String>,
}

impl HarnessRun {
    fn new(verdict: Verdict) -> HarnessRun {
        let (counterexamples, covered, remarks) = (Vec::new(), Vec::new(), Vec::new());
        HarnessRun { verdict, paths: 0, time: Duration::ZERO, counterexamples, covered, remarks }
    }

    /// A harness that was not run because the user has stopped the command.
    pub(super) fn not_begun() -> HarnessRun {
        HarnessRun::new(Verdict::Undecided("stopped before it began".to_owned()))
    }
}

/// Runs a harness. `alone` says that no other one runs at the same time.
pub(super) fn run_harness(args: &CargoArgs, harness: &Harness, alone: bool) -> HarnessRun {
    if let Some(what) = &harness.refused {
        return HarnessRun::new(Verdict::Refused(what.clone()));
    }
    let begun = Instant::now();
    let mut res = match output(args, harness, alone) {
        Ok(document) => of_document(&document, harness, args.bmc),
        Err(why) => HarnessRun::new(Verdict::Undecided(why)),
    };
    res.time = begun.elapsed();
    res
}

/// The JSON that the run prints.
fn output(args: &CargoArgs, harness: &Harness, alone: bool) -> Result<serde_json::Value, String> {
    let own = std::env::current_exe().map_err(|error| format!("effigy does not find itself: {error}"))?;
    let mut command = Command::new(own);
    command.arg(if args.bmc { "bmc" } else { "run" }).arg(&harness.program).arg("--json");
    command.args(["--entry", &harness.symbol]);
    if let MaxTime::Of(time) = args.max_time {
        command.args(["--max-time", &format!("{}ms", time.as_millis())]);
    }
    if !args.bmc {
        let folder = harness.output_folder();
        // The tests of the last run of the same harness are ours.
        let _ = std::fs::remove_dir_all(&folder);
        command.arg("--out").arg(folder);
        if !alone {
            command.args(["--jobs", "1"]);
        }
        if let Some(merge) = &args.merge {
            command.args(["--merge", merge]);
        }
    }
    let output = command.env_remove(super::compiler::VARIABLE).stdin(Stdio::null()).output();
    let output = output.map_err(|error| format!("effigy could not be started: {error}"))?;
    serde_json::from_slice(&output.stdout).map_err(|_| {
        let words = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        if words.is_empty() { format!("the run ended with {}", output.status) } else { words }
    })
}

fn of_document(document: &serde_json::Value, harness: &Harness, is_bounded: bool) -> HarnessRun {
    if let Some(error) = document["error"].as_str() {
        return HarnessRun::new(Verdict::Undecided(error.to_owned()));
    }
    let list = |name: &str| document[name].as_array().into_iter().flatten();
    let found: Option<Vec<Counterexample>> = list("bugs").map(Counterexample::of).collect();
    let Some(counterexamples) = found else {
        return HarnessRun::new(Verdict::Undecided("a bug was found that cannot be read".to_owned()));
    };
    let is_complete = if is_bounded { is_checked(document) } else { is_explored(document) };
    let certain = |panics: bool| counterexamples.iter().any(|it| it.is_certain && it.is_panic == panics);
    let is_possible = counterexamples.iter().any(|it| !it.is_certain);
    let verdict = match harness.should_panic {
        _ if certain(false) => Verdict::Failed,
        false if certain(true) => Verdict::Failed,
        _ if is_possible => Verdict::Undecided("a failure is possible, as shown above".to_owned()),
        _ if document["vacuous"] == true => Verdict::Undecided("no input satisfies its assumptions".to_owned()),
        _ if !is_complete => Verdict::Undecided(why_undecided(document)),
        true if !certain(true) => Verdict::Failed,
        _ => Verdict::Passed,
    };
    let text = |value: &serde_json::Value| value.as_str().map(str::to_owned);
    let is_cover = |it: &&serde_json::Value| it["kind"] == "covered";
    let notes = list("incomplete").filter(|it| !is_cover(it));
    let notes = notes.filter_map(|it| Some(format!("{}: {}", it["kind"].as_str()?, it["what"].as_str()?)));
    let premises = list("premises").filter_map(|it| text(&it["what"]));
    HarnessRun {
        verdict,
        paths: ["completed", "errored"].iter().filter_map(|it| document["paths"][it].as_u64()).sum(),
        time: Duration::ZERO,
        counterexamples,
        covered: list("incomplete").filter(is_cover).filter_map(|it| text(&it["what"])).collect(),
        remarks: notes.chain(premises).chain(list("remarks").chain(list("assumed")).filter_map(text)).collect(),
    }
}

/// Whether `effigy run` has followed every path to its end. One that goes round for ever has none.
fn is_explored(document: &serde_json::Value) -> bool {
    document["complete"] == true && document["paths"]["cut"] == 0
}

/// Whether `effigy bmc` has decided every check, for any number of rounds of each loop.
fn is_checked(document: &serde_json::Value) -> bool {
    let is_empty = |name: &str| document[name].as_array().is_none_or(Vec::is_empty);
    let is_decided = |it: &serde_json::Value| it["verdict"] == "correct" || it["verdict"] == "bug";
    let are_decided = document["properties"].as_array().is_some_and(|it| it.iter().all(is_decided));
    is_decided(document) && are_decided && ["missed", "needs", "endless"].into_iter().all(is_empty)
}

/// Why not everything is decided.
fn why_undecided(document: &serde_json::Value) -> String {
    let first = |list: &str, name: &str| {
        let list = document[list].as_array().into_iter().flatten();
        list.filter(|it| it["missed"] != false).find_map(|it| it[name].as_str()).map(str::to_owned)
    };
    let stopped = document["stopped"].as_str().map(|it| format!("stopped by {it}"));
    stopped
        .or_else(|| first("incomplete", "what"))
        .or_else(|| first("cut", "limit"))
        .or_else(|| first("missed", "what"))
        .or_else(|| first("needs", "name").map(|it| format!("the loop {it} needs more iterations")))
        .or_else(|| first("endless", "what"))
        .unwrap_or_else(|| "not every path was followed to its end".to_owned())
}
