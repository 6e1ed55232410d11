//! Paths that wait, in the order in which they can meet.
//!
//! Knows: where each stands. Never: what is asked.

use crate::account::Needs;
use effigy_engine::{Apart, Context, Guard, Limit, Meeting, Merge, Merged, Meter, Origin, TurnId};
use effigy_term::Terms;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// The paths that wait.
pub(crate) struct Waiting<S> {
    /// Those that stand at one place together, the first place last.
    at: Vec<Vec<Merged<S>>>,
}

/// A path that waits for another round.
pub(crate) struct Parking<S> {
    /// The rounds that it has made.
    pub(crate) count: u32,
    /// The obligations that it can have come to have smaller numbers.
    pub(crate) before: u64,
    pub(crate) path: Merged<S>,
}

/// Paths that wait for more rounds of a loop.
pub(crate) struct Parked<S> {
    pub(crate) paths: Vec<Parking<S>>,
    pub(crate) bound: u32,
}

/// A loop that is being closed: what comes to its header again is heard here.
pub(crate) struct Target<S> {
    pub(crate) header: Meeting,
    pub(crate) arrivals: Vec<Merged<S>>,
}

/// What a loop keeps, for people.
pub(crate) type Kept = Vec<String>;

/// The loops that were closed by induction where a path waited, with what they keep: none where no round came back.
pub(crate) type Closed = Vec<(TurnId, Kept)>;

/// Whether loops get more rounds.
pub(crate) enum Deepened {
    /// Some do, these needed them.
    Goes(Vec<Needs>),
    /// No run makes more.
    Closed,
    /// What needs more than the user allows, or nobody knows whether it does.
    Needs(Vec<Needs>),
}

/// An end of the program, on paths that are merged.
pub(crate) struct End {
    pub(crate) guard: Guard,
    pub(crate) origin: Origin,
    pub(crate) ways: f64,
    /// The obligations that it can have come to have smaller numbers.
    pub(crate) before: u64,
}

/// What merging has come to.
#[derive(Default)]
pub(crate) struct Merges {
    pub(crate) merged: u64,
    pub(crate) apart: BTreeMap<Apart, u64>,
}

impl<S> Waiting<S> {
    pub(crate) fn new() -> Waiting<S> {
        Waiting { at: Vec::new() }
    }

    pub(crate) fn add<L: Merge<State = S>>(&mut self, language: &L, path: Merged<S>) {
        let against = |it: &Vec<Merged<S>>| {
            it.first().map_or(Ordering::Equal, |it| language.order(&it.state, &path.state).reverse())
        };
        match self.at.binary_search_by(against) {
            Ok(place) => self.at[place].push(path),
            Err(place) => self.at.insert(place, vec![path]),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.at.len()
    }

    /// The paths that stand at the first place of those at which one stands: no other can come there any more.
    pub(crate) fn next(&mut self) -> Option<Vec<Merged<S>>> {
        self.at.pop()
    }
}

/// Paths that stand at one place, as few as can be. Those that split last are merged first, so that their guards
/// become short again. The limit, where one is reached on the way: large objects take long.
pub(crate) fn merged<L: Merge>(
    language: &L,
    ctx: &mut Context<'_>,
    mut paths: Vec<Merged<L::State>>,
    account: &mut Merges,
    meter: &Meter,
) -> Result<Vec<Merged<L::State>>, Limit> {
    if paths.len() == 1 {
        return Ok(paths);
    }
    paths.sort_by_key(|it| std::cmp::Reverse(it.guard.len()));
    let mut res: Vec<Merged<L::State>> = Vec::new();
    for path in paths {
        let mut left = Some(path);
        for known in &mut res {
            let Some(path) = left.take() else { break };
            if let Some(limit) = meter.exceeded() {
                return Err(limit);
            }
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
    Ok(res)
}

fn both<L: Merge>(
    language: &L,
    ctx: &mut Context<'_>,
    a: &Merged<L::State>,
    b: &Merged<L::State>,
) -> Result<Merged<L::State>, Apart> {
    let terms: &Terms = ctx.terms;
    let merged = a.guard.merge(&b.guard, terms);
    let (guard, cond) = merged.ok_or(Apart("a path that is a part of the other"))?;
    let state = language.merge(ctx, cond, &a.state, &b.state)?;
    Ok(a.both(b, state, guard, cond))
}
