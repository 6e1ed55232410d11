//! Bit-blasting to CaDiCaL in the process.
//!
//! Knows: circuits (`gates`), their construction from terms (`blast`, `circuits`), under what the query says of its
//! terms (`bounds`); arrays and functions by what a model gets wrong of them (`reads`, `agreement`); clauses (`sat`).
//! Never: processes.
//!
//! Terms are blasted into one circuit with shared gates. The part of the circuit that a query reaches becomes
//! clauses when it is first needed, and each conjunct is an assumption, so that what CaDiCaL learns on one path
//! serves the next. Since CaDiCaL assigns every variable that it knows, it is started afresh when most of what it
//! knows has nothing to do with the query.
//!
//! A query that takes more than some conflicts goes to a second CaDiCaL, which simplifies what it knows: for hard
//! queries that is worth it, as it is to substitute equalities before (`preprocess`). Budgets are counted in conflicts, so that answers are the same on a loaded machine.

mod agreement;
mod arrays;
mod blast;
mod bounds;
mod cadical;
mod circuit;
mod circuits;
mod dimacs;
mod equal_arrays;
mod floats;
mod gates;
mod orders;
mod preprocess;
mod products;
mod quotients;
mod reads;
mod sat;
mod stores;
mod tables;
#[cfg(test)]
mod tests;

use crate::statistics::Counter;
use crate::{Answer, LayerKind, Query, Reason, Solver, SolverConfig, Statistics};
pub use dimacs::dimacs;

use blast::Blaster;
use bounds::Bounds;
use cadical::SearchResult;
use effigy_term::eval::default_value;
use effigy_term::{Model, Node, Symbol, Term, Terms};
use gates::Bit;
use preprocess::{PreprocessedQuery, equates_arrays, preprocess};
use rustc_hash::FxHashSet;
use sat::{Effort, Sat, Watch};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// With fewer variables than this, starting afresh is not worth it.
const FEW_VARIABLES: usize = 2_000;

/// Conflicts after which comparisons alone are taken to say nothing.
const MOST_CONFLICTS: u64 = 5_000;

/// The backend. It belongs to one arena of terms.
pub struct Bits {
    blaster: Blaster,
    quick: Option<Sat>,
    thorough: Option<Sat>,
    interrupt: Arc<AtomicBool>,
    /// Conflicts after which a query is a hard one.
    patience: u64,
    counter: Counter,
    /// Whether circuits are narrowed; how many were.
    narrowing: Option<Counter>,
    /// Whether equalities are substituted in hard queries; in how many there were some.
    substitution: Option<Counter>,
    /// Whether it is tried first what comparisons alone say.
    orders: Option<Shape>,
    /// Whether hard queries go to a second solver; how many did.
    escalation: Option<Counter>,
    /// Whether only that is said of arrays and functions what a model gets wrong; how many models got something wrong.
    refinement: Option<Counter>,
}

impl Bits {
    /// The backend of this configuration.
    pub fn new(config: &SolverConfig) -> Bits {
        let counter = |kind: LayerKind| config.layers.has(kind).then(|| Counter::new(kind.name()));
        let refinement = counter(LayerKind::Refinement);
        Bits {
            blaster: if refinement.is_some() { Blaster::refined(config.most_choices) } else { Blaster::new() },
            quick: None,
            thorough: None,
            interrupt: Arc::clone(&config.interrupt),
            patience: config.patience,
            counter: Counter::new("bits"),
            narrowing: counter(LayerKind::Narrowing),
            substitution: counter(LayerKind::Substitution),
            orders: counter(LayerKind::Orders).map(Shape::new),
            escalation: counter(LayerKind::Escalation),
            refinement,
        }
    }

