//! Random programs of the toy language, on every input: the concolic run against the exploration, and against running
//! the program on numbers.

use effigy_concolic::{Limits, concolic};
use effigy_engine::{Given, Outcome};
use effigy_programs::concolic::{Bounds, ConcolicTally, runs_agree, searches_agree};
use effigy_term::{Terms, Value};
use effigy_testing::programs::{Behaviour, VALUES, inputs, program, run};
use proptest::prelude::*;
use std::cell::RefCell;

const MOST_STEPS: u32 = 150;

const BOUNDS: Bounds = Bounds { path_steps: 150, paths: 600, inputs: 12 };

fn all_inputs(count: u32) -> impl Iterator<Item = Vec<u8>> {
    (0..VALUES.pow(count)).map(move |code| (0..count).map(|at| (code / VALUES.pow(at) % VALUES) as u8).collect())
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..120)
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases: effigy_testing::cases(cases), failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config(300))]

    /// Without a solver and without terms in the oracle: the run does what the program does on these numbers, and its
    /// condition tells its inputs from those that do something else.
    #[test]
    fn a_run_does_what_the_program_does(bytes in bytes()) {
        let program = program(&bytes);
        let terms = Terms::new();
        for values in all_inputs(inputs(&program)) {
            let mut given = Given::new();
            for (at, value) in values.iter().enumerate() {
                given.give(&format!("in{at}"), Value::Int((*value).into()));
            }
            let found = concolic(&program, &terms, &given, &Limits { steps: 450, ..Limits::default() });
            let same = match (run(&program, &values, MOST_STEPS), &found.outcome) {
                (Behaviour::Ends(output), Some(Ok(Outcome::Exit { .. }))) => output == found.witness.output,
                (Behaviour::Violates(line), Some(Ok(Outcome::Violation(it)))) => it.place.line == line,
                (Behaviour::Dropped, Some(Ok(Outcome::Silent))) | (Behaviour::TooLong, _) => true,
                _ => false,
            };
            prop_assert!(same, "{program}{values:?}: {:?} {:?}", found.outcome, found.witness);
            prop_assert!(found.passed.iter().all(|it| found.values.truth(&terms, it.cond) == Some(true)));
        }
    }
}

#[test]
fn runs_have_the_paths_of_the_exploration() {
    let seen = RefCell::new(ConcolicTally::default());
    let mut runner = proptest::test_runner::TestRunner::new_with_rng(
        config(300),
        proptest::test_runner::TestRng::deterministic_rng(Default::default()),
    );
    let tried = runner.run(&bytes(), |bytes| {
        let program = program(&bytes);
        let mut seen = seen.borrow_mut();
        let tried = runs_agree(&program, BOUNDS, &mut seen).and_then(|()| searches_agree(&program, BOUNDS, &mut seen));
        tried.map_err(|it| TestCaseError::fail(format!("{it}\n{program}")))
    });
    tried.unwrap_or_else(|it| panic!("{it}"));
    let seen = seen.into_inner();
    assert!(seen.same > 1_000 && seen.word_for_word * 10 > seen.same * 9, "{seen:?}");
    assert!(seen.pinned > 30 && seen.bugs > 30 && seen.children > 300, "{seen:?}");
}
