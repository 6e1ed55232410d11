//! Special and random operands of the formats that programs use.

use super::{Built, check, check_folded};
use effigy_term::BvValue;
use effigy_term::float::{FloatOp, Format, Rounding};
use effigy_term::{Value, Width};
use num_bigint::BigUint;
use proptest::prelude::*;

fn number(width: Width, digits: &[u64]) -> BvValue {
    let digits = digits.iter().flat_map(|it| [*it as u32, (it >> 32) as u32]).collect();
    BvValue::from_biguint(width, BigUint::new(digits))
}

/// A float near where something happens: by a choice, with some random bits.
fn near(format: Format, choice: u8, random: &[u64; 3]) -> BvValue {
    let width = format.width();
    let one = BvValue::one(width);
    let small = BvValue::from_u64(width, random[0] & 3);
    let fraction_bits = format.fraction_bits();
    let least_normal = one.shl_bits(fraction_bits);
    let res = match choice % 16 {
        0 => small,
        1 => format.infinity(false).sub(&small),
        2 => format.infinity(false).add(&small),
        3 => least_normal.sub(&small),
        4 => format.one().sub(&small),
        5 => format.one().add(&small),
        // Powers of two, and what is just below.
        6 => least_normal.mul(&number(width, random)).and(&format.infinity(false)),
        7 => least_normal.mul(&number(width, random)).and(&format.infinity(false)).sub(&small),
        // Subnormal numbers.
        8 => number(width, random).and(&least_normal.sub(&one)),
        // Not far from one: exponents that meet.
        9..=12 => {
            let fraction = number(width, random).and(&least_normal.sub(&one));
            let far = BvValue::from_u64(width, random[1] >> 32 & 7).shl_bits(fraction_bits);
            format.one().add(&far).add(&fraction)
        }
        _ => return number(width, random),
    };
    if random[2] >> 63 == 1 { res.xor(&format.sign_bit()) } else { res }
}

fn operand() -> impl Strategy<Value = (u8, [u64; 3])> {
    any::<(u8, [u64; 3])>()
}

type Operands = Vec<(u8, [u64; 3])>;

fn operations(format: Format) -> Vec<FloatOp> {
    use FloatOp::{
        Add, Convert, Div, Equal, FromInteger, Less, LessOrEqual, Modulo, Mul, MulAdd, Remainder, RoundToIntegral,
        Sqrt, ToInteger,
    };
    let mut res = vec![Add(format), Mul(format), Div(format), MulAdd(format), Sqrt(format), RoundToIntegral(format)];
    res.extend([Less(format), LessOrEqual(format), Equal(format)]);
    if format.exponent_bits() <= 8 {
        res.extend([Remainder(format), Modulo(format)]);
    }
    let others = [Format::HALF, Format::BFLOAT16, Format::SINGLE, Format::DOUBLE, Format::EXTENDED, Format::QUAD];
    res.extend(others.map(|to| Convert { from: format, to }));
    for width in [8, 32, 64, 128].map(Width::of) {
        for signed in [false, true] {
            res.push(FromInteger { signed, from: width, to: format });
            res.push(ToInteger { signed, from: format, to: width });
        }
    }
    res
}

/// All operations of a format on the same operands, which are many, so that the circuits are built once.
fn check_random(format: Format, cases: u32) {
    let built: Vec<(FloatOp, Built)> =
        operations(format).into_iter().map(|op| (op, Built::new(op, &vec![None; op.arity()]))).collect();
    let config =
        ProptestConfig { cases: effigy_testing::cases(cases), failure_persistence: None, ..ProptestConfig::default() };
    let lanes = prop::collection::vec((0..6u64, prop::collection::vec(operand(), 3)), 64);
    proptest!(config, |(lanes in lanes, folded in 0..64usize)| {
        for (op, built) in &built {
            let cases: Vec<Vec<BvValue>> = lanes.iter().map(|(mode, operands)| arguments(*op, *mode, operands)).collect();
            check(*op, built, &cases);
            check_folded(*op, &cases[folded]);
        }
    });
}

fn arguments(op: FloatOp, mode: u64, operands: &Operands) -> Vec<BvValue> {
    let mut res = Vec::new();
    if op.rounds() {
        res.push(BvValue::from_u64(Rounding::WIDTH, mode));
    }
    for (at, (choice, random)) in (res.len()..op.arity()).zip(operands) {
        res.push(match op {
            FloatOp::FromInteger { from, .. } => {
                let amount = BvValue::from_u64(from, u64::from(u32::from(*choice) % from.bits()));
                number(from, random).lshr(&amount)
            }
            FloatOp::MulAdd(format) if at == 3 && choice & 3 == 0 => opposite_product(format, &res, random),
            _ => near(op.argument_format().unwrap_or(format_of(op)), *choice, random),
        });
    }
    res
}

fn format_of(op: FloatOp) -> Format {
    op.result_format().unwrap_or(Format::DOUBLE)
}

/// What nearly cancels the product of the first two.
fn opposite_product(format: Format, before: &[BvValue], random: &[u64; 3]) -> BvValue {
    let Value::BitVec(product) = FloatOp::Mul(format).value(&[&before[0], &before[1], &before[2]]) else {
        unreachable!("a product is a float")
    };
    product.xor(&format.sign_bit()).add(&BvValue::from_u64(format.width(), random[0] & 1))
}

#[test]
fn half() {
    check_random(Format::HALF, 200);
}

#[test]
fn bfloat16() {
    check_random(Format::BFLOAT16, 100);
}

#[test]
fn single() {
    check_random(Format::SINGLE, 100);
}

#[test]
fn double() {
    check_random(Format::DOUBLE, 200);
}

#[test]
fn extended() {
    check_random(Format::EXTENDED, 100);
}

#[test]
fn quad() {
    check_random(Format::QUAD, 50);
}

#[test]
fn uneven() {
    for (exponent, significand) in [(8, 3), (2, 30), (3, 24), (7, 2), (6, 33)] {
        check_random(Format::new(exponent, significand).unwrap(), 10);
    }
    // No remainders: exponents of many bits.
    for (exponent, significand) in [(30, 2), (30, 40), (12, 5)] {
        check_random(Format::new(exponent, significand).unwrap(), 5);
    }
}
