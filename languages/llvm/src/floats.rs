//! Floating-point numbers as terms: by their width, which LLVM's types say.
//!
//! Knows: which format a number of a width has; the 80 bits of the x87, of which one is not a part of the number. Never:
//! instructions, rounding modes that a program sets.
//! Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1, 4.2.2.

use effigy_term::float::{Exact, FloatOp, Format, Rounding};
use effigy_term::{Node, Term, Terms, Width};
use num_bigint::BigInt;

/// The bits of `long double` of the x87: sign, exponent, the first bit of the significand, fraction.
pub(crate) const EXTENDED_BITS: u32 = 80;

/// The format of the numbers of a width.
pub(crate) fn format_of(width: u32) -> Format {
    match width {
        16 => Format::HALF,
        32 => Format::SINGLE,
        EXTENDED_BITS => Format::EXTENDED,
        128 => Format::QUAD,
        _ => Format::DOUBLE,
    }
}

/// The number that the bits in memory are. What only the 8087 took for one (a first bit of the significand that does not
/// agree with the exponent) is no number since the 80387, but for the smallest ones.
pub(crate) fn number(terms: &Terms, bits: Term) -> Term {
    if terms.width(bits).bits() != EXTENDED_BITS {
        return bits;
    }
    if let Some(number) = stored(terms, bits) {
        return number;
    }
    let zero = terms.bv_u64(Width::of(15), 0);
    let (sign, exponent) = (terms.bv_extract(79, 79, bits), terms.bv_extract(78, 64, bits));
    let (first, fraction) = (terms.bv_extract(63, 63, bits), terms.bv_extract(62, 0, bits));
    let has_first = terms.eq(first, terms.bv_u64(Width::W1, 1));
    let is_small = terms.eq(exponent, zero);
    let real_exponent = terms.ite(terms.and(is_small, has_first), terms.bv_u64(Width::of(15), 1), exponent);
    let number = terms.bv_concat(sign, terms.bv_concat(real_exponent, fraction));
    let is_none = terms.not(terms.or(is_small, has_first));
    terms.ite(is_none, terms.bv(Format::EXTENDED.nan()), number)
}

/// The bits in memory of a number.
pub(crate) fn bits(terms: &Terms, number: Term) -> Term {
    if terms.width(number) != Format::EXTENDED.width() {
        return number;
    }
    let exponent = terms.bv_extract(77, 63, number);
    let has_first = terms.ne(exponent, terms.bv_u64(Width::of(15), 0));
    let first = terms.bv_of_bool(Width::W1, has_first);
    let low = terms.bv_concat(first, terms.bv_extract(62, 0, number));
    terms.bv_concat(terms.bv_extract(78, 63, number), low)
}

/// The number whose bits in memory these are, as [`bits`] makes them.
fn stored(terms: &Terms, of: Term) -> Option<Term> {
    let &Node::Concat(high, _) = terms.node(of) else { return None };
    let &Node::Extract { arg, .. } = terms.node(high) else { return None };
    (terms.width(arg) == Format::EXTENDED.width() && bits(terms, arg) == of).then_some(arg)
}

/// An operation of the format of its arguments, which are bits in memory, as is the result where it is a float.
pub(crate) fn apply(terms: &Terms, op: impl Fn(Format) -> FloatOp, mode: Rounding, arguments: &[Term]) -> Term {
    let format = arguments.first().map_or(Format::DOUBLE, |&it| format_of(terms.width(it).bits()));
    let op = op(format);
    let mut all = if op.rounds() { vec![terms.rounding(mode)] } else { Vec::new() };
    all.extend(arguments.iter().map(|&it| number(terms, it)));
    let res = terms.float(op, &all);
    if op.result_format().is_some() { bits(terms, res) } else { res }
}

/// The number in the format of another width.
pub(crate) fn convert(terms: &Terms, to: u32, mode: Rounding, a: Term) -> Term {
    apply(terms, |from| FloatOp::Convert { from, to: format_of(to) }, mode, &[a])
}

/// An integer as a number of a width.
pub(crate) fn of_integer(terms: &Terms, signed: bool, to: u32, mode: Rounding, a: Term) -> Term {
    let op = FloatOp::FromInteger { signed, from: terms.width(a), to: format_of(to) };
    bits(terms, terms.float(op, &[terms.rounding(mode), a]))
}

/// The integer that is nearest by the mode: zero where it does not fit.
pub(crate) fn to_integer(terms: &Terms, signed: bool, to: Width, mode: Rounding, a: Term) -> Term {
    apply(terms, |from| FloatOp::ToInteger { signed, from, to }, mode, &[a])
}

