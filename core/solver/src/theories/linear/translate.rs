//! Terms as formulas of linear forms; what is not linear is an unknown.
//!
//! Knows: the shape of integer terms, what follows from it for an unknown that is not a symbol (module `consequences`).
//! Never: solutions.
//!
//! An unknown for a term says less than the term, so what is unsatisfiable here is unsatisfiable.

use super::facts::Facts;
use super::form::{Form, Formula, Unknown};
use effigy_term::node::Monomial;
use effigy_term::{Node, Sort, Term, Terms};
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive, Zero};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Constants of more bits are left to others.
const MOST_BITS: u64 = 100;

/// Terms that are nested deeper are left to others.
const MOST_DEPTH: u32 = 100;

/// A conjunct of more literals is left to others.
const MOST_LITERALS: usize = 500;

/// A conjunct with more terms in it, counting shared ones each time, is left to others.
const MOST_FORMS: usize = 8_000;

/// What an unknown stands for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Meaning {
    /// A term of sort Int, or one of sort Bool as 0 or 1.
    Term(Term),
    /// A product of several factors.
    Product(Monomial),
}

/// Remembers what it has translated: it belongs to one arena.
#[derive(Debug, Default)]
pub(super) struct Translator {
    meanings: Vec<Meaning>,
    numbers: FxHashMap<Meaning, Unknown>,
    formulas: FxHashMap<Term, Option<Rc<Formula>>>,
    pub(super) facts: FxHashMap<Unknown, Rc<Facts>>,
    /// Terms that are taken as constants.
    fixed: BTreeMap<Term, i128>,
    pub(super) literals: usize,
    pub(super) forms: usize,
}

impl Translator {
    /// A translator to which some terms are constants.
    pub(super) fn fixing(fixed: BTreeMap<Term, i128>) -> Translator {
        Translator { fixed, ..Translator::default() }
    }

    /// What is taken as a constant, as formulas.
    pub(super) fn assumptions(&mut self, terms: &Terms) -> Option<Vec<Formula>> {
        let fixed: Vec<(Term, i128)> = self.fixed.iter().map(|(&term, &value)| (term, value)).collect();
        fixed.into_iter().map(|(term, value)| Formula::zero(self.shape(terms, term, 0)?.shifted(-value)?)).collect()
    }

    /// The number of terms that are remembered.
    pub(super) fn len(&self) -> usize {
        self.meanings.len() + self.formulas.len()
    }

    /// What an unknown stands for.
    pub(super) fn meaning(&self, unknown: Unknown) -> Option<&Meaning> {
        self.meanings.get(unknown as usize)
    }

    /// The unknown for this meaning; a new one if it has none yet.
    pub(super) fn unknown(&mut self, meaning: Meaning) -> Unknown {
        if let Some(&it) = self.numbers.get(&meaning) {
            return it;
        }
        let number = self.meanings.len() as Unknown;
        self.meanings.push(meaning.clone());
        self.numbers.insert(meaning, number);
        number
    }

    /// A conjunct; `None` where it is too large.
    pub(super) fn conjunct(&mut self, terms: &Terms, cond: Term) -> Option<Rc<Formula>> {
        if let Some(known) = self.formulas.get(&cond) {
            return known.clone();
        }
        (self.literals, self.forms) = (0, 0);
        let res = self.formula(terms, cond, true, 0).map(Rc::new);
        self.formulas.insert(cond, res.clone());
        res
    }

    /// A formula that follows from `cond` having this truth.
    pub(super) fn formula(&mut self, terms: &Terms, cond: Term, positive: bool, depth: u32) -> Option<Formula> {
        self.literals += 1;
        if depth > MOST_DEPTH || self.literals > MOST_LITERALS {
            return None;
        }
        let depth = depth + 1;
        match terms.node(cond) {
            Node::Bool(value) => Some(Formula::truth(*value == positive)),
            &Node::Not(arg) => self.formula(terms, arg, !positive, depth),
            node @ (Node::And(args) | Node::Or(args)) => {
                let parts = args.iter().map(|&it| self.formula(terms, it, positive, depth)).collect::<Option<_>>()?;
                Some(if matches!(node, Node::And(_)) == positive { Formula::All(parts) } else { Formula::Any(parts) })
            }
            &Node::IntLe(a, b) => {
                let difference = self.form(terms, b, depth)?.minus(&self.form(terms, a, depth)?)?;
                if positive { Formula::at_least(difference) } else { Formula::negative(&difference) }
            }
            &Node::Eq(a, b) if terms.sort(a) == Sort::Int => {
                let difference = self.form(terms, b, depth)?.minus(&self.form(terms, a, depth)?)?;
                if positive { Formula::zero(difference) } else { Formula::not_zero(&difference) }
            }
            &Node::Eq(a, b) if terms.sort(a) == Sort::Bool => {
                let sides = [true, false].into_iter().map(|it| {
                    let (left, right) =
                        (self.formula(terms, a, it, depth)?, self.formula(terms, b, it == positive, depth)?);
                    Some(Formula::All(vec![left, right]))
                });
                Some(Formula::Any(sides.collect::<Option<_>>()?))
            }
            &Node::Ite(cond, then, other) => {
                let sides = [(true, then), (false, other)].into_iter().map(|(it, side)| {
                    let (left, right) =
                        (self.formula(terms, cond, it, depth)?, self.formula(terms, side, positive, depth)?);
                    Some(Formula::All(vec![left, right]))
                });
                Some(Formula::Any(sides.collect::<Option<_>>()?))
            }
            _ => {
                let unknown = Form::unknown(self.unknown(Meaning::Term(cond)));
                if positive { Formula::positive(&unknown) } else { Formula::at_least(unknown.times(-1)?) }
            }
        }
    }