    fn decide(&mut self, terms: &Terms, query: &Query<'_>) -> Answer {
        let roots = roots(terms, query);
        let deadline = query.budget.time.map(|it| Instant::now() + it);
        let watch = Watch { deadline, interrupt: Arc::clone(&self.interrupt) };
        let mut simpler = None;
        if equates_arrays(terms, &roots) {
            simpler = self.simplify(terms, &roots, &watch);
        }
        let asked = simpler.as_ref().map_or(&roots, |it: &PreprocessedQuery| &it.roots);
        let mut assumptions = match self.blast(terms, query, asked, &watch) {
            Ok(it) => it,
            Err(answer) => return answer,
        };
        if assumptions.contains(&Bit::FALSE) {
            return Answer::Unsat;
        }
        if self.orders.as_mut().is_some_and(|it| it.contradicts(terms, &roots, &watch)) {
            return Answer::Unsat;
        }
        let (steps, patience) = (query.budget.steps, self.escalation.is_some().then_some(self.patience));
        let first = [patience, steps].into_iter().flatten().min();
        let (mut found, spent) = match self.search(terms, Effort::Quick, &assumptions, first, &watch) {
            Ok(it) => it,
            Err(reason) => return Answer::Unknown(reason),
        };
        let left = steps.map(|it| it.saturating_sub(spent));
        let is_hard = found == SearchResult::Stopped && patience.is_some_and(|it| spent >= it) && left != Some(0);
        let effort = if is_hard { Effort::Thorough } else { Effort::Quick };
        if is_hard {
            let since = self.escalation.as_mut().map(Counter::begin);
            if simpler.is_none() {
                simpler = self.simplify(terms, &roots, &watch);
                if let Some(it) = &simpler {
                    assumptions = match self.blast(terms, query, &it.roots, &watch) {
                        Ok(it) => it,
                        Err(answer) => return answer,
                    };
                }
            }
            let searched = match assumptions.contains(&Bit::FALSE) {
                true => Ok((SearchResult::Unsat, 0)),
                false => self.search(terms, Effort::Thorough, &assumptions, left, &watch),
            };
            if let (Some(counter), Some(since)) = (&mut self.escalation, since) {
                counter.answered(since);
            }
            found = match searched {
                Ok(it) => it.0,
                Err(reason) => return Answer::Unknown(reason),
            };
        }
        match found {
            SearchResult::Sat => Answer::Sat(query.complete(self.model(terms, &roots, simpler.as_ref(), effort))),
            SearchResult::Unsat => Answer::Unsat,
            SearchResult::Stopped => Answer::Unknown(why(&watch)),
        }
    }

    /// The conjunction without its equalities, where it has some.
    fn simplify(&mut self, terms: &Terms, roots: &[Term], watch: &Watch) -> Option<PreprocessedQuery> {
        let counter = self.substitution.as_mut()?;
        let since = counter.begin();
        let res = preprocess(terms, roots, watch);
        match res.is_some() {
            true => counter.answered(since),
            false => counter.passed(since),
        }
        res
    }

    /// What is counted by name.
    fn parts(&self) -> impl Iterator<Item = &Counter> {
        self.narrowing
            .iter()
            .chain(&self.substitution)
            .chain(self.orders.iter().map(|it| &it.counter))
            .chain(&self.escalation)
            .chain(&self.refinement)
    }

    /// The time that is counted so.
    fn aside(&self) -> Duration {
        self.parts().map(Counter::time).sum()
    }

    /// The bits that must be true, or the answer where they cannot be told.
    fn blast(&mut self, terms: &Terms, query: &Query<'_>, roots: &[Term], watch: &Watch) -> Result<Vec<Bit>, Answer> {
        let mut res = match self.truths(terms, query, roots, watch) {
            Ok(it) => it,
            Err(_) if watch.is_over() => return Err(Answer::Unknown(why(watch))),
            Err(what) => return Err(Answer::Unknown(Reason::Unsupported(what))),
        };
        res.retain(|&it| it != Bit::TRUE);
        Ok(res)
    }

