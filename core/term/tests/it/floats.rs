//! Operations on floats against a port of LLVM's soft-float library: every value of small formats, random and special ones of
//! large formats; square roots, which it has not, by their definition.

use effigy_term::float::{Exact, FloatOp, Format, Number, Rounding};
use effigy_term::{BvValue, Sort, Terms, Value, Width};
use num_bigint::{BigInt, Sign};
use num_rational::BigRational;
use proptest::prelude::*;
use rustc_apfloat::ieee::{BFloat, Double, Half, IeeeFloat, Quad, Semantics, Single};
use rustc_apfloat::{Float, FloatConvert, Round};

/// A format of its own of the soft-float library.
macro_rules! small {
    ($($name:ident = $exponent:literal, $significand:literal;)*) => {
        $(struct $name;
        impl Semantics for $name {
            const BITS: usize = $exponent + $significand;
            const EXP_BITS: usize = $exponent;
        })*
    };
}

small! {
    Two = 2, 2;
    TwoThree = 2, 3;
    ThreeTwo = 3, 2;
    TwoFour = 2, 4;
    ThreeThree = 3, 3;
    FourTwo = 4, 2;
}

fn format_of<F: Float>(exponent: u32) -> Format {
    Format::new(exponent, F::BITS as u32 - exponent).expect("a format")
}

fn modes() -> [(Rounding, Round); 5] {
    [
        (Rounding::NearestEven, Round::NearestTiesToEven),
        (Rounding::NearestAway, Round::NearestTiesToAway),
        (Rounding::Up, Round::TowardPositive),
        (Rounding::Down, Round::TowardNegative),
        (Rounding::TowardZero, Round::TowardZero),
    ]
}

fn bits(width: u32, value: u128) -> BvValue {
    BvValue::from_u128(Width::of(width), value)
}

/// What an operation comes to, as bits; a NaN is the one NaN of its format.
fn ours(op: FloatOp, rounding: Rounding, arguments: &[u128]) -> u128 {
    let mut values: Vec<BvValue> = if op.rounds() { vec![rounding.number()] } else { Vec::new() };
    for &it in arguments {
        values.push(bits(op.argument_width(values.len()).bits(), it));
    }
    match op.value(&values.iter().collect::<Vec<_>>()) {
        Value::BitVec(it) => it.to_u128().expect("at most 128 bits"),
        Value::Bool(it) => u128::from(it),
        other => panic!("no value of a float: {other:?}"),
    }
}

/// The bits of a result, where all NaNs are one.
fn theirs<F: Float>(format: Format, value: F) -> u128 {
    if value.is_nan() { format.nan().to_u128().expect("at most 128 bits") } else { value.to_bits() }
}

/// Compares all operations of one format on three values.
fn compare<F: Float>(format: Format, a: u128, b: u128, c: u128) {
    let (x, y) = (F::from_bits(a), F::from_bits(b));
    for (mode, round) in modes() {
        let check = |op: FloatOp, arguments: &[u128], expected: u128| {
            let found = ours(op, mode, arguments);
            assert_eq!(found, expected, "{op:?} {mode:?} {arguments:x?}: {found:x}, not {expected:x}");
        };
        let of = |value: F| theirs(format, value);
        check(FloatOp::Add(format), &[a, b], of(x.add_r(y, round).value));
        check(FloatOp::Mul(format), &[a, b], of(x.mul_r(y, round).value));
        check(FloatOp::Div(format), &[a, b], of(x.div_r(y, round).value));
        integral(format, mode, a);
        for (signed, to) in [(true, 3), (false, 3), (true, 32), (false, 64)] {
            let op = FloatOp::ToInteger { signed, from: format, to: Width::of(to) };
            let (value, fits) = match signed {
                true => {
                    let found = x.to_i128_r(to as usize, round, &mut false);
                    (found.value as u128, !found.status.contains(rustc_apfloat::Status::INVALID_OP))
                }
                false => {
                    let found = x.to_u128_r(to as usize, round, &mut false);
                    (found.value, !found.status.contains(rustc_apfloat::Status::INVALID_OP))
                }
            };
            let expected = if fits { value & (u128::MAX >> (128 - to)) } else { 0 };
            check(op, &[a], expected);
        }
        for signed in [true, false] {
            let op = FloatOp::FromInteger { signed, from: Width::W64, to: format };
            let integer = (a ^ (c << 7) ^ (b << 40)) as u64;
            let expected = match signed {
                true => F::from_i128_r(i128::from(integer as i64), round).value,
                false => F::from_u128_r(u128::from(integer), round).value,
            };
            check(op, &[u128::from(integer)], of(expected));
        }
    }
    let check = |op: FloatOp, expected: u128| {
        let found = ours(op, Rounding::NearestEven, &[a, b]);
        assert_eq!(found, expected, "{op:?} {a:x} {b:x}: {found:x}, not {expected:x}");
    };
    remainder(format, a, b);
    check(FloatOp::Modulo(format), theirs(format, x.c_fmod(y).value));
    check(FloatOp::Less(format), u128::from(x < y));
    check(FloatOp::LessOrEqual(format), u128::from(x <= y));
    check(FloatOp::Equal(format), u128::from(x == y));
    square_root(format, a);
    multiply_and_add::<F>(format, a, b, c);
}

