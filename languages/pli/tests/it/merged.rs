//! Random programs of King's language, merged: each merged state is the state of the one path that a model takes, and
//! what is found of all paths at once is what is found path by path.
//!
//! Knows: `effigy_programs::pli` and its walk of merged paths. Never: how states are merged.

use effigy_bmc::{Config as Checking, Encoding, Verdict, check};
use effigy_engine::{Budget, BugKind, Feasibility, Joins, Place, Turning};
use effigy_explore::{Config, End, PathEnd, Sink, explore};
use effigy_pli::{Arrays, OVERFLOW, Options, Program, SUBSCRIPT, State, compile};
use effigy_programs::merging::{Limits, Seen, merged_is_alone, mixed, numbers};
use effigy_programs::pli;
use effigy_solver::{QueryBudget, Solver, SolverConfig, chain};
use effigy_term::value::ArrayValue;
use effigy_term::{Sort, Symbol, Terms, Value};
use effigy_walk::Search;
use num_bigint::BigInt;
use proptest::test_runner::{Config as ProptestConfig, RngSeed, TestCaseError, TestError, TestRunner};
use std::cell::RefCell;
use std::collections::BTreeSet;

const LIMITS: Limits = Limits { models: 24, path_steps: 80, steps: 3_000, assumed: &[SUBSCRIPT, OVERFLOW] };

/// Transitions on one path.
const MOST_STEPS: u64 = 60;

const MOST_PATHS: u64 = 60;

fn program(random: &pli::Program, options: &Options) -> Program {
    let code = compile("random.pli", &random.source).expect("what is generated is right");
    Program::new(code, &random.call_text, options.clone()).unwrap_or_else(|it| panic!("{it}"))
}

/// Tries a property on random programs, which shrink.
fn check_all(cases: u32, property: &dyn Fn(&pli::Program, u64) -> Result<(), String>) {
    let config = ProptestConfig {
        cases: effigy_programs::cases(cases),
        failure_persistence: None,
        max_shrink_iters: 2_000,
        rng_seed: RngSeed::Fixed(29),
        ..ProptestConfig::default()
    };
    let bytes = proptest::collection::vec(proptest::num::u8::ANY, 0..160);
    let res = TestRunner::new(config).run(&bytes, |bytes| {
        let seed = bytes.iter().fold(7, |res: u64, it| res.wrapping_mul(31) + u64::from(*it));
        property(&pli::program(&bytes), seed).map_err(TestCaseError::fail)
    });
    if let Err(TestError::Fail(why, bytes)) = res {
        let random = pli::program(&bytes);
        panic!("{why}\n{}{}", random.source, random.call_text);
    }
}

/// Mostly small.
fn number(mixed: u64) -> Value {
    Value::Int(match mixed % 12 {
        0 => BigInt::from((mixed >> 8) % 200) - 100,
        _ => BigInt::from((mixed >> 8) % 9) - 3,
    })
}

/// The value of an input in a model.
fn input(seed: u64, model: usize, symbol: Symbol, terms: &Terms) -> Value {
    let info = terms.symbol_info(symbol);
    let at = |name: &str| number(mixed(seed, model, &format!("{} {name}", info.name)));
    match info.sort {
        Sort::Int => at(""),
        _ => {
            let others = at("others");
            let entries = (-2..6).map(|it| (Value::Int(BigInt::from(it)), at(&it.to_string())));
            let entries = entries.filter(|it| it.1 != others).collect();
            Value::Array(ArrayValue { default: others, entries }.into())
        }
    }
}

fn states_agree(cases: u32, options: &[Options]) {
    let seen = RefCell::new(Seen::default());
    check_all(cases, &|random, seed| {
        for options in options {
            let (program, terms) = (program(random, options), Terms::new());
            let value = |model: usize, symbol: Symbol, terms: &Terms| input(seed, model, symbol, terms);
            let mut seen = seen.borrow_mut();
            merged_is_alone(&program, &terms, LIMITS, &value, &mut numbers(seed), &mut seen)
                .map_err(|it| format!("{options:?}: {it}"))?;
        }
        Ok(())
    });
    let seen = seen.into_inner();
    let cases = cases as usize;
    assert!(seen.merges > cases / 4 && seen.shared > cases && seen.things > 10 * cases, "{seen:?}");
    assert!(seen.ends > cases && seen.bugs > cases, "{seen:?}");
}

#[test]
fn a_merged_state_is_the_state_of_the_path_that_the_model_takes() {
    states_agree(500, &[Options::default()]);
}

