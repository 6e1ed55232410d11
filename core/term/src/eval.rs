//! Evaluation of a term under a model.
//!
//! Knows: the meaning of each operator. Never: simplification (each checks the other in the tests).
//!
//! The evaluator keeps its own stack, so that a term of any depth can be evaluated, and looks only at the side of an
//! if-then-else that is chosen. Booleans and bitvectors of at most 64 bits never allocate.

use crate::bv::BvValue;
use crate::model::Model;
use crate::node::{BvOp, Monomial, Node, Term};
use crate::sort::{Sort, Width};
use crate::symbol::Symbol;
use crate::terms::Terms;
use crate::value::{ArrayValue, Value};
use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{Signed, ToPrimitive, Zero};
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::sync::Arc;

/// The value of a binary bitvector operator.
pub fn bv_op(op: BvOp, a: &BvValue, b: &BvValue) -> BvValue {
    match op {
        BvOp::Mul => a.mul(b),
        BvOp::UDiv => a.udiv(b),
        BvOp::URem => a.urem(b),
        BvOp::SDiv => a.sdiv(b),
        BvOp::SRem => a.srem(b),
        BvOp::And => a.and(b),
        BvOp::Or => a.or(b),
        BvOp::Xor => a.xor(b),
        BvOp::Shl => a.shl(b),
        BvOp::LShr => a.lshr(b),
        BvOp::AShr => a.ashr(b),
    }
}

/// Exponents that are evaluated; beyond, the number would not fit memory.
const MOST_EXPONENT: u32 = 10_000;

/// Products with more bits have no value here: x = x³ in a loop would take all memory.
const MOST_BITS: u64 = 1 << 20;

/// Most conditions have fewer terms: what was seen of them does not grow into its room step by step.
const USUAL_TERMS: usize = 14;

/// Whether two values of one sort are the same. Two arrays may be written in different ways: where each index has an element
/// of its own, no other matters.
fn is_same(terms: &Terms, sort: Sort, a: &Value, b: &Value) -> bool {
    let (Sort::Array(parts), Value::Array(x), Value::Array(y)) = (sort, a, b) else { return a == b };
    if a == b {
        return true;
    }
    let (index, element) = terms.array_parts(parts);
    let mut indices: Vec<&Value> = x.entries.keys().chain(y.entries.keys()).collect();
    indices.sort_unstable();
    indices.dedup();
    let all = match index {
        Sort::Bool => Some(2),
        Sort::BitVec(width) => 1usize.checked_shl(width.bits()),
        _ => None,
    };
    let are_all = all.is_some_and(|it| indices.len() >= it);
    indices.into_iter().all(|it| is_same(terms, element, x.select(it), y.select(it)))
        && (are_all || is_same(terms, element, &x.default, &y.default))
}

/// The value that every symbol without an entry has.
pub fn default_value(terms: &Terms, sort: Sort) -> Value {
    match sort {
        Sort::Bool => Value::Bool(false),
        Sort::BitVec(width) => Value::BitVec(BvValue::zero(width)),
        Sort::Int => Value::Int(BigInt::zero()),
        Sort::Real => Value::Real(Box::new(BigRational::zero())),
        Sort::Array(parts) => {
            let default = default_value(terms, terms.array_parts(parts).1);
            Value::Array(Arc::new(ArrayValue { default, entries: Default::default() }))
        }
        Sort::Uninterpreted(_) => Value::Element(0),
    }
}

/// Evaluates terms under one model, remembering what it has seen. Make a new one for another model.
#[derive(Debug)]
pub struct Evaluator<'a> {
    terms: &'a Terms,
    model: &'a Model,
    memo: FxHashMap<Term, Option<Value>>,
    work: Vec<Term>,
}

/// What was evaluated under one model: given to the next evaluator of the same model, nothing is evaluated twice.
#[derive(Clone, Debug, Default)]
pub struct Memo(FxHashMap<Term, Option<Value>>);

impl Memo {
    /// How many terms were evaluated.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// As if nothing had been evaluated: for another model.
    pub(crate) fn emptied(mut self) -> Memo {
        self.0.clear();
        self
    }