fn multiply_and_add<F: Float>(format: Format, a: u128, b: u128, c: u128) {
    let (x, y, z) = (F::from_bits(a), F::from_bits(b), F::from_bits(c));
    for (mode, round) in modes() {
        let expected = theirs(format, x.mul_add_r(y, z, round).value);
        let found = ours(FloatOp::MulAdd(format), mode, &[a, b, c]);
        assert_eq!(found, expected, "{mode:?} {a:x} · {b:x} + {c:x}: {found:x}, not {expected:x}");
    }
}

/// The root rounded down is the largest float whose square is at most the number, exactly; that rounded up the next one
/// where this is not exact; the nearest is that of the two whose distance is smaller.
fn square_root(format: Format, a: u128) {
    let root = |mode| ours(FloatOp::Sqrt(format), mode, &[a]);
    let number = |bits_of: u128| Number::of_bits(format, &bits(format.width().bits(), bits_of));
    let nan = format.nan().to_u128().expect("at most 128 bits");
    let sign = format.sign_bit().to_u128().expect("at most 128 bits");
    match number(a) {
        Number::Nan => assert_eq!(root(Rounding::Down), nan),
        _ if a == sign => assert_eq!(root(Rounding::NearestEven), sign),
        it if it.is_negative() => assert_eq!(root(Rounding::Up), nan),
        Number::Infinite(_) => assert_eq!(root(Rounding::NearestAway), a),
        Number::Finite(it) => {
            let square = |bits_of: u128| match number(bits_of) {
                Number::Finite(it) => (&it.significand * &it.significand, 2 * it.exponent),
                other => panic!("a root is finite, not {other:?}"),
            };
            let at_most = |(square, place): (num_bigint::BigUint, i64), exactly: bool| {
                let lowest = place.min(it.exponent);
                let (left, right) = (square << (place - lowest), it.significand.clone() << (it.exponent - lowest));
                if exactly { left == right } else { left <= right }
            };
            let down = root(Rounding::Down);
            assert_eq!(root(Rounding::TowardZero), down);
            assert!(at_most(square(down), false), "{a:x}: {down:x} is too large");
            let is_exact = at_most(square(down), true);
            let up = if is_exact { down } else { down + 1 };
            assert!(is_exact || !at_most(square(up), false), "{a:x}: {down:x} is too small");
            assert_eq!(root(Rounding::Up), up);
            // (down + up) / 2 squared, at most the number or not.
            if let (Number::Finite(x), Number::Finite(y), false) = (number(down), number(up), is_exact) {
                let place = x.exponent.min(y.exponent);
                let sum = (x.significand << (x.exponent - place)) + (y.significand << (y.exponent - place));
                let middle = (&sum * &sum, 2 * place - 2);
                // A middle that is exact has more digits than a root can have.
                let nearest = if at_most(middle, false) { up } else { down };
                assert_eq!(root(Rounding::NearestEven), nearest, "{a:x}");
                assert_eq!(root(Rounding::NearestAway), nearest, "{a:x}");
            }
        }
    }
}

