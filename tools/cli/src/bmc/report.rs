//! The report of a check, for people and as JSON.
//!
//! Knows: words and layout. Never: terms, states.

use super::steps::Run;
use crate::args::BmcArgs;
use crate::collect::WalkOutcome;
use crate::frontend::About;
use crate::limits::peak_memory;
use crate::progress::colours;
use effigy_bmc::{Account, Verdict};
use effigy_engine::{Note, Place, Turning};
use effigy_report::bugs::{self, Style};
use effigy_report::document::{FoundBug, ProgramSection};
use effigy_report::place_words::at;
use effigy_report::plural::counted;
use effigy_report::test_case::TestPlace;
use serde::Serialize;
use std::fmt::Write;

/// The account of a check, as JSON has it.
#[derive(Serialize)]
pub(super) struct Document {
    command: &'static str,
    language: String,
    program: ProgramSection,
    /// `correct`, `bug`, `bounded` or `unknown`.
    pub(super) verdict: &'static str,
    /// The file of the witness, if one was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) witness: Option<String>,
    properties: Vec<PropertySection>,
    pub(super) bugs: Vec<FoundBug>,
    /// The runs into bugs, line by line, where they were asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) runs: Vec<Run>,
    /// What is to be said of known bugs that were not found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) baseline: Option<String>,
    /// Loops and recursive functions that need more rounds.
    needs: Vec<Loop>,
    /// The loops and functions that were unwound.
    unwound: Vec<Loop>,
    /// Loops that were closed by induction.
    inductions: Vec<Induction>,
    /// Where runs go round for ever.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    endless: Vec<MissedBehaviour>,
    /// Classes of bugs that are not looked for: runs that have them are not followed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    assumed: Vec<String>,
    /// What is assumed of inputs, with the first place where it is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    premises: Vec<MissedBehaviour>,
    /// Why something may have been missed.
    missed: Vec<MissedBehaviour>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<String>,
    ways: f64,
    merged: u64,
    apart: Vec<Apart>,
    steps: u64,
    queries: u64,
    /// Of these, answered by other workers.
    heard: u64,
    solver_time: f64,
    time: f64,
    peak_memory: Option<u64>,
    folder: Option<String>,
}

impl Document {
    /// Whether a bug was found that is certain, and not in the baseline.
    pub(super) fn has_new_bugs(&self) -> bool {
        self.bugs.iter().any(|it| !it.bug.possible && !it.known)
    }

    /// Whether nothing but the bugs that were found is wrong or open.
    pub(super) fn is_known_otherwise(&self) -> bool {
        let is_open = |it: &PropertySection| !matches!(it.verdict, "correct" | "bug");
        self.needs.is_empty()
            && self.missed.is_empty()
            && self.stopped.is_none()
            && !self.properties.iter().any(is_open)
    }
}

#[derive(Serialize)]
struct PropertySection {
    kind: &'static str,
    message: String,
    #[serde(flatten)]
    place: TestPlace,
    verdict: &'static str,
}

#[derive(Serialize)]
struct Loop {
    /// The loop's name, as `--unwindset` has it.
    name: String,
    #[serde(flatten)]
    place: TestPlace,
    bound: u32,
}

#[derive(Serialize)]
struct Induction {
    name: String,
    #[serde(flatten)]
    place: TestPlace,
    /// The invariant, as conjuncts in the program's notation.
    invariant: Vec<String>,
}

#[derive(Serialize)]
struct MissedBehaviour {
    what: String,
    #[serde(flatten)]
    place: TestPlace,
}

#[derive(Serialize)]
struct Apart {
    why: &'static str,
    count: u64,
}

pub(super) fn document(about: &About, account: &Account, collected: &WalkOutcome) -> Document {
    let property = |it: &effigy_bmc::Property| PropertySection {
        kind: it.kind.0,
        message: it.message.clone(),
        place: (&it.place).into(),
        verdict: it.verdict.name(),
    };
    Document {
        command: "bmc",
        language: about.language.to_owned(),
        program: about.program.clone(),
        verdict: match account.verdict() {
            // What is only possible is not known.
            Verdict::Bug(_) if collected.bugs().iter().all(|it| it.bug.possible) => Verdict::Unknown.name(),
            verdict => verdict.name(),
        },
        witness: None,
        properties: account.properties.iter().map(property).collect(),
        bugs: collected.bugs().to_vec(),
        runs: Vec::new(),
        baseline: None,
        needs: account.needs.iter().map(|it| turning(&it.turning, it.bound)).collect(),
        unwound: account.bounds.iter().map(|(it, bound)| turning(it, *bound)).collect(),
        inductions: account.inductions.iter().map(induction).collect(),
        endless: account.notes.of(Note::ENDLESS).map(|(note, place)| missed(&note.what, place)).collect(),
        assumed: account.notes.of(Note::NOT_LOOKED_FOR).map(|it| it.0.what.clone()).collect(),
        premises: account.notes.of(Note::ASSUMED).map(|(note, place)| missed(&note.what, place)).collect(),
        missed: account.missed.iter().map(|it| missed(&it.what, &it.place)).collect(),
        stopped: account.stopped.map(|it| it.to_string()),
        ways: account.ways,
        merged: account.merged,
        apart: account.apart.iter().map(|(why, count)| Apart { why: why.0, count: *count }).collect(),
        steps: account.steps,
        queries: account.queries,
        heard: account.heard,
        solver_time: account.solver.as_secs_f64(),
        time: account.time.as_secs_f64(),
        peak_memory: peak_memory(),
        folder: collected.folder.as_ref().map(|it| it.path().display().to_string()),
    }
}

