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
pub enum ConcreteValue {
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
    Seq(Arc<Vec<ConcreteValue>>),
    /// A set.
    Set(Arc<BTreeSet<ConcreteValue>>),
    /// A multiset: how often; never 0.
    Multiset(Arc<BTreeMap<ConcreteValue, u64>>),
    /// A map.
    Map(Arc<BTreeMap<ConcreteValue, ConcreteValue>>),
}

impl From<i64> for ConcreteValue {
    fn from(value: i64) -> ConcreteValue {
        ConcreteValue::Int(value.into())
    }
}

impl From<bool> for ConcreteValue {
    fn from(value: bool) -> ConcreteValue {
        ConcreteValue::Bool(value)
    }
}

impl ConcreteValue {
    /// A sequence of values.
    pub fn seq(elements: impl IntoIterator<Item = ConcreteValue>) -> ConcreteValue {
        ConcreteValue::Seq(Arc::new(elements.into_iter().collect()))
    }
}
