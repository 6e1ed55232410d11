//! Questions and their answers: each is asked where it must be, and no answer is taken for another's.

use effigy_engine::{Feasibility, Trail};
use effigy_explore::{Config, End, PathEnd, Sink, explore};
use effigy_pli::{Options, Program, State, compile};
use effigy_solver::{QueryBudget, SolverConfig, chain};
use effigy_term::Terms;
use effigy_walk::Search;

#[derive(Default)]
struct Ends(Vec<(Trail, String)>);

impl Sink<State> for Ends {
    fn ended(&mut self, end: &PathEnd<'_, State>) {
        let text = match &end.end {
            End::Exit { .. } => format!("end {}", String::from_utf8_lossy(&end.witness.output)),
            End::Bug(it) => format!("{} in {}", it.kind.0, it.place.line),
            other => format!("{other:?}"),
        };
        self.0.push((end.trail.clone(), text));
    }
}

/// How the paths of a call end, each with its condition.
fn ends(source: &str, call: &str) -> Vec<String> {
    let code = compile("test.pli", source).unwrap_or_else(|it| panic!("{it}"));
    let program = Program::new(code, call, Options::default()).unwrap_or_else(|it| panic!("{it}"));
    let terms = Terms::new();
    let query = QueryBudget::default();
    let budget = effigy_engine::Budget { path_steps: Some(100), paths: Some(100), ..Default::default() };
    let config = Config { search: Search::Dfs, seed: 1, budget, query, values: 4, feasibility: Feasibility::Branch };
    let mut sink = Ends::default();
    explore(&program, &terms, &mut *chain(&SolverConfig::default()), &config, &mut (), &mut sink);
    let shown = |trail: &Trail| {
        let conjuncts = trail.condition.conjuncts();
        conjuncts.iter().map(|it| program.show(&terms, *it)).collect::<Vec<_>>().join(" & ")
    };
    let mut res: Vec<String> = sink.0.iter().map(|(trail, end)| format!("{end}: {}", shown(trail))).collect();
    res.sort();
    res
}

fn count(ends: &[String], what: &str) -> usize {
    ends.iter().filter(|it| it.starts_with(what)).count()
}

/// J has no value, which is an error only where Y is read as at most 1; elsewhere the assumption does not hold.
/// The answer to the first question was taken for that to the second, and nothing was assumed.
#[test]
fn an_assumption_with_an_uninitialised_value_in_it_is_still_made() {
    let source = "P: PROC (Y);\n ASSUME ((Y <= 1) & (J <= 5));\n WRITE (Y);\nEND;\n";
    let ends = ends(source, "P(\"Y\")");
    assert_eq!(count(&ends, "uninitialised-value in 2"), 1, "{ends:?}");
    assert_eq!(count(&ends, "end"), 0, "{ends:?}");
}

/// The same of an assertion, which was not checked.
#[test]
fn an_assertion_with_an_uninitialised_value_in_it_is_still_checked() {
    let source = "P: PROC (X, Z);\n PROVE (Z = 5 & (X > 0 => J > 0));\nEND;\n";
    let ends = ends(source, "P(\"X\", \"Z\")");
    assert_eq!(count(&ends, "uninitialised-value in 2"), 1, "{ends:?}");
    assert_eq!(count(&ends, "assertion-failed in 2"), 1, "{ends:?}");
}

/// PL/I computes the first value, then the last, then the step.
#[test]
fn the_first_value_of_a_loop_is_computed_first() {
    let source = "P: PROC (X);\n DO I = X TO F(X);\n WRITE (I);\n END;\nEND;\n\
                  F: PROC (N);\n N = N + 1;\n RETURN (N);\nEND;\n";
    assert_eq!(ends(source, "P(3)"), ["end 3 4: "]);
}

/// x = x² in a loop: exponents are bounded, and the numbers that they would give are not computed.
#[test]
fn powers_of_powers_take_no_memory() {
    let source = "P: PROC (X);\n DO I = 1 TO 36;\n X = X * X;\n END;\n IF X > 5 THEN Y = 1;\nEND;\n";
    assert!(!ends(source, "P(\"X\")").is_empty());
}
