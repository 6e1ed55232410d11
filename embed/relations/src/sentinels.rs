//! Sentinels: rare values that stand for a symbolic one in the program, so that its comparisons are recognised.
//!
//! Knows: what is rare in a program. Never: which values a path allows: the first that it does is taken.

use crate::text::{LONGEST, WIDTH};
use effigy_term::{BvValue, Value, Width};

/// Numbers for the watched term of this number: none that programs have by themselves, of either sign, and smaller ones
/// for columns or paths that allow no others.
pub(crate) fn numbers(at: usize) -> Vec<Value> {
    let at = at as i64;
    let all = [23_063 + at, -23_063 - at, 577 + at, 77 + at, -77 - at, 3 + at];
    all.iter().map(|it| Value::BitVec(BvValue::from_i64(Width::W64, *it))).collect()
}

/// Texts for the watched term of this number, the first with a length that few others have, then all lengths. Two differ
/// at their first byte, as far as there are letters.
pub(crate) fn texts(at: usize) -> Vec<Value> {
    let first = LONGEST - at % 12;
    let lengths = std::iter::once(first).chain((1..=LONGEST).rev().filter(|it| *it != first));
    lengths.map(|length| Value::BitVec(bits(at, length))).collect()
}

fn bits(at: usize, length: usize) -> BvValue {
    let start = [b'A' + (at % 26) as u8, b'~', b'a' + (at / 26 % 26) as u8];
    let rest = b"fgythqzwvxjkbpd";
    let mut value: u128 = 0;
    for place in 0..LONGEST {
        let byte = start.get(place).copied().unwrap_or(rest[place % rest.len()]);
        value = value << 8 | u128::from(if place < length { byte } else { 0 });
    }
    BvValue::from_u128(WIDTH, value)
}
