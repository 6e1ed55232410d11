//! A term as a person would say it: equal in value, and shorter.
//!
//! Knows: what the conditions around a part of a term decide of it. Never: φ, a solver, a notation; what is shown is not
//! what is computed with.
//! Source: King 1976, section 9: conditional values (`if i = 1 then x else if i = 3 then y`).

mod known;

pub use known::{Fact, facts};

use crate::node::{Node, Term};
use crate::print::is_between;
use crate::sort::Sort;
use crate::terms::Terms;
use known::Known;

/// Larger terms are left as they are: nobody reads them.
const MOST_NODES: usize = 600;

/// A term is taken apart by so many conditions in all.
const MOST_SPLITS: u32 = 48;

/// So many terms are looked at in all, each as often as it is met: a report is not worth more.
const MOST_VISITS: u32 = 20_000;

/// `term` without what its own conditions and `known` decide. An element of an updated array is told by cases only where
/// no case is left in the end: who wants arrays wants to see them.
pub fn plain(terms: &Terms, term: Term, known: &[Term]) -> Term {
    let mut all = Known::default();
    known.iter().for_each(|&it| all.learn(terms, it));
    Plain { terms, known: all, splits: MOST_SPLITS, visits: MOST_VISITS, unfolds: true }.best(term)
}

/// Each of the conditions as [`plain`] under the others; what holds under them is left out, the oldest first.
pub fn plain_conjuncts(terms: &Terms, conjuncts: &[Term]) -> Vec<Term> {
    let mut parts = Vec::with_capacity(conjuncts.len());
    conjuncts.iter().for_each(|&it| flatten(terms, it, &mut parts));
    let mut plain = Plain { terms, known: Known::default(), splits: MOST_SPLITS, visits: MOST_VISITS, unfolds: true };
    parts.iter().for_each(|&it| plain.known.push(terms, it));
    let mut res = Vec::with_capacity(parts.len());
    for (at, it) in parts.into_iter().enumerate() {
        let own = plain.known.replace(terms, at, terms.bool(true));
        plain.splits = MOST_SPLITS;
        let said = plain.best(it);
        match said == it {
            true => plain.known.restore(at, own),
            false => plain.known.restore(at, Known::fact(terms, said)),
        }
        flatten(terms, said, &mut res);
    }
    res
}

/// As [`plain`], where elements of updated arrays are told by cases.
pub fn by_cases(terms: &Terms, term: Term) -> Term {
    match size(terms, term) {
        Some(_) => Plain { terms, known: Known::default(), splits: MOST_SPLITS, visits: MOST_VISITS, unfolds: true }
            .settled(term),
        None => term,
    }
}

/// The conjuncts of a condition.
pub fn flatten(terms: &Terms, cond: Term, into: &mut Vec<Term>) {
    match terms.node(cond) {
        Node::And(args) => args.iter().for_each(|&it| flatten(terms, it, into)),
        _ if terms.as_bool(cond) == Some(true) => {}
        _ => into.push(cond),
    }
}

struct Plain<'a> {
    terms: &'a Terms,
    known: Known,
    splits: u32,
    visits: u32,
    unfolds: bool,
}

