//! Any text is a program or a list of errors with places; a program can be explored.
#![no_main]

use effigy_engine::{Budget, Feasibility};
use effigy_explore::{Config, PathEnd, Sink, explore};
use effigy_walk::Search;
use effigy_pli::{Options, Program, State, any_call, compile};
use effigy_solver::{QueryBudget, SolverConfig, chain};
use effigy_term::Terms;
use libfuzzer_sys::fuzz_target;
use std::time::Duration;

struct Forget;

impl Sink<State> for Forget {
    fn ended(&mut self, _end: &PathEnd<'_, State>) {}
}

fuzz_target!(|text: &str| {
    let code = match compile("fuzz.pli", text) {
        Ok(code) => code,
        Err(errors) => {
            assert!(!errors.errors.is_empty() && !errors.to_string().is_empty());
            assert!(errors.errors.iter().all(|it| text.get(it.span.start as usize..).is_some()));
            return;
        }
    };
    let program = Program::new(code.clone(), &any_call(&code), Options::default()).expect("a call of its own");
    let mut solver = chain(&SolverConfig { smt: "false".to_owned(), ..SolverConfig::default() });
    let budget = Budget {
        bugs: None,
        time: Some(Duration::from_secs(1)),
        memory: None,
        paths: Some(8),
        steps: Some(500),
        path_steps: Some(100),
        depth: Some(12),
        interrupt: Default::default(),
    };
    let query = QueryBudget { steps: Some(10_000), time: Some(Duration::from_millis(50)) };
    let config = Config { search: Search::Dfs, seed: 1, budget, query, values: 4, feasibility: Feasibility::Branch };
    explore(&program, &Terms::new(), &mut *solver, &config, &mut (), &mut Forget);
});
