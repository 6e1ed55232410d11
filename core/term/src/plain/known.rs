//! What conditions that hold decide of others, as a reader sees it at once: the same, the opposite, another number.
//!
//! Knows: intervals of sums of integers and of bitvectors, constants. Never: what follows from two facts about different sums.

use crate::node::{Node, Term};
use crate::sort::Sort;
use crate::terms::Terms;
use num_bigint::{BigInt, Sign};
use num_traits::Zero;

/// Of longer disjunctions nothing is asked.
const MOST_WAYS: usize = 8;

/// One fact about a sum of integers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fact {
    /// It is not above this.
    AtMost(BigInt),
    /// It is not below this.
    AtLeast(BigInt),
    /// It is not this.
    Not(BigInt),
}

/// A comparison of integers as facts about one sum, whose first coefficient is positive.
pub fn facts(terms: &Terms, cond: Term) -> Option<(Term, Vec<Fact>)> {
    let (negated, atom) = match *terms.node(cond) {
        Node::Not(inner) => (true, inner),
        _ => (false, cond),
    };
    let (a, b, equal) = match *terms.node(atom) {
        Node::IntLe(a, b) => (a, b, false),
        Node::Eq(a, b) if terms.sort(a) == Sort::Int => (a, b, true),
        _ => return None,
    };
    // sum + constant <= 0, or = 0.
    let difference = terms.int_sub(a, b);
    let constant = match terms.node(difference) {
        Node::IntPoly(poly) => poly.constant.clone(),
        Node::Int(_) => return None,
        _ => BigInt::zero(),
    };
    let sum = terms.int_sub(difference, terms.int(constant.clone()));
    let first_is_negative = match terms.node(sum) {
        Node::IntPoly(poly) => poly.monomials.first().is_some_and(|it| it.0.sign() == Sign::Minus),
        _ => false,
    };
    let value = -constant;
    let (sum, value) = if first_is_negative { (terms.int_neg(sum), -value) } else { (sum, value) };
    let facts = match (equal, negated, first_is_negative) {
        (true, false, _) => vec![Fact::AtLeast(value.clone()), Fact::AtMost(value)],
        (true, true, _) => vec![Fact::Not(value)],
        (false, false, false) => vec![Fact::AtMost(value)],
        (false, true, false) => vec![Fact::AtLeast(value + 1)],
        (false, false, true) => vec![Fact::AtLeast(value)],
        (false, true, true) => vec![Fact::AtMost(value - 1)],
    };
    Some((sum, facts))
}

/// As [`facts`]; and of a comparison of a bitvector with a constant, by its signed value.
fn said(terms: &Terms, cond: Term) -> Option<(Term, Vec<Fact>)> {
    let (negated, atom) = match *terms.node(cond) {
        Node::Not(inner) => (true, inner),
        _ => (false, cond),
    };
    let value = |it: Term| terms.as_bv(it).map(|it| it.to_bigint_signed());
    match *terms.node(atom) {
        Node::Slt(a, b) => match (value(a), value(b)) {
            (None, Some(bound)) if negated => Some((a, vec![Fact::AtLeast(bound)])),
            (None, Some(bound)) => Some((a, vec![Fact::AtMost(bound - 1)])),
            (Some(bound), None) if negated => Some((b, vec![Fact::AtMost(bound)])),
            (Some(bound), None) => Some((b, vec![Fact::AtLeast(bound + 1)])),
            _ => None,
        },
        Node::Eq(a, b) if matches!(terms.sort(a), Sort::BitVec(_)) => {
            let value = value(b)?;
            let facts = match negated {
                true => vec![Fact::Not(value)],
                false => vec![Fact::AtLeast(value.clone()), Fact::AtMost(value)],
            };
            Some((a, facts))
        }
        _ => facts(terms, cond),
    }
}

/// A condition with what it says of a sum.
pub(super) type Said = (Term, Option<(Term, Vec<Fact>)>);

/// Conditions that hold here.
#[derive(Default)]
pub(super) struct Known {
    conds: Vec<Said>,
}

impl FromIterator<Said> for Known {
    fn from_iter<I: IntoIterator<Item = Said>>(iter: I) -> Known {
        Known { conds: iter.into_iter().collect() }
    }
}

impl Known {
    pub(super) fn len(&self) -> usize {
        self.conds.len()
    }

