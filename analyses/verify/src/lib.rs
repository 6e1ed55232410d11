//! Verification by symbolic execution with implicit dynamic frames: one verifier for `.oo` and `.vpr`.
//!
//! Knows: symbolic heaps (chunks with permissions and snapshots), `eval`, `produce`, `consume`, `exec`, and what makes
//! a program valid. Never: source text, files, the terminal, a solver's process.
//! Source: Smans, Jacobs, Piessens, "Symbolic Execution for Implicit Dynamic Frames" (2010), sections 3 and 4, with the
//! errata that the book's chapter lists; fractional permissions and labels as Viper has them.
//!
//! A reader builds a [`Program`]; [`members`] lists what has to be verified; [`verify`] gives each its [`MemberOutcome`].

pub mod failure;

mod code;
mod definitions;
mod sigma;
mod state;

mod assume;
mod checks;
mod chunks;
mod consume;
mod counterexample;
mod domains;
mod eval;
mod exec;
mod functions;
mod ghost;
mod machine;
mod parts;
mod plain;
mod produce;
mod quantified;
mod quantified_names;
mod walk;

mod moment;

mod joins;
mod paths;
mod verifier;
mod verify;

pub use effigy_contracts::{Member, Program, Span, members};
pub use failure::{ErrorKind, Failure, ReasonKind};
pub use functions::UnprovedRecursion;
pub use paths::verify;
pub use verifier::{Detail, SourceText, Verifier, VerifierState};

use effigy_solver::prover::ProverConfig;
use effigy_walk::Search;
use std::sync::Arc;
use std::time::Duration;

/// The budgets and choices of a verification.
#[derive(Clone, Debug)]
pub struct Config {
    /// The configuration of the prover that decides goals.
    pub prover: ProverConfig,
    /// The most errors that are reported of one member; at least 1.
    pub errors: usize,
    /// The most steps that one member may take before it is undecided.
    pub steps: u64,
    /// The most time that one member may take before it is undecided.
    pub time: Option<Duration>,
    /// Whether states on the way to an error are kept for the report.
    pub trace: bool,
    /// Whether the solver is asked for a counterexample, where none is found without it.
    pub counterexample: bool,
    /// Ghost statements that are inferred (Smans et al., section 4.1).
    pub inference: Inference,
    /// The number of forks in a method after which it is tried whether all of its paths verify when those that meet are
    /// merged; with 0 that is tried first, with `None` never. Failures are only reported of paths that are not merged.
    pub merge_after: Option<u64>,
    /// The order in which paths go on.
    pub search: Search,
    /// Seed of the random orders.
    pub seed: u64,
}

/// The forks of a method that are walked path by path before it is tried whether its paths verify merged: small methods
/// never are.
pub const MERGE_AFTER: u64 = 32;

/// Which ghost statements are inferred (Smans et al., section 4.1). None of them for Viper, except that functions
/// equal their bodies wherever they are evaluated (`functions`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Inference {
    /// A method's body is verified against its contract with predicates opened and pure methods unfolded.
    pub contracts: bool,
    /// A predicate that is missing is closed, nested at most so often; 0 is off.
    pub close: u32,
    /// A field that is missing is looked for in the predicates of its receiver.
    pub open: bool,
    /// A function application equals the function's body as soon as it is evaluated.
    pub functions: bool,
}

impl Inference {
    /// The choices that infer less and leave a member's proof one, the next first.
    ///
    /// What is opened or closed where something is missing is inferred in each of them: it stands in nobody's way, and
    /// what is trusted (functions, the contracts of others) has been shown to mean something only with it.
    fn weaker(self) -> Vec<Inference> {
        if !self.contracts {
            return Vec::new();
        }
        let without_contracts = Inference { contracts: false, ..self };
        let mut res = vec![without_contracts, Inference { functions: false, ..without_contracts }];
        res.dedup();
        res
    }
}

/// The result of verifying a member.
#[derive(Clone, Debug)]
pub struct MemberOutcome {
    /// The member that was verified.
    pub member: Member,
    /// The verdict on the member.
    pub verdict: Verdict,
    /// The effort that the verdict took.
    pub effort: Effort,
}

/// The verdict on a member.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// All proof obligations of the member hold.
    Verified,
    /// Something could not be proved. In the order in which they were found; never empty.
    Failed(Vec<Failure>),
    /// A budget ran out, or the solver failed, before there was a verdict.
    Undecided(Arc<str>),
    /// It uses something that the verifier does not know: the construct and where it stands.
    Unsupported(Arc<str>, Span),
}

/// The effort of a verification, in counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    /// The number of steps of the symbolic execution.
    pub steps: u64,
    /// The number of paths that ended.
    pub paths: u64,
    /// The number of goals that the solver was asked about (the local core decided the others).
    pub queries: u64,
    /// The number of checks that hold, over all paths, but for those that are plain (a constant is not asked about).
    pub checks: u64,
}
