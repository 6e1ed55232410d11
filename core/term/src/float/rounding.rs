//! Which of two neighbours a result becomes that lies between them.

use crate::bv::BvValue;
use crate::sort::Width;

/// A rounding mode of IEEE 754-2019, 4.3. In a term it is a bitvector of three bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Rounding {
    /// To the nearest; of two to the one whose last bit is zero. What programs use that do not ask for another.
    NearestEven,
    /// To the nearest; of two to the one that is farther from zero.
    NearestAway,
    /// Toward positive infinity.
    Up,
    /// Toward negative infinity.
    Down,
    /// Toward zero.
    TowardZero,
}

impl Rounding {
    /// All modes, in the order of their numbers.
    pub const ALL: [Rounding; 5] =
        [Rounding::NearestEven, Rounding::NearestAway, Rounding::Up, Rounding::Down, Rounding::TowardZero];

    /// The width of a mode in a term.
    pub const WIDTH: Width = Width::of(3);

    /// The number of the mode in a term.
    pub fn number(self) -> BvValue {
        BvValue::from_u64(Rounding::WIDTH, self as u64)
    }

    /// The mode of this number; a number that none has is [`Rounding::TowardZero`].
    pub fn of_number(number: &BvValue) -> Rounding {
        let at = number.to_u64().and_then(|it| usize::try_from(it).ok());
        at.and_then(|it| Rounding::ALL.get(it)).copied().unwrap_or(Rounding::TowardZero)
    }

    /// The name of the mode in SMT-LIB.
    pub fn smtlib(self) -> &'static str {
        match self {
            Rounding::NearestEven => "RNE",
            Rounding::NearestAway => "RNA",
            Rounding::Up => "RTP",
            Rounding::Down => "RTN",
            Rounding::TowardZero => "RTZ",
        }
    }

    /// Whether a number of this sign moves away from zero to the next place: `odd` is its last bit, `half` compares what
    /// is cut off, which is not zero, with half of that bit.
    pub(super) fn moves_away(self, negative: bool, odd: bool, half: std::cmp::Ordering) -> bool {
        match self {
            Rounding::NearestEven => half.is_gt() || (half.is_eq() && odd),
            Rounding::NearestAway => half.is_ge(),
            Rounding::Up => !negative,
            Rounding::Down => negative,
            Rounding::TowardZero => false,
        }
    }
}
