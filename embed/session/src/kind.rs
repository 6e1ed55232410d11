//! What a symbol is: what its values are, and how they are written.
//!
//! Knows: sorts and values. Never: a session.

use effigy_term::{Sort, Value, Width};

/// The kind of a symbol, which says how its value is read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// A truth value, of sort Bool.
    Bool,
    /// Bits that are a number.
    Bits {
        /// The number of bits of the sort.
        width: Width,
        /// The highest is a sign.
        signed: bool,
    },
}

impl Kind {
    /// A number without a sign. Zero bits are taken for one.
    pub fn unsigned(bits: u32) -> Kind {
        Kind::Bits { width: Width::new(bits).unwrap_or(Width::W1), signed: false }
    }

    /// A number with a sign.
    pub fn signed(bits: u32) -> Kind {
        Kind::Bits { width: Width::new(bits).unwrap_or(Width::W1), signed: true }
    }

    /// The sort of its terms.
    pub fn sort(self) -> Sort {
        match self {
            Kind::Bool => Sort::Bool,
            Kind::Bits { width, .. } => Sort::BitVec(width),
        }
    }

    /// A value of it, as it is written in most languages.
    pub fn text(self, value: &Value) -> String {
        match (self, value) {
            (Kind::Bits { signed: true, .. }, Value::BitVec(it)) => it.to_bigint_signed().to_string(),
            (_, Value::BitVec(it)) => it.to_biguint().to_string(),
            (_, Value::Bool(it)) => it.to_string(),
            (_, other) => other.text().unwrap_or_else(|| "?".to_owned()),
        }
    }
}