impl Plain<'_> {
    /// The shorter of what it was and what it becomes.
    fn best(&mut self, term: Term) -> Term {
        let terms = self.terms;
        let Some(before) = size(terms, term) else { return term };
        let shorter = |it: Term| size(terms, it).is_some_and(|it| it < before);
        self.unfolds = true;
        let dissolved = self.settled(term);
        if shorter(dissolved) && !has_cases(terms, dissolved) {
            return dissolved;
        }
        self.unfolds = false;
        let res = self.settled(term);
        if shorter(res) { res } else { term }
    }

    /// What was found out about one part helps those before it.
    fn settled(&mut self, mut term: Term) -> Term {
        for _ in 0..3 {
            let next = self.of(term);
            if next == term {
                break;
            }
            term = next;
        }
        term
    }

    fn of(&mut self, term: Term) -> Term {
        let terms = self.terms;
        if self.visits == 0 {
            return term;
        }
        self.visits -= 1;
        // match: a condition that the conditions around it decide   result: true or false
        if let Some(value) = self.known.decide(terms, term) {
            return terms.bool(value);
        }
        match *terms.node(term) {
            Node::Quantifier(_) | Node::Symbol(_) => term,
            Node::Ite(cond, then, other) => self.choice(cond, then, other),
            Node::Not(inner) => {
                let inner = self.of(inner);
                self.negated(inner)
            }
            Node::And(ref args) => self.connective(args, true),
            Node::Or(ref args) => self.connective(args, false),
            // match: (select (store a i v) j)   result: (ite (= i j) v (select a j))
            Node::Select(array, index) if self.unfolds && !matches!(terms.sort(term), Sort::Array(_)) => {
                match *terms.node(array) {
                    Node::Store(inner, at, value) => {
                        let same = terms.eq(at, index);
                        self.choice(same, value, terms.select(inner, index))
                    }
                    _ => self.operation(term),
                }
            }
            _ => self.operation(term),
        }
    }

    fn given(&mut self, cond: Term, term: Term) -> Term {
        let before = self.known.len();
        self.known.learn(self.terms, cond);
        let res = self.of(term);
        self.known.forget(before);
        res
    }

    /// An operation of its arguments, which may become one by cases: `(ite c 2 1) = 1` is `¬c`.
    fn operation(&mut self, term: Term) -> Term {
        let terms = self.terms;
        let mut args = Vec::new();
        terms.node(term).for_each_argument(|it| args.push(it));
        if args.is_empty() {
            return term;
        }
        let of: Vec<(Term, Term)> = args.into_iter().map(|it| (it, self.of(it))).collect();
        let same = |it: Term| of.iter().find(|(was, _)| *was == it).map_or(it, |it| it.1);
        let res = terms.with_arguments(term, &same);
        if let Some(value) = self.known.decide(terms, res) {
            return terms.bool(value);
        }
        if self.splits == 0 {
            return res;
        }
        let Some(cond) = case(terms, res) else { return res };
        self.splits -= 1;
        let then = self.given(cond, res);
        let other = self.given(terms.not(cond), res);
        // match: (f (ite c a b))   result: (ite c (f a) (f b)) where that is shorter
        let apart = joined(terms, cond, then, other);
        match (size(terms, apart), size(terms, res)) {
            (Some(apart_size), Some(size)) if apart_size < size => apart,
            _ => res,
        }
    }

    fn choice(&mut self, cond: Term, then: Term, other: Term) -> Term {
        let terms = self.terms;
        let cond = self.of(cond);
        // match: (ite true a b)   result: a
        match terms.as_bool(cond) {
            Some(true) => return self.of(then),
            Some(false) => return self.of(other),
            None => {}
        }
        let then = self.given(cond, then);
        let other = self.given(terms.not(cond), other);
        joined(terms, cond, then, other)
    }

    /// Each part under the others: they hold where a part of a conjunction matters, and do not in a disjunction.
    fn connective(&mut self, args: &[Term], and: bool) -> Term {
        let terms = self.terms;
        let said = |it: Term| if and { it } else { terms.not(it) };
        let before = self.known.len();
        args.iter().for_each(|&it| self.known.push(terms, said(it)));
        let mut res = Vec::with_capacity(args.len());
        for (at, &it) in args.iter().enumerate() {
            self.known.replace(terms, before + at, terms.bool(true));
            let it = self.of(it);
            self.known.replace(terms, before + at, said(it));
            res.push(it);
        }
        self.known.forget(before);
        if and { terms.and_all(res) } else { terms.or_all(res) }
    }

    fn negated(&self, inner: Term) -> Term {
        let terms = self.terms;
        match terms.node(inner) {
            // match: ¬(a ∨ b)   result: ¬a ∧ ¬b
            Node::Or(args) => terms.and_all(args.iter().map(|&it| self.negated(it))),
            // match: ¬(a ∧ b), no two bounds of one term   result: ¬a ∨ ¬b
            Node::And(args) if args.len() != 2 || !is_between(terms, args[0], args[1]) => {
                terms.or_all(args.iter().map(|&it| self.negated(it)))
            }
            _ => terms.not(inner),
        }
    }
}

/// An if-then-else, one of two that lead to the same.
fn joined(terms: &Terms, cond: Term, then: Term, other: Term) -> Term {
    let not = |it| terms.not(it);
    match (terms.node(then), terms.node(other)) {
        // match: (ite c v (ite d v w))   result: (ite (c ∨ d) v w)
        (_, &Node::Ite(inner, a, b)) if a == then => terms.ite(terms.or(cond, inner), then, b),
        // match: (ite c v (ite d w v))   result: (ite (c ∨ ¬d) v w)
        (_, &Node::Ite(inner, a, b)) if b == then => terms.ite(terms.or(cond, not(inner)), then, a),
        // match: (ite c (ite d v w) w)   result: (ite (c ∧ d) v w)
        (&Node::Ite(inner, a, b), _) if b == other => terms.ite(terms.and(cond, inner), a, other),
        // match: (ite c (ite d w v) w)   result: (ite (c ∧ ¬d) v w)
        (&Node::Ite(inner, a, b), _) if a == other => terms.ite(terms.and(cond, not(inner)), b, other),
        _ => terms.ite(cond, then, other),
    }
}

/// The first condition by which an argument of `term` has cases.
fn case(terms: &Terms, term: Term) -> Option<Term> {
    let mut work = vec![term];
    while let Some(next) = work.pop() {
        match *terms.node(next) {
            Node::Ite(cond, _, _) => return Some(cond),
            Node::Quantifier(_) => {}
            ref node => node.for_each_argument(|it| work.push(it)),
        }
    }
    None
}

fn has_cases(terms: &Terms, term: Term) -> bool {
    case(terms, term).is_some()
}

/// How much there is to read, nothing where that is too much. What is no connective is as long as its negation.
fn size(terms: &Terms, term: Term) -> Option<usize> {
    let mut res = 0;
    let mut work = vec![term];
    while let Some(next) = work.pop() {
        res += 1;
        if res > MOST_NODES {
            return None;
        }
        match *terms.node(next) {
            Node::Not(inner) => {
                let connects = matches!(terms.node(inner), Node::And(_) | Node::Or(_) | Node::Ite(..));
                res -= usize::from(!connects);
                work.push(inner);
            }
            ref node => node.for_each_argument(|it| work.push(it)),
        }
    }
    Some(res)
}
