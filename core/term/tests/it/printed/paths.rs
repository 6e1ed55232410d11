//! Formulas on a path: programs that are made up compute with numbers, some with a check that nothing overflows, as a
//! language does it; what is printed of a result has its value on all inputs that satisfy the path, and overflows on none.
//!
//! Knows: how a language checks sums and products. Never: how they are printed.

use super::{Case, Meaning, all_are_read_as_meant, declaration, run};
use effigy_term::eval::Evaluator;
use effigy_term::print::{Dialect, PathBounds, machine, machine_on};
use effigy_term::{BvOp, BvValue, Model, Sort, SymbolKind, Term, Terms, Value, Width};
use effigy_testing::expressions::{has_a_value, has_long_literal};
use num_bigint::BigUint;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

const WIDTHS: [u32; 4] = [8, 16, 32, 64];

/// Other inputs that are tried of each path.
const MODELS: usize = 12;

/// Bytes that decide; zeros at the end.
struct Bytes {
    bytes: Vec<u8>,
    at: usize,
}

impl Bytes {
    fn next(&mut self) -> usize {
        self.at += 1;
        usize::from(self.bytes.get(self.at - 1).copied().unwrap_or(0))
    }

    fn one_of<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.next() % of.len()]
    }

    /// A number that is small, near an end, or any.
    fn number(&mut self, width: u32) -> BvValue {
        let w = Width::of(width);
        match self.next() % 8 {
            0 => BvValue::min_signed(w),
            1 => BvValue::min_signed(w).not(),
            2 => BvValue::ones(w),
            3..=5 => BvValue::from_u64(w, self.next() as u64 % 100),
            _ => BvValue::from_biguint(w, (0..8).fold(BigUint::default(), |sum, _| (sum << 8u32) + self.next() as u32)),
        }
    }
}

/// A path of a program: what it computed last, and what was checked and assumed on the way.
struct Path {
    result: Term,
    condition: Vec<Term>,
    inputs: Vec<(effigy_term::Symbol, u32)>,
}

fn model(bytes: &mut Bytes, inputs: &[(effigy_term::Symbol, u32)]) -> Model {
    let mut res = Model::new();
    inputs.iter().for_each(|&(symbol, width)| res.set(symbol, Value::BitVec(bytes.number(width))));
    res
}

fn holds(terms: &Terms, model: &Model, cond: Term) -> bool {
    Evaluator::new(terms, model).truth(cond) == Some(true)
}

/// The condition that a sum, difference or product has a value of its type, as a language asks for it.
fn is_defined(terms: &Terms, op: char, signed: bool, a: Term, b: Term) -> Term {
    let width = terms.width(a);
    match (op, signed) {
        ('+', false) => return terms.not(terms.bv_ult(terms.bv_add(a, b), b)),
        ('-', false) => return terms.not(terms.bv_ult(a, b)),
        _ => {}
    }
    let wide = Width::of(2 * width.bits());
    let [x, y] = [a, b].map(|it| if signed { terms.bv_sign_extend(wide, it) } else { terms.bv_zero_extend(wide, it) });
    let exact = apply(terms, op, x, y);
    let (least, most) = match signed {
        true => (BvValue::min_signed(width).sign_extend(wide), BvValue::min_signed(width).not().sign_extend(wide)),
        false => (BvValue::zero(wide), BvValue::ones(width).zero_extend(wide)),
    };
    terms.and(terms.bv_sle(terms.bv(least), exact), terms.bv_sle(exact, terms.bv(most)))
}

fn apply(terms: &Terms, op: char, a: Term, b: Term) -> Term {
    match op {
        '+' => terms.bv_add(a, b),
        '-' => terms.bv_sub(a, b),
        _ => terms.bv_op(BvOp::Mul, a, b),
    }
}

