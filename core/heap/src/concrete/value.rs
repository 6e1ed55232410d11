//! Concrete values.
//!
//! Knows: what a value of each type is. Never: heaps.

use num_bigint::BigInt;
use num_rational::BigRational;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// An object, by the order of allocation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ObjectId(pub u32);

/// A value. The order is only for sets and maps.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Value {
    /// An integer.
    Int(BigInt),
    /// A truth value.
    Bool(bool),
    /// The reference to nothing.
    Null,
    /// A reference to an object.
    Object(ObjectId),
    /// A permission amount.
    Perm(BigRational),
    /// A sequence.
    Seq(Arc<Vec<Value>>),
    /// A set.
    Set(Arc<BTreeSet<Value>>),
    /// A multiset: how often; never 0.
    Multiset(Arc<BTreeMap<Value, u64>>),
    /// A map.
    Map(Arc<BTreeMap<Value, Value>>),
}

impl From<i64> for Value {
    fn from(value: i64) -> Value {
        Value::Int(value.into())
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Value {
        Value::Bool(value)
    }
}

impl Value {
    /// A sequence of values.
    pub fn seq(elements: impl IntoIterator<Item = Value>) -> Value {
        Value::Seq(Arc::new(elements.into_iter().collect()))
    }
}
