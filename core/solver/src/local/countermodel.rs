//! A model in which what is assumed holds, and a goal does not: why it does not follow, without a process.
//!
//! Knows: how alternatives and numbers are chosen, one after the other, by what is known already. Never: quantifiers.
//!
//! Choices are made greedily and may fail: then there is no answer. What is found is evaluated, formula by formula, so
//! that no choice has to be right.

use super::bounds::{Bounds, constant, is_number};
use super::classes::Id;
use super::{Local, MOST_STEPS};
use effigy_term::eval::{Evaluator, default_value};
use effigy_term::model::FunctionValue;
use effigy_term::{FunctionSymbol, Model, Node, Sort, Term, Terms, Value};
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::One;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// With more than this the solver is asked.
const MOST_FACTS: usize = 400;

/// With more terms than this the solver is asked.
const MOST_TERMS: usize = 3_000;

/// Formulas are looked into so deep.
const MOST_DEPTH: u32 = 60;

impl Local {
    /// A model of `facts`, which have no quantifiers and are assumed, in which `goal` does not hold, with a value for
    /// each term of `wanted`.
    pub(crate) fn countermodel(&mut self, terms: &Terms, facts: &[Term], goal: Term, wanted: &[Term]) -> Option<Model> {
        if facts.len() > MOST_FACTS || self.inconsistent {
            return None;
        }
        let contrary = terms.not(goal);
        let mut all: Vec<Term> = facts.to_vec();
        all.push(contrary);
        let mut parts = parts(terms, all.iter().chain(wanted))?;
        all.extend(self.instances(terms, &parts));
        parts = self::parts(terms, all.iter().chain(wanted))?;
        let before = self.classes.trail.len();
        let model = self.chosen(terms, &all, contrary, &parts);
        self.undo_to(before);
        let model = model?;
        let mut evaluator = Evaluator::new(terms, &model);
        all.iter().all(|&it| evaluator.truth(it) == Some(true)).then_some(model)
    }

    /// What injections say of the terms that are built with them: with it everything is said.
    fn instances(&self, terms: &Terms, parts: &[Term]) -> Vec<Term> {
        let mut res = Vec::new();
        for &part in parts {
            if let Node::Apply(function, args) = terms.node(part)
                && let Some(inverses) = self.injections.get(function)
            {
                res.extend(inverses.iter().zip(args).map(|(&it, &arg)| terms.eq(terms.apply(it, &[part]), arg)));
            }
        }
        res
    }

    fn chosen(&mut self, terms: &Terms, facts: &[Term], contrary: Term, parts: &[Term]) -> Option<Model> {
        self.assume_axioms(terms);
        for &part in parts {
            self.added(terms, part);
        }
        if !self.tentatively(terms, contrary) {
            return None;
        }
        if !facts.iter().all(|&it| self.satisfy(terms, it, true, 0)) {
            return None;
        }
        for &part in parts {
            if is_number(terms.sort(part)) && matches!(terms.node(part), Node::Symbol(_) | Node::Apply(..)) {
                self.choose_number(terms, part)?;
            }
        }
        self.read_off(terms, parts)
    }

    /// Assumes a formula, unless that is known to be a contradiction.
    fn tentatively(&mut self, terms: &Terms, formula: Term) -> bool {
        let before = self.classes.trail.len();
        self.fuel = MOST_STEPS / 10;
        self.assume_quietly(terms, formula);
        if self.inconsistent || self.contradicts_arithmetic(terms, formula) {
            self.undo_to(before);
            return false;
        }
        true
    }

    /// Chooses until a formula has this truth by its parts, not only by assumption.
    fn satisfy(&mut self, terms: &Terms, formula: Term, truth: bool, depth: u32) -> bool {
        if depth > MOST_DEPTH {
            return false;
        }
        match *terms.node(formula) {
            Node::Bool(value) => value == truth,
            Node::Not(inner) => self.satisfy(terms, inner, !truth, depth + 1),
            Node::And(ref parts) if truth => parts.iter().all(|&it| self.satisfy(terms, it, truth, depth + 1)),
            Node::Or(ref parts) if !truth => parts.iter().all(|&it| self.satisfy(terms, it, truth, depth + 1)),
            Node::And(ref parts) | Node::Or(ref parts) => {
                let known: Vec<Option<bool>> = parts.iter().map(|&it| self.truth(terms, it, 0)).collect();
                let by =
                    |wanted: Option<bool>| parts.iter().zip(&known).filter(move |it| *it.1 == wanted).map(|it| *it.0);
                let settled: Vec<Term> = by(Some(truth)).collect();
                let open: Vec<Term> = by(None).collect();
                settled.into_iter().any(|it| self.satisfy(terms, it, truth, depth + 1))
                    || open.into_iter().any(|it| self.attempt(terms, it, truth, depth + 1))
            }
            Node::Ite(cond, then, other) => {
                let sides = match self.truth(terms, cond, 0) {
                    Some(side) => vec![side],
                    None => vec![true, false],
                };
                sides.into_iter().any(|side| {
                    let before = self.classes.trail.len();
                    let res = self.satisfy(terms, cond, side, depth + 1)
                        && self.satisfy(terms, if side { then } else { other }, truth, depth + 1);
                    if !res {
                        self.undo_to(before);
                    }
                    res
                })
            }
            Node::Eq(a, b) if terms.sort(a) == Sort::Bool => {
                let sides = match (self.truth(terms, a, 0), self.truth(terms, b, 0)) {
                    (Some(side), _) => vec![side],
                    (None, Some(side)) => vec![side == truth],
                    (None, None) => vec![false, true],
                };
                sides.into_iter().any(|side| {
                    let before = self.classes.trail.len();
                    let res =
                        self.satisfy(terms, a, side, depth + 1) && self.satisfy(terms, b, side == truth, depth + 1);
                    if !res {
                        self.undo_to(before);
                    }
                    res
                })
            }
            _ => match self.truth(terms, formula, 0) {
                Some(known) => known == truth,
                None => self.tentatively(terms, if truth { formula } else { terms.not(formula) }),
            },
        }
    }

