//! Operations on sequences, sets, multisets and maps.
//!
//! Knows: what Viper's operations mean on values. Never: heaps, expressions' parts.

use super::value::Value;
use super::{ConcreteErrorKind, Interpreter, Outcome, fail, unsupported};
use crate::program::{CollectionOp, Exp, Span};
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

fn position(index: &BigInt, length: usize, span: Span) -> Outcome<usize> {
    match index.to_usize().filter(|it| *it < length) {
        Some(index) => Ok(index),
        None => fail(ConcreteErrorKind::IndexOutOfRange, span),
    }
}

/// A number of elements between 0 and `length`.
fn clamped(count: &BigInt, length: usize) -> usize {
    if count.is_negative() { 0 } else { count.to_usize().map_or(length, |it| it.min(length)) }
}

fn count(of: usize) -> Value {
    Value::Int(of.into())
}

impl Interpreter<'_> {
    pub(super) fn collection(&mut self, op: CollectionOp, args: Vec<Value>, exp: &Exp) -> Outcome<Value> {
        use CollectionOp as Op;
        let span = exp.span;
        self.charge(args.iter().map(size).sum(), span)?;
        Ok(match (op, args.as_slice()) {
            (Op::SeqLiteral, args) => Value::seq(args.to_vec()),
            (Op::SeqRange, [Value::Int(low), Value::Int(high)]) => {
                let length = (high - low).to_u64().unwrap_or(if high < low { 0 } else { u64::MAX });
                self.charge(length, span)?;
                Value::seq((0..length).map(|it| Value::Int(low + BigInt::from(it))))
            }
            (Op::SeqLength, [Value::Seq(s)]) => count(s.len()),
            (Op::SeqIndex, [Value::Seq(s), Value::Int(at)]) => s[position(at, s.len(), span)?].clone(),
            (Op::SeqUpdate, [Value::Seq(s), Value::Int(at), value]) => {
                let mut res = s.to_vec();
                res[position(at, s.len(), span)?] = value.clone();
                Value::Seq(Arc::new(res))
            }
            (Op::SeqTake, [Value::Seq(s), Value::Int(n)]) => Value::seq(s[..clamped(n, s.len())].to_vec()),
            (Op::SeqDrop, [Value::Seq(s), Value::Int(n)]) => Value::seq(s[clamped(n, s.len())..].to_vec()),
            (Op::SeqAppend, [Value::Seq(s), Value::Seq(t)]) => Value::seq(s.iter().chain(t.iter()).cloned()),
            (Op::SeqContains, [value, Value::Seq(s)]) => Value::Bool(s.contains(value)),
            (Op::SetLiteral, args) => set(args.iter().cloned()),
            (Op::SetCardinality, [Value::Set(s)]) => count(s.len()),
            (Op::SetContains, [value, Value::Set(s)]) => Value::Bool(s.contains(value)),
            (Op::SetUnion, [Value::Set(s), Value::Set(t)]) => set(s.union(t).cloned()),
            (Op::SetIntersection, [Value::Set(s), Value::Set(t)]) => set(s.intersection(t).cloned()),
            (Op::SetDifference, [Value::Set(s), Value::Set(t)]) => set(s.difference(t).cloned()),
            (Op::SetSubset, [Value::Set(s), Value::Set(t)]) => Value::Bool(s.is_subset(t)),
            (Op::MultisetLiteral, args) => {
                let mut res = BTreeMap::new();
                for it in args {
                    *res.entry(it.clone()).or_insert(0) += 1;
                }
                Value::Multiset(Arc::new(res))
            }
            (Op::MultisetCardinality, [Value::Multiset(s)]) => Value::Int(s.values().map(|it| BigInt::from(*it)).sum()),
            (Op::MultisetCount, [value, Value::Multiset(s)]) => Value::Int(often(s, value).into()),
            (Op::MultisetUnion, [Value::Multiset(s), Value::Multiset(t)]) => merged(s, t, |a, b| a.saturating_add(b)),
            (Op::MultisetIntersection, [Value::Multiset(s), Value::Multiset(t)]) => merged(s, t, u64::min),
            (Op::MultisetDifference, [Value::Multiset(s), Value::Multiset(t)]) => {
                merged(s, t, |a, b| a.saturating_sub(b))
            }
            (Op::MultisetSubset, [Value::Multiset(s), Value::Multiset(t)]) => {
                Value::Bool(s.iter().all(|(value, n)| *n <= often(t, value)))
            }
            (Op::MapLiteral, args) => {
                let pairs = args.chunks_exact(2).map(|it| (it[0].clone(), it[1].clone()));
                Value::Map(Arc::new(pairs.collect()))
            }
            (Op::MapCardinality, [Value::Map(m)]) => count(m.len()),
            (Op::MapContains, [key, Value::Map(m)]) => Value::Bool(m.contains_key(key)),
            (Op::MapLookup, [Value::Map(m), key]) => match m.get(key) {
                Some(value) => value.clone(),
                None => return fail(ConcreteErrorKind::MissingKey, span),
            },
            (Op::MapUpdate, [Value::Map(m), key, value]) => {
                let mut res = BTreeMap::clone(m);
                res.insert(key.clone(), value.clone());
                Value::Map(Arc::new(res))
            }
            (Op::MapDomain, [Value::Map(m)]) => set(m.keys().cloned()),
            (Op::MapRange, [Value::Map(m)]) => set(m.values().cloned()),
            _ => return unsupported("a collection of another type", span),
        })
    }
}

fn size(value: &Value) -> u64 {
    let size = match value {
        Value::Seq(s) => s.len(),
        Value::Set(s) => s.len(),
        Value::Multiset(s) => s.len(),
        Value::Map(m) => m.len(),
        _ => 0,
    };
    size as u64
}

fn set(elements: impl Iterator<Item = Value>) -> Value {
    Value::Set(Arc::new(elements.collect::<BTreeSet<Value>>()))
}

fn often(of: &BTreeMap<Value, u64>, value: &Value) -> u64 {
    of.get(value).copied().unwrap_or(0)
}

fn merged(s: &BTreeMap<Value, u64>, t: &BTreeMap<Value, u64>, how: fn(u64, u64) -> u64) -> Value {
    let keys: BTreeSet<&Value> = s.keys().chain(t.keys()).collect();
    let counts = keys.into_iter().map(|it| (it.clone(), how(often(s, it), often(t, it))));
    Value::Multiset(Arc::new(counts.filter(|it| it.1 > 0).collect()))
}
