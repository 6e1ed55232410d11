//! The report of `effigy verify`: files, members, verdicts.
//!
//! Knows: what a verifier hands out, and how verdicts are counted. Never: the terminal, how a member is verified.

pub mod html;
pub mod json;
pub mod named;
pub mod sarif;
pub mod text;

use crate::failures::Sources;
use effigy_verify::{Effort, Failure, Member, MemberOutcome, Program, Span, Verdict};
use std::sync::Arc;
use std::time::Duration;

/// What came of one file.
#[derive(Clone, Debug, Default)]
pub struct FileReport {
    /// Its name as the user gave it.
    pub name: String,
    /// It and what it imports.
    pub sources: Sources,
    /// Why it could not be verified, or not all of it.
    pub problems: Vec<Problem>,
    /// Its members, in the order of the source.
    pub members: Vec<MemberReport>,
}

/// Why a file could not be verified.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The id: `parser.error`, `typechecker.error`, `consistency.error`, [`INPUT`], [`UNSUPPORTED`], [`CRASHED`].
    pub id: Arc<str>,
    /// What is wrong, for people.
    pub message: String,
    /// Where, if it has a place.
    pub span: Option<Span>,
}

/// The id of a file that cannot be read.
pub const INPUT: &str = "input.error";
/// The id of a construct that the verifier does not know.
pub const UNSUPPORTED: &str = "unsupported";
/// The id of a bug in effigy.
pub const CRASHED: &str = "crashed";

impl Problem {
    /// Whether the user's input is at fault; otherwise the verifier falls short.
    pub fn is_input_error(&self) -> bool {
        !matches!(&*self.id, UNSUPPORTED | CRASHED)
    }
}

/// What came of one member.
#[derive(Clone, Debug)]
pub struct MemberReport {
    /// `method`, `function`, `predicate` or `domain`.
    pub kind: &'static str,
    /// The name of the member.
    pub name: Arc<str>,
    /// Where the member is declared.
    pub span: Span,
    /// The verdict on the member.
    pub verdict: MemberVerdict,
    /// The work that the verifier and the prover did.
    pub effort: Effort,
    /// How long the verification took.
    pub time: Duration,
    /// Whether it was known from an earlier run.
    pub cached: bool,
    /// Recursive functions that a verified member rests on, of which nothing shows that they terminate.
    pub rests_on: Vec<Arc<str>>,
}

impl MemberReport {
    /// On which functions a verified member rests that may not terminate, in a sentence.
    pub fn reservation(&self) -> Option<String> {
        let is_reserved = matches!(self.verdict, MemberVerdict::Verified) && !self.rests_on.is_empty();
        is_reserved.then(|| reservation(&self.rests_on))
    }
}

/// On which functions verdicts rest that nothing shows to terminate, in a sentence.
pub(crate) fn reservation<T: AsRef<str>>(functions: &[T]) -> String {
    let (subject, verb) =
        if functions.len() == 1 { ("this function", "terminates") } else { ("these functions", "terminate") };
    let names = functions.iter().map(AsRef::as_ref).collect::<Vec<_>>().join(", ");
    format!("holds if {subject} {verb}, which nothing shows: {names}")
}

/// The verdict on a member, or why there is none.
#[derive(Clone, Debug)]
pub enum MemberVerdict {
    /// Every verification condition was proved.
    Verified,
    /// Something could not be proved.
    Failed(Vec<Failure>),
    /// A budget ran out; the text says which.
    Undecided(Arc<str>),
    /// It uses something that the verifier does not know.
    Unsupported(Arc<str>, Span),
    /// The verifier has a bug.
    Crashed(String),
}

impl MemberVerdict {
    /// The word for the verdict, as users read it.
    pub fn word(&self) -> &'static str {
        match self {
            MemberVerdict::Verified => "verified",
            MemberVerdict::Failed(_) => "failed",
            MemberVerdict::Undecided(_) => "undecided",
            MemberVerdict::Unsupported(..) => "unsupported",
            MemberVerdict::Crashed(_) => "crashed",
        }
    }
}

impl From<Verdict> for MemberVerdict {
    fn from(verdict: Verdict) -> MemberVerdict {
        match verdict {
            Verdict::Verified => MemberVerdict::Verified,
            // Never empty, says the verifier; if it is, nothing was shown.
            Verdict::Failed(failures) if failures.is_empty() => {
                MemberVerdict::Crashed("failed without a failure".to_owned())
            }
            Verdict::Failed(failures) => MemberVerdict::Failed(failures),
            Verdict::Undecided(why) => MemberVerdict::Undecided(why),
            Verdict::Unsupported(what, span) => MemberVerdict::Unsupported(what, span),
        }
    }
}

/// The kind, name and place of a member.
pub fn head(program: &Program, member: Member) -> (&'static str, Arc<str>, Span) {
    match member {
        Member::Function(id) => {
            let it = &program.functions[id.index()];
            ("function", Arc::clone(&it.name), it.span)
        }
        Member::Predicate(id) => {
            let it = &program.predicates[id.index()];
            ("predicate", Arc::clone(&it.name), it.span)
        }
        Member::Method(id) => {
            let it = &program.methods[id.index()];
            ("method", Arc::clone(&it.name), it.span)
        }
    }
}

impl MemberReport {
    /// A member with its outcome.
    pub fn new(program: &Program, outcome: MemberOutcome, time: Duration, cached: bool) -> MemberReport {
        let (kind, name, span) = head(program, outcome.member);
        let (verdict, effort) = (outcome.verdict.into(), outcome.effort);
        MemberReport { kind, name, span, verdict, effort, time, cached, rests_on: Vec::new() }
    }

    /// A member whose verification panicked.
    pub fn crashed(program: &Program, member: Member, message: String, time: Duration) -> MemberReport {
        let (kind, name, span) = head(program, member);
        let verdict = MemberVerdict::Crashed(message);
        MemberReport { kind, name, span, verdict, effort: Effort::default(), time, cached: false, rests_on: Vec::new() }
    }
}

/// How many there are of each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize)]
pub struct Counts {
    /// Files that were looked at.
    pub files: usize,
    /// Members in all files together.
    pub members: usize,
    /// Members of which everything was proved.
    pub verified: usize,
    /// Members that could not be proved.
    pub failed: usize,
    /// Members whose budget ran out.
    pub undecided: usize,
    /// Members, and files, that use what the verifier does not know.
    pub unsupported: usize,
    /// Members at which the verifier has a bug.
    pub crashed: usize,
    /// Errors in what was given.
    pub input_errors: usize,
}

impl Counts {
    /// Counts the verdicts of these files.
    pub fn of<'a>(files: impl IntoIterator<Item = &'a FileReport>) -> Counts {
        let mut res = Counts::default();
        for file in files {
            res.files += 1;
            for problem in &file.problems {
                match &*problem.id {
                    UNSUPPORTED => res.unsupported += 1,
                    CRASHED => res.crashed += 1,
                    _ => res.input_errors += 1,
                }
            }
            for member in &file.members {
                res.members += 1;
                match member.verdict {
                    MemberVerdict::Verified => res.verified += 1,
                    MemberVerdict::Failed(_) => res.failed += 1,
                    MemberVerdict::Undecided(_) => res.undecided += 1,
                    MemberVerdict::Unsupported(..) => res.unsupported += 1,
                    MemberVerdict::Crashed(_) => res.crashed += 1,
                }
            }
        }
        res
    }
}

#[cfg(test)]
mod tests;
