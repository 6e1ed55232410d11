//! Constraints as a system: equations are solved away, inequalities are bounds, the rest are cases.
//!
//! Knows: formulas of forms. Never: terms, what an unknown stands for.

use super::equations::{Definitions, Solved};
use super::form::{Form, Formula, Unknown};
use super::search::{Budget, Case, Search, Verdict};
use super::simplex::{Bound, Column, Simplex};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Constraints that hold together.
#[derive(Debug, Default)]
pub(super) struct System {
    pub(super) equations: Vec<Form>,
    pub(super) inequalities: Vec<Form>,
    pub(super) cases: Vec<Formula>,
    definitions: Definitions,
    contradiction: bool,
}

/// What became of a system.
#[derive(Debug)]
pub(super) enum Outcome {
    /// A value for each unknown.
    Solution(BTreeMap<Unknown, i128>),
    /// There is none.
    None,
    /// Not decided.
    GaveUp,
}

impl System {
    /// Adds a formula that holds.
    pub(super) fn assume(&mut self, formula: &Formula) {
        match simplified(formula) {
            Formula::AtLeast(form) => self.inequalities.push(form),
            Formula::Zero(form) => self.equations.push(form),
            Formula::All(parts) => parts.iter().for_each(|it| self.assume(it)),
            Formula::Any(parts) if parts.is_empty() => self.contradiction = true,
            it @ Formula::Any(_) => self.cases.push(it),
        }
    }

    /// Calls `visit` for each unknown that occurs.
    pub(super) fn for_each_unknown(&self, visit: &mut impl FnMut(Unknown)) {
        let forms = self.equations.iter().chain(&self.inequalities);
        forms.flat_map(|it| &it.parts).for_each(|it| visit(it.0));
        self.cases.iter().for_each(|it| it.for_each_unknown(visit));
    }

    /// Solves equations until there are none; false for a contradiction, `None` when a number does not fit.
    fn reduce(&mut self) -> Option<bool> {
        loop {
            while let Some(form) = self.equations.pop() {
                if self.definitions.solve(&form)? == Solved::Contradiction {
                    return Some(false);
                }
            }
            let inequalities = std::mem::take(&mut self.inequalities);
            let cases = std::mem::take(&mut self.cases);
            let mut reduced = Vec::with_capacity(inequalities.len() + cases.len());
            for form in inequalities {
                reduced.push(Formula::at_least(self.definitions.apply(&form)?)?);
            }
            for case in cases {
                reduced.push(case.mapped(&mut |it| self.definitions.apply(it))?);
            }
            reduced.iter().for_each(|it| self.assume(it));
            self.tighten();
            if self.contradiction {
                return Some(false);
            }
            if self.equations.is_empty() {
                return Some(true);
            }
        }
    }

    /// Keeps the best bounds of each sum; equal ones are an equation.
    fn tighten(&mut self) {
        type Bounds = (Option<i128>, Option<i128>);
        let mut bounds: BTreeMap<Vec<(Unknown, i128)>, Bounds> = BTreeMap::new();
        for form in self.inequalities.drain(..) {
            let (parts, bound, at) = direction(&form);
            let entry = bounds.entry(parts).or_default();
            match bound {
                Bound::Lower => entry.0 = Some(entry.0.map_or(at, |it| it.max(at))),
                Bound::Upper => entry.1 = Some(entry.1.map_or(at, |it| it.min(at))),
            }
        }
        for (parts, (lower, upper)) in bounds {
            match (lower, upper) {
                (Some(lower), Some(upper)) if lower > upper => self.contradiction = true,
                (Some(lower), Some(upper)) if lower == upper => self.equations.push(Form { constant: -lower, parts }),
                _ => {
                    if let Some(upper) = upper {
                        let negated = parts.iter().map(|&(it, k)| (it, -k)).collect();
                        self.inequalities.push(Form { constant: upper, parts: negated });
                    }
                    if let Some(lower) = lower {
                        self.inequalities.push(Form { constant: -lower, parts });
                    }
                }
            }
        }
    }

