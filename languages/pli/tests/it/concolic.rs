//! Random programs of King's language: a concolic run has the path and the path condition that the exploration has.

use effigy_pli::{Arrays, Options, Program, compile};
use effigy_programs::concolic::{Bounds, ConcolicTally, runs_agree, searches_agree};
use effigy_programs::pli;
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use std::cell::RefCell;

const BOUNDS: Bounds = Bounds { path_steps: 60, paths: 20, inputs: 10 };

/// Tries a property on random programs with both treatments of arrays, and with numbers that have a width.
fn check(cases: u32, property: &dyn Fn(&Program) -> Result<(), String>) {
    let config = Config { cases: effigy_programs::cases(cases), failure_persistence: None, ..Config::default() };
    let mut runner =
        TestRunner::new_with_rng(config, proptest::test_runner::TestRng::deterministic_rng(Default::default()));
    let bytes = proptest::collection::vec(proptest::prelude::any::<u8>(), 0..120);
    let tried = runner.run(&bytes, |bytes| {
        let random = pli::program(&bytes);
        for (arrays, width) in [(Arrays::Cases, None), (Arrays::Conditional, None), (Arrays::Conditional, Some(8))] {
            let code = compile("random.pli", &random.source).expect("what is generated compiles");
            let options = Options { arrays, width, ..Options::default() };
            let program = Program::new(code, &random.call_text, options).expect("what is generated can be called");
            property(&program).map_err(|it| {
                TestCaseError::fail(format!("{arrays:?} {width:?}: {it}\n{}{}", random.source, random.call_text))
            })?;
        }
        Ok(())
    });
    tried.unwrap_or_else(|it| panic!("{it}"));
}

#[test]
fn runs_have_the_paths_of_the_exploration() {
    let seen = RefCell::new(ConcolicTally::default());
    check(150, &|it| runs_agree(it, BOUNDS, &mut seen.borrow_mut()));
    let seen = seen.into_inner();
    assert!(seen.same > 1_000 && seen.word_for_word * 10 > seen.same * 9 && seen.bugs > 100, "{seen:?}");
}

#[test]
fn searches_find_what_they_predict() {
    let seen = RefCell::new(ConcolicTally::default());
    check(100, &|it| searches_agree(it, BOUNDS, &mut seen.borrow_mut()));
    let seen = seen.into_inner();
    assert!(seen.children > 100 && seen.complete > 100, "{seen:?}");
}
