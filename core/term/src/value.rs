//! Values: what a closed term evaluates to and what a model assigns to a symbol.
//!
//! Knows: values of each sort; they may cross threads. Never: terms.

use crate::bv::BvValue;
use crate::sort::{Sort, Width};
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
    /// A fraction; apart, since values are many and fractions are few.
    Real(Box<BigRational>),
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

/// Longer numbers are no values that a program has; reading them takes quadratic time.
const MOST_DIGITS: usize = 2_000;

impl Value {
    /// The number whose bytes these are, the lowest first.
    pub fn of_bytes(bytes: &[u8]) -> Value {
        Value::Int(BigInt::from_bytes_le(num_bigint::Sign::Plus, bytes))
    }

    /// The bytes of a bitvector of whole bytes, the lowest first.
    pub fn to_bytes(&self) -> Option<Vec<u8>> {
        let Value::BitVec(it) = self else { return None };
        let wide = it.width().bits().is_multiple_of(8).then(|| it.width().bits() as usize / 8)?;
        let mut bytes = it.to_biguint().to_bytes_le();
        bytes.resize(wide, 0);
        Some(bytes)
    }

    /// A number as a value of this sort: as many bits of it as there are, whether it is zero. `None` where the sort has
    /// no numbers.
    pub fn in_sort(&self, sort: Sort) -> Option<Value> {
        let Value::Int(number) = self else { return None };
        match sort {
            Sort::Bool => Some(Value::Bool(number.sign() != num_bigint::Sign::NoSign)),
            Sort::Int => Some(self.clone()),
            Sort::Real => Some(Value::Real(Box::new(BigRational::from_integer(number.clone())))),
            Sort::BitVec(width) => Some(Value::BitVec(BvValue::from_bigint(width, number))),
            Sort::Array(_) | Sort::Uninterpreted(_) => None,
        }
    }

    /// As text that [`Value::of_text`] reads: `t` or `f`, `5` (an integer), `5:8` (a bitvector of 8 bits). `None` for
    /// fractions, arrays and elements.
    pub fn text(&self) -> Option<String> {
        match self {
            Value::Bool(it) => Some(if *it { "t" } else { "f" }.to_owned()),
            Value::Int(it) => Some(it.to_string()),
            Value::BitVec(it) => Some(format!("{}:{}", it.to_biguint(), it.width().bits())),
            Value::Real(_) | Value::Array(_) | Value::Element(_) => None,
        }
    }

    /// The value that a text writes.
    pub fn of_text(text: &str) -> Option<Value> {
        if text.len() > MOST_DIGITS {
            return None;
        }
        match text.split_once(':') {
            None if text == "t" => Some(Value::Bool(true)),
            None if text == "f" => Some(Value::Bool(false)),
            None => text.parse::<BigInt>().ok().map(Value::Int),
            Some((number, width)) => {
                let width = Width::new(width.parse().ok().filter(|it| *it <= 1 << 16)?)?;
                Some(Value::BitVec(BvValue::from_bigint(width, &number.parse().ok()?)))
            }
        }
    }
}
