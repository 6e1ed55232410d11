//! Does what was found agree with what the annotations say?
//!
//! Knows: how errors and annotations are matched, and the classes of disagreement. Never: processes, the terminal.
//! Source: silver's `OutputMatcher` in `AnnotationBasedTestSuite.scala`, read for behaviour.

use super::annotations::{Annotations, Id, Kind};
use std::collections::BTreeSet;

/// What effigy said of one test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum TestOutcome {
    /// It finished, or what of it did.
    Report(Report),
    /// It was stopped, and said nothing.
    Time,
    /// The verifier crashed, with these last words.
    Crash(String),
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Report {
    /// Errors of the front end: id and line.
    pub(super) rejected: Vec<(String, u32)>,
    /// Constructs that the reader or a member does not know.
    pub(super) unsupported: BTreeSet<String>,
    pub(super) members: Vec<Member>,
    /// It ran out of its time, and some members have no verdict.
    pub(super) out_of_time: bool,
    /// The message of the verifier's panic.
    pub(super) crashed: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Member {
    /// Where its head stands, if that is in the test itself.
    pub(super) line: Option<u32>,
    pub(super) verdict: Word,
    /// The errors, each with its id and line.
    pub(super) errors: Vec<(String, u32)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Word {
    Verified,
    Failed,
    Open,
}

/// The classes of the table, in its order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Class {
    Agree,
    /// What must fail is verified, or an error that is due is not found.
    Unsound(Unsoundness),
    /// An error that is not due.
    Incomplete,
    Unsupported,
    Undecided,
    Time,
    Crash,
    /// Silver itself does not run it.
    Ignored,
}

/// What is meant by unsound, from the worst.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Unsoundness {
    /// The member that must fail is verified.
    Verified,
    /// The front end must reject the program; it is verified.
    Accepted,
    /// The member fails as is due, but with fewer errors.
    Missed,
    /// The member fails, but elsewhere or under another id.
    OtherError,
}

impl Class {
    pub(super) fn name(self) -> &'static str {
        match self {
            Class::Agree => "agree",
            Class::Unsound(_) => "unsound",
            Class::Incomplete => "incomplete",
            Class::Unsupported => "unsupported",
            Class::Undecided => "undecided",
            Class::Time => "time",
            Class::Crash => "crash",
            Class::Ignored => "ignored",
        }
    }
}

impl Unsoundness {
    pub(super) const ALL: [Unsoundness; 4] =
        [Unsoundness::Verified, Unsoundness::Accepted, Unsoundness::Missed, Unsoundness::OtherError];

    pub(super) fn name(self) -> &'static str {
        match self {
            Unsoundness::Verified => "verified what must fail",
            Unsoundness::Accepted => "accepted what the front end must reject",
            Unsoundness::Missed => "missed an error of a member that fails",
            Unsoundness::OtherError => "failed with another error",
        }
    }
}

/// The judgement on one test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Judgement {
    pub(super) class: Class,
    /// Errors that are not due: line and id.
    pub(super) unexpected: Vec<(u32, String)>,
    /// Errors that are due and were not found.
    pub(super) missing: Vec<(u32, String)>,
    /// Errors that were not found and need not be, or that were and may.
    pub(super) waived: Vec<(u32, String)>,
    pub(super) unsupported: BTreeSet<String>,
    /// The last words of a crash.
    pub(super) note: Option<String>,
}

/// `waived` says which annotations need not be met, and which errors of other provers are right.
pub(super) fn judge(found: &TestOutcome, annotations: &Annotations, waived: &dyn Fn(u32, &Id) -> bool) -> Judgement {
    let mut res = Judgement {
        class: Class::Agree,
        unexpected: Vec::new(),
        missing: Vec::new(),
        waived: Vec::new(),
        unsupported: BTreeSet::new(),
        note: None,
    };
    let report = match found {
        _ if annotations.ignored => return Judgement { class: Class::Ignored, ..res },
        TestOutcome::Time => return Judgement { class: Class::Time, ..res },
        TestOutcome::Crash(note) => return Judgement { class: Class::Crash, note: Some(note.clone()), ..res },
        TestOutcome::Report(report) => report,
    };
    let errors = report.rejected.iter().chain(report.members.iter().flat_map(|it| &it.errors));
    let mut met = vec![false; annotations.outputs.len()];
    for (id, line) in errors {
        if !meet(id, *line, annotations, &mut met) {
            let elsewhere = annotations.outputs.iter().filter(|it| it.line == *line);
            let mut elsewhere = elsewhere.filter_map(|it| match &it.kind {
                Kind::Elsewhere(it) if it.matches(id) => Some(it),
                _ => None,
            });
            let list = if elsewhere.any(|it| waived(*line, it)) { &mut res.waived } else { &mut res.unexpected };
            list.push((*line, id.clone()));
        }
    }
    for (line, id) in unmet(annotations, &met) {
        let list = if waived(line, id) { &mut res.waived } else { &mut res.missing };
        list.push((line, id.to_string()));
    }
    res.unexpected.sort();
    res.unexpected.dedup();
    res.unsupported = report.unsupported.clone();
    res.note = report.crashed.clone();
    res.class = class(report, &res);
    res
}

