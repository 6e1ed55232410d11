//! The queue in which merged paths meet: paths that stand at one place become as few as can be before they go on.
//!
//! Knows: in which order places are come to, which paths are tried with which. Never: what a state is, what is asked.
//! Source: Kuznetsov, Kinder, Bucur, Candea, "Efficient state merging in symbolic execution", PLDI 2012, section 3.

use effigy_engine::{Apart, Context, Merge, Merged};
use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;

/// The merged paths that wait, by where they stand.
#[derive(Debug)]
pub struct MeetingQueue<S> {
    /// Those that stand at one place together; the first place last.
    at: Vec<Vec<Merged<S>>>,
}

impl<S> Default for MeetingQueue<S> {
    fn default() -> MeetingQueue<S> {
        MeetingQueue { at: Vec::new() }
    }
}

impl<S> MeetingQueue<S> {
    /// The path waits for those that can still come to where it stands.
    pub fn add<L: Merge<State = S>>(&mut self, language: &L, path: Merged<S>) {
        let against = |it: &Vec<Merged<S>>| {
            it.first().map_or(Ordering::Equal, |it| language.order(&it.state, &path.state).reverse())
        };
        match self.at.binary_search_by(against) {
            Ok(place) => self.at[place].push(path),
            Err(place) => self.at.insert(place, vec![path]),
        }
    }

    /// The number of places at which paths stand.
    pub fn places(&self) -> usize {
        self.at.len()
    }

    /// Takes the paths that stand at the first place: no other can come there any more.
    pub fn pop_first(&mut self) -> Option<Vec<Merged<S>>> {
        self.at.pop()
    }
}

/// How often two paths that met became one, and what kept the others apart.
#[derive(Clone, Debug, Default)]
pub struct MergeCounts {
    /// The number of pairs that became one.
    pub merged: u64,
    /// The pairs of paths that could not become one, by the reason.
    pub apart: BTreeMap<Apart, u64>,
}

/// Merges paths that stand at one place into as few as can be; a path is tried with the last `most_compared` of those
/// that are left before it. Paths that split last are merged first, so that their guards become short again.
///
/// # Errors
/// What `stopped` says as soon as it says something; it is asked before each merge, since large states take long.
pub fn merge_met<L: Merge, E>(
    language: &L,
    ctx: &mut Context<'_>,
    mut paths: Vec<Merged<L::State>>,
    most_compared: usize,
    counts: &mut MergeCounts,
    stopped: &mut dyn FnMut() -> Option<E>,
) -> Result<Vec<Merged<L::State>>, E> {
    if paths.len() == 1 {
        return Ok(paths);
    }
    paths.sort_by_key(|it| Reverse(it.guard.len()));
    let mut res: Vec<Merged<L::State>> = Vec::new();
    for path in paths {
        let first = res.len().saturating_sub(most_compared);
        let mut left = Some(path);
        for known in &mut res[first..] {
            let Some(path) = left.take() else { break };
            if let Some(reason) = stopped() {
                return Err(reason);
            }
            match merge_two(language, ctx, known, &path) {
                Ok(merged) => {
                    counts.merged += 1;
                    *known = merged;
                }
                Err(apart) => {
                    *counts.apart.entry(apart).or_insert(0) += 1;
                    left = Some(path);
                }
            }
        }
        res.extend(left);
    }
    Ok(res)
}

fn merge_two<L: Merge>(
    language: &L,
    ctx: &mut Context<'_>,
    a: &Merged<L::State>,
    b: &Merged<L::State>,
) -> Result<Merged<L::State>, Apart> {
    let merged = a.guard.merge(&b.guard, ctx.terms);
    let (guard, cond) = merged.ok_or(Apart("a path that is a part of the other"))?;
    let state = language.merge(ctx, cond, &a.state, &b.state)?;
    Ok(a.both(b, state, guard, cond))
}
