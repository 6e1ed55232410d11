//! Every circuit against the exact values of its operation: on all operands of small formats, on special and random ones of
//! those that programs use.
//!
//! A circuit is built over inputs and simulated gate by gate, 64 operands at a time; and built over constants, where nothing
//! of it must be left.

mod random;

use super::super::circuits::Word;
use super::super::gates::{Bit, Gate, Gates};
use super::{most_gates, operation};
use effigy_term::float::{FloatOp, Format, Rounding};
use effigy_term::{BvValue, Value, Width};

/// An operation over inputs, but for arguments that are constant.
struct Built {
    gates: Gates,
    arguments: Vec<Word>,
    res: Word,
}

fn constant(value: &BvValue) -> Word {
    (0..value.width().bits()).map(|it| Bit::of(value.bit(it))).collect()
}

impl Built {
    fn new(op: FloatOp, constants: &[Option<&BvValue>]) -> Built {
        let mut gates = Gates::new();
        let argument = |(at, it): (usize, &Option<&BvValue>)| match it {
            Some(value) => constant(value),
            None => (0..op.argument_width(at).bits()).map(|_| gates.input()).collect(),
        };
        let arguments: Vec<Word> = constants.iter().enumerate().map(argument).collect();
        let words: Vec<&Word> = arguments.iter().collect();
        let before = gates.len();
        let res = operation(&mut gates, op, &words).unwrap();
        let taken = gates.len() - before;
        assert!(taken <= most_gates(op), "{op:?} takes {taken} gates, not up to {}", most_gates(op));
        Built { gates, arguments, res }
    }

    /// The results of up to 64 lists of arguments.
    fn results(&self, cases: &[Vec<BvValue>]) -> Vec<BvValue> {
        assert!(cases.len() <= 64);
        let mut values = vec![0u64; self.gates.len()];
        for (at, word) in self.arguments.iter().enumerate() {
            for (place, bit) in word.iter().enumerate().filter(|it| it.1.constant().is_none()) {
                let lane = |(lane, case): (usize, &Vec<BvValue>)| u64::from(case[at].bit(place as u32)) << lane;
                values[bit.gate() as usize] = cases.iter().enumerate().map(lane).sum();
            }
        }
        let of = |values: &[u64], it: Bit| {
            let value = values[it.gate() as usize];
            if it.is_negated() { !value } else { value }
        };
        for at in 0..self.gates.len() {
            let of = |it: Bit| of(&values, it);
            values[at] = match self.gates.gate(at as u32) {
                Gate::Input => values[at],
                Gate::And(a, b) => of(a) & of(b),
                Gate::Xor(a, b) => of(a) ^ of(b),
                Gate::Mux(a, b, c) => of(a) & of(b) | !of(a) & of(c),
                Gate::Majority(a, b, c) => of(a) & of(b) | of(a) & of(c) | of(b) & of(c),
            };
        }
        let result = |lane: usize| {
            let mut res = num_bigint::BigUint::default();
            for (place, &bit) in self.res.iter().enumerate() {
                res.set_bit(place as u64, of(&values, bit) >> lane & 1 == 1);
            }
            BvValue::from_biguint(Width::of(self.res.len() as u32), res)
        };
        (0..cases.len()).map(result).collect()
    }
}

fn due(op: FloatOp, case: &[BvValue]) -> BvValue {
    let case: Vec<&BvValue> = case.iter().collect();
    match op.value(&case) {
        Value::BitVec(value) => value,
        value => BvValue::from_u64(Width::W1, u64::from(value == Value::Bool(true))),
    }
}

fn check(op: FloatOp, built: &Built, cases: &[Vec<BvValue>]) {
    for cases in cases.chunks(64) {
        for (case, got) in cases.iter().zip(built.results(cases)) {
            assert_eq!(due(op, case), got, "{op:?} of {case:?}");
        }
    }
}

/// The circuit over constants.
fn check_folded(op: FloatOp, case: &[BvValue]) {
    let constants: Vec<Option<&BvValue>> = case.iter().map(Some).collect();
    let built = Built::new(op, &constants);
    assert_eq!(built.gates.len(), 1, "{op:?} of {case:?} is constant");
    assert_eq!(vec![due(op, case)], built.results(&[case.to_vec()]), "{op:?} of {case:?}");
}

/// All arguments, but for the mode.
fn all_operands(op: FloatOp) -> Vec<Vec<BvValue>> {
    let mut res = vec![Vec::new()];
    for at in usize::from(op.rounds())..op.arity() {
        let width = op.argument_width(at);
        let longer = |it: &Vec<BvValue>| {
            let it = it.clone();
            (0..1u64 << width.bits()).map(move |last| [it.clone(), vec![BvValue::from_u64(width, last)]].concat())
        };
        res = res.iter().flat_map(longer).collect();
    }
    res
}

/// An operation on all its operands in all modes: with a constant mode, with one that is an input, and of `folded` of all
/// cases over constants.
fn check_all(op: FloatOp, one_folded_of: usize) {
    let operands = all_operands(op);
    if !op.rounds() {
        check(op, &Built::new(op, &vec![None; op.arity()]), &operands);
        operands.iter().step_by(one_folded_of).for_each(|it| check_folded(op, it));
        return;
    }
    let any_mode = Built::new(op, &vec![None; op.arity()]);
    // The last is a number that no mode has.
    for mode in Rounding::ALL.map(Rounding::number).into_iter().chain([BvValue::from_u64(Rounding::WIDTH, 7)]) {
        let cases: Vec<Vec<BvValue>> = operands.iter().map(|it| [vec![mode.clone()], it.clone()].concat()).collect();
        check(op, &any_mode, &cases);
        let mut constants = vec![None; op.arity()];
        constants[0] = Some(&mode);
        check(op, &Built::new(op, &constants), &cases);
        cases.iter().step_by(one_folded_of).for_each(|it| check_folded(op, it));
    }
}