    fn truths(&mut self, terms: &Terms, query: &Query<'_>, roots: &[Term], watch: &Watch) -> Result<Vec<Bit>, String> {
        if let Some(narrowing) = &mut self.narrowing
            && roots.iter().any(|&it| self.blaster.pays(terms, it))
        {
            let since = narrowing.begin();
            let mut bounds = Bounds::of(terms, query.path.tables(), roots);
            narrowing.answered(since);
            if bounds.contradiction {
                return Ok(vec![Bit::FALSE]);
            }
            return self.blaster.truths_under(terms, &mut bounds, watch);
        }
        self.blaster.truths(terms, roots, watch)
    }

    /// Searches until a model gets nothing wrong of arrays and functions. Also, the conflicts that it took.
    fn search(
        &mut self,
        terms: &Terms,
        effort: Effort,
        assumptions: &[Bit],
        conflicts: Option<u64>,
        watch: &Watch,
    ) -> Result<(SearchResult, u64), Reason> {
        let mut spent = 0;
        loop {
            let left = conflicts.map(|it| it.saturating_sub(spent));
            let (found, more) = self.search_once(effort, assumptions, left, watch)?;
            spent += more;
            if found != SearchResult::Sat || self.is_model(terms, effort, assumptions, watch)? {
                return Ok((found, spent));
            }
            // What is wrong with it is a conflict as well: without, a budget would not end a search that has no others.
            spent += 1;
            if conflicts.is_some_and(|it| spent >= it) || watch.is_over() {
                return Ok((SearchResult::Stopped, spent));
            }
        }
    }

    /// Whether the assignment that was found is a model; if not, the next one gets something else wrong, or nothing.
    fn is_model(&mut self, terms: &Terms, effort: Effort, assumptions: &[Bit], watch: &Watch) -> Result<bool, Reason> {
        let sat = match effort {
            Effort::Quick => &mut self.quick,
            Effort::Thorough => &mut self.thorough,
        };
        let Some(sat) = sat.as_mut().filter(|_| self.blaster.has_reads()) else { return Ok(true) };
        let since = self.refinement.as_mut().map(Counter::begin);
        let wishes = self.blaster.refine(terms, assumptions, sat).map_err(Reason::Unsupported);
        if let (Some(counter), Some(since)) = (&mut self.refinement, since) {
            match wishes {
                Ok(Some(_)) => counter.answered(since),
                _ => counter.passed(since),
            }
        }
        let Some(wishes) = wishes? else { return Ok(true) };
        sat.suggest(self.blaster.gates(), self.blaster.axioms(), &wishes, watch).map_err(Reason::Failed)?;
        Ok(false)
    }

    fn search_once(
        &mut self,
        effort: Effort,
        assumptions: &[Bit],
        conflicts: Option<u64>,
        watch: &Watch,
    ) -> Result<(SearchResult, u64), Reason> {
        let kept = match effort {
            Effort::Quick => &mut self.quick,
            Effort::Thorough => &mut self.thorough,
        };
        let gates = self.blaster.gates();
        let axioms = self.blaster.axioms();
        if let Some(sat) = kept
            && sat.len() > FEW_VARIABLES
            && gates.cone(assumptions.iter().chain(axioms)).len() < sat.len() / 4
        {
            *kept = None;
        }
        if self.interrupt.load(Ordering::Relaxed) {
            return Err(Reason::Interrupted);
        }
        // An instance that failed is not used again.
        let mut sat =
            kept.take().map_or_else(|| Sat::new(effort, self.blaster.has_reads()), Ok).map_err(Reason::Failed)?;
        let result = sat.solve(gates, axioms, assumptions, conflicts, watch).map_err(Reason::Failed)?;
        *kept = Some(sat);
        Ok(result)
    }

    /// The values of all symbols of the query, of which simpler conjuncts may have been asked.
    fn model(&self, terms: &Terms, roots: &[Term], simpler: Option<&PreprocessedQuery>, effort: Effort) -> Model {
        let mut model = self.found(terms, simpler.map_or(roots, |it| &it.roots), effort);
        let Some(simpler) = simpler else { return model };
        // What is left may say nothing of a symbol by which another was replaced: then any value will do, but one.
        for &symbol in roots.iter().flat_map(|&it| terms.symbols(it)) {
            if model.get(symbol).is_none() {
                model.set(symbol, default_value(terms, terms.symbol_info(symbol).sort));
            }
        }
        simpler.complete(terms, model)
    }

