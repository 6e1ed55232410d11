//! Whatever a solver prints is values of the asked sorts or an error.
#![no_main]

use effigy_solver::backends::pipe::parse_values;
use effigy_term::{Sort, Terms, Width};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let terms = Terms::new();
    let sorts = [
        Sort::Bool,
        Sort::Int,
        Sort::BitVec(Width::of(8)),
        terms.array_sort(Sort::BitVec(Width::W64), Sort::BitVec(Width::of(8))),
    ];
    for sort in sorts {
        if let Ok(values) = parse_values(&terms, text, &[sort]) {
            assert_eq!(values.len(), 1);
        }
    }
});