    /// A term of sort Int as a linear form.
    pub(super) fn form(&mut self, terms: &Terms, term: Term, depth: u32) -> Option<Form> {
        self.forms += 1;
        if depth > MOST_DEPTH || self.forms > MOST_FORMS {
            return None;
        }
        match self.fixed.get(&term) {
            Some(&value) => Some(Form::constant(value)),
            None => self.shape(terms, term, depth + 1),
        }
    }

    fn shape(&mut self, terms: &Terms, term: Term, depth: u32) -> Option<Form> {
        match terms.node(term) {
            Node::Int(value) => Some(Form::constant(small(value)?)),
            Node::IntPoly(poly) => {
                let mut res = Form::constant(small(&poly.constant)?);
                for (coefficient, monomial) in &poly.monomials {
                    let part = self.monomial(terms, monomial, depth)?;
                    res = res.plus(small(coefficient)?, &part)?;
                }
                Some(res)
            }
            // match: (rem a c)   result: a - c · (quot a c)
            &Node::IntRem(a, b) => match self.divisor(terms, b, depth) {
                Some(divisor) => {
                    let quotient = self.form(terms, terms.int_quot(a, terms.int(divisor)), depth)?;
                    self.form(terms, a, depth)?.minus(&quotient.times(divisor)?)
                }
                None => Some(Form::unknown(self.unknown(Meaning::Term(term)))),
            },
            // match: (mod a c)   result: a - c · (div a c)
            &Node::IntMod(a, b) => match self.divisor(terms, b, depth) {
                Some(divisor) => {
                    let quotient = self.form(terms, terms.int_div(a, terms.int(divisor)), depth)?;
                    self.form(terms, a, depth)?.minus(&quotient.times(divisor)?)
                }
                None => Some(Form::unknown(self.unknown(Meaning::Term(term)))),
            },
            // The quotient and the remainder by what is taken as a constant have one unknown.
            &Node::IntQuot(a, b) if terms.as_int(b).is_none() => match self.divisor(terms, b, depth) {
                Some(divisor) => self.form(terms, terms.int_quot(a, terms.int(divisor)), depth),
                None => Some(Form::unknown(self.unknown(Meaning::Term(term)))),
            },
            &Node::IntDiv(a, b) if terms.as_int(b).is_none() => match self.divisor(terms, b, depth) {
                Some(divisor) => self.form(terms, terms.int_div(a, terms.int(divisor)), depth),
                None => Some(Form::unknown(self.unknown(Meaning::Term(term)))),
            },
            &Node::IntPow(base, exponent) => match self.form(terms, exponent, depth)?.as_constant() {
                Some(exponent) => {
                    match self.form(terms, base, depth)?.as_constant().zip(u32::try_from(exponent).ok()) {
                        Some((base, exponent)) => Some(Form::constant(base.checked_pow(exponent)?)),
                        None => Some(Form::unknown(self.unknown(Meaning::Term(term)))),
                    }
                }
                None => Some(Form::unknown(self.unknown(Meaning::Term(term)))),
            },
            _ => Some(Form::unknown(self.unknown(Meaning::Term(term)))),
        }
    }

    /// The value of a divisor, if it is a constant other than zero.
    fn divisor(&mut self, terms: &Terms, term: Term, depth: u32) -> Option<i128> {
        self.form(terms, term, depth)?.as_constant().filter(|it| *it != 0)
    }

    fn monomial(&mut self, terms: &Terms, monomial: &Monomial, depth: u32) -> Option<Form> {
        let mut factor = 1i128;
        let mut rest: Vec<(Term, u32)> = Vec::new();
        for &(term, exponent) in monomial.iter() {
            match self.fixed.get(&term) {
                Some(value) => factor = factor.checked_mul(value.checked_pow(exponent)?)?,
                None => rest.push((term, exponent)),
            }
        }
        let product = match rest[..] {
            [] => return Some(Form::constant(factor)),
            [(term, 1)] => self.form(terms, term, depth)?,
            _ => Form::unknown(self.unknown(Meaning::Product(rest.into()))),
        };
        product.times(factor)
    }
}

/// A constant that is not too large.
pub(super) fn small(value: &BigInt) -> Option<i128> {
    if value.is_zero() || value.abs().bits() <= MOST_BITS { value.to_i128() } else { None }
}
