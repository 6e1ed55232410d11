//! What holds of an unknown because of the term that it stands for.
//!
//! Knows: division, powers, products, conditions, arrays and functions at their arguments. Never: solutions.

use super::facts::{Facts, Head};
use super::form::{Form, Formula, Unknown};
use super::translate::{Meaning, Translator};
use effigy_term::node::Monomial;
use effigy_term::{Node, Sort, Term, Terms};
use std::rc::Rc;

impl Translator {
    /// What holds of an unknown.
    pub(super) fn facts(&mut self, terms: &Terms, unknown: Unknown) -> Rc<Facts> {
        if let Some(known) = self.facts.get(&unknown) {
            return Rc::clone(known);
        }
        (self.literals, self.forms) = (0, 0);
        // A fact that is too large is left out: that loses answers, not soundness.
        let facts = match self.meaning(unknown).cloned() {
            Some(Meaning::Term(term)) if terms.sort(term) == Sort::Bool => truth_value(unknown),
            Some(Meaning::Term(term)) => self.of_term(terms, unknown, term),
            Some(Meaning::Product(monomial)) => self.of_product(terms, unknown, &monomial),
            None => None,
        };
        let facts = Rc::new(facts.unwrap_or_default());
        self.facts.insert(unknown, Rc::clone(&facts));
        facts
    }

    fn of_term(&mut self, terms: &Terms, unknown: Unknown, term: Term) -> Option<Facts> {
        let own = Form::unknown(unknown);
        match terms.node(term) {
            &Node::IntQuot(a, b) => match self.form(terms, b, 0)?.as_constant() {
                Some(divisor) if divisor != 0 => {
                    let dividend = self.form(terms, a, 0)?;
                    truncated(&dividend, divisor, &own)
                }
                _ => self.of_division(terms, a, b),
            },
            &Node::IntDiv(a, b) => match self.form(terms, b, 0)?.as_constant() {
                Some(divisor) if divisor != 0 => {
                    let rest = self.form(terms, a, 0)?.minus(&own.times(divisor)?)?;
                    Some(Facts::of(vec![between(&rest, 0, divisor.checked_abs()? - 1)?]))
                }
                _ => self.of_division(terms, a, b),
            },
            &Node::IntRem(a, b) | &Node::IntMod(a, b) => self.of_division(terms, a, b),
            &Node::IntPow(base, exponent) => self.of_power(terms, &own, base, exponent),
            &Node::Ite(cond, then, other) => {
                let then = self.form(terms, then, 0)?.minus(&own)?;
                let other = self.form(terms, other, 0)?.minus(&own)?;
                Some(Facts::of(vec![self.either(terms, cond, Formula::zero(then)?, Formula::zero(other)?)?]))
            }
            &Node::Select(array, index) => match self.unfolded(terms, array, &[index]) {
                Some((cond, then, other)) => {
                    let then = self.form(terms, then, 0)?.minus(&own)?;
                    let other = self.form(terms, other, 0)?.minus(&own)?;
                    Some(Facts::of(vec![self.either(terms, cond, Formula::zero(then)?, Formula::zero(other)?)?]))
                }
                None => self.of_element(terms, array, vec![index]),
            },
            Node::Apply(function, args) => {
                let arguments = self.integers(terms, args)?;
                Some(Facts::applied(Head::Function(*function), arguments))
            }
            _ => None,
        }
    }

    /// `cond` and `then`, or not `cond` and `other`.
    fn either(&mut self, terms: &Terms, cond: Term, then: Formula, other: Formula) -> Option<Formula> {
        Some(Formula::Any(vec![
            Formula::All(vec![self.formula(terms, cond, true, 0)?, then]),
            Formula::All(vec![self.formula(terms, cond, false, 0)?, other]),
        ]))
    }

    fn integers(&mut self, terms: &Terms, args: &[Term]) -> Option<Vec<Form>> {
        args.iter().map(|&it| if terms.sort(it) == Sort::Int { self.form(terms, it, 0) } else { None }).collect()
    }

    fn of_division(&mut self, terms: &Terms, a: Term, b: Term) -> Option<Facts> {
        let mentions = self.integers(terms, &[a, b])?;
        Some(Facts { mentions, obstacles: [vec![b], vec![b]], ..Facts::default() })
    }

    fn of_power(&mut self, terms: &Terms, own: &Form, base: Term, exponent: Term) -> Option<Facts> {
        let (x, e) = (self.form(terms, base, 0)?, self.form(terms, exponent, 0)?);
        let one = Form::constant(1);
        // match: (pow x 0)   result: 1
        let formulas = vec![
            Formula::Any(vec![Formula::positive(&e)?, Formula::negative(&e)?, Formula::zero(own.minus(&one)?)?]),
            // match: (pow x 1)   result: x
            Formula::Any(vec![
                Formula::positive(&e.minus(&one)?)?,
                Formula::negative(&e.minus(&one)?)?,
                Formula::zero(own.minus(&x)?)?,
            ]),
            // x >= 1 and e >= 0 imply x**e >= 1.
            Formula::Any(vec![Formula::negative(&x.minus(&one)?)?, Formula::negative(&e)?, Formula::positive(own)?]),
            // x >= 2 and e >= 0 imply x**e >= e + 1.
            Formula::Any(vec![
                Formula::negative(&x.shifted(-2)?)?,
                Formula::negative(&e)?,
                Formula::positive(&own.minus(&e)?)?,
            ]),
        ];
        Some(Facts {
            formulas,
            mentions: vec![x, e],
            obstacles: [vec![base, exponent], vec![base, exponent]],
            ..Facts::default()
        })
    }