/// The exact value.
fn value(it: &Exact) -> BigRational {
    let sign = if it.negative { Sign::Minus } else { Sign::Plus };
    let power = BigRational::from(BigInt::from(2)).pow(it.exponent as i32);
    BigRational::from(BigInt::from_biguint(sign, it.significand.clone())) * power
}

/// An integral float is the integer that is nearest by the mode. (The library adds a number and takes it away again, for
/// which small formats have no room.)
fn integral(format: Format, mode: Rounding, a: u128) {
    let found = ours(FloatOp::RoundToIntegral(format), mode, &[a]);
    let number = |bits_of: u128| Number::of_bits(format, &bits(format.width().bits(), bits_of));
    let Number::Finite(x) = number(a) else { return assert!(found == a || number(a) == Number::Nan) };
    let exact = value(&x);
    let (down, up) = (exact.floor(), exact.ceil());
    let half = (&exact - &down) * BigInt::from(2);
    let by_half = half.cmp(&BigRational::from(BigInt::from(1)));
    let expected = match mode {
        Rounding::Down => down,
        Rounding::Up => up,
        Rounding::TowardZero => exact.trunc(),
        Rounding::NearestEven if by_half.is_eq() => {
            if down.numer().bit(0) {
                up
            } else {
                down
            }
        }
        Rounding::NearestAway if by_half.is_eq() => {
            if x.negative {
                down
            } else {
                up
            }
        }
        _ => {
            if by_half.is_lt() {
                down
            } else {
                up
            }
        }
    };
    match number(found) {
        Number::Finite(found) => {
            assert_eq!((value(&found), found.negative), (expected, x.negative), "{mode:?} {a:x}: {found:?}");
        }
        // Beyond all numbers of a format whose numbers are not all integers.
        other => {
            let Number::Finite(most) = number(format.largest(x.negative).to_u128().expect("128 bits")) else { return };
            assert_eq!(other, Number::Infinite(x.negative));
            assert!(if x.negative { expected < value(&most) } else { expected > value(&most) }, "{mode:?} {a:x}");
        }
    }
}

/// The remainder is `a - b · n`, exactly, where `n` is the integer nearest to the quotient, of two the even one. (The
/// library's says -0.5 of 0.5 and 1.)
fn remainder(format: Format, a: u128, b: u128) {
    let found = ours(FloatOp::Remainder(format), Rounding::NearestEven, &[a, b]);
    let number = |bits_of: u128| Number::of_bits(format, &bits(format.width().bits(), bits_of));
    match (number(a), number(b)) {
        (Number::Finite(_), Number::Infinite(_)) => assert_eq!(found, a),
        (Number::Finite(x), Number::Finite(y)) if !y.is_zero() => {
            let quotient = value(&x) / value(&y);
            let below = quotient.floor();
            let half = (&quotient - &below) * BigInt::from(2);
            let one = BigRational::from(BigInt::from(1));
            let is_odd = below.numer().bit(0);
            let nearest = if half > one || (half == one && is_odd) { below + one } else { below };
            let expected = value(&x) - value(&y) * nearest;
            let Number::Finite(found) = number(found) else { panic!("the remainder of {a:x} and {b:x} is finite") };
            assert_eq!(value(&found), expected, "{a:x} {b:x}");
            assert!(!found.is_zero() || found.negative == x.negative, "{a:x} {b:x}: the sign of zero");
        }
        _ => assert_eq!(found, format.nan().to_u128().expect("at most 128 bits")),
    }
}

/// Compares the conversions of a value into another format.
fn convert<F: FloatConvert<G>, G: Float>(from: Format, to: Format, a: u128) {
    for (mode, round) in modes() {
        let expected = theirs(to, F::from_bits(a).convert_r(round, &mut false).value);
        let found = ours(FloatOp::Convert { from, to }, mode, &[a]);
        assert_eq!(found, expected, "{from} to {to} {mode:?} {a:x}: {found:x}, not {expected:x}");
    }
}

