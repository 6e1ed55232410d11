//! Random programs: every path is come to again by its name alone, and crews and interruptions change nothing.

use effigy_pli::{Arrays, Options, Program, compile};
use effigy_programs::pli;
use effigy_programs::walks::{Bounds, WalkTally, crews_agree, names_lead_back};
use proptest::test_runner::{Config, TestCaseError, TestRunner};
use std::cell::RefCell;

/// Tries a property on random programs with both treatments of arrays, and with numbers that have a width.
/// Builds a program, in any thread.
type Build<'a> = &'a (dyn Fn() -> Program + Sync);

fn check(cases: u32, property: &dyn Fn(Build<'_>) -> Result<(), String>) {
    let config = Config { cases: effigy_programs::cases(cases), failure_persistence: None, ..Config::default() };
    let mut runner =
        TestRunner::new_with_rng(config, proptest::test_runner::TestRng::deterministic_rng(Default::default()));
    let bytes = proptest::collection::vec(proptest::prelude::any::<u8>(), 0..120);
    let tried = runner.run(&bytes, |bytes| {
        let random = pli::program(&bytes);
        for (arrays, width) in [(Arrays::Cases, None), (Arrays::Conditional, None), (Arrays::Conditional, Some(8))] {
            let build = || {
                let code = compile("random.pli", &random.source).expect("what is generated compiles");
                let options = Options { arrays, width, ..Options::default() };
                Program::new(code, &random.call_text, options).expect("what is generated can be called")
            };
            property(&build).map_err(|it| {
                TestCaseError::fail(format!("{arrays:?} {width:?}: {it}\n{}{}", random.source, random.call_text))
            })?;
        }
        Ok(())
    });
    tried.unwrap_or_else(|it| panic!("{it}"));
}

const BOUNDS: Bounds = Bounds { path_steps: 60, paths: 20, depth: None };

#[test]
fn names_lead_back_to_their_paths() {
    let seen = RefCell::new(WalkTally::default());
    check(150, &|build| names_lead_back(&build, BOUNDS, &mut seen.borrow_mut()));
    let seen = seen.into_inner();
    assert!(seen.ends > 400 && seen.bugs > 100 && seen.waiting > 30 && seen.witnesses > 20, "{seen:?}");
}

#[test]
fn crews_and_interruptions_change_nothing() {
    let seen = RefCell::new(WalkTally::default());
    check(40, &|build| crews_agree(build, BOUNDS, &mut seen.borrow_mut()));
    // Forks are counted however often a path has travelled.
    check(20, &|build| crews_agree(build, Bounds { depth: Some(1), ..BOUNDS }, &mut seen.borrow_mut()));
    let seen = seen.into_inner();
    assert!(seen.crews > 60 && seen.forked > 20, "{seen:?}");
}