    /// The values that the search has found for the symbols of what was asked.
    fn found(&self, terms: &Terms, roots: &[Term], effort: Effort) -> Model {
        let mut model = Model::new();
        let sat = match effort {
            Effort::Quick => &self.quick,
            Effort::Thorough => &self.thorough,
        };
        let Some(sat) = sat else { return model };
        let assignment = sat.assignment(self.blaster.gates());
        let value = |bit| assignment.value(bit);
        let symbols: FxHashSet<Symbol> = roots.iter().flat_map(|&it| terms.symbols(it)).copied().collect();
        let mut symbols: Vec<Symbol> = symbols.into_iter().collect();
        symbols.sort_unstable();
        for symbol in symbols {
            if let Some(value) = self.blaster.value(terms, symbol, &value) {
                model.set(symbol, value);
            }
        }
        for (function, value) in self.blaster.functions(terms, &value) {
            model.set_function(function, value);
        }
        model
    }
}

/// What comparisons alone say: a query that contradicts itself in any order of its numbers is unsatisfiable.
struct Shape {
    blaster: Blaster,
    sat: Option<Sat>,
    counter: Counter,
}

impl Shape {
    fn new(counter: Counter) -> Shape {
        Shape { blaster: Blaster::of_orders(), sat: None, counter }
    }

    fn contradicts(&mut self, terms: &Terms, roots: &[Term], watch: &Watch) -> bool {
        let since = self.counter.begin();
        let res = self.decide(terms, roots, watch).unwrap_or(false);
        if res {
            self.counter.answered(since);
        } else {
            self.counter.passed(since);
        }
        res
    }

    /// An error is no answer, as a model is none.
    fn decide(&mut self, terms: &Terms, roots: &[Term], watch: &Watch) -> Result<bool, String> {
        let bits = self.blaster.truths(terms, roots, watch)?;
        // Where no three numbers are compared, an order is nothing that circuits would not know.
        if self.blaster.triples() == 0 {
            return Ok(false);
        }
        let mut sat = self.sat.take().map_or_else(|| Sat::new(Effort::Quick, false), Ok)?;
        let found = sat.solve(self.blaster.gates(), self.blaster.axioms(), &bits, Some(MOST_CONFLICTS), watch)?.0;
        self.sat = Some(sat);
        Ok(found == SearchResult::Unsat)
    }
}

/// Why a search was stopped.
fn why(watch: &Watch) -> Reason {
    match () {
        _ if watch.interrupt.load(Ordering::Relaxed) => Reason::Interrupted,
        _ if watch.is_late() => Reason::Time,
        _ => Reason::Steps,
    }
}

/// The conjuncts of the query and those of its goal, however they are nested.
fn roots(terms: &Terms, query: &Query<'_>) -> Vec<Term> {
    let mut work = query.conjuncts();
    work.push(query.goal);
    work.reverse();
    let (mut res, mut seen) = (Vec::with_capacity(work.len()), FxHashSet::default());
    while let Some(next) = work.pop() {
        match terms.node(next) {
            _ if !seen.insert(next) => {}
            Node::And(args) => work.extend(args.iter().rev()),
            _ => res.push(next),
        }
    }
    res
}

impl Solver for Bits {
    fn check(&mut self, terms: &Terms, query: &Query<'_>) -> Answer {
        let (since, aside) = (self.counter.begin(), self.aside());
        let answer = self.decide(terms, query);
        self.counter.answered(since);
        self.counter.aside(self.aside() - aside);
        answer
    }

    fn statistics(&self, into: &mut Statistics) {
        self.counter.report(into);
        self.parts().for_each(|it| it.report(into));
    }
}
