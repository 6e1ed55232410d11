//! What an external solver prints, with tokens deleted, doubled, swapped and replaced: values of the sorts that were asked
//! for, or an error.

use effigy_solver::backends::pipe::parse_values;
use effigy_term::{Sort, Terms, Width};
use effigy_testing::reader_trial::try_reader;

const ANSWERS: [&str; 6] = [
    "((x #x0f))",
    "((x true) (|a b| (- 5)))",
    "((x (_ bv7 8)))",
    "((m (store ((as const (Array (_ BitVec 64) (_ BitVec 8))) #x00) #x0000000000000001 #xff)))",
    "((m (let ((a!1 (store ((as const (Array (_ BitVec 64) (_ BitVec 8))) #x00) #x0000000000000002 #x01))) a!1)))",
    "((m (_ as-array k!0)) (q (/ 1.0 3.0)))",
];

#[test]
fn mutants_are_values_or_an_error() {
    try_reader("solver-output", ANSWERS, &["false", "let", "lambda", "ite", ";", "|", "\""], |text| {
        let (terms, text) = (Terms::new(), String::from_utf8_lossy(text));
        let bytes = terms.array_sort(Sort::BitVec(Width::W64), Sort::BitVec(Width::W8));
        for sort in [Sort::Bool, Sort::Int, Sort::Real, Sort::BitVec(Width::W8), bytes] {
            if let Ok(values) = parse_values(&terms, &text, &[sort]) {
                assert_eq!(values.len(), 1);
            }
        }
    });
}
