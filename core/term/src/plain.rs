//! A term as a person would say it: equal in value, and shorter.
//!
//! Knows: what the conditions around a part of a term decide of it. Never: φ, a solver, a notation; what is shown is not
//! what is computed with.
//! Source: King 1976, section 9: conditional values (`if i = 1 then x else if i = 3 then y`).

mod known;
mod ranges;
mod sums;

pub use known::{Fact, facts};

use crate::node::{Node, Term};
use crate::print::is_between;
use crate::sort::Sort;
use crate::symbol::Symbol;
use crate::terms::Terms;
use known::{Known, Said};
use rustc_hash::FxHashSet;

/// What is said of one number in several conjuncts, said once: of a machine integer or of a sum of mathematical ones. What
/// is left is equivalent.
pub fn said_once(terms: &Terms, conjuncts: Vec<Term>) -> Vec<Term> {
    ranges::ranges(terms, sums::sums(terms, conjuncts))
}

/// Larger terms are left as they are: nobody reads them.
const MOST_NODES: usize = 600;

/// A term is taken apart by so many conditions in all.
const MOST_SPLITS: u32 = 48;

/// So many terms are looked at in all, each as often as it is met: a report is not worth more.
const MOST_VISITS: u32 = 20_000;

/// So many groups of conditions are remembered.
const MOST_REMEMBERED: usize = 20_000;

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
    let mut said = parts.clone();
    let (alone, together) = by_symbol(terms, &parts);
    for places in alone {
        let own: Vec<Term> = places.iter().map(|&at| parts[at]).collect();
        places.into_iter().zip(plain.remembered(own)).for_each(|(at, it)| said[at] = it);
    }
    let own: Vec<Term> = together.iter().map(|&at| parts[at]).collect();
    together.into_iter().zip(plain.each(&own)).for_each(|(at, it)| said[at] = it);
    let mut res = Vec::with_capacity(said.len());
    said.into_iter().for_each(|it| flatten(terms, it, &mut res));
    res
}

/// The places of the conditions on one symbol of which no other condition tells, by that symbol, and those of the others.
fn by_symbol(terms: &Terms, parts: &[Term]) -> (Vec<Vec<usize>>, Vec<usize>) {
    let lone = |it: Term| match terms.symbols(it) {
        [symbol] if !terms.applies_functions(it) => Some(*symbol),
        _ => None,
    };
    let (single, mut together): (Vec<usize>, Vec<usize>) = (0..parts.len()).partition(|&at| lone(parts[at]).is_some());
    // What is about nothing, or about a function, may decide everything.
    let about_all = |it: &usize| terms.symbols(parts[*it]).is_empty() || terms.applies_functions(parts[*it]);
    if together.iter().any(about_all) {
        return (Vec::new(), (0..parts.len()).collect());
    }
    let shared: FxHashSet<Symbol> = together.iter().flat_map(|&at| terms.symbols(parts[at])).copied().collect();
    let mut alone: Vec<(Symbol, Vec<usize>)> = Vec::new();
    for at in single {
        match lone(parts[at]) {
            Some(symbol) if !shared.contains(&symbol) => match alone.iter_mut().find(|it| it.0 == symbol) {
                Some((_, places)) => places.push(at),
                None => alone.push((symbol, vec![at])),
            },
            _ => together.push(at),
        }
    }
    together.sort_unstable();
    (alone.into_iter().map(|it| it.1).collect(), together)
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

    /// Each of the conditions under the others.
    fn each(&mut self, parts: &[Term]) -> Vec<Term> {
        let terms = self.terms;
        let mut known: Vec<Said> = parts.iter().map(|&it| Known::fact(terms, it)).collect();
        let mut res = Vec::with_capacity(parts.len());
        for (at, &it) in parts.iter().enumerate() {
            // What shares no symbol with a condition decides nothing of it, nor of its parts.
            let others =
                known.iter().enumerate().filter(|(other, said)| *other != at && terms.shares_symbols(it, said.0));
            self.known = others.map(|it| it.1.clone()).collect();
            self.splits = MOST_SPLITS;
            let said = self.best(it);
            if said != it {
                known[at] = Known::fact(terms, said);
            }
            res.push(said);
        }
        res
    }

    /// As [`Plain::each`] of conditions on one symbol, which are the same on thousands of paths: remembered, unless it was
    /// for want of visits that they are as they are.
    fn remembered(&mut self, parts: Vec<Term>) -> Vec<Term> {
        if let Some(said) = self.terms.said.borrow().get(&parts[..]) {
            return said.to_vec();
        }
        let res = self.each(&parts);
        let mut said = self.terms.said.borrow_mut();
        if said.len() >= MOST_REMEMBERED {
            said.clear();
        }
        if self.visits > 0 {
            said.insert(parts.into(), res.clone().into());
        }
        res
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
