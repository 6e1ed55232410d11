//! Every construction agrees with an evaluation that knows nothing of terms (`effigy_testing::expressions`).

use effigy_term::eval::Evaluator;
use effigy_term::range::Ranges;
use effigy_term::truth_table::TruthTables;
use effigy_term::{BvValue, Model, Rule, Sort, Terms, Value, Width};
use effigy_testing::expressions::{Builder, signed};
use effigy_testing::integers::Integers;
use num_bigint::BigInt;
use num_traits::One;
use proptest::prelude::*;

/// A truth value and a bitvector of a builder have the values that it says.
fn agrees(terms: &Terms, mut builder: Builder<'_>) -> Result<(), TestCaseError> {
    let pair = builder.bool(5);
    let value = Evaluator::new(terms, &builder.model).truth(pair.term);
    prop_assert_eq!(value, Some(pair.value.is_one()), "{}", effigy_term::print::math(terms, pair.term));
    let width = builder.width();
    let pair = builder.word(width, 5);
    let value = Evaluator::new(terms, &builder.model).value(pair.term);
    let expected = Value::BitVec(BvValue::from_biguint(Width::of(width), pair.value));
    prop_assert_eq!(value, Some(expected), "{}", effigy_term::print::math(terms, pair.term));
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: effigy_testing::cases(20_000), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bitvectors_and_truth_values(bytes in prop::collection::vec(any::<u8>(), 0..160), corners in prop::collection::vec(any::<u8>(), 0..30)) {
        let terms = Terms::new();
        agrees(&terms, Builder::new(&terms, &bytes, &corners))?;
    }

    /// Terms mean the same whichever rules are switched off: some, or all.
    #[test]
    fn any_rules_can_be_switched_off(
        bytes in prop::collection::vec(any::<u8>(), 0..160),
        corners in prop::collection::vec(any::<u8>(), 0..30),
        off in prop::collection::vec(prop::sample::select(Rule::ALL), 0..12),
        all in prop::bool::weighted(0.2),
    ) {
        let terms = Terms::without(if all { Rule::ALL } else { &off });
        agrees(&terms, Builder::new(&terms, &bytes, &corners))?;
        let bytes = [&bytes[..], &[0, 1, 2]].concat();
        let mut integers = Integers::new(&terms, &bytes);
        let (term, value) = integers.number(4);
        let found = Evaluator::new(&terms, &integers.model).value(term);
        prop_assert_eq!(found, Some(Value::Int(value)), "{}", effigy_term::print::math(&terms, term));
    }

    /// What holds is assumed; then no range excludes the value that a term has, no truth is the wrong one, and a
    /// condition written by its values, or found in its table, has the same truth.
    #[test]
    fn ranges_contain_the_value(bytes in prop::collection::vec(any::<u8>(), 0..200), corners in prop::collection::vec(any::<u8>(), 0..30)) {
        let terms = Terms::new();
        let mut builder = Builder::new(&terms, &bytes, &corners);
        let tables = TruthTables::new();
        let mut ranges = Ranges::new(&terms, &tables);
        for _ in 0..builder.byte() % 5 {
            let depth = 1 + builder.byte() % 3;
            let pair = builder.bool(depth);
            ranges.assume(if pair.value.is_one() { pair.term } else { terms.not(pair.term) });
            let by_values = Evaluator::new(&terms, &builder.model).truth(tables.by_values(&terms, pair.term));
            prop_assert_eq!(by_values, Some(pair.value.is_one()), "{}", effigy_term::print::math(&terms, pair.term));
            // A table says the same, with a value for its symbol and without.
            let table = tables.table(&terms, pair.term);
            for model in [&builder.model, &Model::new()] {
                let truth = tables.truth(&terms, pair.term, model);
                prop_assert_eq!(truth.is_some(), table.is_some());
                prop_assert!(truth.is_none() || truth == Evaluator::new(&terms, model).truth(pair.term));
            }
        }
        for depth in 0..4 {
            let pair = builder.bool(depth);
            if let Some(truth) = ranges.truth(pair.term) {
                prop_assert_eq!(truth, pair.value.is_one(), "{}", effigy_term::print::math(&terms, pair.term));
            }
            let width = builder.width();
            let pair = builder.word(width, depth);
            if let Some(range) = ranges.range(pair.term) {
                let (low, high) = range.unsigned();
                let value = BigInt::from(pair.value.clone());
                prop_assert!(BigInt::from(low) <= value && value <= BigInt::from(high), "{value} in {range:?}");
                let (zeros, ones) = range.known_bits();
                prop_assert!((&value & BigInt::from(zeros)) == BigInt::from(0), "{value} in {range:?}");
                prop_assert!((&value & BigInt::from(ones)) == BigInt::from(ones), "{value} in {range:?}");
                let (low, high) = range.signed();
                let value = signed(&pair.value, width);
                prop_assert!(BigInt::from(low) <= value && value <= BigInt::from(high), "{value} in {range:?}");
            }
        }
    }

    /// Polynomials, comparisons and divisions of unbounded integers.
    #[test]
    fn integers(bytes in prop::collection::vec(any::<u8>(), 3..120)) {
        let terms = Terms::new();
        let mut integers = Integers::new(&terms, &bytes);
        let (term, value) = integers.number(4);
        let found = Evaluator::new(&terms, &integers.model).value(term);
        prop_assert_eq!(found, Some(Value::Int(value)), "{}", effigy_term::print::math(&terms, term));
        let ((a, then), (b, other)) = (integers.number(3), integers.number(3));
        let (cond, holds) = integers.truth(2);
        // Sums that have something in common, too.
        for (a, then) in [(a, then.clone()), (terms.int_add(a, b), then + &other)] {
            let found = Evaluator::new(&terms, &integers.model).value(terms.either(cond, a, b));
            prop_assert_eq!(found, Some(Value::Int(if holds { then } else { other.clone() })));
        }
        let (term, value) = integers.truth(3);
        let found = Evaluator::new(&terms, &integers.model).truth(term);
        prop_assert_eq!(found, Some(value), "{}", effigy_term::print::math(&terms, term));
    }

    /// Stores and selects with constant and symbolic indices, against a table of eight elements.
    #[test]
    fn arrays(known in any::<bool>(), indices in any::<[u8; 3]>(), ops in prop::collection::vec(any::<[u8; 4]>(), 0..12)) {
        let terms = Terms::new();
        let (small, byte) = (Width::of(3), Width::W8);
        let sort = terms.array_sort(Sort::BitVec(small), Sort::BitVec(byte));
        let mut model = Model::new();
        let mut index = |at: usize| {
            let symbol = terms.symbol(&format!("i{at}"), Sort::BitVec(small), effigy_term::SymbolKind::Input);
            model.set(symbol, Value::BitVec(BvValue::from_u64(small, u64::from(indices[at] % 8))));
            (terms.of_symbol(symbol), usize::from(indices[at] % 8))
        };
        let symbols: Vec<_> = (0..3).map(&mut index).collect();
        // A free array reads zero everywhere, as the model says nothing of it.
        let free = terms.input("a", sort);
        let mut array = if known { terms.const_array(sort, terms.bv_u64(byte, 7)) } else { free };
        let mut table = [if known { 7u8 } else { 0 }; 8];
        for [op, at, value, other] in ops {
            let place = |it: u8| {
                if it < 128 { symbols[usize::from(it) % 3] } else { (terms.bv_u64(small, u64::from(it % 8)), usize::from(it % 8)) }
            };
            let (index, number) = place(at);
            if op % 2 == 0 {
                array = terms.store(array, index, terms.bv_u64(byte, u64::from(value)));
                table[number] = value;
            } else {
                let (from, source) = place(other);
                array = terms.store(array, index, terms.select(array, from));
                table[number] = table[source];
            }
            let mut evaluator = Evaluator::new(&terms, &model);
            for (index, element) in table.iter().enumerate() {
                let term = terms.select(array, terms.bv_u64(small, index as u64));
                let expected = Value::BitVec(BvValue::from_u64(byte, u64::from(*element)));
                prop_assert_eq!(evaluator.value(term), Some(expected), "{}", effigy_term::print::math(&terms, term));
            }
        }
    }
}

