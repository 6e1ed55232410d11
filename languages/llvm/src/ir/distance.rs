//! The distances that the arithmetic of an address may have.
//!
//! Knows: `inbounds`, `nusw` and `nuw` of a `getelementptr`. Never: objects, what a wrong address means.
//! Source: LLVM Language Reference, "getelementptr".

use super::attributes::InstructionFlags;

/// The distances in bytes that a `getelementptr` may have; with any other its result is poison.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Distance {
    /// Any: it wraps around in 64 bits.
    #[default]
    Wrapping,
    /// A signed number of 64 bits: `nusw`, which `inbounds` implies.
    Signed,
    /// An unsigned number of 64 bits: `nuw`.
    Unsigned,
    /// A signed number of 64 bits that is not negative: both.
    NotNegative,
}

impl Distance {
    /// What the flags of a `getelementptr` allow.
    pub fn of(flags: InstructionFlags) -> Distance {
        let is_signed = flags.has(InstructionFlags::INBOUNDS) || flags.has(InstructionFlags::NUSW);
        match (is_signed, flags.has(InstructionFlags::NUW)) {
            (false, false) => Distance::Wrapping,
            (true, false) => Distance::Signed,
            (false, true) => Distance::Unsigned,
            (true, true) => Distance::NotNegative,
        }
    }

    /// The distance to the element of this index, where elements have `size` bytes; `None` where it is not allowed.
    #[inline]
    pub fn bytes(self, index: i64, size: i64) -> Option<i64> {
        match self {
            Distance::Wrapping => Some(index.wrapping_mul(size)),
            Distance::Signed => index.checked_mul(size),
            Distance::Unsigned => (index as u64).checked_mul(size as u64).map(|it| it as i64),
            Distance::NotNegative => index.checked_mul(size).filter(|it| *it >= 0),
        }
    }

    /// Whether distances are signed numbers, so that the sum of two of them must be one, too.
    pub fn is_signed(self) -> bool {
        matches!(self, Distance::Signed | Distance::NotNegative)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inbounds_is_signed() {
        let (inbounds, nuw) = (InstructionFlags::INBOUNDS, InstructionFlags::NUW);
        assert_eq!(Distance::of(InstructionFlags::NONE), Distance::Wrapping);
        assert_eq!(Distance::of(inbounds), Distance::Signed);
        assert_eq!(Distance::of(InstructionFlags::NUSW), Distance::Signed);
        assert_eq!(Distance::of(nuw), Distance::Unsigned);
        assert_eq!(Distance::of(inbounds | nuw), Distance::NotNegative);
    }

    #[test]
    fn distances_are_compared_with_wider_products() {
        let edges =
            [0, 1, -1, 2, -2, 1 << 60, -(1 << 60), 1 << 61, -(1 << 61), 1 << 62, i64::MAX, i64::MIN, i64::MIN + 1];
        for index in edges {
            for size in [0, 1, 3, 4, 8, 12, 1 << 40] {
                let (signed, unsigned) =
                    (i128::from(index) * i128::from(size), u128::from(index as u64) * u128::from(size as u64));
                let fits = i64::try_from(signed).ok();
                assert_eq!(Distance::Wrapping.bytes(index, size), Some(signed as i64));
                assert_eq!(Distance::Signed.bytes(index, size), fits);
                assert_eq!(Distance::Unsigned.bytes(index, size), u64::try_from(unsigned).ok().map(|it| it as i64));
                assert_eq!(Distance::NotNegative.bytes(index, size), fits.filter(|it| *it >= 0));
            }
        }
    }
}
