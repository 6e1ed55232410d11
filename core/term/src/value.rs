//! Values: what a closed term evaluates to and what a model assigns to a symbol.
//!
//! Knows: values of each sort; they may cross threads. Never: terms.

use crate::bv::BvValue;
use num_bigint::BigInt;
use num_rational::BigRational;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A value of some sort.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// A bitvector.
    BitVec(BvValue),
    /// An integer.
    Int(BigInt),
    /// A fraction.
    Real(BigRational),
    /// A total function: entries differ from the default.
    Array(Arc<ArrayValue>),
    /// An element of an uninterpreted sort, by number.
    Element(u64),
}

/// A total function with finitely many exceptions. Entries equal to the default are not stored.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ArrayValue {
    /// The value everywhere else.
    pub default: Value,
    /// The exceptions.
    pub entries: BTreeMap<Value, Value>,
}
