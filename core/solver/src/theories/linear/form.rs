//! Linear forms over numbered unknowns, and formulas of them.
//!
//! Knows: sums with 128-bit coefficients, tightened for integers. Never: what an unknown stands for.
//!
//! Every operation says `None` where a number would not fit.

use super::rational::gcd;

/// An unknown integer, by number.
pub(super) type Unknown = u32;

/// `constant + Σ coefficient · unknown`: unknowns strictly ascending, no coefficient is zero.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Form {
    pub(super) constant: i128,
    pub(super) parts: Vec<(Unknown, i128)>,
}

impl Form {
    pub(super) fn constant(value: i128) -> Form {
        Form { constant: value, parts: Vec::new() }
    }

    pub(super) fn unknown(unknown: Unknown) -> Form {
        Form { constant: 0, parts: vec![(unknown, 1)] }
    }

    /// The value, if no unknown occurs.
    pub(super) fn as_constant(&self) -> Option<i128> {
        self.parts.is_empty().then_some(self.constant)
    }

    /// The coefficient of an unknown.
    pub(super) fn coefficient(&self, unknown: Unknown) -> i128 {
        self.parts.binary_search_by_key(&unknown, |it| it.0).map_or(0, |at| self.parts[at].1)
    }

    /// The form `self + factor · other`; `None` if a coefficient overflows.
    pub(super) fn plus(&self, factor: i128, other: &Form) -> Option<Form> {
        let constant = self.constant.checked_add(factor.checked_mul(other.constant)?)?;
        let mut parts = Vec::with_capacity(self.parts.len() + other.parts.len());
        let (mut left, mut right) = (self.parts.iter().peekable(), other.parts.iter().peekable());
        loop {
            let next = match (left.peek(), right.peek()) {
                (None, None) => break,
                (Some(a), None) => a.0,
                (None, Some(b)) => b.0,
                (Some(a), Some(b)) => a.0.min(b.0),
            };
            let mut coefficient = left.next_if(|it| it.0 == next).map_or(0, |it| it.1);
            if let Some((_, it)) = right.next_if(|it| it.0 == next) {
                coefficient = coefficient.checked_add(factor.checked_mul(*it)?)?;
            }
            if coefficient != 0 {
                parts.push((next, coefficient));
            }
        }
        Some(Form { constant, parts })
    }

    /// The form `self + value`; `None` if the constant overflows.
    pub(super) fn shifted(&self, value: i128) -> Option<Form> {
        Some(Form { constant: self.constant.checked_add(value)?, parts: self.parts.clone() })
    }

    /// The form `factor · self`; `None` if a coefficient overflows.
    pub(super) fn times(&self, factor: i128) -> Option<Form> {
        Form::default().plus(factor, self)
    }

    pub(super) fn minus(&self, other: &Form) -> Option<Form> {
        self.plus(-1, other)
    }

    /// The unknown replaced by a form.
    pub(super) fn replaced(&self, unknown: Unknown, by: &Form) -> Option<Form> {
        let coefficient = self.coefficient(unknown);
        if coefficient == 0 {
            return Some(self.clone());
        }
        let mut rest = self.clone();
        rest.parts.retain(|it| it.0 != unknown);
        rest.plus(coefficient, by)
    }

    /// The greatest common divisor of the coefficients; zero without any.
    pub(super) fn content(&self) -> Option<i128> {
        self.parts.iter().try_fold(0, |res, it| gcd(res, it.1))
    }

    /// The value under an assignment.
    pub(super) fn value(&self, mut of: impl FnMut(Unknown) -> Option<i128>) -> Option<i128> {
        self.parts.iter().try_fold(self.constant, |res, &(unknown, coefficient)| {
            res.checked_add(coefficient.checked_mul(of(unknown)?)?)
        })
    }
}

/// A positive combination of linear constraints.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Formula {
    /// Not negative; the coefficients have no common divisor.
    AtLeast(Form),
    /// Zero; the coefficients have no common divisor.
    Zero(Form),
    /// All of them; nothing is true.
    All(Vec<Formula>),
    /// One of them; nothing is false.
    Any(Vec<Formula>),
}

impl Formula {
    pub(super) fn truth(value: bool) -> Formula {
        if value { Formula::All(Vec::new()) } else { Formula::Any(Vec::new()) }
    }

    /// `form >= 0`. match: Σ g·k·x + c   result: Σ k·x + floor(c / g)
    pub(super) fn at_least(mut form: Form) -> Option<Formula> {
        let common = form.content()?;
        if common == 0 {
            return Some(Formula::truth(form.constant >= 0));
        }
        if common != 1 {
            form.constant = form.constant.div_euclid(common);
            form.parts.iter_mut().for_each(|it| it.1 /= common);
        }
        Some(Formula::AtLeast(form))
    }

    /// `form = 0`. match: Σ g·k·x + c, g not dividing c   result: false
    pub(super) fn zero(mut form: Form) -> Option<Formula> {
        let common = form.content()?;
        if common == 0 {
            return Some(Formula::truth(form.constant == 0));
        }
        if form.constant % common != 0 {
            return Some(Formula::truth(false));
        }
        form.constant /= common;
        form.parts.iter_mut().for_each(|it| it.1 /= common);
        Some(Formula::Zero(form))
    }

    /// The formula `form < 0`; `None` if a coefficient overflows.
    pub(super) fn negative(form: &Form) -> Option<Formula> {
        Formula::at_least(form.times(-1)?.shifted(-1)?)
    }

    /// The formula `form > 0`; `None` if a coefficient overflows.
    pub(super) fn positive(form: &Form) -> Option<Formula> {
        Formula::at_least(form.shifted(-1)?)
    }

    /// The formula `form != 0`; `None` if a coefficient overflows.
    pub(super) fn not_zero(form: &Form) -> Option<Formula> {
        match Formula::zero(form.clone())? {
            Formula::Any(_) => Some(Formula::truth(true)),
            Formula::All(_) => Some(Formula::truth(false)),
            _ => Some(Formula::Any(vec![Formula::positive(form)?, Formula::negative(form)?])),
        }
    }

    /// Calls `visit` for each unknown that occurs.
    pub(super) fn for_each_unknown(&self, visit: &mut impl FnMut(Unknown)) {
        match self {
            Formula::AtLeast(form) | Formula::Zero(form) => form.parts.iter().for_each(|it| visit(it.0)),
            Formula::All(parts) | Formula::Any(parts) => parts.iter().for_each(|it| it.for_each_unknown(visit)),
        }
    }

    /// Each form mapped and the result tightened.
    pub(super) fn mapped(&self, of: &mut impl FnMut(&Form) -> Option<Form>) -> Option<Formula> {
        match self {
            Formula::AtLeast(form) => Formula::at_least(of(form)?),
            Formula::Zero(form) => Formula::zero(of(form)?),
            Formula::All(parts) => Some(Formula::All(parts.iter().map(|it| it.mapped(of)).collect::<Option<_>>()?)),
            Formula::Any(parts) => Some(Formula::Any(parts.iter().map(|it| it.mapped(of)).collect::<Option<_>>()?)),
        }
    }
}