/// Whether a number, cut off after its point, is an integer of this width.
pub(crate) fn fits_integer(terms: &Terms, signed: bool, to: Width, a: Term) -> Term {
    let format = format_of(terms.width(a).bits());
    let one = BigInt::from(1);
    let (below, above) = match signed {
        true => (-(&one << (to.bits() - 1)) - 1, &one << (to.bits() - 1)),
        false => (-one.clone(), &one << to.bits()),
    };
    let a = number(terms, a);
    let constant = |it: &BigInt, mode: Rounding| Exact::of_integer(it).rounded(format, mode);
    let less = |a: Term, b: Term| terms.float(FloatOp::Less(format), &[a, b]);
    // A power of two that is too large for the format is infinite: what is less is finite.
    let is_below = less(a, terms.bv(constant(&above, Rounding::NearestEven)));
    let (down, up) = (constant(&below, Rounding::Down), constant(&below, Rounding::Up));
    // Between a bound that the format does not have and the next larger number there is none.
    let is_above = match down == up {
        true => less(terms.bv(down), a),
        false if up == constant(&(&below + 1), Rounding::NearestEven) => {
            terms.float(FloatOp::LessOrEqual(format), &[terms.bv(up), a])
        }
        false => less(terms.bv(down), a),
    };
    terms.and(is_above, is_below)
}

/// Whether a number is a NaN.
pub(crate) fn is_nan(terms: &Terms, a: Term) -> Term {
    terms.not(apply(terms, FloatOp::Equal, Rounding::NearestEven, &[a, a]))
}

/// The sign bit of bits in memory.
pub(crate) fn is_negative(terms: &Terms, a: Term) -> Term {
    terms.bv_slt(a, terms.bv_u64(terms.width(a), 0))
}

/// The number with its sign changed, whatever it is.
pub(crate) fn negated(terms: &Terms, a: Term) -> Term {
    let sign = effigy_term::BvValue::min_signed(terms.width(a));
    terms.bv_op(effigy_term::BvOp::Xor, a, terms.bv(sign))
}

/// The number without its sign.
pub(crate) fn magnitude(terms: &Terms, a: Term) -> Term {
    terms.bv_and(a, terms.bv(effigy_term::BvValue::min_signed(terms.width(a)).not()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use effigy_term::BvValue;
    use proptest::prelude::*;

    proptest! {
        /// A number that is stored and read is the number; the bits of a number that is read are the bits.
        #[test]
        fn extended_numbers_are_stored_and_read(sign in any::<bool>(), exponent in 0u16..1 << 15, fraction in any::<u64>()) {
            let terms = Terms::new();
            let first = u128::from(exponent != 0) << 63;
            let fraction = u128::from(fraction >> 1);
            let memory = u128::from(sign) << 79 | u128::from(exponent) << 64 | first | fraction;
            let memory = terms.bv(BvValue::from_u128(Width::of(EXTENDED_BITS), memory));
            let inside = u128::from(sign) << 78 | u128::from(exponent) << 63 | fraction;
            let inside = terms.bv(BvValue::from_u128(Format::EXTENDED.width(), inside));
            prop_assert_eq!(number(&terms, memory), inside);
            prop_assert_eq!(bits(&terms, inside), memory);
            let free = terms.input("x", effigy_term::Sort::BitVec(Format::EXTENDED.width()));
            prop_assert_eq!(number(&terms, bits(&terms, free)), free);
        }

        /// What fits is what a conversion of the host, which saturates, does not change.
        #[test]
        fn what_fits_an_integer_is_what_does_not_saturate(value in any::<i32>(), part in -3i8..3, shift in 0u32..40) {
            let terms = Terms::new();
            let value = f64::from(value) * f64::from(part) / f64::from(1u32 << (shift % 31)) + f64::from(part) / 4.0;
            let term = terms.bv_u64(Width::W64, value.to_bits());
            for (signed, width, low, high) in [
                (true, 8, -128.0, 127.0),
                (false, 8, 0.0, 255.0),
                (true, 32, f64::from(i32::MIN), f64::from(i32::MAX)),
                (false, 32, 0.0, f64::from(u32::MAX)),
            ] {
                let cut = value.trunc();
                let fits = (low..=high).contains(&cut);
                let found = fits_integer(&terms, signed, Width::of(width), term);
                prop_assert_eq!(terms.as_bool(found), Some(fits), "{} {} {}", value, signed, width);
            }
        }
    }
}
