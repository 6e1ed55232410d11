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
    /// An integer, without a bound.
    Int(BigInt),
    /// A truth value of type Bool.
    Bool(bool),
    /// The reference that points to no object.
    Null,
    /// A reference to an object.
    Object(ObjectId),
    /// A permission amount, a rational number.
    Perm(BigRational),
    /// A finite sequence of values.
    Seq(Arc<Vec<ConcreteValue>>),
    /// A finite set of values.
    Set(Arc<BTreeSet<ConcreteValue>>),
    /// A multiset: how often; never 0.
    Multiset(Arc<BTreeMap<ConcreteValue, u64>>),
    /// A finite map from keys to values.
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
    /// The sequence of these values.
    pub fn seq(elements: impl IntoIterator<Item = ConcreteValue>) -> ConcreteValue {
        ConcreteValue::Seq(Arc::new(elements.into_iter().collect()))
    }
}
