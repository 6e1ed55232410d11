//! A path: a state of the language and the trail that leads to it.
//!
//! Knows: φ, its model, the decisions. Never: what the state is.

use crate::decision::{Decision, Decisions, PathName};
use effigy_solver::{PathCondition, Reason};
use effigy_term::eval::{Evaluator, Memo};
use effigy_term::print::PathBounds;
use effigy_term::{Model, Symbol, Term, Terms, Value};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::ops::Deref;
use std::rc::Rc;

/// The number of a path, in the order in which paths came into being.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct PathId(pub u64);

/// What the engine knows of a path.
#[derive(Clone, Debug, Default)]
pub struct Trail {
    /// φ, the path condition: a conjunction of terms of sort Bool.
    pub condition: PathCondition,
    /// A model of φ; `None` when φ's satisfiability is not known.
    pub witness: Option<Valuation>,
    /// Why φ may be unsatisfiable, if a solver could not tell: a result that rests on this path says so.
    pub undecided: Option<Reason>,
    /// The decisions that lead here: the path's name.
    pub decisions: Decisions,
    /// Transitions made so far, those included after which a question was asked again.
    pub steps: u64,
    /// How many of them had been made at the last decision.
    pub decided_at: u64,
    /// How many of the decisions had a feasible alternative.
    pub forks: u64,
}

impl Trail {
    /// The trail of the start state: φ is true, and every assignment is a model.
    pub fn new() -> Trail {
        Trail::of(PathCondition::new())
    }

    /// The trail of the start state, whose φ, which is empty, may share what it finds out with others.
    pub fn of(condition: PathCondition) -> Trail {
        Trail { condition, witness: Some(Valuation::default()), ..Trail::default() }
    }

    /// What φ says of the integers that the program computes: for what is printed on the path.
    pub fn bounds(&self, terms: &Terms) -> PathBounds {
        PathBounds::of(terms, &self.condition.conjuncts())
    }

    /// The name of the path: its decisions as data.
    pub fn name(&self) -> PathName {
        PathName::from(&self.decisions)
    }

    /// Transitions since the last decision: with its name, where a path that waits stands.
    pub fn since_decided(&self) -> u64 {
        self.steps - self.decided_at
    }

    /// The truth of a condition under the path's own model; `None` where there is none, or it does not tell.
    pub(crate) fn truth(&self, terms: &Terms, cond: Term) -> Option<bool> {
        let witness = self.witness.as_ref()?;
        self.condition.tables().truth(terms, cond, witness).or_else(|| witness.truth(terms, cond))
    }

    /// This trail with one more conjunct, whose model `witness` is, and the decision for it.
    pub(crate) fn extended(
        &self,
        terms: &Terms,
        cond: Term,
        witness: Option<Valuation>,
        decision: Option<Decision>,
    ) -> Trail {
        let mut res = self.clone();
        res.extend(terms, cond, witness, decision);
        res
    }

    /// As [`Trail::extended`], with a conjunct that some model of φ does not satisfy.
    pub(crate) fn extended_open(&self, terms: &Terms, cond: Term, witness: Valuation) -> Trail {
        let mut res = self.clone();
        res.condition.assume_open(terms, cond);
        res.witness = Some(witness);
        res.undecided = None;
        res
    }

    /// Adds a conjunct, as [`Trail::extended`].
    pub(crate) fn extend(&mut self, terms: &Terms, cond: Term, witness: Option<Valuation>, decision: Option<Decision>) {
        self.condition.assume(terms, cond);
        self.witness = witness;
        if self.witness.is_some() {
            // A model is proof that φ is satisfiable, whatever was not known before.
            self.undecided = None;
        }
        if let Some(decision) = decision {
            self.decisions.push(decision);
            self.decided_at = self.steps;
        }
    }
}

/// A path of execution: a state and how it was reached.
#[derive(Clone, Debug)]
pub struct Path<S> {
    /// The number of the path, unique in its walk.
    pub id: PathId,
    /// The state of the language on this path.
    pub state: S,
    /// The path condition, model and decisions of the path.
    pub trail: Trail,
}

/// A model with what was evaluated under it, so that the questions of a path, whose terms grow from one another, cost
/// together as much as their terms have nodes. Clones share what they evaluate.
#[derive(Clone, Default)]
pub struct Valuation {
    model: Model,
    /// A pure function of the model.
    memo: Rc<RefCell<Memo>>,
}

impl Valuation {
    /// The value of a term; `None` where evaluation cannot decide.
    pub fn value(&self, terms: &Terms, term: Term) -> Option<Value> {
        self.with(terms, |it| it.value(term))
    }

    /// The truth of a term of sort Bool; `None` where evaluation cannot decide.
    pub fn truth(&self, terms: &Terms, term: Term) -> Option<bool> {
        self.with(terms, |it| it.truth(term))
    }

    fn with<R>(&self, terms: &Terms, ask: impl FnOnce(&mut Evaluator<'_>) -> R) -> R {
        let mut evaluator = Evaluator::resume(terms, &self.model, self.memo.take());
        let res = ask(&mut evaluator);
        self.memo.replace(evaluator.into_memo());
        res
    }

    /// Gives a symbol a value that nothing was evaluated with yet. Clones keep what they had.
    pub(crate) fn set(&mut self, symbol: Symbol, value: Value) {
        if Rc::strong_count(&self.memo) > 1 {
            self.memo = Rc::default();
        }
        self.model.set(symbol, value);
    }

    /// The model, without the values evaluated under it.
    pub fn into_model(self) -> Model {
        self.model
    }

    /// How many terms were evaluated and are remembered.
    pub fn remembered(&self) -> usize {
        self.memo.borrow().len()
    }
}

impl From<Model> for Valuation {
    fn from(model: Model) -> Valuation {
        Valuation { model, memo: Rc::default() }
    }
}

impl Deref for Valuation {
    type Target = Model;

    fn deref(&self) -> &Model {
        &self.model
    }
}

impl PartialEq for Valuation {
    fn eq(&self, other: &Valuation) -> bool {
        self.model == other.model
    }
}

impl std::fmt::Debug for Valuation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.model.fmt(f)
    }
}

/// The number of waiting paths that keep what was evaluated under their models.
const KEPT: usize = 64;

/// The valuations of the paths that waited last. Those of others are forgotten, so that memory does not grow with the
/// number of paths times the size of their terms.
#[derive(Debug, Default)]
pub struct RecentValuations {
    recent: VecDeque<Valuation>,
}

impl RecentValuations {
    /// Notes that a path with this trail waits from now on. Drops the evaluated values of the path that has waited
    /// longest, if there are too many.
    pub fn waits(&mut self, trail: &Trail) {
        let Some(witness) = &trail.witness else { return };
        // What nobody else has is not among them, and what is came there of late.
        if Rc::strong_count(&witness.memo) > 1
            && let Some(at) = self.recent.iter().rposition(|it| Rc::ptr_eq(&it.memo, &witness.memo))
        {
            self.recent.remove(at);
        }
        self.recent.push_back(witness.clone());
        if self.recent.len() > KEPT
            && let Some(oldest) = self.recent.pop_front()
        {
            oldest.memo.take();
        }
    }
}