/// A program on inputs that satisfy its path.
fn path(terms: &Terms, bytes: &mut Bytes) -> (Path, Model) {
    let width = bytes.one_of(&WIDTHS);
    let mut inputs = Vec::new();
    for at in 0..3 {
        let symbol = terms.symbol(&format!("v{at}"), Sort::BitVec(Width::of(width)), SymbolKind::Input);
        if bytes.next().is_multiple_of(2) {
            terms.set_unsigned(symbol);
        }
        inputs.push((symbol, width));
    }
    let model = model(bytes, &inputs);
    let mut condition: Vec<Term> = Vec::new();
    let mut values: Vec<Term> = inputs.iter().map(|it| terms.of_symbol(it.0)).collect();
    for _ in 0..2 + bytes.next() % 7 {
        let last = values[values.len() - 1];
        let a = if bytes.next().is_multiple_of(2) { last } else { bytes.one_of(&values) };
        let here = terms.width(a).bits();
        let same: Vec<Term> = values.iter().copied().filter(|it| terms.width(*it).bits() == here).collect();
        let b = match bytes.next() % 3 {
            0 => terms.bv(bytes.number(here)),
            _ => bytes.one_of(&same),
        };
        let (op, signed) = (bytes.one_of(&['+', '-', '*']), bytes.next().is_multiple_of(2));
        match bytes.next() % 8 {
            // A sum that wraps around.
            0 | 1 => values.push(apply(terms, op, a, b)),
            // One that is checked, on inputs on which it does not overflow.
            2..=4 => {
                let defined = is_defined(terms, op, signed, a, b);
                if holds(terms, &model, defined) {
                    condition.push(defined);
                    values.push(apply(terms, op, a, b));
                }
            }
            // A conversion.
            5 => {
                let to = Width::of(bytes.one_of(&WIDTHS));
                values.push(match to.bits() > here {
                    true if signed => terms.bv_sign_extend(to, a),
                    true => terms.bv_zero_extend(to, a),
                    false => terms.bv_truncate(to, a),
                });
            }
            // A branch.
            _ => {
                let cond = if signed { terms.bv_slt(a, b) } else { terms.bv_ult(a, b) };
                condition.push(if holds(terms, &model, cond) { cond } else { terms.not(cond) });
            }
        }
    }
    let result = values[values.len() - 1];
    let result = match bytes.next() % 3 {
        0 => result,
        it => {
            let limit = terms.bv(bytes.number(terms.width(result).bits()));
            if it == 1 { terms.bv_slt(result, limit) } else { terms.eq(result, limit) }
        }
    };
    (Path { result, condition, inputs }, model)
}

/// What is printed of `count` results on their paths by `print`, for each of the inputs that satisfy the path.
fn cases(dialect: Dialect, count: usize, print: impl Fn(&Terms, &Path) -> Option<String>) -> Vec<Case> {
    let mut runner = TestRunner::deterministic();
    let bytes = proptest::collection::vec(proptest::prelude::any::<u8>(), 60..160);
    let mut res = Vec::new();
    while res.len() < count {
        let mut bytes = Bytes { bytes: bytes.new_tree(&mut runner).expect("bytes can be drawn").current(), at: 0 };
        let terms = Terms::new();
        let (path, first) = path(&terms, &mut bytes);
        if terms.symbols(path.result).is_empty() {
            continue;
        }
        let Some(text) = print(&terms, &path).filter(|it| !it.contains('…') && !has_long_literal(it)) else {
            continue;
        };
        let others: Vec<Model> = (0..MODELS).map(|_| model(&mut bytes, &path.inputs)).collect();
        for model in [first].iter().chain(&others) {
            let is_on_path = path.condition.iter().all(|&it| holds(&terms, model, it));
            if !is_on_path || !has_a_value(&terms, path.result, model) {
                continue;
            }
            let (width, value) = match Evaluator::new(&terms, model).value(path.result) {
                Some(Value::BitVec(value)) => (value.width().bits(), value.to_biguint()),
                Some(Value::Bool(value)) => (0, u32::from(value).into()),
                _ => continue,
            };
            let variables =
                path.inputs.iter().map(|it| declaration(&terms, dialect, it.0, model)).collect::<Vec<_>>().join(" ");
            res.push(Case { text: text.clone(), variables, width, value });
        }
    }
    res
}

fn on_path(dialect: Dialect) -> impl Fn(&Terms, &Path) -> Option<String> {
    move |terms, path| Some(machine_on(terms, dialect, path.result, &PathBounds::of(terms, &path.condition)))
}