/// What intervals do not tell, known bits may: an even number is no odd one.
#[test]
fn known_bits_decide_equations() {
    let terms = Terms::new();
    let x = terms.input("x", Sort::BitVec(Width::W32));
    let y = terms.input("y", Sort::BitVec(Width::W32));
    let constant = |it: u64| terms.bv_u64(Width::W32, it);
    let even = terms.bv_mul(constant(6), terms.bv_xor(x, y));
    let odd = terms.bv_add(terms.bv_mul(constant(4), y), constant(3));
    assert_eq!(Ranges::new(&terms, &TruthTables::new()).truth(terms.eq(even, odd)), Some(false));
    let masked = terms.bv_or(terms.bv_and(x, constant(0xf0f0)), constant(8));
    assert_eq!(Ranges::new(&terms, &TruthTables::new()).truth(terms.eq(masked, constant(0x70))), Some(false));
    assert_eq!(Ranges::new(&terms, &TruthTables::new()).truth(terms.eq(masked, constant(0x78))), None);
}

/// Equal polynomials are one term, and they print as a person would write them.
#[test]
fn polynomials_have_one_form() {
    let terms = Terms::new();
    let [a, b, c] = ["α₁", "α₂", "α₃"].map(|it| terms.input(it, Sort::Int));
    let int = |it: i64| terms.int(it);
    let math = |it| effigy_term::print::math(&terms, it).to_string();
    let sum = terms.int_add(terms.int_add(a, b), terms.int_sub(terms.int_add(c, b), b));
    assert_eq!(math(sum), "α₁ + α₂ + α₃");
    assert_eq!(sum, terms.int_add(c, terms.int_add(b, a)));
    let square = terms.int_mul(terms.int_add(a, b), terms.int_add(a, b));
    assert_eq!(math(square), "α₁² + 2·α₁·α₂ + α₂²");
    assert_eq!(math(terms.int_quot(terms.int_add(terms.int_mul(int(2), a), int(4)), int(2))), "α₁ + 2");
    assert_eq!(terms.int_le(a, int(5)), terms.not(terms.int_lt(int(5), a)));
    assert_eq!(terms.int_lt(a, int(6)), terms.int_le(a, int(5)));
    assert_eq!(terms.int_le(terms.int_mul(int(2), a), int(11)), terms.int_le(a, int(5)));
    assert_eq!(terms.eq(terms.int_mul(int(2), a), int(7)), terms.bool(false));
    assert_eq!(terms.eq(terms.int_add(a, b), terms.int_add(b, int(1))), terms.eq(a, int(1)));
    assert_eq!(math(terms.int_lt(int(5), a)), "α₁ > 5");
    assert_eq!(math(terms.int_le(terms.int_add(a, int(1)), b)), "α₁ < α₂");
}

#[test]
fn deep_terms_need_no_stack() {
    let small = std::thread::Builder::new().stack_size(1 << 20).spawn(|| {
        let terms = Terms::new();
        let width = Width::W32;
        let mut term = terms.input("x", Sort::BitVec(width));
        for at in 0..50_000 {
            let other = terms.input(&format!("y{}", at % 7), Sort::BitVec(width));
            term = terms.bv_mul(terms.bv_xor(term, other), other);
        }
        let model = Model::new();
        assert!(Evaluator::new(&terms, &model).value(term).is_some());
        assert!(!effigy_term::print::math(&terms, term).is_empty());
        let mut text = String::new();
        effigy_term::print::SmtPrinter::new().define(&terms, term, &mut text);
        assert!(text.len() > 1_000_000);
        assert_eq!(terms.rename_undefined(term), term);
    });
    small.expect("a thread starts").join().expect("no overflow");
}
