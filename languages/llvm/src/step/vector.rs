//! Vectors and aggregates, by elements.
//!
//! Knows: how an operation on lanes is one on each lane. Never: memory.

use crate::code::Shape;
use crate::machine::{Flow, Machine};
use crate::value::Val;
use effigy_term::{BvValue, Width};
use std::rc::Rc;

/// Element `index` of an aggregate; an undefined one has undefined elements.
fn element(value: &Val, index: usize) -> Val {
    match value {
        Val::Agg(elements) => elements.get(index).cloned().unwrap_or(Val::Undef),
        _ => Val::Undef,
    }
}

/// The element at a path.
pub(super) fn extract(value: &Val, path: &[u32]) -> Val {
    path.iter().fold(value.clone(), |it, &index| element(&it, index as usize))
}

/// The aggregate with another element at a path.
pub(super) fn insert(value: &Val, path: &[u32], new: Val) -> Val {
    let Some((&first, rest)) = path.split_first() else { return new };
    let Val::Agg(elements) = value else { return Val::Undef };
    let mut elements: Vec<Val> = elements.to_vec();
    if let Some(slot) = elements.get_mut(first as usize) {
        *slot = insert(slot, rest, new);
    }
    Val::Agg(elements.into())
}

/// A permutation of two vectors' elements.
pub(super) fn shuffle(a: &Val, b: &Val, mask: &[u32]) -> Val {
    let count = match (a, b) {
        (Val::Agg(it), _) | (_, Val::Agg(it)) => it.len(),
        _ => 0,
    };
    let lane = |&it: &u32| match it as usize {
        at if it == u32::MAX || at >= 2 * count => Val::Undef,
        at if at < count => element(a, at),
        at => element(b, at - count),
    };
    Val::Agg(mask.iter().map(lane).collect())
}

impl Machine<'_, '_> {
    pub(super) fn lanes1(
        &mut self,
        lanes: u16,
        a: &Val,
        mut op: impl FnMut(&mut Self, &Val) -> Flow<Val>,
    ) -> Flow<Val> {
        if lanes == 0 {
            return op(self, a);
        }
        let mut res = Vec::with_capacity(usize::from(lanes));
        for lane in 0..usize::from(lanes) {
            res.push(op(self, &element(a, lane))?);
        }
        Ok(Val::Agg(res.into()))
    }

    pub(super) fn lanes2(
        &mut self,
        lanes: u16,
        a: &Val,
        b: &Val,
        mut op: impl FnMut(&mut Self, &Val, &Val) -> Flow<Val>,
    ) -> Flow<Val> {
        if lanes == 0 {
            return op(self, a, b);
        }
        let mut res = Vec::with_capacity(usize::from(lanes));
        for lane in 0..usize::from(lanes) {
            res.push(op(self, &element(a, lane), &element(b, lane))?);
        }
        Ok(Val::Agg(res.into()))
    }

    /// A choice between two values; `width` is that of their elements, 0 for structures.
    pub(super) fn select(&mut self, cond: &Val, a: Val, b: Val, width: u32) -> Flow<Val> {
        if let Val::Agg(conds) = cond {
            let conds = Rc::clone(conds);
            let mut res = Vec::with_capacity(conds.len());
            for (lane, cond) in conds.iter().enumerate() {
                res.push(self.select(cond, element(&a, lane), element(&b, lane), width)?);
            }
            return Ok(Val::Agg(res.into()));
        }
        if let Val::Int(bits) = cond {
            return Ok(if bits & 1 == 1 { a } else { b });
        }
        if a == b {
            return Ok(a);
        }
        // A choice between aggregates is decided as a branch would be.
        if matches!(cond, Val::Undef) {
            return Ok(Val::Undef);
        }
        if width == 0 || matches!((&a, &b), (Val::Agg(_), _) | (_, Val::Agg(_))) {
            return Ok(if self.decide(cond)? { a } else { b });
        }
        let terms = self.ctx.terms;
        let cond = self.truth(cond);
        let (x, y) = if width == 1 {
            (self.truth(&a), self.truth(&b))
        } else {
            (self.term(&a, Width::of(width)), self.term(&b, Width::of(width)))
        };
        Ok(Val::of_term(terms, terms.ite(cond, x, y)))
    }

    pub(super) fn freeze(&mut self, value: &Val, shape: &Shape) -> Val {
        match (value, shape) {
            (Val::Undef, Shape::Scalar { width: 1, .. }) => {
                let term = self.frozen(Width::W1);
                let terms = self.ctx.terms;
                Val::of_term(terms, terms.eq(term, terms.bv_u64(Width::W1, 1)))
            }
            (Val::Undef, Shape::Scalar { width, .. }) => {
                let term = self.frozen(Width::of(*width));
                Val::of_term(self.ctx.terms, term)
            }
            (_, Shape::Aggregate(shapes)) => Val::Agg(
                shapes.iter().enumerate().map(|(lane, (_, it))| self.freeze(&element(value, lane), it)).collect(),
            ),
            (Val::Term(term), _) => self.frozen_term(*term),
            _ => value.clone(),
        }
    }

    /// The same bits as another type.
    pub(super) fn bitcast(&mut self, value: &Val, from_lanes: u16, from: u16, to_lanes: u16, to: u16) -> Val {
        let terms = self.ctx.terms;
        if matches!(value, Val::Undef) && to_lanes == 0 {
            return Val::Undef;
        }
        let from_width = Width::of(u32::from(from));
        let whole = if from_lanes == 0 {
            self.term(value, from_width)
        } else {
            let mut whole = self.term(&element(value, 0), from_width);
            for lane in 1..usize::from(from_lanes) {
                let high = self.term(&element(value, lane), from_width);
                whole = terms.bv_concat(high, whole);
            }
            whole
        };
        let part = |low: u32| {
            let term = terms.bv_extract(low + u32::from(to) - 1, low, whole);
            let term = if to == 1 { terms.eq(term, terms.bv(BvValue::one(Width::W1))) } else { term };
            Val::of_term(terms, term)
        };
        if to_lanes == 0 {
            return part(0);
        }
        Val::Agg((0..u32::from(to_lanes)).map(|lane| part(lane * u32::from(to))).collect())
    }

    /// The number of a lane; a symbolic one is asked for.
    pub(super) fn lane_index(&mut self, index: &Val) -> Flow<u32> {
        match index {
            Val::Int(bits) => Ok(u32::try_from(*bits).unwrap_or(u32::MAX)),
            _ => {
                let width = match index {
                    Val::Term(term) => self.ctx.terms.sort(*term).width().unwrap_or(Width::W1),
                    _ => Width::W64,
                };
                let term = self.term(index, width);
                let value = self.choose_value(term)?;
                Ok(u32::try_from(value).unwrap_or(u32::MAX))
            }
        }
    }
}
