//! Case distinctions over bounds: each is made only where the current solution violates it.
//!
//! Knows: the tableau, cases, limits. Never: what the columns mean.
//! Source: Dutertre, de Moura 2006, section 4.2 (branch and bound; splitting on demand).

use super::simplex::{Bound, Column, GaveUp, Simplex};

/// So many cases are looked at in all.
const MOST_NODES: usize = 1500;

/// So many are open at once.
const MOST_DEPTH: usize = 200;

/// So many pivots are made in all.
const MOST_PIVOTS: usize = 4000;

/// A formula of bounds.
#[derive(Debug)]
pub(super) enum Case {
    Bound(Column, Bound, i128),
    All(Vec<Case>),
    Any(Vec<Case>),
}

/// The result of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    /// The values are an integer solution.
    Satisfied,
    Contradiction,
    GaveUp,
}

/// A search in progress.
#[derive(Debug)]
pub(super) struct Search {
    simplex: Simplex,
    integers: Vec<Column>,
    nodes: usize,
}

type Result<T> = std::result::Result<T, GaveUp>;

impl Search {
    /// A search for values of `integers`.
    pub(super) fn new(simplex: Simplex, integers: Vec<Column>) -> Search {
        Search { simplex, integers, nodes: 0 }
    }

    /// The value of a column of a solution.
    pub(super) fn value(&self, column: Column) -> Option<i128> {
        self.simplex.value(column).integer()
    }

    /// Looks for a solution of all cases.
    pub(super) fn run(&mut self, cases: &[&Case]) -> Verdict {
        match self.decide(cases, 0) {
            Ok(true) => Verdict::Satisfied,
            Ok(false) => Verdict::Contradiction,
            Err(GaveUp) => Verdict::GaveUp,
        }
    }

    /// Whether the cases have a solution within the bounds; then the bounds stay, otherwise the caller takes them back.
    fn decide(&mut self, cases: &[&Case], depth: usize) -> Result<bool> {
        self.nodes += 1;
        if self.nodes > MOST_NODES || depth > MOST_DEPTH {
            return Err(GaveUp);
        }
        let mut open: Vec<&Case> = cases.to_vec();
        if !self.propagate(&mut open)? || !self.simplex.check(MOST_PIVOTS)? {
            return Ok(false);
        }
        let mut violated: Option<(usize, usize)> = None;
        for (at, case) in open.iter().enumerate() {
            if !self.holds(case)? {
                let size = if let Case::Any(parts) = case { parts.len() } else { 1 };
                if violated.is_none_or(|it| it.1 > size) {
                    violated = Some((at, size));
                }
            }
        }
        if let Some((at, _)) = violated {
            let case = open.swap_remove(at);
            return self.split(case, &open, depth);
        }
        let fraction = self.integers.iter().find(|&&it| self.simplex.value(it).integer().is_none());
        let Some(&column) = fraction else { return Ok(true) };
        let floor = self.simplex.value(column).floor();
        let (below, above) = ((Bound::Upper, floor), (Bound::Lower, floor.checked_add(1).ok_or(GaveUp)?));
        // Toward zero first.
        let sides = if floor >= 0 { [below, above] } else { [above, below] };
        for (bound, at) in sides {
            let mark = self.simplex.mark();
            if self.simplex.bound(column, bound, at)? && self.decide(&open, depth + 1)? {
                return Ok(true);
            }
            self.simplex.back(mark);
        }
        Ok(false)
    }

    fn split(&mut self, case: &Case, others: &[&Case], depth: usize) -> Result<bool> {
        let Case::Any(parts) = case else { return Err(GaveUp) };
        for part in parts {
            if self.status(part) == Some(false) {
                continue;
            }
            let mark = self.simplex.mark();
            let mut open = others.to_vec();
            open.push(part);
            if self.decide(&open, depth + 1)? {
                return Ok(true);
            }
            self.simplex.back(mark);
            // What was refuted does not hold in the cases that follow.
            if let &Case::Bound(column, bound, at) = part {
                let (bound, at) = match bound {
                    Bound::Lower => (Bound::Upper, at.checked_sub(1).ok_or(GaveUp)?),
                    Bound::Upper => (Bound::Lower, at.checked_add(1).ok_or(GaveUp)?),
                };
                if !self.simplex.bound(column, bound, at)? {
                    return Ok(false);
                }
            }
        }
        Ok(false)
    }

    /// Sets the bounds that have no alternative; false for a contradiction. What stays open are alternatives.
    fn propagate(&mut self, open: &mut Vec<&Case>) -> Result<bool> {
        loop {
            let mut changed = false;
            let mut work = std::mem::take(open);
            work.reverse();
            while let Some(case) = work.pop() {
                match case {
                    &Case::Bound(column, bound, at) => {
                        changed = true;
                        if !self.simplex.bound(column, bound, at)? {
                            return Ok(false);
                        }
                    }
                    Case::All(parts) => work.extend(parts),
                    Case::Any(parts) => {
                        let mut possible = None;
                        let mut several = false;
                        let mut holds = false;
                        for part in parts {
                            match self.status(part) {
                                Some(true) => {
                                    holds = true;
                                    break;
                                }
                                Some(false) => {}
                                None => {
                                    several |= possible.is_some();
                                    possible = possible.or(Some(part));
                                }
                            }
                        }
                        match possible {
                            _ if holds => {}
                            None => return Ok(false),
                            Some(only) if !several => work.push(only),
                            Some(_) => open.push(case),
                        }
                    }
                }
            }
            if !changed {
                return Ok(true);
            }
        }
    }

    /// What the bounds alone say.
    fn status(&self, case: &Case) -> Option<bool> {
        match case {
            &Case::Bound(column, bound, at) => {
                let (lower, upper) = self.simplex.bounds(column);
                let (holds, fails) = match bound {
                    Bound::Lower => (lower.is_some_and(|it| it >= at), upper.is_some_and(|it| it < at)),
                    Bound::Upper => (upper.is_some_and(|it| it <= at), lower.is_some_and(|it| it > at)),
                };
                if fails { Some(false) } else { holds.then_some(true) }
            }
            Case::All(parts) => {
                let mut res = Some(true);
                for part in parts {
                    match self.status(part) {
                        Some(true) => {}
                        Some(false) => return Some(false),
                        None => res = None,
                    }
                }
                res
            }
            Case::Any(parts) => {
                let mut res = Some(false);
                for part in parts {
                    match self.status(part) {
                        Some(true) => return Some(true),
                        Some(false) => {}
                        None => res = None,
                    }
                }
                res
            }
        }
    }

    /// Whether the current values satisfy it.
    fn holds(&self, case: &Case) -> Result<bool> {
        match case {
            &Case::Bound(column, bound, at) => {
                let order = self.simplex.value(column).compare(at).ok_or(GaveUp)?;
                Ok(match bound {
                    Bound::Lower => order.is_ge(),
                    Bound::Upper => order.is_le(),
                })
            }
            Case::All(parts) => parts.iter().try_fold(true, |res, it| Ok(res && self.holds(it)?)),
            Case::Any(parts) => parts.iter().try_fold(false, |res, it| Ok(res || self.holds(it)?)),
        }
    }
}
