//! What is read of an output folder, with tokens deleted, doubled, swapped and replaced: a test, a journal and a test of
//! KLEE are read, or refused with a place. The examples have no checksums, so that what stands behind them is read.

use effigy_report::test_case::Test;
use effigy_report::{journal, ktest};
use effigy_testing::reader_trial::try_reader;
use std::path::Path;

const TESTS: [&str; 2] = [include_str!("read/bug.json"), include_str!("read/exit.json")];

const JOURNALS: [&str; 1] = [include_str!("read/walk.jsonl")];

#[test]
fn mutants_of_tests_are_read_or_refused_at_a_place() {
    try_reader("test", TESTS, &["null", "true", "\"bug\"", "\"cut\"", "\\u0000"], |text| match Test::parse(text) {
        Ok(test) => {
            for input in &test.inputs {
                let _ = (input.to_bytes(), input.display());
            }
        }
        Err(error) => {
            let lines = 1 + text.iter().filter(|it| **it == b'\n').count();
            let is_place = |(line, _): (usize, usize)| (1..=lines).contains(&line);
            assert!(error.at.is_none_or(is_place) && !error.what.is_empty(), "{error}");
        }
    });
}

#[test]
fn mutants_of_journals_are_read_or_refused_with_a_line() {
    let words = ["null", "\"lost\"", "\"gone\"", "\"time\"", "\"found\"", "\"silent\"", "\\u0000"];
    try_reader("journal", JOURNALS, &words, |text| match journal::read_from(text, Path::new("walk.jsonl")) {
        Ok(walk) => {
            let _ = format!("{:?}", walk.start);
        }
        Err(error) => {
            let lines = 1 + text.iter().filter(|it| **it == b'\n').count();
            let text = error.to_string();
            let line = text.strip_prefix("walk.jsonl:").and_then(|it| it.split_once(": "));
            let line: Option<usize> = line.and_then(|it| it.0.parse().ok());
            assert!(line.is_some_and(|it| (1..=lines).contains(&it)), "{text}");
        }
    });
}

#[test]
fn mutants_of_klees_tests_are_read_or_none() {
    let objects = vec![("x".to_owned(), vec![1, 0, 0, 0]), ("model_version".to_owned(), b"1234".to_vec())];
    let test = ktest::KTest { arguments: vec!["a.bc".to_owned(), "--sym-arg".to_owned()], objects };
    try_reader("ktest", [ktest::write(&test)], &["KTEST", "BOUT"], |bytes| {
        if let Some(test) = ktest::read(bytes) {
            assert_eq!(ktest::read(&ktest::write(&test)), Some(test));
        }
    });
}
