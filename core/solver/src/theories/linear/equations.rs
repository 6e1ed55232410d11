//! Equations over the integers, solved exactly: each unknown that one determines is replaced everywhere.
//!
//! Knows: systems of linear equations. Never: inequalities.
//! Source: Pugh 1991, "The Omega test", section 2.1 (eliminating equality constraints).

use super::form::{Form, Unknown};
use std::collections::BTreeMap;

/// Unknowns from here on are made here and mean no term.
pub(super) const FIRST_FRESH: Unknown = 1 << 31;

/// An equation that takes more steps is given up; each step makes its coefficients smaller.
const MOST_STEPS: usize = 200;

/// Unknowns with what they equal; no unknown that is defined occurs in a definition.
#[derive(Debug, Default)]
pub(super) struct Definitions {
    defined: BTreeMap<Unknown, Form>,
    fresh: u32,
}

/// What became of an equation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum EquationOutcome {
    /// It is part of the definitions.
    Yes,
    /// It has no integer solution together with the others.
    Contradiction,
}

impl Definitions {
    /// The form without any defined unknown.
    pub(super) fn apply(&self, form: &Form) -> Option<Form> {
        if !form.parts.iter().any(|it| self.get(it.0).is_some()) {
            return Some(form.clone());
        }
        let mut res = Form::constant(form.constant);
        for &(unknown, coefficient) in &form.parts {
            res = match self.get(unknown) {
                Some(definition) => res.plus(coefficient, definition)?,
                None => res.plus(coefficient, &Form::unknown(unknown))?,
            };
        }
        Some(res)
    }

    /// What an unknown equals, if it is determined.
    pub(super) fn get(&self, unknown: Unknown) -> Option<&Form> {
        self.defined.get(&unknown)
    }

    fn define(&mut self, unknown: Unknown, form: Form) -> Option<()> {
        for definition in self.defined.values_mut() {
            *definition = definition.replaced(unknown, &form)?;
        }
        self.defined.insert(unknown, form);
        Some(())
    }

    /// Solves `form = 0`; `None` when a number does not fit.
    pub(super) fn solve(&mut self, form: &Form) -> Option<EquationOutcome> {
        let mut form = self.apply(form)?;
        for _ in 0..MOST_STEPS {
            let common = form.content()?;
            if common == 0 {
                return Some(if form.constant == 0 { EquationOutcome::Yes } else { EquationOutcome::Contradiction });
            }
            if form.constant % common != 0 {
                return Some(EquationOutcome::Contradiction);
            }
            form.constant /= common;
            form.parts.iter_mut().for_each(|it| it.1 /= common);
            // The youngest of the unknowns with the smallest coefficient: old ones are inputs.
            let &(unknown, coefficient) = form.parts.iter().rev().min_by_key(|it| it.1.unsigned_abs())?;
            let sign = coefficient.signum();
            let mut rest = form.clone();
            rest.parts.retain(|it| it.0 != unknown);
            if coefficient.abs() == 1 {
                self.define(unknown, rest.times(-sign)?)?;
                return Some(EquationOutcome::Yes);
            }
            let modulus = coefficient.checked_abs()?.checked_add(1)?;
            let fresh = FIRST_FRESH + self.fresh;
            self.fresh += 1;
            let mut definition = Form::unknown(fresh).times(modulus.checked_mul(-sign)?)?;
            let rounded = Form {
                constant: near(rest.constant, modulus)?,
                parts: rest.parts.iter().map(|&(it, k)| Some((it, near(k, modulus)?))).collect::<Option<_>>()?,
            };
            definition = definition.plus(sign, &Form { parts: without_zero(rounded.parts), ..rounded })?;
            self.define(unknown, definition.clone())?;
            form = form.replaced(unknown, &definition)?;
        }
        None
    }
}

/// The remainder of the smallest magnitude.
fn near(value: i128, modulus: i128) -> Option<i128> {
    let rest = value.rem_euclid(modulus);
    Some(if rest.checked_mul(2)? >= modulus { rest - modulus } else { rest })
}

fn without_zero(mut parts: Vec<(Unknown, i128)>) -> Vec<(Unknown, i128)> {
    parts.retain(|it| it.1 != 0);
    parts
}
