//! Construction agrees with arithmetic, and ranges contain the value.
#![no_main]

use effigy_term::eval::Evaluator;
use effigy_term::range::Ranges;
use effigy_term::truth_table::TruthTables;
use effigy_term::{BvValue, Terms, Value, Width};
use effigy_testing::expressions::Builder;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (Vec<u8>, Vec<u8>)| {
    let (bytes, corners) = input;
    let terms = Terms::new();
    let mut builder = Builder::new(&terms, &bytes, &corners);
    let tables = TruthTables::new();
    let cond = builder.bool(5);
    let holds = cond.value != 0u32.into();
    assert_eq!(Evaluator::new(&terms, &builder.model).truth(cond.term), Some(holds));
    assert_eq!(Evaluator::new(&terms, &builder.model).truth(tables.by_values(&terms, cond.term)), Some(holds));
    let mut ranges = Ranges::new(&terms, &tables);
    ranges.assume(if holds { cond.term } else { terms.not(cond.term) });
    let width = builder.width();
    let word = builder.word(width, 5);
    let value = Value::BitVec(BvValue::from_biguint(Width::of(width), word.value));
    assert_eq!(Evaluator::new(&terms, &builder.model).value(word.term), Some(value));
    let again = builder.bool(4);
    if let Some(truth) = ranges.truth(again.term) {
        assert_eq!(truth, again.value != 0u32.into());
    }
});
