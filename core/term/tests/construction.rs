//! Every construction agrees with an evaluation that knows nothing of terms (`effigy_testing::expressions`).

use effigy_term::eval::Evaluator;
use effigy_term::range::Ranges;
use effigy_term::{BvValue, Model, Sort, Terms, Value, Width};
use effigy_testing::expressions::{Builder, signed};
use num_bigint::BigInt;
use num_traits::One;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: effigy_testing::cases(20_000), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bitvectors_and_truth_values(bytes in prop::collection::vec(any::<u8>(), 0..160), corners in prop::collection::vec(any::<u8>(), 0..30)) {
        let terms = Terms::new();
        let mut builder = Builder::new(&terms, &bytes, &corners);
        let pair = builder.bool(5);
        let value = Evaluator::new(&terms, &builder.model).truth(pair.term);
        prop_assert_eq!(value, Some(pair.value.is_one()), "{}", effigy_term::print::math(&terms, pair.term));
        let width = builder.width();
        let pair = builder.word(width, 5);
        let value = Evaluator::new(&terms, &builder.model).value(pair.term);
        let expected = Value::BitVec(BvValue::from_biguint(Width::of(width), pair.value));
        prop_assert_eq!(value, Some(expected), "{}", effigy_term::print::math(&terms, pair.term));
    }

    /// What holds is assumed; then no range excludes the value that a term has, no truth is the wrong one, and a
    /// condition written by its values has the same truth.
    #[test]
    fn ranges_contain_the_value(bytes in prop::collection::vec(any::<u8>(), 0..200), corners in prop::collection::vec(any::<u8>(), 0..30)) {
        let terms = Terms::new();
        let mut builder = Builder::new(&terms, &bytes, &corners);
        let mut ranges = Ranges::new(&terms);
        for _ in 0..builder.byte() % 5 {
            let depth = 1 + builder.byte() % 3;
            let pair = builder.bool(depth);
            ranges.assume(if pair.value.is_one() { pair.term } else { terms.not(pair.term) });
            let by_values = Evaluator::new(&terms, &builder.model).truth(terms.by_values(pair.term));
            prop_assert_eq!(by_values, Some(pair.value.is_one()), "{}", effigy_term::print::math(&terms, pair.term));
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
                let (low, high) = range.signed();
                let value = signed(&pair.value, width);
                prop_assert!(BigInt::from(low) <= value && value <= BigInt::from(high), "{value} in {range:?}");
            }
        }
    }
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