#[test]
fn so_it_is_with_arrays_by_cases_and_with_machine_integers() {
    let cases = Options { arrays: Arrays::Cases, ..Options::default() };
    states_agree(250, &[cases, Options { width: Some(8), ..Options::default() }]);
}

/// The bugs of a walk path by path.
#[derive(Default)]
struct Bugs(BTreeSet<(BugKind, Place)>);

impl Sink<State> for Bugs {
    fn ended(&mut self, end: &PathEnd<'_, State>) {
        if let End::Bug(violation) = &end.end
            && end.certain
        {
            self.0.insert((violation.kind, violation.place.clone()));
        }
    }
}

const QUERY: QueryBudget = QueryBudget { steps: Some(20_000), time: None };

/// No process is started, and no clock asked.
fn solver() -> Box<dyn Solver> {
    chain(&SolverConfig { smt: "false".to_owned(), ..SolverConfig::default() })
}

#[test]
fn what_is_found_of_all_paths_at_once_is_found_path_by_path() {
    what_is_found(Encoding::Values, Joins::Always, 400);
}

/// What is soon asked of stays apart: fewer paths become one, and the same is found.
#[test]
fn what_is_found_where_only_some_paths_merge_is_found_path_by_path() {
    what_is_found(Encoding::Values, Joins::Heuristic, 200);
}

#[test]
fn what_equations_find_is_found_path_by_path() {
    what_is_found(Encoding::Equations, Joins::Always, 200);
}

fn what_is_found(encoding: Encoding, joins: Joins, cases: u32) {
    let (compared, buggy, proved) = (RefCell::new(0), RefCell::new(0), RefCell::new(0));
    check_all(cases, &|random, _| {
        let program = program(random, &Options::default());
        let terms = Terms::new();
        let budget = Budget { path_steps: Some(MOST_STEPS), paths: Some(MOST_PATHS), ..Budget::default() };
        let config = Config {
            search: Search::Dfs,
            seed: 7,
            budget: budget.clone(),
            query: QUERY,
            values: 4,
            feasibility: Feasibility::Branch,
        };
        let mut bugs = Bugs::default();
        let exploration = explore(&program, &terms, &mut *solver(), &config, &mut (), &mut bugs);
        let checking = Checking {
            bound: &|_: &Turning| None,
            budget: Budget { steps: Some(4_000), ..budget },
            query: QUERY,
            values: 4,
            induction: true,
            invariants: false,
            joins,
            encoding,
            ends: false,
            dump: None,
            others: None,
            progress: &|_| {},
        };
        let account = check(&program, &terms, &mut *solver(), &checking);
        // What is only assumed of the caller's arrays is asked path by path, and not of all at once.
        let told = |it: &(BugKind, Place)| it.0 != SUBSCRIPT || !random.call_text.contains('V');
        let found = account.properties.iter().filter(|it| matches!(it.verdict, Verdict::Bug(_)));
        let found: BTreeSet<_> = found.map(|it| (it.kind, it.place.clone())).filter(told).collect();
        let expected: BTreeSet<_> = bugs.0.into_iter().filter(told).collect();
        let is_whole = exploration.stopped.is_none() && exploration.is_complete();
        let all = account.properties.iter().all(|it| matches!(it.verdict, Verdict::Bug(_) | Verdict::Correct));
        let is_decided = all && account.missed.is_empty() && account.needs.is_empty() && account.stopped.is_none();
        *compared.borrow_mut() += usize::from(is_whole && is_decided);
        *buggy.borrow_mut() += usize::from(!expected.is_empty());
        *proved.borrow_mut() += usize::from(is_decided && found.is_empty());
        // A run may come to a bug first of which the solver could not tell.
        let is_unknown = account.properties.iter().any(|it| matches!(it.verdict, Verdict::Unknown));
        if !is_unknown && account.missed.iter().any(|it| it.what.starts_with("internal")) {
            return Err(format!("{:?}", account.missed));
        }
        if is_whole && !found.is_subset(&expected) || is_decided && !expected.is_subset(&found) {
            return Err(format!("found {found:?}, expected {expected:?}"));
        }
        Ok(())
    });
    let (compared, buggy, proved) = (compared.into_inner(), buggy.into_inner(), proved.into_inner());
    assert!(
        compared > cases as usize / 4 && buggy > cases as usize / 4 && proved > cases as usize / 20,
        "{compared} compared, {buggy} with bugs, {proved} proved"
    );
}
