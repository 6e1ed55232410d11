//! Run-time values: concrete ones never become terms.
//!
//! Knows: the forms of a value and how they turn into terms. Never: instructions, memory.

use crate::placement::placed;
use effigy_term::{BvValue, Sort, Term, Terms, Width};
use std::rc::Rc;

/// The content of a register. Its type is known from the instruction, so a value does not carry it.
#[derive(Clone, Debug, PartialEq)]
pub enum Val {
    /// A concrete integer, pointer (its address) or float (its bits) of at most 64 bits; higher bits are zero.
    Int(u64),
    /// A concrete number of 64 bits that was made from a pointer: its address, and how many low bits of it are the same
    /// wherever the object lies. A pointer is [`Val::Int`].
    Address {
        /// The address.
        bits: u64,
        /// The binary logarithm of what the object is aligned to.
        align: u8,
    },
    /// A symbolic value: of sort Bool for `i1`, a bitvector of the type's width otherwise.
    Term(Term),
    /// A concrete integer or float of more than 64 bits.
    Wide(Rc<BvValue>),
    /// Undefined in every bit: uninitialised storage, `undef`, `poison`.
    Undef,
    /// A structure, an array or a vector, by elements.
    Agg(Rc<[Val]>),
}

impl Val {
    /// The value of a bitvector or Bool term: a constant becomes concrete.
    pub fn of_term(terms: &Terms, term: Term) -> Val {
        if let Some(value) = terms.as_bv(term) {
            return Val::of_bv(value.clone());
        }
        match terms.as_bool(term) {
            Some(value) => Val::Int(u64::from(value)),
            None => Val::Term(term),
        }
    }

    /// A concrete bitvector.
    pub fn of_bv(value: BvValue) -> Val {
        match value.to_u64() {
            Some(bits) if value.width().bits() <= 64 => Val::Int(bits),
            _ => Val::Wide(Rc::new(value)),
        }
    }

    /// The term of this scalar at `width` bits, a bitvector even for one bit. `None` for undefined values and
    /// aggregates.
    pub fn to_term(&self, terms: &Terms, width: Width) -> Option<Term> {
        match self {
            Val::Int(bits) => Some(terms.bv_u64(width, *bits)),
            Val::Address { bits, align } => Some(placed(terms, *bits, *align)),
            Val::Term(term) => Some(match terms.sort(*term) {
                Sort::Bool => terms.bv_of_bool(width, *term),
                _ => *term,
            }),
            Val::Wide(value) => Some(terms.bv((**value).clone())),
            Val::Undef | Val::Agg(_) => None,
        }
    }

    /// The concrete bits, if concrete and at most 64 of them.
    #[inline]
    pub fn as_int(&self) -> Option<u64> {
        match self {
            Val::Int(bits) => Some(*bits),
            _ => None,
        }
    }
}

/// The low `width` bits of `bits`; widths over 64 keep all.
#[inline]
pub fn truncate(bits: u64, width: u32) -> u64 {
    if width >= 64 { bits } else { bits & ((1 << width) - 1) }
}

/// The value of the low `width` bits as a signed number.
#[inline]
pub fn signed(bits: u64, width: u32) -> i64 {
    let shift = 64 - width.clamp(1, 64);
    ((bits << shift) as i64) >> shift
}
