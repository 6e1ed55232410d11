//! Unbounded integers: conjunctions of mostly linear constraints, in the process.
//!
//! Knows: linear arithmetic over the integers (simplex with exact fractions, branching, solved equations), what
//! division, arrays and small products add to it. Never: bitvectors, quantifiers; what it does not know is an unknown
//! or left out, so that *unsatisfiable* is sound, and each model is evaluated on the whole query.
//!
//! Everything is bounded; what takes longer is left to others. A query without integers costs a look at the
//! sorts of its goal's symbols.

mod candidate;
mod consequences;
mod equations;
mod facts;
mod form;
mod problem;
mod rational;
mod search;
mod simplex;
mod system;
mod tableau;
mod translate;

use crate::{Answer, Query};
use effigy_term::eval::Evaluator;
use effigy_term::{Model, Sort, Term, Terms};
use form::Unknown;
use problem::Problem;
use search::{SearchBudget, SearchResult, solve};
use std::collections::BTreeMap;
use std::rc::Rc;
use translate::Translator;

/// Queries of more conjuncts are left to others.
const MOST_CONJUNCTS: usize = 1_500;

/// So many translations are remembered; then it starts afresh.
const MOST_REMEMBERED: usize = 200_000;

impl SearchBudget {
    /// So many cases are looked at, and so many cells of tableaux are computed, in one attempt at so many conjuncts:
    /// one more conjunct is one more row.
    fn of(conjuncts: usize) -> SearchBudget {
        SearchBudget { nodes: 1000 + 4 * conjuncts, cells: 300_000 + 2000 * conjuncts }
    }
}

/// And in one that must be quick.
const SMALL: SearchBudget = SearchBudget { nodes: 60, cells: 20_000 };

/// Values that are tried for factors, exponents and divisors.
const GUESSES: [i128; 7] = [1, 2, 0, -1, 3, 4, 10];

/// Decides queries about integers, and remembers their translation.
#[derive(Debug, Default)]
pub(crate) struct Decider {
    translator: Translator,
}

/// A solution with what it is about.
struct LinearSolution {
    solution: BTreeMap<Unknown, i128>,
    facts: BTreeMap<Unknown, Rc<facts::Facts>>,
}

impl Decider {
    /// The answer to a query, if linear arithmetic has one.
    pub(crate) fn decide(&mut self, terms: &Terms, query: &Query<'_>) -> Option<Answer> {
        if !mentions_integers(terms, query) {
            return None;
        }
        let mut roots = query.conjuncts();
        if roots.len() > MOST_CONJUNCTS {
            return None;
        }
        roots.push(query.goal);
        if self.translator.len() > MOST_REMEMBERED {
            self.translator = Translator::default();
        }
        let empty = Model::new();
        let mut witness = Evaluator::new(terms, query.witness.unwrap_or(&empty));
        let solved = match attempt(terms, &mut self.translator, &roots, &mut witness, SearchBudget::of(roots.len())) {
            SearchResult::None => return Some(Answer::Unsat),
            SearchResult::Solution(solved) => solved,
            SearchResult::GaveUp => return None,
        };
        if let Some(model) = checked(terms, &self.translator, query, &roots, &solved) {
            return Some(Answer::Sat(model));
        }
        self.linearized(terms, query, &roots, &mut witness, &solved)
    }

