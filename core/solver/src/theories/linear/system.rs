//! Constraints as a system: equations are solved away, inequalities are bounds, the rest are cases.
//!
//! Knows: formulas of forms. Never: terms, what an unknown stands for.

use super::equations::{Definitions, EquationOutcome};
use super::form::{Form, Formula, Unknown};
use super::simplex::Bound;
use std::collections::BTreeMap;

/// Linear constraints that must hold together.
#[derive(Debug, Default)]
pub(super) struct System {
    pub(super) equations: Vec<Form>,
    pub(super) inequalities: Vec<Form>,
    pub(super) cases: Vec<Formula>,
    pub(super) definitions: Definitions,
    contradiction: bool,
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
    pub(super) fn reduce(&mut self) -> Option<bool> {
        loop {
            while let Some(form) = self.equations.pop() {
                if self.definitions.solve(&form)? == EquationOutcome::Contradiction {
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
}

/// `form >= 0` as a bound on a sum whose first coefficient is positive. (What is translated is far from overflow.)
pub(super) fn direction(form: &Form) -> (Vec<(Unknown, i128)>, Bound, i128) {
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