    /// Decides the system, for values of `wanted`; `initial` are the values to begin with.
    pub(super) fn solve(
        mut self,
        wanted: impl Iterator<Item = Unknown>,
        initial: &mut dyn FnMut(Unknown) -> i128,
        budget: &mut Budget,
    ) -> Outcome {
        match self.reduce() {
            Some(true) => {}
            Some(false) => return Outcome::None,
            None => return Outcome::GaveUp,
        }
        let mut tableau = Tableau::default();
        let mut unknowns = BTreeSet::new();
        self.for_each_unknown(&mut |it| unknowns.extend([it]));
        for unknown in unknowns {
            let column = tableau.simplex.unknown(initial(unknown));
            tableau.columns.insert(unknown, column);
        }
        let inequalities: Option<Vec<Case>> = self.inequalities.iter().map(|it| tableau.bound(it)).collect();
        let cases: Option<Vec<Case>> = self.cases.iter().map(|it| tableau.case(it)).collect();
        let (Some(inequalities), Some(cases)) = (inequalities, cases) else { return Outcome::GaveUp };
        let mut search = Search::new(tableau.simplex, tableau.columns.len(), budget);
        let all: Vec<&Case> = inequalities.iter().chain(&cases).collect();
        let values = match search.run(&all) {
            Verdict::Satisfied(values) => values,
            Verdict::Contradiction => return Outcome::None,
            Verdict::GaveUp => return Outcome::GaveUp,
        };
        let mut value = |unknown: Unknown| match tableau.columns.get(&unknown) {
            Some(&column) => values.get(column).copied(),
            None => Some(initial(unknown)),
        };
        let mut solution = BTreeMap::new();
        for unknown in wanted {
            let known = match self.definitions.get(unknown) {
                Some(definition) => definition.value(&mut value),
                None => value(unknown),
            };
            let Some(known) = known else { return Outcome::GaveUp };
            solution.insert(unknown, known);
        }
        Outcome::Solution(solution)
    }
}

/// Columns by unknown and by sum.
#[derive(Default)]
struct Tableau {
    simplex: Simplex,
    columns: BTreeMap<Unknown, Column>,
    sums: FxHashMap<Vec<(Unknown, i128)>, Column>,
}

impl Tableau {
    fn column(&mut self, parts: Vec<(Unknown, i128)>) -> Option<Column> {
        if let [(unknown, 1)] = parts[..] {
            return self.columns.get(&unknown).copied();
        }
        if let Some(&known) = self.sums.get(&parts) {
            return Some(known);
        }
        let columns: Option<Vec<(Column, i128)>> =
            parts.iter().map(|&(it, k)| Some((*self.columns.get(&it)?, k))).collect();
        let column = self.simplex.sum(&columns?).ok()?;
        self.sums.insert(parts, column);
        Some(column)
    }

    fn bound(&mut self, form: &Form) -> Option<Case> {
        let (parts, bound, at) = direction(form);
        Some(Case::Bound(self.column(parts)?, bound, at))
    }

    fn case(&mut self, formula: &Formula) -> Option<Case> {
        match formula {
            Formula::AtLeast(form) => self.bound(form),
            Formula::Zero(form) => {
                let (parts, _, at) = direction(form);
                let column = self.column(parts)?;
                Some(Case::All(vec![Case::Bound(column, Bound::Lower, at), Case::Bound(column, Bound::Upper, at)]))
            }
            Formula::All(parts) => Some(Case::All(parts.iter().map(|it| self.case(it)).collect::<Option<_>>()?)),
            Formula::Any(parts) => Some(Case::Any(parts.iter().map(|it| self.case(it)).collect::<Option<_>>()?)),
        }
    }
}

/// `form >= 0` as a bound on a sum whose first coefficient is positive. (What is translated is far from overflow.)
fn direction(form: &Form) -> (Vec<(Unknown, i128)>, Bound, i128) {
    match form.parts.first() {
        Some((_, first)) if *first < 0 => {
            (form.parts.iter().map(|&(it, k)| (it, -k)).collect(), Bound::Upper, form.constant)
        }
        _ => (form.parts.clone(), Bound::Lower, form.constant.saturating_neg()),
    }
}

/// The formula without parts that are true or false.
pub(super) fn simplified(formula: &Formula) -> Formula {
    match formula {
        Formula::AtLeast(_) | Formula::Zero(_) => formula.clone(),
        Formula::All(parts) => {
            let mut res = Vec::new();
            for part in parts {
                match simplified(part) {
                    Formula::All(inner) => res.extend(inner),
                    Formula::Any(inner) if inner.is_empty() => return Formula::truth(false),
                    other => res.push(other),
                }
            }
            one_of_one(res, Formula::All)
        }
        Formula::Any(parts) => {
            let mut res = Vec::new();
            for part in parts {
                match simplified(part) {
                    Formula::Any(inner) => res.extend(inner),
                    Formula::All(inner) if inner.is_empty() => return Formula::truth(true),
                    other => res.push(other),
                }
            }
            one_of_one(res, Formula::Any)
        }
    }
}

fn one_of_one(mut parts: Vec<Formula>, of: impl Fn(Vec<Formula>) -> Formula) -> Formula {
    match parts.pop() {
        Some(only) if parts.is_empty() => only,
        Some(last) => {
            parts.push(last);
            of(parts)
        }
        None => of(parts),
    }
}