    /// The query with factors, exponents and divisors taken as constants: first those of the solution, then small ones.
    fn linearized(
        &mut self,
        terms: &Terms,
        query: &Query<'_>,
        roots: &[Term],
        witness: &mut Evaluator<'_>,
        solved: &LinearSolution,
    ) -> Option<Answer> {
        let mut choices: Vec<BTreeMap<Term, i128>> = Vec::new();
        for which in [0, 1] {
            let obstacles = solved.facts.values().flat_map(|it| &it.obstacles[which]);
            let mut found = BTreeMap::new();
            for &term in obstacles.filter(|it| terms.as_int(**it).is_none()) {
                let form = self.translator.form(terms, term, 0)?;
                found.insert(term, form.value(|it| solved.solution.get(&it).copied())?);
            }
            if found.is_empty() {
                return None;
            }
            choices.push(found);
        }
        let obstacles: Vec<Term> = choices[0].keys().copied().collect();
        choices.extend(GUESSES.map(|value| obstacles.iter().map(|&it| (it, value)).collect()));
        for fixed in choices {
            let mut translator = Translator::fixing(fixed);
            match attempt(terms, &mut translator, roots, witness, SearchBudget::of(roots.len())) {
                SearchResult::Solution(solved) => {
                    if let Some(model) = checked(terms, &translator, query, roots, &solved) {
                        return Some(Answer::Sat(model));
                    }
                }
                SearchResult::None => {}
                SearchResult::GaveUp => return None,
            }
        }
        None
    }
}

/// Tells whether facts contradict each other, and nothing else.
#[derive(Debug, Default)]
pub(crate) struct Refuter {
    translator: Translator,
}

impl Refuter {
    /// Whether linear arithmetic shows quickly that these cannot all hold.
    pub(crate) fn refutes(&mut self, terms: &Terms, facts: &[Term]) -> bool {
        if self.translator.len() > MOST_REMEMBERED {
            self.translator = Translator::default();
        }
        let empty = Model::new();
        let mut witness = Evaluator::new(terms, &empty);
        matches!(attempt(terms, &mut self.translator, facts, &mut witness, SMALL), SearchResult::None)
    }
}

/// Solves the conjunction of `roots` as far as it is understood.
fn attempt(
    terms: &Terms,
    translator: &mut Translator,
    roots: &[Term],
    witness: &mut Evaluator<'_>,
    mut budget: SearchBudget,
) -> SearchResult<LinearSolution> {
    let mut problem = Problem::default();
    let Some(assumptions) = translator.assumptions(terms) else { return SearchResult::GaveUp };
    assumptions.iter().for_each(|it| problem.system.assume(it));
    for &root in roots {
        if let Some(formula) = translator.conjunct(terms, root) {
            problem.system.assume(&formula);
        }
    }
    if problem.close(terms, translator).is_none() {
        return SearchResult::GaveUp;
    }
    let Problem { system, facts } = problem;
    let mut initial = |it| candidate::initial(translator, witness, it);
    match solve(system, facts.keys().copied(), &mut initial, &mut budget) {
        SearchResult::Solution(solution) => SearchResult::Solution(LinearSolution { solution, facts }),
        SearchResult::None => SearchResult::None,
        SearchResult::GaveUp => SearchResult::GaveUp,
    }
}

/// The model of a solution, if it satisfies every conjunct and the goal.
fn checked(
    terms: &Terms,
    translator: &Translator,
    query: &Query<'_>,
    roots: &[Term],
    solved: &LinearSolution,
) -> Option<Model> {
    let model = candidate::model(terms, translator, &solved.facts, &solved.solution, query.witness)?;
    let model = query.complete(model);
    let mut evaluator = Evaluator::new(terms, &model);
    roots.iter().all(|&it| evaluator.truth(it) == Some(true)).then_some(model)
}

/// Whether the goal is about integers, by the sorts of its symbols; a goal of truth values only is if φ is.
fn mentions_integers(terms: &Terms, query: &Query<'_>) -> bool {
    let symbols = terms.symbols(query.goal);
    let mut truth_values = symbols.is_empty();
    for &symbol in symbols {
        match terms.symbol_info(symbol).sort {
            Sort::Bool => truth_values = true,
            sort if has_integers(terms, sort) => return true,
            _ => {}
        }
    }
    let about = |it: &Term| terms.symbols(*it).iter().any(|&it| has_integers(terms, terms.symbol_info(it).sort));
    truth_values && query.conjuncts().iter().any(about)
}

fn has_integers(terms: &Terms, sort: Sort) -> bool {
    match sort {
        Sort::Int => true,
        Sort::Array(parts) => {
            let (index, element) = terms.array_parts(parts);
            has_integers(terms, index) || has_integers(terms, element)
        }
        _ => false,
    }
}
