//! Case distinctions over bounds: each is made only where the current solution violates it.
//!
//! Knows: the tableau, cases, limits. Never: what the columns mean.
//! Source: Dutertre, de Moura 2006, section 4.2 (branch and bound; splitting on demand).

use super::form::{Form, Formula, Unknown};
use super::simplex::{Bound, Column, GaveUp, Simplex};
use super::system::System;
use super::tableau::{Case, Tableau};
use std::collections::{BTreeMap, BTreeSet};

/// So many are open at once.
const MOST_DEPTH: usize = 200;

/// So often a cube is looked for.
const MOST_CUBES: usize = 4;

/// What a look at one case costs, in cells of the tableau.
const CASE: usize = 2;

/// What one system may still spend.
#[derive(Debug)]
pub(super) struct SearchBudget {
    /// Cases that are looked at.
    pub(super) nodes: usize,
    /// Cells of the tableau that are computed.
    pub(super) cells: usize,
}

/// What came of looking for a solution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum SearchResult<T> {
    /// A solution of the system.
    Solution(T),
    /// The system has no solution.
    None,
    /// The budget ran out before an answer.
    GaveUp,
}

/// Decides a system, for values of `wanted`; `initial` are the values to begin with.
pub(super) fn solve(
    mut system: System,
    wanted: impl Iterator<Item = Unknown>,
    initial: &mut dyn FnMut(Unknown) -> i128,
    budget: &mut SearchBudget,
) -> SearchResult<BTreeMap<Unknown, i128>> {
    match system.reduce() {
        Some(true) => {}
        Some(false) => return SearchResult::None,
        None => return SearchResult::GaveUp,
    }
    let mut tableau = Tableau::default();
    let mut unknowns = BTreeSet::new();
    system.for_each_unknown(&mut |it| unknowns.extend([it]));
    for unknown in unknowns {
        let column = tableau.simplex.unknown(initial(unknown));
        tableau.columns.insert(unknown, column);
    }
    let inequalities: Option<Vec<Case>> = system.inequalities.iter().map(|it| tableau.bound(it)).collect();
    let cases: Option<Vec<Case>> = system.cases.iter().map(|it| tableau.case(it)).collect();
    let (Some(inequalities), Some(cases)) = (inequalities, cases) else { return SearchResult::GaveUp };
    let mut search = Search::new(tableau.simplex, tableau.columns.len(), budget);
    let all: Vec<&Case> = inequalities.iter().chain(&cases).collect();
    let values = match search.run(&all) {
        SearchResult::Solution(values) => values,
        SearchResult::None => return SearchResult::None,
        SearchResult::GaveUp => return SearchResult::GaveUp,
    };
    let mut value = |unknown: Unknown| match tableau.columns.get(&unknown) {
        Some(&column) => values.get(column).copied(),
        None => Some(initial(unknown)),
    };
    let mut solution = BTreeMap::new();
    for unknown in wanted {
        let known = match system.definitions.get(unknown) {
            Some(definition) => definition.value(&mut value),
            None => value(unknown),
        };
        let Some(known) = known else { return SearchResult::GaveUp };
        solution.insert(unknown, known);
    }
    SearchResult::Solution(solution)
}

/// A search for a solution, with its simplex and its budget.
#[derive(Debug)]
pub(super) struct Search<'a> {
    simplex: Simplex,
    /// The columns before this one are unknowns.
    unknowns: usize,
    budget: &'a mut SearchBudget,
    solution: Vec<i128>,
    cubes: usize,
}

type Result<T> = std::result::Result<T, GaveUp>;

