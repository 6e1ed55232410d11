//! Sorts of terms.
//!
//! Knows: which kinds of value there are. Never: terms.

use std::num::NonZeroU32;

/// The width of a bitvector in bits; never zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Width(NonZeroU32);

impl Width {
    /// One bit.
    pub const W1: Width = Width(NonZeroU32::MIN);
    /// One byte.
    pub const W8: Width = Width::of(8);
    /// 16 bits.
    pub const W16: Width = Width::of(16);
    /// 32 bits.
    pub const W32: Width = Width::of(32);
    /// 64 bits.
    pub const W64: Width = Width::of(64);

    /// The width of `bits` bits, or `None` for zero.
    pub const fn new(bits: u32) -> Option<Width> {
        match NonZeroU32::new(bits) {
            Some(bits) => Some(Width(bits)),
            None => None,
        }
    }

    /// The width of `bits` bits. For widths that cannot be zero by construction.
    ///
    /// # Panics
    /// When `bits` is zero.
    pub const fn of(bits: u32) -> Width {
        match NonZeroU32::new(bits) {
            Some(bits) => Width(bits),
            None => panic!("a bitvector has at least one bit"),
        }
    }

    /// The number of bits.
    pub const fn bits(self) -> u32 {
        self.0.get()
    }
}

/// The identity of an interned array sort; see [`crate::Terms::array_sort`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ArraySort(pub(crate) u32);

/// The identity of an uninterpreted sort; see [`crate::Terms::uninterpreted_sort`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SortName(pub(crate) u32);

/// The sort of a term. Small and `Copy`; nested sorts are interned in [`crate::Terms`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Bitvectors of one width, two's complement where a sign matters.
    BitVec(Width),
    /// Unbounded integers.
    Int,
    /// Exact fractions: the reals of SMT-LIB, of which only the rational ones have values here.
    Real,
    /// Total functions from an index sort to an element sort.
    Array(ArraySort),
    /// A sort of which only equality is known.
    Uninterpreted(SortName),
}

impl Sort {
    /// The width, if this is a bitvector sort.
    pub fn width(self) -> Option<Width> {
        match self {
            Sort::BitVec(width) => Some(width),
            _ => None,
        }
    }
}
