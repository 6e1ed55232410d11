//! Paths that are merged: each merged state is the state of the one path that an input takes.

use super::generate::{LAYERS, Layer};
use super::harness::{Case, check};
use super::inputs;
use super::theorems::{machine, words};
use effigy_bmc::{Config, Encoding, Verdict};
use effigy_engine::{Budget, Feasibility, Joins, Turning};
use effigy_explore::{Config as Exploring, End, PathEnd, Sink, explore};
use effigy_oo::run::forward::{Forward, Updates};
use effigy_oo::run::machine::State;
use effigy_programs::merging::{Limits, Seen, merged_is_alone, numbers};
use effigy_solver::{QueryBudget, SolverConfig, chain};
use effigy_term::eval::default_value;
use effigy_term::{Model, Symbol, Terms};
use effigy_walk::Search;
use std::cell::RefCell;
use std::collections::BTreeSet;

const LIMITS: Limits = Limits { models: 8, path_steps: 60, steps: 3_000, assumed: &[] };

/// All but threads: a state with several stays what it is.
fn layers() -> impl Iterator<Item = Layer> {
    LAYERS.into_iter().filter(|it| *it != Layer::Threads)
}

fn states(case: &Case, seen: &mut Seen) -> Result<(), String> {
    let updates = if case.seed.is_multiple_of(2) { Updates::Stores } else { Updates::Conditional };
    let (language, terms) = (machine(case, Forward::new(updates)), Terms::new());
    let words = words(case, &terms);
    let models: Vec<Model> = (0..LIMITS.models as u64)
        .map(|it| {
            let valuation = inputs::valuation(&case.program, case.seed.wrapping_mul(64) + it);
            inputs::model_of(&terms, &case.program, &words, &valuation, 0)
        })
        .collect();
    let value = |model: usize, symbol: Symbol, terms: &Terms| {
        let known = models[model].get(symbol).cloned();
        known.unwrap_or_else(|| default_value(terms, terms.symbol_info(symbol).sort))
    };
    merged_is_alone(&language, &terms, LIMITS, &value, &mut numbers(case.seed), seen)
}

#[test]
fn a_merged_state_is_the_state_of_the_path_that_the_input_takes() {
    for layer in layers() {
        let seen = RefCell::new(Seen::default());
        check(layer, 60, &|case| states(case, &mut seen.borrow_mut()));
        let seen = seen.into_inner();
        assert!(seen.merges > 100 && seen.shared > 5_000 && seen.things > 30_000, "{layer:?}: {seen:?}");
        assert!(seen.ends > 300 && seen.bugs > 50 && seen.dropped > 30, "{layer:?}: {seen:?}");
    }
}

#[derive(Default)]
struct Bugs(BTreeSet<(&'static str, u32, u32)>);

impl Sink<State<Forward>> for Bugs {
    fn ended(&mut self, end: &PathEnd<'_, State<Forward>>) {
        if let End::Bug(violation) = &end.end
            && end.certain
        {
            self.0.insert((violation.kind.0, violation.place.line, violation.place.column));
        }
    }
}

#[test]
fn what_is_found_of_all_paths_at_once_is_found_path_by_path() {
    what_is_found(Joins::Always, false);
}

/// What is soon asked of stays apart: fewer paths become one, and the same is found.
#[test]
fn what_is_found_where_only_some_paths_merge_is_found_path_by_path() {
    what_is_found(Joins::Heuristic, false);
}

/// Loops without a bound are closed; what is called correct has no bug on any path.
#[test]
fn what_is_closed_by_induction_has_no_bug_path_by_path() {
    what_is_found(Joins::Always, true);
}

#[derive(Debug, Default)]
struct Compared {
    decided: usize,
    buggy: usize,
    closed: usize,
}

fn what_is_found(joins: Joins, induction: bool) {
    let seen = RefCell::new(Compared::default());
    for layer in layers() {
        check(layer, if induction { 24 } else { 6 }, &|case| compare(case, joins, induction, &mut seen.borrow_mut()));
    }
    let seen = seen.into_inner();
    assert!(seen.decided > 40 && seen.buggy > 20, "{seen:?}");
    assert!(!induction || seen.closed > 10, "{seen:?}");
}

fn compare(case: &Case, joins: Joins, induction: bool, seen: &mut Compared) -> Result<(), String> {
    let (language, terms) = (machine(case, Forward::new(Updates::Stores)), Terms::new());
    let budget = Budget { path_steps: Some(40), paths: Some(40), ..Budget::default() };
    let query = QueryBudget { steps: Some(20_000), time: None };
    let config = Exploring {
        search: Search::Dfs,
        seed: 7,
        budget: budget.clone(),
        query,
        values: 4,
        feasibility: Feasibility::Branch,
    };
    let mut bugs = Bugs::default();
    let mut solver = chain(&SolverConfig::default());
    let exploration = explore(&language, &terms, &mut *solver, &config, &mut (), &mut bugs);
    let config = Config {
        bound: &|_: &Turning| None,
        budget: Budget { steps: Some(3_000), paths: None, ..budget },
        query,
        values: 4,
        induction,
        invariants: false,
        joins,
        encoding: Encoding::Values,
        ends: false,
        dump: None,
        others: None,
        progress: &|_| {},
    };
    let account = effigy_bmc::check(&language, &terms, &mut *chain(&SolverConfig::default()), &config);
    let of = |wanted: fn(&Verdict) -> bool| -> BTreeSet<_> {
        let found = account.properties.iter().filter(|it| wanted(&it.verdict));
        found.map(|it| (it.kind.0, it.place.line, it.place.column)).collect()
    };
    let (found, correct) = (of(|it| matches!(it, Verdict::Bug(_))), of(|it| matches!(it, Verdict::Correct)));
    let all = account.properties.iter().all(|it| matches!(it.verdict, Verdict::Bug(_) | Verdict::Correct));
    let is_decided = all && account.missed.is_empty() && account.needs.is_empty() && account.stopped.is_none();
    let is_whole = exploration.is_complete() && exploration.stopped.is_none();
    seen.decided += usize::from(is_decided && is_whole);
    seen.buggy += usize::from(!bugs.0.is_empty());
    seen.closed += usize::from(!account.inductions.is_empty());
    let is_wrong = is_whole && !found.is_subset(&bugs.0)
        || is_decided && !bugs.0.is_subset(&found)
        || !bugs.0.is_disjoint(&correct);
    if is_wrong {
        return Err(format!("found {found:?}, correct {correct:?}, expected {:?}; {account:?}", bugs.0));
    }
    Ok(())
}
