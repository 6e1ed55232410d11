//! Every circuit on every input, at small widths, against the arithmetic of `BvValue`.
//!
//! The operands come in the shapes for which circuits are built differently: full, zero- and sign-extended, with
//! constant bits, constant, and the same word twice.

use super::circuits::Word;
use super::gates::{Bit, Gate, Gates};
use effigy_term::{BvValue, Width};

/// The values of all gates under an assignment of the inputs in the order of their making.
fn evaluate(gates: &Gates, inputs: u64) -> Vec<bool> {
    let mut values = Vec::with_capacity(gates.len());
    let mut input = 0;
    for at in 0..gates.len() as u32 {
        let value = |values: &Vec<bool>, bit: Bit| values[bit.gate() as usize] != bit.is_negated();
        let result = match gates.gate(at) {
            Gate::Input if at == 0 => false,
            Gate::Input => {
                input += 1;
                inputs >> (input - 1) & 1 == 1
            }
            gate => gate.value(|it| value(&values, it)),
        };
        values.push(result);
    }
    values
}

fn number(values: &[bool], word: &[Bit]) -> u64 {
    word.iter().rev().fold(0, |res, &it| res << 1 | u64::from(values[it.gate() as usize] != it.is_negated()))
}

/// A word of `width` bits from fresh inputs.
type Shape = fn(&mut Gates, usize) -> Word;

fn fresh(gates: &mut Gates, count: usize) -> Word {
    (0..count).map(|_| gates.input()).collect()
}

/// At most four inputs each.
const SHAPES: &[(&str, Shape)] = &[
    ("low four bits", |gates, width| super::circuits::zero_extended(fresh(gates, 4.min(width)), width)),
    ("sign-extended from three", |gates, width| super::circuits::sign_extended(fresh(gates, 3), width)),
    ("zero-extended from two", |gates, width| super::circuits::zero_extended(fresh(gates, 2), width)),
    ("high bits", |gates, width| {
        let mut word = vec![Bit::FALSE; width.saturating_sub(3)];
        word.extend(fresh(gates, 3.min(width)));
        word
    }),
    ("with a one inside", |gates, width| {
        let mut word = fresh(gates, 4.min(width));
        word[1] = Bit::TRUE;
        super::circuits::sign_extended(word, width)
    }),
    ("one bit everywhere", |gates, width| vec![gates.input(); width]),
    ("zero", |_, width| vec![Bit::FALSE; width]),
    ("one", |_, width| super::circuits::zero_extended(vec![Bit::TRUE], width)),
    ("minus one", |_, width| vec![Bit::TRUE; width]),
    ("minus three", |_, width| super::circuits::sign_extended(vec![Bit::TRUE, Bit::FALSE, Bit::TRUE], width)),
    ("seven", |_, width| super::circuits::zero_extended(vec![Bit::TRUE; 3], width)),
    ("the least", |_, width| {
        let mut word = vec![Bit::FALSE; width];
        word[width - 1] = Bit::TRUE;
        word
    }),
];

