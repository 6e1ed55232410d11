//! The fewest steps that contradict each other: none of them can be left out.
//!
//! Knows: that a trace with fewer steps has more paths. Never: how a path is walked.
//! Source: deletion, the plainest way to a minimal unsatisfiable subset (Chinneck and Dravnieks 1991).

use crate::trace::Trace;
use crate::walk::Verdict;

/// The steps of a trace that contradict each other.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Core {
    /// The numbers of the steps, from zero.
    pub steps: Vec<usize>,
    /// Whether there is a path without any one of them; if false, that is not known for some of them.
    pub minimal: bool,
}

/// Walks with the steps of these numbers only.
type Ask<'a, S, E> = &'a mut dyn FnMut(&[usize]) -> Result<Verdict<S>, E>;

/// The core of an infeasible trace of which no path gets beyond step `reached`. `ask` walks with some of the steps only.
pub fn core<S, E>(trace: &Trace, reached: usize, ask: Ask<'_, S, E>) -> Result<Core, E> {
    let mut kept: Vec<usize> = (0..trace.steps.len().min(reached + 1)).collect();
    let mut minimal = true;
    let mut at = 0;
    while at < kept.len() {
        let mut rest = kept.clone();
        rest.remove(at);
        match ask(&rest)? {
            Verdict::Infeasible { reached } => {
                // What comes after the first step that no path passes says nothing.
                let kept_before = rest.len().min(reached + 1);
                rest.truncate(kept_before);
                kept = rest;
                at = at.min(kept.len());
            }
            Verdict::Feasible(_) => at += 1,
            Verdict::Unknown(_) => {
                minimal = false;
                at += 1;
            }
        }
    }
    Ok(Core { steps: kept, minimal })
}
