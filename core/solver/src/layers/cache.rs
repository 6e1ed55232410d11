//! Answers to earlier queries: the same one, a superset of an unsatisfiable one, a model that fits.
//!
//! Knows: sets of conjuncts. Never: paths.
//! Source: Cadar, Dunbar, Engler 2008 (KLEE), "counter-example cache".

use super::over::Below;
use crate::{Answer, Query, Solver, Statistics};
use effigy_term::eval::Evaluator;
use effigy_term::{Model, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::rc::Rc;

/// So many entries are kept; then the cache starts afresh.
const MOST_ENTRIES: usize = 200_000;

/// So many recent models are tried.
const MODELS: usize = 6;

/// The layer `cache`: earlier answers, by the set of conjuncts.
pub(super) struct Cache {
    below: Below,
    exact: FxHashMap<Rc<[Term]>, CachedAnswer>,
    /// Unsatisfiable sets by their latest conjunct.
    unsatisfiable: FxHashMap<Term, Vec<Rc<[Term]>>>,
    models: VecDeque<Model>,
}

#[derive(Clone)]
enum CachedAnswer {
    Sat(Model),
    Unsat,
}

impl Cache {
    /// Over `below`, under this name.
    pub(super) fn new(name: &'static str, below: Box<dyn Solver>) -> Cache {
        Cache {
            below: Below::new(name, below),
            exact: FxHashMap::default(),
            unsatisfiable: FxHashMap::default(),
            models: VecDeque::new(),
        }
    }

    fn look_up(&self, terms: &Terms, query: &Query<'_>, key: &[Term]) -> Option<Answer> {
        match self.exact.get(key) {
            Some(CachedAnswer::Sat(model)) => return Some(Answer::Sat(query.complete(model.clone()))),
            Some(CachedAnswer::Unsat) => return Some(Answer::Unsat),
            None => {}
        }
        if !self.unsatisfiable.is_empty() {
            let set: FxHashSet<Term> = key.iter().copied().collect();
            let covers = |it: &Rc<[Term]>| it.iter().all(|term| set.contains(term));
            if key.iter().filter_map(|it| self.unsatisfiable.get(it)).flatten().any(covers) {
                return Some(Answer::Unsat);
            }
        }
        let fits = |model: &&Model| {
            let mut evaluator = Evaluator::new(terms, model);
            evaluator.truth(query.goal) == Some(true) && key.iter().all(|&it| evaluator.truth(it) == Some(true))
        };
        // What a function is belongs to the path that asked.
        if has_functions(terms, key) {
            return None;
        }
        // Symbols that a recent model does not mention are zero in it, so it is complete for this key.
        let model = self.models.iter().find(fits)?;
        let mut part = Model::new();
        for symbol in key.iter().flat_map(|&it| terms.symbols(it)) {
            part.set(*symbol, explicit(terms, model, *symbol));
        }
        Some(Answer::Sat(query.complete(part)))
    }

    fn remember(&mut self, terms: &Terms, key: Vec<Term>, answer: &Answer) {
        if self.exact.len() >= MOST_ENTRIES {
            self.exact.clear();
            self.unsatisfiable.clear();
        }
        let key: Rc<[Term]> = key.into();
        match answer {
            Answer::Sat(model) => {
                // Only the symbols of this query: the rest belongs to the path that asked.
                let mut part = Model::new();
                for symbol in key.iter().flat_map(|&it| terms.symbols(it)) {
                    part.set(*symbol, explicit(terms, model, *symbol));
                }
                if !has_functions(terms, &key) {
                    self.models.push_front(model.clone());
                    self.models.truncate(MODELS);
                    self.exact.insert(key, CachedAnswer::Sat(part));
                }
            }
            Answer::Unsat => {
                if let Some(&latest) = key.last() {
                    self.unsatisfiable.entry(latest).or_default().push(Rc::clone(&key));
                }
                self.exact.insert(key, CachedAnswer::Unsat);
            }
            Answer::Unknown(_) => {}
        }
    }
}

/// The value of a symbol in a model, spelled out: what completes a model must not choose another.
fn explicit(terms: &Terms, model: &Model, symbol: effigy_term::Symbol) -> effigy_term::Value {
    let default = || effigy_term::eval::default_value(terms, terms.symbol_info(symbol).sort);
    model.get(symbol).cloned().unwrap_or_else(default)
}

/// Whether uninterpreted functions occur: their models are not kept by symbol.
fn has_functions(terms: &Terms, key: &[Term]) -> bool {
    key.iter().any(|&it| terms.applies_functions(it))
}

impl Solver for Cache {
    fn check(&mut self, terms: &Terms, query: &Query<'_>) -> Answer {
        let since = self.below.begin();
        let mut key = query.conjuncts();
        key.push(query.goal);
        key.sort_unstable();
        key.dedup();
        if let Some(answer) = self.look_up(terms, query, &key) {
            return self.below.answered(since, answer);
        }
        let answer = self.below.check(since, terms, query);
        self.remember(terms, key, &answer);
        answer
    }

    fn statistics(&self, into: &mut Statistics) {
        self.below.statistics(into);
    }
}