/// What is built, and what it must be.
type Operator = (&'static str, fn(&mut Gates, &Word, &Word) -> Word, fn(&BvValue, &BvValue) -> BvValue);

fn truth(value: bool) -> BvValue {
    BvValue::from_u64(Width::W1, u64::from(value))
}

const OPERATORS: &[Operator] = &[
    ("add", |gates, a, b| gates.add_word(a, b, Bit::FALSE), |a, b| a.add(b)),
    ("subtract", |gates, a, b| gates.subtract(a, b), |a, b| a.sub(b)),
    ("multiply", |gates, a, b| gates.multiply(a, b), |a, b| a.mul(b)),
    ("quotient", |gates, a, b| gates.divide(a, b).0, |a, b| a.udiv(b)),
    ("remainder", |gates, a, b| gates.divide(a, b).1, |a, b| a.urem(b)),
    ("signed quotient", |gates, a, b| gates.divide_signed(a, b), |a, b| a.sdiv(b)),
    ("signed remainder", |gates, a, b| gates.remainder_signed(a, b), |a, b| a.srem(b)),
    ("unsigned less", |gates, a, b| vec![gates.unsigned_less(a, b)], |a, b| truth(a.ucmp(b).is_lt())),
    ("signed less", |gates, a, b| vec![gates.signed_less(a, b)], |a, b| truth(a.scmp(b).is_lt())),
    ("equal", |gates, a, b| vec![gates.equal(a, b)], |a, b| truth(a == b)),
    ("left", |gates, a, b| gates.shift(a, b, true, Bit::FALSE), |a, b| a.shl(b)),
    ("right", |gates, a, b| gates.shift(a, b, false, Bit::FALSE), |a, b| a.lshr(b)),
    ("right with sign", |gates, a, b| gates.shift(a, b, false, a[a.len() - 1]), |a, b| a.ashr(b)),
];

fn check(
    name: &str,
    gates: &Gates,
    inputs: usize,
    words: [&Word; 2],
    res: &Word,
    expected: fn(&BvValue, &BvValue) -> BvValue,
) {
    let width = Width::of(words[0].len() as u32);
    for assignment in 0..1u64 << inputs {
        let values = evaluate(gates, assignment);
        let [a, b] = words.map(|it| number(&values, it));
        let due = expected(&BvValue::from_u64(width, a), &BvValue::from_u64(width, b));
        let got = number(&values, res);
        assert_eq!(due.to_u64(), Some(got), "{name} of {a} and {b} at {} bits", width.bits());
    }
}

#[test]
fn circuits_are_what_the_operators_are() {
    for width in [3, 4, 5, 6] {
        for (name, build, expected) in OPERATORS {
            for (left_name, left) in SHAPES {
                for (right_name, right) in SHAPES {
                    let mut gates = Gates::new();
                    let (a, b) = (left(&mut gates, width), right(&mut gates, width));
                    let inputs = gates.len() - 1;
                    let res = build(&mut gates, &a, &b);
                    check(&format!("{name} ({left_name}, {right_name})"), &gates, inputs, [&a, &b], &res, *expected);
                }
                let mut gates = Gates::new();
                let a = left(&mut gates, width);
                let inputs = gates.len() - 1;
                let res = build(&mut gates, &a, &a);
                check(&format!("{name} ({left_name}, twice)"), &gates, inputs, [&a, &a], &res, *expected);
            }
        }
    }
}

#[test]
fn full_words_of_five_bits() {
    for (name, build, expected) in OPERATORS {
        let mut gates = Gates::new();
        let (a, b) = (fresh(&mut gates, 5), fresh(&mut gates, 5));
        let res = build(&mut gates, &a, &b);
        check(name, &gates, 10, [&a, &b], &res, *expected);
    }
}

#[test]
fn multiples_of_all_constants() {
    for factor in 0..64u64 {
        let mut gates = Gates::new();
        let (sum, a) = (fresh(&mut gates, 6), fresh(&mut gates, 6));
        let constant: Word = (0..6).map(|it| Bit::of(factor >> it & 1 == 1)).collect();
        let res = gates.add_multiple(&sum, &constant, &a);
        for assignment in 0..1u64 << 12 {
            let values = evaluate(&gates, assignment);
            let due = (number(&values, &sum) + factor * number(&values, &a)) % 64;
            assert_eq!(number(&values, &res), due, "{factor} times");
        }
    }
}

/// All ways to build a gate of three bits over constants, one input, two and three, negated or not.
#[test]
fn gates_of_three_bits() {
    for choice in 0..8 * 8 * 8u32 {
        let mut gates = Gates::new();
        let inputs = fresh(&mut gates, 3);
        let all = [Bit::FALSE, Bit::TRUE, inputs[0], !inputs[0], inputs[1], !inputs[1], inputs[2], !inputs[2]];
        let [a, b, c] = [0, 3, 6].map(|it| all[(choice >> it & 7) as usize]);
        let (mux, majority) = (gates.mux(a, b, c), gates.majority(a, b, c));
        for assignment in 0..8 {
            let values = evaluate(&gates, assignment);
            let [x, y, z] = [a, b, c].map(|it| number(&values, &[it]));
            assert_eq!(number(&values, &[mux]), if x == 1 { y } else { z });
            assert_eq!(number(&values, &[majority]), u64::from(x + y + z > 1));
        }
    }
}

#[test]
fn tables_of_all_sizes() {
    for places in 0..64u64 {
        let mut gates = Gates::new();
        let (index, default) = (fresh(&mut gates, 3), fresh(&mut gates, 2));
        let places: Vec<u64> = (0..6).filter(|it| places >> it & 1 == 1).collect();
        let word = |at: u64| -> Word { (0..2).map(|it| Bit::of((at * 3 + 1) >> it & 1 == 1)).collect() };
        let entries: Vec<_> = places.iter().map(|&it| (it, std::rc::Rc::new(word(it)))).collect();
        let res = gates.look_up(&index, &entries, &default);
        for assignment in 0..32 {
            let values = evaluate(&gates, assignment);
            let at = number(&values, &index);
            let due = if places.contains(&at) { (at * 3 + 1) & 3 } else { number(&values, &default) };
            assert_eq!(number(&values, &res), due);
        }
    }
}