/// Whether an error is one that an annotation speaks of; the first such annotation is met.
fn meet(id: &str, line: u32, annotations: &Annotations, met: &mut [bool]) -> bool {
    let of_line = || annotations.outputs.iter().enumerate().filter(|(_, it)| it.line == line);
    let known_missing = |kind: &Kind| matches!(kind, Kind::Missing(it) if it.matches(id));
    if of_line().any(|(_, it)| known_missing(&it.kind)) {
        return false;
    }
    let due = |kind: &Kind| matches!(kind, Kind::Expected(it) | Kind::Unexpected(it) if it.matches(id));
    if let Some((at, _)) = of_line().find(|(_, it)| due(&it.kind)) {
        met[at] = true;
        return true;
    }
    of_line().any(|(_, it)| it.kind == Kind::IgnoreOthers)
}

/// What was due and did not come, without what is known to be missing.
fn unmet<'a>(annotations: &'a Annotations, met: &[bool]) -> Vec<(u32, &'a Id)> {
    let missing = |it: &&super::annotations::Annotation| matches!(it.kind, Kind::Missing(_));
    let mut known: Vec<_> = annotations.outputs.iter().filter(missing).collect();
    let mut res = Vec::new();
    for (it, _) in annotations.outputs.iter().zip(met).filter(|it| !it.1) {
        match &it.kind {
            Kind::Expected(id) => {
                let same = |other: &&super::annotations::Annotation| {
                    (other.file, other.line) == (it.file, it.line)
                        && matches!(&other.kind, Kind::Missing(missing) if missing == id)
                };
                match known.iter().position(same) {
                    Some(at) => drop(known.remove(at)),
                    None => res.push((it.line, id)),
                }
            }
            Kind::Unexpected(id) => res.push((it.line, id)),
            Kind::Missing(_) | Kind::Elsewhere(_) | Kind::IgnoreOthers => {}
        }
    }
    res
}

fn class(report: &Report, judgement: &Judgement) -> Class {
    if report.crashed.is_some() {
        return Class::Crash;
    }
    let unsound = judgement.missing.iter().filter_map(|it| unsound(report, judgement, it.0, &it.1)).min();
    if let Some(kind) = unsound {
        return Class::Unsound(kind);
    }
    if !judgement.unexpected.is_empty() {
        return Class::Incomplete;
    }
    if !report.unsupported.is_empty() {
        return Class::Unsupported;
    }
    if report.members.iter().any(|it| it.verdict == Word::Open) {
        return if report.out_of_time { Class::Time } else { Class::Undecided };
    }
    match judgement.missing.is_empty() {
        true => Class::Agree,
        // A rejected program for which another error was due, and that is waived or on a line of IgnoreOthers.
        false => Class::Incomplete,
    }
}

/// Whether a missing error is a wrong verdict: not where there is no verdict.
fn unsound(report: &Report, judgement: &Judgement, line: u32, id: &str) -> Option<Unsoundness> {
    // A program that is not verified at all has no verdict.
    if !report.rejected.is_empty() {
        return None;
    }
    let all_verified = !report.members.is_empty() && report.members.iter().all(|it| it.verdict == Word::Verified);
    let nothing_to_do = report.members.is_empty() && report.unsupported.is_empty();
    if is_of_front_end(id) {
        return (all_verified || nothing_to_do).then_some(Unsoundness::Accepted);
    }
    let before = |it: &&Member| it.line.is_some_and(|it| it <= line);
    let Some(owner) = report.members.iter().filter(before).max_by_key(|it| it.line) else {
        return (all_verified || nothing_to_do).then_some(Unsoundness::Verified);
    };
    match owner.verdict {
        Word::Verified => Some(Unsoundness::Verified),
        Word::Open => None,
        Word::Failed => {
            let unexpected =
                |it: &(String, u32)| judgement.unexpected.iter().any(|(line, id)| (id, line) == (&it.0, &it.1));
            Some(if owner.errors.iter().any(unexpected) { Unsoundness::OtherError } else { Unsoundness::Missed })
        }
    }
}

fn is_of_front_end(id: &str) -> bool {
    ["parser.", "typechecker.", "consistency."].iter().any(|it| id.starts_with(it))
}

#[cfg(test)]
mod tests;
