//! Paths that wait, in the order in which they can meet.
//!
//! Knows: where each stands. Never: what is asked.

use effigy_engine::{Apart, Context, Guard, Meeting, Merge, Origin};
use effigy_term::{Symbol, Term, Terms};
use std::collections::BTreeMap;

/// A path that stands for one or more.
#[derive(Clone, Debug)]
pub(crate) struct Path<S> {
    pub(crate) state: S,
    pub(crate) guard: Guard,
    pub(crate) origin: Origin,
    /// The most transitions that one of them has made.
    pub(crate) steps: u64,
    /// For how many it stands.
    pub(crate) ways: f64,
    /// The inputs that the last step has asked for: an instruction that is run again asks again.
    pub(crate) asked: Vec<Symbol>,
    /// What was required of it since it could meet others last.
    pub(crate) granted: Vec<Term>,
}

/// The paths that wait.
pub(crate) struct Waiting<S> {
    at: BTreeMap<Meeting, Vec<Path<S>>>,
}

/// What merging has come to.
#[derive(Default)]
pub(crate) struct Merges {
    pub(crate) merged: u64,
    pub(crate) apart: BTreeMap<Apart, u64>,
}

impl<S> Waiting<S> {
    pub(crate) fn new() -> Waiting<S> {
        Waiting { at: BTreeMap::new() }
    }

    pub(crate) fn add(&mut self, at: Meeting, path: Path<S>) {
        self.at.entry(at).or_default().push(path);
    }

    pub(crate) fn len(&self) -> usize {
        self.at.len()
    }

    /// The paths that stand at the first place of those at which one stands: no other can come there any more.
    pub(crate) fn next(&mut self) -> Option<Vec<Path<S>>> {
        self.at.pop_first().map(|it| it.1)
    }
}

/// Paths that stand at one place, as few as can be. Those that split last are merged first, so that their guards
/// become short again.
pub(crate) fn merged<L: Merge>(
    language: &L,
    ctx: &mut Context<'_>,
    mut paths: Vec<Path<L::State>>,
    account: &mut Merges,
) -> Vec<Path<L::State>> {
    if paths.len() == 1 {
        return paths;
    }
    paths.sort_by_key(|it| std::cmp::Reverse(it.guard.len()));
    let mut res: Vec<Path<L::State>> = Vec::new();
    for path in paths {
        let mut left = Some(path);
        for known in &mut res {
            let Some(path) = left.take() else { break };
            match both(language, ctx, known, &path) {
                Ok(merged) => {
                    account.merged += 1;
                    *known = merged;
                }
                Err(apart) => {
                    *account.apart.entry(apart).or_insert(0) += 1;
                    left = Some(path);
                }
            }
        }
        res.extend(left);
    }
    res
}

fn both<L: Merge>(
    language: &L,
    ctx: &mut Context<'_>,
    a: &Path<L::State>,
    b: &Path<L::State>,
) -> Result<Path<L::State>, Apart> {
    let terms: &Terms = ctx.terms;
    let (guard, cond) = a.guard.merge(&b.guard, terms);
    let state = language.merge(ctx, cond, &a.state, &b.state)?;
    Ok(Path {
        state,
        guard,
        origin: a.origin.merge(&b.origin, cond),
        steps: a.steps.max(b.steps),
        ways: a.ways + b.ways,
        asked: Vec::new(),
        granted: Vec::new(),
    })
}