fn turning(it: &Turning, bound: u32) -> Loop {
    let function = &it.place.function;
    let name = it.index.map_or_else(|| function.to_string(), |index| format!("{function}.{index}"));
    Loop { name, place: (&it.place).into(), bound }
}

fn missed(what: &str, place: &Place) -> MissedBehaviour {
    MissedBehaviour { what: what.to_owned(), place: place.into() }
}

fn induction((it, kept): &(Turning, Vec<String>)) -> Induction {
    let Loop { name, place, .. } = turning(it, 0);
    Induction { name, place, invariant: kept.clone() }
}

pub(super) fn text(document: &Document, args: &BmcArgs) -> String {
    let mut res = String::new();
    let style = Style { colour: colours() };
    for bug in document.bugs.iter().filter(|it| !it.known) {
        let source = |file: &str, line: u32| {
            let text = std::fs::read_to_string(file).ok()?;
            text.lines().nth(line.checked_sub(1)? as usize).map(str::to_owned)
        };
        let _ = writeln!(res, "{}", bugs::render(bug, style, &source));
        if let Some(run) = document.runs.iter().find(|it| it.leads_to(&bug.bug.kind, &bug.bug.place)) {
            let _ = writeln!(res, "{}", run.render());
        }
    }
    if args.quiet {
        return res;
    }
    let name = |it: &PropertySection| format!("{}:{}", it.place.file, it.place.line);
    if args.show_properties {
        let width = document.properties.iter().map(|it| name(it).len()).max().unwrap_or(0);
        for it in &document.properties {
            let _ = writeln!(res, "{:8} {:width$}  {}", it.verdict, name(it), it.kind);
        }
    }
    let of_verdict = |verdict: Verdict| {
        let name = verdict.name();
        (document.properties.iter().filter(|it| it.verdict == name).count(), name)
    };
    let bugs = document.properties.iter().filter(|it| it.verdict == "bug").count();
    let others = [Verdict::Correct, Verdict::Bounded, Verdict::Unknown].map(of_verdict);
    let parts: Vec<String> = std::iter::once((bugs, if bugs == 1 { "bug" } else { "bugs" }))
        .chain(others)
        .filter(|it| it.0 > 0)
        .map(|(count, name)| format!("{count} {name}"))
        .collect();
    let total = document.properties.len();
    let noun = if total == 1 { "property" } else { "properties" };
    let told = match (parts.is_empty(), document.verdict) {
        (false, _) => format!(": {}", parts.join(", ")),
        (true, "correct") => ": nothing can fail".to_owned(),
        // The bound is too small for any verdict: a larger one looks at checks.
        (true, "bounded") => ": no check is reached within the bound".to_owned(),
        (true, _) => String::new(),
    };
    let _ = writeln!(res, "{total} {noun}{told}");
    for it in &document.needs {
        let iterations = counted(it.bound.into(), "iteration");
        let _ = writeln!(res, "needs more than {iterations}: {}{}", it.name, at(&it.place.file, it.place.line));
    }
    for it in &document.inductions {
        let _ = writeln!(res, "closed by induction: {}{}", it.name, at(&it.place.file, it.place.line));
        if args.stats {
            it.invariant.iter().for_each(|it| res.push_str(&format!("  keeps {it}\n")));
        }
    }
    for it in &document.endless {
        let _ = writeln!(res, "never ends: {}:{}", it.place.file, it.place.line);
    }
    for it in &document.premises {
        let _ = writeln!(res, "assumed: {}, first at {}:{}", it.what, it.place.file, it.place.line);
    }
    for it in &document.missed {
        let _ = writeln!(res, "not known: {}{}", it.what, at(&it.place.file, it.place.line));
    }
    if !document.assumed.is_empty() {
        let _ = writeln!(res, "assumed: no run has {} (not looked for)", document.assumed.join(", "));
    }
    if let Some(stopped) = &document.stopped {
        let _ = writeln!(res, "stopped: {stopped}");
    }
    let _ = writeln!(
        res,
        "{}",
        match document.verdict {
            "correct" if !document.inductions.is_empty() => {
                "correct: every run, with loops closed by induction (that they end is not shown)"
            }
            "correct" if !document.endless.is_empty() => "correct: every run, every loop to its end or round for ever",
            "correct" => "correct: every run, every loop to its end",
            "bounded" => "holds up to the bound",
            "bug" if document.has_new_bugs() => "there are bugs",
            "bug" => "there are no new bugs",
            _ => "not known",
        }
    );
    match (&document.witness, &args.witness) {
        (Some(file), _) => res.push_str(&format!("witness: {file}\n")),
        (None, Some(_)) => res.push_str("no witness: there is none of what is not known\n"),
        (None, None) => {}
    }
    if args.stats {
        let _ = writeln!(
            res,
            "{}, {:.0} {} as one, {}; {} in {:.2} s of {:.2} s",
            counted(document.steps, "instruction"),
            document.ways,
            if document.ways == 1.0 { "way" } else { "ways" },
            counted(document.merged, "merge"),
            counted(document.queries, "query"),
            document.solver_time,
            document.time
        );
        if document.heard > 0 {
            let _ = writeln!(res, "answered by other workers: {}", counted(document.heard, "query"));
        }
        for it in &document.unwound {
            let _ = writeln!(res, "unwound: {} to {}{}", it.name, it.bound, at(&it.place.file, it.place.line));
        }
        for it in &document.apart {
            let _ = writeln!(res, "stays apart: {} ({})", it.why, counted(it.count, "time"));
        }
    }
    res
}