    pub(super) fn forget(&mut self, down_to: usize) {
        self.conds.truncate(down_to);
    }

    /// Learns the parts of a conjunction one by one.
    pub(super) fn learn(&mut self, terms: &Terms, cond: Term) {
        match terms.node(cond) {
            Node::And(args) => args.iter().for_each(|&it| self.learn(terms, it)),
            Node::Not(inner) => match terms.node(*inner) {
                Node::Or(args) => args.iter().for_each(|&it| self.learn(terms, terms.not(it))),
                _ => self.push(terms, cond),
            },
            _ => self.push(terms, cond),
        }
    }

    /// One more condition, as it is.
    pub(super) fn push(&mut self, terms: &Terms, cond: Term) {
        self.conds.push(Known::fact(terms, cond));
    }

    pub(super) fn fact(terms: &Terms, cond: Term) -> Said {
        (cond, said(terms, cond))
    }

    /// `cond` in place of what is there.
    pub(super) fn replace(&mut self, terms: &Terms, at: usize, cond: Term) {
        self.conds[at] = Known::fact(terms, cond);
    }

    /// Whether `cond` holds, where that is seen at once.
    pub(super) fn decide(&self, terms: &Terms, cond: Term) -> Option<bool> {
        if terms.sort(cond) != Sort::Bool || self.conds.is_empty() {
            return None;
        }
        // match: c under c, c under ¬c
        let negated = terms.not(cond);
        for (known, _) in &self.conds {
            if *known == cond || *known == negated {
                return Some(*known == cond);
            }
        }
        // match: c under (a ∨ b), which a and b decide alike   result: what they decide
        for (known, _) in &self.conds {
            if let Node::Or(ways) = terms.node(*known)
                && ways.len() <= MOST_WAYS
            {
                let mut answers = ways.iter().map(|&it| {
                    let mut alone = Known::default();
                    alone.learn(terms, it);
                    alone.decide(terms, cond)
                });
                if let Some(Some(first)) = answers.next()
                    && answers.all(|it| it == Some(first))
                {
                    return Some(first);
                }
            }
        }
        match *terms.node(cond) {
            Node::Not(inner) => return self.decide(terms, inner).map(|it| !it),
            // match: (= a #k) under (= a #l)   result: false
            Node::Eq(a, b) if terms.is_constant(b) => {
                let other = |known: Term| matches!(*terms.node(known), Node::Eq(x, y) if x == a && y != b && terms.is_constant(y));
                if self.conds.iter().any(|it| other(it.0)) {
                    return Some(false);
                }
            }
            _ => {}
        }
        // match: bounds of a sum under bounds of it   result: true where all that is left satisfies it, false where nothing
        let (sum, asked) = said(terms, cond)?;
        let (mut low, mut high, mut not) = (None, None, Vec::new());
        let about = self.conds.iter().filter_map(|it| it.1.as_ref()).filter(|it| it.0 == sum);
        for fact in about.flat_map(|it| &it.1) {
            match fact {
                Fact::AtLeast(it) => low = low.max(Some(it)),
                Fact::AtMost(it) => high = Some(high.map_or(it, |high: &BigInt| high.min(it))),
                Fact::Not(it) => not.push(it),
            }
        }
        let holds = |fact: &Fact| match fact {
            Fact::AtLeast(it) if low.is_some_and(|low| low >= it) => Some(true),
            Fact::AtLeast(it) if high.is_some_and(|high| high < it) => Some(false),
            Fact::AtMost(it) if high.is_some_and(|high| high <= it) => Some(true),
            Fact::AtMost(it) if low.is_some_and(|low| low > it) => Some(false),
            Fact::Not(it) if not.contains(&it) => Some(true),
            Fact::Not(it) if low.is_some_and(|low| low > it) || high.is_some_and(|high| high < it) => Some(true),
            Fact::Not(it) if low == Some(it) && high == Some(it) => Some(false),
            _ => None,
        };
        if let [Fact::AtLeast(value), Fact::AtMost(_)] = &asked[..]
            && not.contains(&value)
        {
            return Some(false);
        }
        let answers: Vec<Option<bool>> = asked.iter().map(holds).collect();
        match () {
            () if answers.contains(&Some(false)) => Some(false),
            () if answers.iter().all(|it| *it == Some(true)) => Some(true),
            () => None,
        }
    }
}