/// All formats of up to so many bits.
fn formats(most: u32) -> Vec<Format> {
    let all = (2..most).flat_map(|exponent| (2..most).map(move |significand| (exponent, significand)));
    all.filter(|it| it.0 + it.1 <= most).filter_map(|it| Format::new(it.0, it.1)).collect()
}

#[test]
fn sums() {
    formats(6).into_iter().for_each(|it| check_all(FloatOp::Add(it), 1));
}

#[test]
fn products() {
    formats(6).into_iter().for_each(|it| check_all(FloatOp::Mul(it), 1));
}

#[test]
fn quotients() {
    formats(6).into_iter().for_each(|it| check_all(FloatOp::Div(it), 1));
}

#[test]
fn sums_of_products() {
    formats(5).into_iter().for_each(|it| check_all(FloatOp::MulAdd(it), 5));
}

#[test]
fn remainders() {
    for it in formats(6) {
        check_all(FloatOp::Remainder(it), 1);
        check_all(FloatOp::Modulo(it), 1);
    }
}

#[test]
fn comparisons() {
    for it in formats(6) {
        check_all(FloatOp::Less(it), 1);
        check_all(FloatOp::LessOrEqual(it), 1);
        check_all(FloatOp::Equal(it), 1);
    }
}

#[test]
fn of_one_operand() {
    for it in formats(10) {
        check_all(FloatOp::Sqrt(it), 1);
        check_all(FloatOp::RoundToIntegral(it), 1);
    }
}

#[test]
fn between_formats() {
    let mut all = formats(6);
    all.extend([(2, 5), (5, 2), (2, 8), (6, 3), (3, 6)].into_iter().filter_map(|it| Format::new(it.0, it.1)));
    for &from in &all {
        for &to in &all {
            check_all(FloatOp::Convert { from, to }, 1);
        }
    }
}

#[test]
fn between_floats_and_integers() {
    for format in formats(6) {
        for width in [1, 2, 3, 4, 5, 6, 7, 8, 32, 64] {
            for signed in [false, true] {
                let width = Width::of(width);
                check_all(FloatOp::ToInteger { signed, from: format, to: width }, 1);
                if width.bits() <= 8 {
                    check_all(FloatOp::FromInteger { signed, from: width, to: format }, 1);
                }
            }
        }
    }
}

#[test]
fn a_float_compared_with_itself() {
    let mut gates = Gates::new();
    let a: Word = (0..64).map(|_| gates.input()).collect();
    let res = operation(&mut gates, FloatOp::Equal(Format::DOUBLE), &[&a, &a]).unwrap();
    // Whether all bits of the exponent are one, and any of the fraction is.
    assert!(gates.cone(res.iter()).len() <= 1 + 63 + 61 + 1, "{}", gates.cone(res.iter()).len());
}

#[test]
fn what_is_exact_is_not_rounded() {
    let mode: Word = vec![Bit::FALSE; 3];
    let mut gates = Gates::new();
    let other: Word = (0..3).map(|_| gates.input()).collect();
    let a: Word = (0..32).map(|_| gates.input()).collect();
    for op in [
        FloatOp::Convert { from: Format::SINGLE, to: Format::DOUBLE },
        FloatOp::FromInteger { signed: true, from: Width::of(32), to: Format::DOUBLE },
    ] {
        let words = [&mode, &other].map(|it| operation(&mut gates, op, &[it, &a]).unwrap());
        assert_eq!(words[0], words[1], "{op:?} does not depend on the mode");
    }
}

/// What is promised of the number of gates is asserted wherever a circuit is built.
#[test]
fn large_formats_take_what_is_said() {
    let format = |exponent, significand| Format::new(exponent, significand).unwrap();
    for it in [format(30, 4096), format(2, 4096), format(30, 2)] {
        let ops = [
            FloatOp::Add(it),
            FloatOp::RoundToIntegral(it),
            FloatOp::Less(it),
            FloatOp::Equal(it),
            FloatOp::Convert { from: it, to: Format::DOUBLE },
            FloatOp::Convert { from: Format::DOUBLE, to: it },
            FloatOp::Convert { from: it, to: format(17, 900) },
            FloatOp::ToInteger { signed: true, from: it, to: Width::of(8192) },
            FloatOp::FromInteger { signed: true, from: Width::of(8192), to: it },
        ];
        for op in ops {
            Built::new(op, &vec![None; op.arity()]);
        }
    }
    for it in [format(30, 300), format(2, 300), format(19, 7)] {
        for op in [FloatOp::Mul(it), FloatOp::Div(it), FloatOp::MulAdd(it), FloatOp::Sqrt(it)] {
            Built::new(op, &vec![None; op.arity()]);
        }
    }
    for it in [format(8, 240), format(2, 400), format(8, 2)] {
        Built::new(FloatOp::Remainder(it), &[None; 2]);
    }
}

#[test]
fn hostile_formats_are_refused() {
    let huge = Format::new(30, 4096).unwrap();
    for op in [FloatOp::Mul(huge), FloatOp::Div(huge), FloatOp::MulAdd(huge), FloatOp::Sqrt(huge)] {
        assert!(most_gates(op) > 30_000_000, "{op:?}");
    }
    let mut gates = Gates::new();
    let [a, b] = [0, 1].map(|_| -> Word { (0..64).map(|_| gates.input()).collect() });
    let res = operation(&mut gates, FloatOp::Remainder(Format::DOUBLE), &[&a, &b]);
    assert_eq!(res, Err("remainders of floats of 64 bits".to_owned()));
}