    /// Whether nothing was evaluated.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<'a> Evaluator<'a> {
    /// An evaluator of the terms of `terms` under `model`.
    pub fn new(terms: &'a Terms, model: &'a Model) -> Evaluator<'a> {
        Evaluator::resume(terms, model, Memo::default())
    }

    /// An evaluator that knows what an earlier one of the same terms and the same model has seen.
    pub fn resume(terms: &'a Terms, model: &'a Model, memo: Memo) -> Evaluator<'a> {
        Evaluator { terms, model, memo: memo.0, work: Vec::new() }
    }

    /// The arena of the terms.
    pub fn terms(&self) -> &'a Terms {
        self.terms
    }

    /// What it has seen.
    pub fn into_memo(self) -> Memo {
        Memo(self.memo)
    }

    /// The value of `term`; `None` where evaluation cannot decide (quantifiers, unspecified results).
    pub fn value(&mut self, term: Term) -> Option<Value> {
        // What is looked up is not remembered a second time.
        if let Node::Symbol(symbol) = *self.terms.node(term) {
            return Some(self.of_symbol(term, symbol));
        }
        self.run(term);
        self.memo.get(&term).cloned().flatten()
    }

    /// The truth of a term of sort Bool; `None` where evaluation cannot decide.
    pub fn truth(&mut self, term: Term) -> Option<bool> {
        self.run(term);
        match self.memo.get(&term) {
            Some(Some(Value::Bool(it))) => Some(*it),
            _ => None,
        }
    }

    fn run(&mut self, term: Term) {
        debug_assert!(self.work.is_empty());
        self.work.push(term);
        if self.memo.capacity() == 0 {
            self.memo.reserve(USUAL_TERMS);
        }
        while let Some(&next) = self.work.last() {
            if self.memo.contains_key(&next) {
                self.work.pop();
                continue;
            }
            let before = self.work.len();
            let node = self.terms.node(next);
            match *node {
                Node::Ite(cond, then, other) => self.schedule_ite(cond, then, other),
                Node::Quantifier(_) => {}
                Node::Select(array, index) => {
                    if let Some(value) = self.select(array, index) {
                        self.memo.insert(next, value);
                        self.work.pop();
                        continue;
                    }
                }
                _ => {
                    let (memo, work) = (&self.memo, &mut self.work);
                    node.for_each_argument(|it| {
                        if !memo.contains_key(&it) {
                            work.push(it);
                        }
                    });
                }
            }
            if self.work.len() == before {
                let value = self.apply(next, node);
                self.memo.insert(next, value);
                self.work.pop();
            }
        }
    }

    /// Schedules the condition, and then only the chosen side.
    fn schedule_ite(&mut self, cond: Term, then: Term, other: Term) {
        let chosen = match self.memo.get(&cond) {
            None => cond,
            Some(Some(Value::Bool(true))) => then,
            Some(Some(Value::Bool(false))) => other,
            Some(_) => return,
        };
        if !self.memo.contains_key(&chosen) {
            self.work.push(chosen);
        }
    }

    /// The element of an array at an index, looked for down its stores: no array is built for it.
    /// `None` when something was scheduled that is needed first.
    fn select(&mut self, array: Term, index: Term) -> Option<Option<Value>> {
        let index = match self.memo.get(&index) {
            Some(value) => value.clone(),
            None => {
                self.work.push(index);
                return None;
            }
        };
        let Some(index) = index else { return Some(None) };
        let before = self.work.len();
        let mut array = array;
        loop {
            match *self.terms.node(array) {
                Node::Store(below, at, element) => {
                    let hit = match (self.terms.as_bv(at), &index) {
                        (Some(at), Value::BitVec(index)) => Some(at == index),
                        _ => match self.memo.get(&at) {
                            Some(Some(at)) => Some(*at == index),
                            Some(None) => return Some(None),
                            None => {
                                self.work.push(at);
                                None
                            }
                        },
                    };
                    match hit {
                        // What lies below may not matter once the missing indices are known.
                        Some(true) if self.work.len() == before => return self.known(element),
                        Some(true) => return None,
                        _ => array = below,
                    }
                }
                _ if self.work.len() > before => return None,
                Node::Ite(cond, then, other) => match self.known(cond)? {
                    Some(Value::Bool(cond)) => array = if cond { then } else { other },
                    _ => return Some(None),
                },
                Node::ConstArray(_, element) => return self.known(element),
                Node::Symbol(symbol) => {
                    let default = || default_value(self.terms, self.terms.sort(array));
                    let value = self.model.get(symbol).cloned().unwrap_or_else(default);
                    return Some(match value {
                        Value::Array(it) => Some(it.select(&index).clone()),
                        _ => None,
                    });
                }
                _ => {
                    return Some(match self.known(array)? {
                        Some(Value::Array(it)) => Some(it.select(&index).clone()),
                        _ => None,
                    });
                }
            }
        }
    }

    /// The value of a term if it is known; otherwise it is scheduled.
    fn known(&mut self, term: Term) -> Option<Option<Value>> {
        let value = self.memo.get(&term).cloned();
        if value.is_none() {
            self.work.push(term);
        }
        value
    }

    fn get(&self, term: Term) -> Option<&Value> {
        self.memo.get(&term)?.as_ref()
    }

    fn bool(&self, term: Term) -> Option<bool> {
        match self.get(term)? {
            Value::Bool(it) => Some(*it),
            _ => None,
        }
    }

    fn bv(&self, term: Term) -> Option<&BvValue> {
        match self.get(term)? {
            Value::BitVec(it) => Some(it),
            _ => None,
        }
    }

    fn int(&self, term: Term) -> Option<&BigInt> {
        match self.get(term)? {
            Value::Int(it) => Some(it),
            _ => None,
        }
    }

    fn real(&self, term: Term) -> Option<&BigRational> {
        match self.get(term)? {
            Value::Real(it) => Some(it),
            _ => None,
        }
    }

    /// The value of a symbol, which is this term.
    fn of_symbol(&self, term: Term, symbol: Symbol) -> Value {
        match self.model.get(symbol) {
            Some(value) => value.clone(),
            None => default_value(self.terms, self.terms.sort(term)),
        }
    }

    /// The value of a node whose arguments have theirs.
    fn apply(&self, term: Term, node: &Node) -> Option<Value> {
        let bv = |it: BvValue| Some(Value::BitVec(it));
        let truth = |it: bool| Some(Value::Bool(it));
        match node {
            Node::Bool(value) => truth(*value),
            Node::BitVec(value) => bv(value.clone()),
            Node::Int(value) => Some(Value::Int(value.clone())),
            Node::Real(value) => Some(Value::Real(value.clone())),
            Node::Symbol(symbol) => Some(self.of_symbol(term, *symbol)),
            Node::Not(a) => truth(!self.bool(*a)?),
            Node::And(args) => self.connective(args, false),
            Node::Or(args) => self.connective(args, true),
            Node::Eq(a, b) => truth(is_same(self.terms, self.terms.sort(*a), self.get(*a)?, self.get(*b)?)),
            Node::Ite(cond, then, other) => self.get(if self.bool(*cond)? { *then } else { *other }).cloned(),
            Node::BvSum(sum) => {
                let mut res = sum.constant.clone();
                for (factor, it) in &sum.summands {
                    res = res.add(&factor.mul(self.bv(*it)?));
                }
                bv(res)
            }
            Node::Bv(op, a, b) => bv(bv_op(*op, self.bv(*a)?, self.bv(*b)?)),
            Node::BvNot(a) => bv(self.bv(*a)?.not()),
            Node::Ult(a, b) => truth(self.bv(*a)?.ucmp(self.bv(*b)?) == Ordering::Less),
            Node::Slt(a, b) => truth(self.bv(*a)?.scmp(self.bv(*b)?) == Ordering::Less),
            Node::Extract { high, low, arg } => bv(self.bv(*arg)?.extract(*high, *low)),
            Node::Concat(a, b) => bv(self.bv(*a)?.concat(self.bv(*b)?)),
            Node::ZeroExtend(width, a) => bv(self.bv(*a)?.zero_extend(*width)),
            Node::SignExtend(width, a) => bv(self.bv(*a)?.sign_extend(*width)),
            Node::Float(it) => {
                let arguments: Option<Vec<&BvValue>> = it.arguments.iter().map(|it| self.bv(*it)).collect();
                Some(it.op.value(&arguments?))
            }
            Node::IntPoly(poly) => {
                let mut res = poly.constant.clone();
                for (factor, monomial) in &poly.monomials {
                    res += factor * self.monomial(monomial)?;
                }
                Some(Value::Int(res))
            }
            Node::IntLe(a, b) => truth(self.int(*a)? <= self.int(*b)?),
            Node::IntQuot(a, b) => self.division(*a, *b, |a, b| a / b),
            Node::IntRem(a, b) => self.division(*a, *b, |a, b| a % b),
            Node::IntDiv(a, b) => self.division(*a, *b, |a, b| (a - euclidean(a, b)) / b),
            Node::IntMod(a, b) => self.division(*a, *b, euclidean),
            Node::IntPow(a, b) => power_of_value(self.int(*a)?, self.int(*b)?).map(Value::Int),
            Node::RealPoly(poly) => {
                let mut res = poly.constant.clone();
                for (factor, monomial) in &poly.monomials {
                    res += factor * self.real_monomial(monomial)?;
                }
                Some(Value::Real(Box::new(res)))
            }
            Node::RealLe(a, b) => truth(self.real(*a)? <= self.real(*b)?),
            Node::RealDiv(a, b) => {
                let (a, b) = (self.real(*a)?, self.real(*b)?);
                (!b.is_zero()).then(|| Value::Real(Box::new(a / b)))
            }
            Node::IntToReal(a) => Some(Value::Real(Box::new(self.int(*a)?.clone().into()))),
            Node::Select(..) => None,
            Node::Store(a, index, element) => {
                let Value::Array(array) = self.get(*a)? else { return None };
                let mut array = (**array).clone();
                let (index, element) = (self.get(*index)?.clone(), self.get(*element)?.clone());
                if element == array.default {
                    array.entries.remove(&index);
                } else {
                    array.entries.insert(index, element);
                }
                Some(Value::Array(Arc::new(array)))
            }
            Node::ConstArray(_, element) => {
                let default = self.get(*element)?.clone();
                Some(Value::Array(Arc::new(ArrayValue { default, entries: Default::default() })))
            }
            Node::Apply(function, args) => {
                let args: Option<Vec<Value>> = args.iter().map(|it| self.get(*it).cloned()).collect();
                match self.model.function(*function) {
                    Some(value) => Some(value.entries.get(&args?).unwrap_or(&value.default).clone()),
                    None => args.map(|_| default_value(self.terms, self.terms.sort(term))),
                }
            }
            Node::Quantifier(_) => None,
        }
    }

    /// A conjunction (`stop` false) or disjunction (`stop` true); one argument that stops decides it.
    fn connective(&self, args: &[Term], stop: bool) -> Option<Value> {
        let mut known = true;
        for &arg in args {
            match self.bool(arg) {
                Some(value) if value == stop => return Some(Value::Bool(stop)),
                Some(_) => {}
                None => known = false,
            }
        }
        known.then_some(Value::Bool(!stop))
    }

    fn monomial(&self, monomial: &Monomial) -> Option<BigInt> {
        let mut res = BigInt::from(1);
        for &(term, exponent) in monomial.iter() {
            if exponent > MOST_EXPONENT {
                return None;
            }
            let factor = power(self.int(term)?, exponent)?;
            if res.bits() + factor.bits() > MOST_BITS {
                return None;
            }
            res *= factor;
        }
        Some(res)
    }

    fn real_monomial(&self, monomial: &Monomial) -> Option<BigRational> {
        let mut res = BigRational::from(BigInt::from(1));
        for &(term, exponent) in monomial.iter() {
            let factor = self.real(term)?;
            let exponent = Some(exponent).filter(|&it| it <= MOST_EXPONENT)?;
            res *= BigRational::new_raw(power(factor.numer(), exponent)?, power(factor.denom(), exponent)?);
            if res.numer().bits() + res.denom().bits() > MOST_BITS {
                return None;
            }
        }
        Some(res)
    }

    fn division(&self, a: Term, b: Term, op: impl Fn(&BigInt, &BigInt) -> BigInt) -> Option<Value> {
        let (a, b) = (self.int(a)?, self.int(b)?);
        if b.is_zero() {
            return None;
        }
        Some(Value::Int(op(a, b)))
    }
}

/// A power whose exponent is a value; none where it is negative.
fn power_of_value(base: &BigInt, exponent: &BigInt) -> Option<BigInt> {
    // The powers of 0, 1 and -1 are small, however large the exponent.
    if base.bits() <= 1 && exponent > &BigInt::from(2) {
        return Some(base.pow(if exponent.is_even() { 2 } else { 3 }));
    }
    power(base, exponent.to_u32().filter(|&it| it <= MOST_EXPONENT)?)
}

/// A power that has a value we can hold.
fn power(base: &BigInt, exponent: u32) -> Option<BigInt> {
    (base.bits() <= 1 || base.bits() * u64::from(exponent) <= MOST_BITS).then(|| base.pow(exponent))
}

/// The remainder that is never negative (SMT-LIB `mod`).
fn euclidean(a: &BigInt, b: &BigInt) -> BigInt {
    a.mod_floor(&b.abs())
}

/// The width of a value's bits, where it has one.
pub fn width_of(value: &Value) -> Option<Width> {
    match value {
        Value::BitVec(it) => Some(it.width()),
        _ => None,
    }
}