fn exhaustively<S: Semantics>(exponent: u32) {
    let format = format_of::<IeeeFloat<S>>(exponent);
    let count = 1u128 << format.width().bits();
    for a in 0..count {
        for b in 0..count {
            compare::<IeeeFloat<S>>(format, a, b, a ^ b);
            for c in 0..count {
                multiply_and_add::<IeeeFloat<S>>(format, a, b, c);
            }
        }
        convert::<IeeeFloat<S>, Half>(format, Format::HALF, a);
    }
    for a in 0..1 << 16 {
        convert::<Half, IeeeFloat<S>>(Format::HALF, format, a);
    }
}

#[test]
fn what_one_format_makes_is_any_nan_to_another() {
    let terms = Terms::new();
    let (half, brain) = (Format::HALF, Format::BFLOAT16);
    let x = terms.input("x", Sort::BitVec(half.width()));
    let root = terms.float(FloatOp::Sqrt(half), &[terms.rounding(Rounding::NearestEven), x]);
    assert_eq!(terms.float_canonical(half, root), root);
    // The bits of a number are a NaN of the other format.
    assert_ne!(terms.float_canonical(brain, root), root);
    let convert = FloatOp::Convert { from: brain, to: brain };
    assert_ne!(terms.float(convert, &[terms.rounding(Rounding::NearestEven), root]), root);
}

#[test]
fn every_value_of_small_formats() {
    exhaustively::<Two>(2);
    exhaustively::<TwoThree>(2);
    exhaustively::<ThreeTwo>(3);
    exhaustively::<TwoFour>(2);
    exhaustively::<ThreeThree>(3);
    exhaustively::<FourTwo>(4);
}

/// The bits of a float that is likely to be special: zeros, numbers at the borders, short and long significands.
fn operand(format: Format) -> impl Strategy<Value = u128> {
    let (width, fraction) = (format.width().bits(), format.fraction_bits());
    let mask = u128::MAX >> (128 - width);
    let special = [
        format.zero(false),
        format.one(),
        format.infinity(false),
        format.nan(),
        format.largest(false),
        BvValue::from_u64(format.width(), 1),
        format.infinity(false).sub(&format.largest(false)),
    ];
    let special = special.map(|it| it.to_u128().expect("at most 128 bits")).to_vec();
    let near_one = (format.bias() as u128) << fraction;
    prop_oneof![
        4 => any::<u128>().prop_map(move |it| it & mask),
        2 => (0..64u128, any::<u128>()).prop_map(move |(exponent, it)| {
            let low = it & (u128::MAX >> (128 - fraction));
            let sign = (it >> 127) << (width - 1);
            sign | ((near_one + ((exponent % 8) << fraction)) & mask) | low
        }),
        2 => (any::<u128>(), 0..fraction).prop_map(move |(it, zeros)| (it << zeros) & mask),
        1 => (any::<prop::sample::Index>(), 0..5u128, any::<bool>()).prop_map(move |(at, more, negative)| {
            let it = special[at.index(special.len())].wrapping_add(more).wrapping_sub(2) & mask;
            if negative { it ^ (1 << (width - 1)) } else { it }
        }),
    ]
}

macro_rules! large {
    ($($name:ident: $ours:expr, $theirs:ty;)*) => {
        proptest! {
            #![proptest_config(ProptestConfig { cases: effigy_testing::cases(2000), failure_persistence: None, ..ProptestConfig::default() })]
            $(#[test]
            fn $name(a in operand($ours), b in operand($ours), c in operand($ours)) {
                compare::<$theirs>($ours, a, b, c);
                convert::<$theirs, Half>($ours, Format::HALF, a);
                convert::<$theirs, BFloat>($ours, Format::BFLOAT16, a);
                convert::<$theirs, Single>($ours, Format::SINGLE, a);
                convert::<$theirs, Double>($ours, Format::DOUBLE, a);
                convert::<$theirs, Quad>($ours, Format::QUAD, a);
            })*
        }
    };
}

large! {
    numbers_of_16_bits: Format::HALF, Half;
    numbers_of_16_bits_of_another_kind: Format::BFLOAT16, BFloat;
    numbers_of_32_bits: Format::SINGLE, Single;
    numbers_of_64_bits: Format::DOUBLE, Double;
    numbers_of_128_bits: Format::QUAD, Quad;
}