    fn attempt(&mut self, terms: &Terms, formula: Term, truth: bool, depth: u32) -> bool {
        let before = self.classes.trail.len();
        let res = self.tentatively(terms, if truth { formula } else { terms.not(formula) })
            && self.satisfy(terms, formula, truth, depth);
        if !res {
            self.undo_to(before);
        }
        res
    }

    /// Gives a number a value that contradicts nothing, a plain one if there is one.
    fn choose_number(&mut self, terms: &Terms, term: Term) -> Option<()> {
        let id = self.added(terms, term);
        if terms.is_constant(self.classes.canonical(id)) {
            return Some(());
        }
        let sort = terms.sort(term);
        let bounds = self.classes.traits(self.classes.of(id)).bounds.clone();
        let found = plain_numbers(&bounds, sort)
            .into_iter()
            .any(|value| constant(terms, sort, &value).is_some_and(|it| self.tentatively(terms, terms.eq(term, it))));
        found.then_some(())
    }

    /// The model that the classes are.
    fn read_off(&mut self, terms: &Terms, parts: &[Term]) -> Option<Model> {
        let mut elements: FxHashMap<Id, u64> = FxHashMap::default();
        let mut value = |this: &mut Local, term: Term| -> Value {
            let id = this.added(terms, term);
            let canonical = this.classes.canonical(id);
            match terms.node(canonical) {
                Node::Bool(it) => Value::Bool(*it),
                Node::Int(it) => Value::Int(it.clone()),
                Node::Real(it) => Value::Real(it.clone()),
                _ => match terms.sort(term) {
                    Sort::Uninterpreted(_) => {
                        let next = elements.len() as u64;
                        Value::Element(*elements.entry(this.classes.of(id)).or_insert(next))
                    }
                    sort => default_value(terms, sort),
                },
            }
        };
        let mut model = Model::new();
        let mut functions: BTreeMap<FunctionSymbol, FunctionValue> = BTreeMap::new();
        for &part in parts {
            match terms.node(part) {
                Node::Symbol(symbol) => model.set(*symbol, value(self, part)),
                Node::Apply(function, args) => {
                    let args: Vec<Value> = args.iter().map(|&it| value(self, it)).collect();
                    let result = value(self, part);
                    let table = functions.entry(*function).or_insert_with(|| FunctionValue {
                        default: default_value(terms, terms.sort(part)),
                        entries: BTreeMap::new(),
                    });
                    if table.entries.insert(args, result.clone()).is_some_and(|it| it != result) {
                        return None;
                    }
                }
                _ => {}
            }
        }
        for (function, table) in functions {
            model.set_function(function, table);
        }
        Some(model)
    }
}

/// All parts of some terms, arguments first; `None` where there is a quantifier, or too many.
fn parts<'t>(terms: &Terms, of: impl Iterator<Item = &'t Term>) -> Option<Vec<Term>> {
    let mut res = Vec::new();
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    for &root in of {
        let mut work = vec![(root, false)];
        while let Some((term, done)) = work.pop() {
            if done {
                res.push(term);
                continue;
            }
            if !seen.insert(term) {
                continue;
            }
            if seen.len() > MOST_TERMS || matches!(terms.node(term), Node::Quantifier(_)) {
                return None;
            }
            work.push((term, true));
            terms.node(term).for_each_argument(|it| work.push((it, false)));
        }
    }
    Some(res)
}

/// Numbers within bounds, those first that people would choose.
fn plain_numbers(bounds: &Bounds, sort: Sort) -> Vec<BigRational> {
    let whole = |it: i64| BigRational::from(BigInt::from(it));
    let half = BigRational::new(BigInt::from(1), BigInt::from(2));
    let (lower, upper) = (bounds.lower.as_ref().map(|it| it.at.clone()), bounds.upper.as_ref().map(|it| it.at.clone()));
    let mut res: Vec<BigRational> = [0, 1, 2, -1, 3, 5, 7].map(whole).to_vec();
    if sort == Sort::Real {
        res.insert(2, half.clone());
        res.insert(3, &half * &half);
    }
    match (lower, upper) {
        (Some(lower), Some(upper)) => {
            let step = (&upper - &lower) * &half;
            res.push(&lower + &step);
            res.push(&lower + &step * &half);
            res.push(lower.clone());
            res.push(upper.clone());
            res.push(lower + BigRational::one());
            res.push(upper - BigRational::one());
        }
        (Some(lower), None) => {
            res.extend([0, 1, 2, 3, 10].map(|it| &lower + whole(it)));
        }
        (None, Some(upper)) => res.extend([0, 1, 2, 3, 10].map(|it| &upper - whole(it))),
        (None, None) => res.extend([11, 101, 1009].map(whole)),
    }
    res.retain(|it| sort == Sort::Real || it.is_integer());
    let mut unique = Vec::new();
    for it in res {
        if !unique.contains(&it) && !bounds.intersected(&Bounds::exactly(it.clone())).is_empty() {
            unique.push(it);
        }
    }
    unique
}
