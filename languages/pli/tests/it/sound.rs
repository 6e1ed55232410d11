//! What must not be proved, and sources that must not stop the reader.

use effigy_engine::Budget;
use effigy_explore::{Config as Exploring, PathEnd, Sink, explore};
use effigy_pli::{ASSERTION, Asserts, Options, Program, State, UNINITIALISED, compile};
use effigy_prove::{Config, Proof, prove};
use effigy_solver::{QueryBudget, SolverConfig, chain};
use effigy_term::Terms;
use effigy_walk::Search;
use std::time::Duration;

struct Nothing;

impl Sink<State> for Nothing {
    fn ended(&mut self, _: &PathEnd<'_, State>) {}
}

fn proof(source: &str) -> Proof {
    let code = compile("test.pli", source).unwrap_or_else(|it| panic!("{it}"));
    let program = Program::without_call(code, Options { asserts: Asserts::Cuts, ..Options::default() });
    let terms = Terms::new();
    let query = QueryBudget { steps: None, time: Some(Duration::from_secs(2)) };
    let config = Config { condition: query, branch: query, path_steps: 100, paths: 100, interrupt: Default::default() };
    let mut solver = chain(&SolverConfig::default());
    let wanted = |_: &effigy_engine::CutProcedure| true;
    prove(&program, &terms, &mut *solver, &config, &wanted, &mut |_| {}).remove(0)
}

/// An assertion that is the first statement and is come back to is an invariant, not only the initial predicate.
#[test]
fn an_entry_that_is_come_back_to_is_cut_again() {
    let old =
        "P: PROC(X);\nL: ASSERT (X >= OLD(X));\n PROVE (X = OLD(X));\n X = X+1;\n IF X < 10 THEN GO TO L;\nEND;\n";
    assert!(!proof(old).holds());
    let local = "P: PROC(X);\n DCL Z INITIAL(0);\nL: ASSERT (X > 0);\n PROVE (Z = 0);\n Z = Z+1;\n GO TO L;\nEND;\n";
    assert!(!proof(local).holds());
}

/// A loop's bound is computed once; a recursive call may change the STATIC variable that it was.
#[test]
fn a_bound_does_not_follow_a_static_variable() {
    let source = "P: PROC(X);\n DCL N STATIC INITIAL(5);\n IF X = 0 THEN DO; N = 10; RETURN; END;\n\
                  DO I = 1 TO N;\n ASSERT (X ¬= 0);\n IF X = 1 & I < N THEN DO; CALL P((0)); X = 2; END;\n END;\n\
                  PROVE (I > N);\nEND;\n";
    assert!(!proof(source).holds());
}

#[test]
fn an_input_of_the_program_is_not_the_variable_of_its_name() {
    assert!(!proof("P: PROC(X);\n Y = \"X\";\n PROVE (Y = X);\nEND;\n").holds());
}

#[test]
fn an_element_without_a_value_is_not_zero_in_an_assertion() {
    let found = |source: &str| -> Vec<String> {
        let code = compile("test.pli", source).unwrap_or_else(|it| panic!("{it}"));
        let program = Program::new(code, "P(\"X\")", Options::default()).unwrap_or_else(|it| panic!("{it}"));
        let query = QueryBudget { steps: None, time: Some(Duration::from_secs(2)) };
        let config = Exploring {
            search: Search::Dfs,
            seed: 1,
            budget: Budget::default(),
            query,
            values: 4,
            feasibility: effigy_engine::Feasibility::Branch,
        };
        let (terms, mut solver) = (Terms::new(), chain(&SolverConfig::default()));
        let res = explore(&program, &terms, &mut *solver, &config, &mut (), &mut Nothing);
        res.bugs.into_keys().map(|it| it.0).collect()
    };
    assert_eq!(found("P: PROC(X);\n DCL A(5);\n ASSERT (A(1) = 0);\nEND;\n"), [UNINITIALISED.0]);
    assert_eq!(found("P: PROC(X);\n DCL A(5);\n A(1) = X;\n ASSERT (A(1) = X);\nEND;\n"), [""; 0]);
    let all = "P: PROC(X);\n DCL A(3) INITIAL((3) 1);\n ASSERT (FORALL K (1 <= K & K <= 3 => A(K) = X));\nEND;\n";
    assert_eq!(found(all), [ASSERTION.0]);
    let open = "P: PROC(X);\n DCL A(3) INITIAL((2) 1);\n ASSERT (FORALL K (1 <= K & K <= X => A(K) = 1));\nEND;\n";
    assert!(found(open).contains(&UNINITIALISED.0.to_owned()));
}

#[test]
fn many_calls_of_oneself_are_analysed_in_time() {
    let calls = " CALL P(X, Y);".repeat(12);
    let source = format!("P: PROC(X, Y);\n ASSERT (X > 0);\n IF X > 0 THEN DO; {calls} END;\n ASSERT (1 = 1);\nEND;\n");
    let _ = compile("test.pli", &source).map(|code| {
        let program = Program::without_call(code, Options { asserts: Asserts::Cuts, ..Options::default() });
        let terms = Terms::new();
        let inputs = effigy_engine::Inputs::Symbolic;
        let (mut coverage, mut notes) = (Default::default(), Default::default());
        let mut ctx = effigy_engine::Context::new(&terms, &inputs, &mut coverage, &mut notes);
        assert!(effigy_engine::Cuts::start_at(&program, &mut ctx, 0, 1).is_some());
    });
}

#[test]
fn long_sums_and_long_lists_are_errors_and_not_the_end() {
    let sum = format!("P: PROC(X);\n X = 1{};\nEND;\n", " + 1".repeat(100_000));
    assert!(compile("test.pli", &sum).is_err());
    let list = format!("P: PROC(X);\n DCL Y INITIAL((1000000) 0{});\nEND;\n", ", (1000000) 0".repeat(5_000));
    assert!(compile("test.pli", &list).is_err());
}

/// What became of the corpus: nothing that is right is lost by being careful.
#[test]
fn the_corpus_is_proved_and_its_mutants_are_not() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/pli");
    for (which, holds) in [("proved", true), ("mutants", false)] {
        for entry in std::fs::read_dir(format!("{folder}/{which}")).expect("the corpus is there") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|it| it == "pli") {
                let source = std::fs::read_to_string(&path).expect("it can be read");
                assert_eq!(proof(&source).holds(), holds, "{}", path.display());
            }
        }
    }
}