    fn of_product(&mut self, terms: &Terms, unknown: Unknown, monomial: &Monomial) -> Option<Facts> {
        let own = Form::unknown(unknown);
        let factors: Vec<Term> = monomial.iter().map(|it| it.0).collect();
        let mentions = self.integers(terms, &factors)?;
        // All factors but one that occurs once.
        let without = |at: usize| match monomial.get(at) {
            Some((kept, 1)) => factors.iter().copied().filter(|it| it != kept).collect(),
            _ => factors.clone(),
        };
        let obstacles = [without(factors.len() - 1), without(0)];
        let mut formulas = Vec::new();
        // match: (* 0 x)   result: 0
        for x in &mentions {
            formulas.push(Formula::Any(vec![
                Formula::positive(x)?,
                Formula::negative(x)?,
                Formula::zero(own.clone())?,
            ]));
        }
        match (&monomial[..], &mentions[..]) {
            ([(_, 1), (_, 1)], [a, b]) => {
                for (a, b, product) in [
                    (a.clone(), b.clone(), own.clone()),
                    (a.times(-1)?, b.times(-1)?, own.clone()),
                    (a.times(-1)?, b.clone(), own.times(-1)?),
                    (a.clone(), b.times(-1)?, own.times(-1)?),
                ] {
                    // a >= 1 and b >= 1 imply (a - 1) · (b - 1) >= 0.
                    let above = product.minus(&a)?.minus(&b)?.shifted(1)?;
                    formulas.push(Formula::Any(vec![
                        Formula::at_least(a.times(-1)?)?,
                        Formula::at_least(b.times(-1)?)?,
                        Formula::at_least(above)?,
                    ]));
                }
            }
            ([(_, exponent)], [x]) if exponent % 2 == 0 => {
                // x² >= 0, and (|x| - 1)² >= 0.
                formulas.push(Formula::at_least(own.clone())?);
                formulas.push(Formula::at_least(own.minus(&x.times(2)?)?.shifted(1)?)?);
                formulas.push(Formula::at_least(own.plus(2, x)?.shifted(1)?)?);
            }
            ([(_, _)], [x]) => {
                for (x, power) in [(x.clone(), own.clone()), (x.times(-1)?, own.times(-1)?)] {
                    let above = Formula::at_least(power.minus(&x)?)?;
                    formulas.push(Formula::Any(vec![Formula::negative(&x)?, above]));
                }
            }
            _ => {}
        }
        Some(Facts { formulas, mentions, obstacles, ..Facts::default() })
    }

    /// The element of an array that is not a symbol, by one step: a condition and the element on either side.
    fn unfolded(&mut self, terms: &Terms, array: Term, indices: &[Term]) -> Option<(Term, Term, Term)> {
        let element = |array: Term, indices: &[Term]| indices.iter().fold(array, |it, &index| terms.select(it, index));
        match *terms.node(array) {
            Node::Store(below, at, stored) => {
                let (&first, rest) = indices.split_first()?;
                Some((terms.eq(at, first), element(stored, rest), element(below, indices)))
            }
            Node::Ite(cond, then, other) => Some((cond, element(then, indices), element(other, indices))),
            Node::Select(outer, index) => {
                let mut all = vec![index];
                all.extend_from_slice(indices);
                self.unfolded(terms, outer, &all)
            }
            _ => None,
        }
    }

    fn of_element(&mut self, terms: &Terms, array: Term, mut indices: Vec<Term>) -> Option<Facts> {
        let mut array = array;
        while let &Node::Select(outer, index) = terms.node(array) {
            indices.insert(0, index);
            array = outer;
        }
        let arguments = self.integers(terms, &indices)?;
        match *terms.node(array) {
            Node::Symbol(symbol) => Some(Facts::applied(Head::Array(symbol), arguments)),
            _ => Some(Facts { mentions: arguments, ..Facts::default() }),
        }
    }
}

fn between(form: &Form, low: i128, high: i128) -> Option<Formula> {
    let above = Formula::at_least(form.shifted(low.checked_neg()?)?)?;
    Some(Formula::All(vec![above, Formula::at_least(form.times(-1)?.shifted(high)?)?]))
}

/// `a = c·q + r` with `|r| < |c|`, and r has the sign of a.
fn truncated(a: &Form, c: i128, q: &Form) -> Option<Facts> {
    let rest = a.minus(&q.times(c)?)?;
    let most = c.checked_abs()? - 1;
    let rounded_down = Formula::All(vec![Formula::at_least(a.clone())?, between(&rest, 0, most)?]);
    let rounded_up = Formula::All(vec![Formula::negative(a)?, between(&rest, -most, 0)?]);
    Some(Facts::of(vec![between(&rest, -most, most)?, Formula::Any(vec![rounded_down, rounded_up])]))
}

fn truth_value(unknown: Unknown) -> Option<Facts> {
    Some(Facts::of(vec![between(&Form::unknown(unknown), 0, 1)?]))
}
