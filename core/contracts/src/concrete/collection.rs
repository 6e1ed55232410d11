//! Operations on sequences, sets, multisets and maps.
//!
//! Knows: what Viper's operations mean on values. Never: heaps, expressions' parts.

use super::value::ConcreteValue;
use super::{ConcreteErrorKind, ConcreteResult, Interpreter, fail, unsupported};
use crate::program::{CollectionOp, Exp, Span};
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

fn position(index: &BigInt, length: usize, span: Span) -> ConcreteResult<usize> {
    match index.to_usize().filter(|it| *it < length) {
        Some(index) => Ok(index),
        None => fail(ConcreteErrorKind::IndexOutOfRange, span),
    }
}

/// A number of elements between 0 and `length`.
fn clamped(count: &BigInt, length: usize) -> usize {
    if count.is_negative() { 0 } else { count.to_usize().map_or(length, |it| it.min(length)) }
}

fn count(of: usize) -> ConcreteValue {
    ConcreteValue::Int(of.into())
}

impl Interpreter<'_> {
    pub(super) fn collection(
        &mut self,
        op: CollectionOp,
        args: Vec<ConcreteValue>,
        exp: &Exp,
    ) -> ConcreteResult<ConcreteValue> {
        use CollectionOp as Op;
        let span = exp.span;
        self.charge(args.iter().map(size).sum(), span)?;
        Ok(match (op, args.as_slice()) {
            (Op::SeqLiteral, args) => ConcreteValue::seq(args.to_vec()),
            (Op::SeqRange, [ConcreteValue::Int(low), ConcreteValue::Int(high)]) => {
                let length = (high - low).to_u64().unwrap_or(if high < low { 0 } else { u64::MAX });
                self.charge(length, span)?;
                ConcreteValue::seq((0..length).map(|it| ConcreteValue::Int(low + BigInt::from(it))))
            }
            (Op::SeqLength, [ConcreteValue::Seq(s)]) => count(s.len()),
            (Op::SeqIndex, [ConcreteValue::Seq(s), ConcreteValue::Int(at)]) => s[position(at, s.len(), span)?].clone(),
            (Op::SeqUpdate, [ConcreteValue::Seq(s), ConcreteValue::Int(at), value]) => {
                let mut res = s.to_vec();
                res[position(at, s.len(), span)?] = value.clone();
                ConcreteValue::Seq(Arc::new(res))
            }
            (Op::SeqTake, [ConcreteValue::Seq(s), ConcreteValue::Int(n)]) => {
                ConcreteValue::seq(s[..clamped(n, s.len())].to_vec())
            }
            (Op::SeqDrop, [ConcreteValue::Seq(s), ConcreteValue::Int(n)]) => {
                ConcreteValue::seq(s[clamped(n, s.len())..].to_vec())
            }
            (Op::SeqAppend, [ConcreteValue::Seq(s), ConcreteValue::Seq(t)]) => {
                ConcreteValue::seq(s.iter().chain(t.iter()).cloned())
            }
            (Op::SeqContains, [value, ConcreteValue::Seq(s)]) => ConcreteValue::Bool(s.contains(value)),
            (Op::SetLiteral, args) => set(args.iter().cloned()),
            (Op::SetCardinality, [ConcreteValue::Set(s)]) => count(s.len()),
            (Op::SetContains, [value, ConcreteValue::Set(s)]) => ConcreteValue::Bool(s.contains(value)),
            (Op::SetUnion, [ConcreteValue::Set(s), ConcreteValue::Set(t)]) => set(s.union(t).cloned()),
            (Op::SetIntersection, [ConcreteValue::Set(s), ConcreteValue::Set(t)]) => set(s.intersection(t).cloned()),
            (Op::SetDifference, [ConcreteValue::Set(s), ConcreteValue::Set(t)]) => set(s.difference(t).cloned()),
            (Op::SetSubset, [ConcreteValue::Set(s), ConcreteValue::Set(t)]) => ConcreteValue::Bool(s.is_subset(t)),
            (Op::MultisetLiteral, args) => {
                let mut res = BTreeMap::new();
                for it in args {
                    *res.entry(it.clone()).or_insert(0) += 1;
                }
                ConcreteValue::Multiset(Arc::new(res))
            }
            (Op::MultisetCardinality, [ConcreteValue::Multiset(s)]) => {
                ConcreteValue::Int(s.values().map(|it| BigInt::from(*it)).sum())
            }
            (Op::MultisetCount, [value, ConcreteValue::Multiset(s)]) => ConcreteValue::Int(often(s, value).into()),
            (Op::MultisetUnion, [ConcreteValue::Multiset(s), ConcreteValue::Multiset(t)]) => {
                merged(s, t, |a, b| a.saturating_add(b))
            }
            (Op::MultisetIntersection, [ConcreteValue::Multiset(s), ConcreteValue::Multiset(t)]) => {
                merged(s, t, u64::min)
            }
            (Op::MultisetDifference, [ConcreteValue::Multiset(s), ConcreteValue::Multiset(t)]) => {
                merged(s, t, |a, b| a.saturating_sub(b))
            }
            (Op::MultisetSubset, [ConcreteValue::Multiset(s), ConcreteValue::Multiset(t)]) => {
                ConcreteValue::Bool(s.iter().all(|(value, n)| *n <= often(t, value)))
            }
            (Op::MapLiteral, args) => {
                let pairs = args.chunks_exact(2).map(|it| (it[0].clone(), it[1].clone()));
                ConcreteValue::Map(Arc::new(pairs.collect()))
            }
            (Op::MapCardinality, [ConcreteValue::Map(m)]) => count(m.len()),
            (Op::MapContains, [key, ConcreteValue::Map(m)]) => ConcreteValue::Bool(m.contains_key(key)),
            (Op::MapLookup, [ConcreteValue::Map(m), key]) => match m.get(key) {
                Some(value) => value.clone(),
                None => return fail(ConcreteErrorKind::MissingKey, span),
            },
            (Op::MapUpdate, [ConcreteValue::Map(m), key, value]) => {
                let mut res = BTreeMap::clone(m);
                res.insert(key.clone(), value.clone());
                ConcreteValue::Map(Arc::new(res))
            }
            (Op::MapDomain, [ConcreteValue::Map(m)]) => set(m.keys().cloned()),
            (Op::MapRange, [ConcreteValue::Map(m)]) => set(m.values().cloned()),
            _ => return unsupported("a collection of another type", span),
        })
    }
}

fn size(value: &ConcreteValue) -> u64 {
    let size = match value {
        ConcreteValue::Seq(s) => s.len(),
        ConcreteValue::Set(s) => s.len(),
        ConcreteValue::Multiset(s) => s.len(),
        ConcreteValue::Map(m) => m.len(),
        _ => 0,
    };
    size as u64
}

fn set(elements: impl Iterator<Item = ConcreteValue>) -> ConcreteValue {
    ConcreteValue::Set(Arc::new(elements.collect::<BTreeSet<ConcreteValue>>()))
}

fn often(of: &BTreeMap<ConcreteValue, u64>, value: &ConcreteValue) -> u64 {
    of.get(value).copied().unwrap_or(0)
}

fn merged(
    s: &BTreeMap<ConcreteValue, u64>,
    t: &BTreeMap<ConcreteValue, u64>,
    how: fn(u64, u64) -> u64,
) -> ConcreteValue {
    let keys: BTreeSet<&ConcreteValue> = s.keys().chain(t.keys()).collect();
    let counts = keys.into_iter().map(|it| (it.clone(), how(often(s, it), often(t, it))));
    ConcreteValue::Multiset(Arc::new(counts.filter(|it| it.1 > 0).collect()))
}