#[test]
fn nothing_overflows_on_a_path_of_c() {
    effigy_testing::require!("clang");
    all_are_read_as_meant(Dialect::C, &cases(Dialect::C, effigy_testing::cases(3_000) as usize, on_path(Dialect::C)));
}

#[test]
fn nothing_overflows_on_a_path_of_rust() {
    effigy_testing::require!("rustc");
    let cases = cases(Dialect::Rust, effigy_testing::cases(2_000) as usize, on_path(Dialect::Rust));
    all_are_read_as_meant(Dialect::Rust, &cases);
}

/// Printed as if every sum had been checked, some overflow: the property can fail.
#[test]
fn a_sum_that_wraps_is_no_sum_that_is_checked() {
    effigy_testing::require!("clang");
    let exact = PathBounds::exact();
    let cases = cases(Dialect::C, 500, |terms, path| {
        let text = machine_on(terms, Dialect::C, path.result, &exact);
        (text != on_path(Dialect::C)(terms, path)?).then_some(text)
    });
    let texts: Vec<(&str, &Case)> = cases.iter().map(|it| (it.text.as_str(), it)).collect();
    let undefined = run(Dialect::C, &texts).into_iter().filter(|it| *it == Meaning::Undefined).count();
    assert!(undefined > 50, "{undefined} of {} have undefined behaviour", cases.len());
}

/// What a path says makes formulas shorter.
#[test]
fn a_checked_sum_is_printed_as_the_program_has_it() {
    for dialect in [Dialect::C, Dialect::Rust] {
        let shorter = cases(dialect, 500, |terms, path| {
            let text = on_path(dialect)(terms, path)?;
            (text.len() < machine(terms, dialect, path.result).len()).then_some(text)
        });
        assert!(shorter.len() >= 500);
    }
    let terms = Terms::new();
    let [x, y, z] =
        ["x", "y", "z"].map(|name| terms.of_symbol(terms.symbol(name, Sort::BitVec(Width::W32), SymbolKind::Input)));
    let number = |it: i64| terms.bv(BvValue::from_i64(Width::W32, it));
    let show = |term: Term, path: &[Term]| machine_on(&terms, Dialect::C, term, &PathBounds::of(&terms, path));
    let sum = terms.bv_slt(number(5), terms.bv_add(x, y));
    assert_eq!(show(sum, &[]), "(int)((unsigned)x + y) > 5");
    assert_eq!(show(sum, &[is_defined(&terms, '+', true, x, y)]), "x + y > 5");
    // That the difference is checked says nothing of the sum.
    assert_eq!(show(sum, &[is_defined(&terms, '-', true, x, y)]), "(int)((unsigned)x + y) > 5");
    // `i < n` says that `i + 1` does not overflow.
    let next = terms.bv_slt(terms.bv_add(x, number(1)), z);
    assert_eq!(show(next, &[terms.bv_slt(x, y)]), "x + 1 < z");
    // x + (y − z): neither x + y nor x − z need be defined.
    let difference = terms.bv_sub(y, z);
    let all = [is_defined(&terms, '-', true, y, z), is_defined(&terms, '+', true, x, difference)];
    assert_eq!(show(terms.bv_add(x, difference), &all), "y − z + x");
    // Of the sum only the upper bound is a condition; x − y > 7 says the rest.
    let wide = |it: Term| terms.bv_sign_extend(Width::of(33), it);
    let (above, below) = (terms.bv_sub(x, y), |it: i64| terms.bv(BvValue::from_i64(Width::of(33), it)));
    let checked = [
        is_defined(&terms, '-', true, x, y),
        terms.bv_slt(number(7), above),
        terms.bv_sle(terms.bv_add(wide(above), wide(z)), below(i64::from(i32::MAX))),
    ];
    assert_eq!(show(terms.bv_add(above, z), &checked), "x − y + z");
    assert_eq!(show(terms.bv_add(above, z), &checked[..2]), "(unsigned)x + z − y");
    let rust = |term: Term, path: &[Term]| machine_on(&terms, Dialect::Rust, term, &PathBounds::of(&terms, path));
    assert_eq!(rust(sum, &[]), "x.wrapping_add(y) > 5");
    assert_eq!(rust(sum, &[is_defined(&terms, '+', true, x, y)]), "x + y > 5");
}