impl<'a> Search<'a> {
    /// A search for values of the first columns.
    pub(super) fn new(simplex: Simplex, unknowns: usize, budget: &'a mut SearchBudget) -> Search<'a> {
        Search { simplex, unknowns, budget, solution: Vec::new(), cubes: 0 }
    }

    /// Looks for a solution of all cases: the values of the unknowns, by column.
    pub(super) fn run(&mut self, cases: &[&Case]) -> SearchResult<Vec<i128>> {
        match self.decide(cases, 0) {
            Ok(true) => SearchResult::Solution(std::mem::take(&mut self.solution)),
            Ok(false) => SearchResult::None,
            Err(GaveUp) => SearchResult::GaveUp,
        }
    }

    /// Whether the cases have a solution within the bounds; it is kept. The caller takes the bounds back.
    fn decide(&mut self, cases: &[&Case], depth: usize) -> Result<bool> {
        self.budget.nodes = self.budget.nodes.checked_sub(1).ok_or(GaveUp)?;
        if depth > MOST_DEPTH {
            return Err(GaveUp);
        }
        let mut open: Vec<&Case> = cases.to_vec();
        if !self.propagate(&mut open)? || !self.simplex.check(&mut self.budget.cells)? {
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
        let values: Vec<Option<i128>> = (0..self.unknowns).map(|it| self.simplex.value(it).integer()).collect();
        let Some(column) = values.iter().position(Option::is_none) else {
            self.solution = values.into_iter().flatten().collect();
            return Ok(true);
        };
        if self.simplex.has_new_equation() {
            return self.again(&open);
        }
        if self.cubes < MOST_CUBES {
            self.cubes += 1;
            if self.cube(&open)? {
                return Ok(true);
            }
        }
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

    /// Whether the bounds leave room for a cube with sides of length 1: the integer point nearest to its middle is a
    /// solution of them, and perhaps of the cases. Source: Bromberger, Weidenbach 2016, "Fast cube tests for LIA
    /// constraint solving".
    fn cube(&mut self, open: &[&Case]) -> Result<bool> {
        let mark = self.simplex.mark();
        let mut room = true;
        for column in self.unknowns..self.simplex.len() {
            let summands = self.simplex.summands(column).iter();
            let Some(sum) = summands.map(|it| it.1.checked_abs()).try_fold(0i128, |res, it| res.checked_add(it?))
            else {
                return Err(GaveUp);
            };
            let margin = sum / 2 + sum % 2;
            let (lower, upper) = self.simplex.own_bounds(column);
            if let Some(lower) = lower {
                let at = lower.checked_add(margin).ok_or(GaveUp)?;
                room = room && self.simplex.bound(column, Bound::Lower, at)?;
            }
            if let Some(upper) = upper {
                let at = upper.checked_sub(margin).ok_or(GaveUp)?;
                room = room && self.simplex.bound(column, Bound::Upper, at)?;
            }
        }
        let room = room && self.simplex.check(&mut self.budget.cells)?;
        let middle: Option<Vec<i128>> = (0..self.unknowns).map(|it| self.simplex.value(it).nearest()).collect();
        self.simplex.back(mark);
        let Some(point) = middle.filter(|_| room) else { return Ok(false) };
        let inside = (0..self.simplex.len()).all(|column| {
            let (lower, upper) = self.simplex.own_bounds(column);
            let value = self.form(column).and_then(|it| it.value(|it| point.get(it as usize).copied()));
            value.is_some_and(|it| lower.is_none_or(|at| it >= at) && upper.is_none_or(|at| it <= at))
        });
        if !inside || !open.iter().all(|it| self.holds_at(it, &point)) {
            return Ok(false);
        }
        self.solution = point;
        Ok(true)
    }

    /// Whether an integer point satisfies it.
    fn holds_at(&self, case: &Case, point: &[i128]) -> bool {
        match case {
            &Case::Bound(column, bound, at) => {
                let value = self.form(column).and_then(|it| it.value(|it| point.get(it as usize).copied()));
                value.is_some_and(|it| if bound == Bound::Lower { it >= at } else { it <= at })
            }
            Case::All(parts) => parts.iter().all(|it| self.holds_at(it, point)),
            Case::Any(parts) => parts.iter().any(|it| self.holds_at(it, point)),
        }
    }

    /// The same as a system of its own: sums that have one value left are equations, which are solved over the
    /// integers.
    fn again(&mut self, open: &[&Case]) -> Result<bool> {
        let mut system = System::default();
        for column in 0..self.simplex.len() {
            let form = self.form(column).ok_or(GaveUp)?;
            let (lower, upper) = self.simplex.own_bounds(column);
            if let Some(lower) = lower {
                if upper == Some(lower) {
                    system.equations.push(form.shifted(-lower).ok_or(GaveUp)?);
                    continue;
                }
                system.assume(&Formula::at_least(form.shifted(-lower).ok_or(GaveUp)?).ok_or(GaveUp)?);
            }
            if let Some(upper) = upper {
                let above = form.times(-1).and_then(|it| it.shifted(upper)).ok_or(GaveUp)?;
                system.assume(&Formula::at_least(above).ok_or(GaveUp)?);
            }
        }
        for case in open {
            system.assume(&self.formula(case).ok_or(GaveUp)?);
        }
        let simplex = &self.simplex;
        let mut initial = |it: Unknown| {
            let known = (it as usize) < self.unknowns;
            if known { simplex.value(it as usize).floor() } else { 0 }
        };
        match solve(system, 0..self.unknowns as Unknown, &mut initial, self.budget) {
            SearchResult::Solution(values) => {
                self.solution = values.into_values().collect();
                Ok(true)
            }
            SearchResult::None => Ok(false),
            SearchResult::GaveUp => Err(GaveUp),
        }
    }

    /// A column as a sum of unknowns, which are columns.
    fn form(&self, column: Column) -> Option<Form> {
        let parts = self.simplex.summands(column);
        if parts.is_empty() {
            return Some(Form::unknown(column as Unknown));
        }
        let mut parts: Vec<(Unknown, i128)> = parts.iter().map(|&(it, k)| (it as Unknown, k)).collect();
        parts.sort_unstable_by_key(|it| it.0);
        Some(Form { constant: 0, parts })
    }

    fn formula(&self, case: &Case) -> Option<Formula> {
        match case {
            &Case::Bound(column, Bound::Lower, at) => Formula::at_least(self.form(column)?.shifted(-at)?),
            &Case::Bound(column, Bound::Upper, at) => Formula::at_least(self.form(column)?.times(-1)?.shifted(at)?),
            Case::All(parts) => Some(Formula::All(parts.iter().map(|it| self.formula(it)).collect::<Option<_>>()?)),
            Case::Any(parts) => Some(Formula::Any(parts.iter().map(|it| self.formula(it)).collect::<Option<_>>()?)),
        }
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
            // Looking at all cases again and again is work, too.
            self.budget.cells = self.budget.cells.checked_sub(work.len() * CASE).ok_or(GaveUp)?;
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
