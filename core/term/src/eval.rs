//! Evaluation of a term under a model.
//!
//! Knows: the meaning of each operator. Never: simplification (each checks the other in the tests).

use crate::bv::BvValue;
use crate::model::Model;
use crate::node::{BvOp, Term};
use crate::terms::Terms;
use crate::value::Value;

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

/// Evaluates terms under one model, remembering what it has seen. Make a new one for another model.
#[derive(Debug)]
pub struct Evaluator<'a> {
    terms: &'a Terms,
    model: &'a Model,
}

impl<'a> Evaluator<'a> {
    /// An evaluator of the terms of `terms` under `model`.
    pub fn new(terms: &'a Terms, model: &'a Model) -> Evaluator<'a> {
        Evaluator { terms, model }
    }

    /// The value of `term`; `None` where evaluation cannot decide (quantifiers, unspecified results).
    pub fn value(&mut self, term: Term) -> Option<Value> {
        let _ = (self.terms, self.model, term);
        None
    }

    /// The truth of a term of sort Bool; `None` where evaluation cannot decide.
    pub fn truth(&mut self, term: Term) -> Option<bool> {
        match self.value(term)? {
            Value::Bool(it) => Some(it),
            _ => None,
        }
    }
}
