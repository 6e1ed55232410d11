//! Entailment along a path: does what is assumed imply the goal?
//!
//! Knows: assumptions in nested scopes, axioms, inverse functions, fresh objects.
//! Never: a heap, a language, the terminal.
//!
//! A [`crate::Solver`] looks for models; a prover never needs one to go on. Its only claim is [`Proof::Proved`];
//! everything else is "not proved", with the reason. Scopes are an undo trail: what was assumed after
//! [`Prover::push`] is gone after [`Prover::pop`]. The solver's process is started with the first goal that the local
//! core does not decide.

mod assumptions;
mod session;

use crate::Reason;
use crate::local::Local;
pub use assumptions::BIRTH;
use assumptions::{Assumptions, Fact, for_each_conjunct};
use effigy_term::{FunctionSymbol, Model, Node, Sort, Symbol, SymbolKind, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use session::{LEAST_QUICK_STEPS, MOST_QUICK_STEPS, SolverSession};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// What Z3 says where all that has no quantifier is satisfied, and it does not know of the rest.
const INCOMPLETE_QUANTIFIERS: &str = "incomplete quantifiers";

/// The configuration of a [`Prover`].
#[derive(Clone, Debug)]
pub struct ProverConfig {
    /// The command of the SMT-LIB 2 solver.
    pub smt: String,
    /// What one query may spend, in the solver's own resource units: the same on every machine.
    pub steps: u64,
    /// Whether the local core is asked first. Off only to measure and to test it.
    pub local: bool,
    /// Set from outside to stop.
    pub interrupt: Arc<AtomicBool>,
}

/// How much is spent on a goal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProofEffort {
    /// Only the local core: no process is started.
    Local,
    /// The solver with a small budget: whether a branch is feasible.
    Quick,
    /// The solver with the whole budget of a query.
    Full,
}

/// What came of a goal.
#[derive(Clone, PartialEq, Debug)]
pub enum Proof {
    /// The assumptions imply the goal.
    Proved,
    /// It was not proved; `None`: the solver has a model in which it does not hold.
    NotProved(Option<Reason>),
}

impl Proof {
    /// Whether the goal was proved.
    pub fn is_proved(&self) -> bool {
        *self == Proof::Proved
    }
}

/// What a prover was asked, and who decided it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ProverStatistics {
    /// Goals that the prover was given.
    pub asked: u64,
    /// Goals that were decided without a process: proved, or known to be false where little was to be spent.
    pub local: u64,
    /// Goals that went to the solver.
    pub sent: u64,
    /// Those of them that it proved.
    pub proved: u64,
    /// Solver processes that were started.
    pub started: u64,
    /// Steps of the local core: the same on every machine.
    pub work: u64,
}

/// Assumptions, and what follows from them. Belongs to one arena of terms.
pub struct Prover {
    config: ProverConfig,
    assumptions: Assumptions,
    session: SolverSession,
    local: Local,
    /// Axioms of which triggers find every instance that matters: those of injections.
    saturated: FxHashSet<Term>,
    /// Whether there is a quantifier in a formula, for those that were looked at.
    quantified: FxHashMap<Term, bool>,
    /// How often distinct terms were declared.
    groups: usize,
    /// What is spent where little is: less each time that nothing comes of it.
    quick: u64,
    statistics: ProverStatistics,
}

impl Prover {
    /// A prover that assumes nothing.
    pub fn new(config: ProverConfig) -> Prover {
        Prover {
            config,
            assumptions: Assumptions::new(),
            session: SolverSession::new(),
            local: Local::default(),
            saturated: FxHashSet::default(),
            quantified: FxHashMap::default(),
            groups: 0,
            quick: MOST_QUICK_STEPS,
            statistics: ProverStatistics::default(),
        }
    }

    /// How long the solver may take for one answer, beside its budget of steps: against processes that hang.
    pub fn set_patience(&mut self, patience: Duration) {
        self.session.patience = patience;
    }

    /// From then on nothing is proved: whoever has a limit of time does not wait for a query that began before.
    pub fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.session.deadline = deadline;
    }

    /// What was asked so far.
    pub fn statistics(&self) -> ProverStatistics {
        ProverStatistics { started: self.session.started, work: self.local.work(), ..self.statistics }
    }

    /// A closed fact that always holds: it survives [`Prover::pop`].
    pub fn axiom(&mut self, terms: &Terms, fact: Term) {
        for_each_conjunct(terms, fact, |it| {
            self.assumptions.axioms.push(it);
            if self.config.local {
                self.local.axiom(terms, it);
            }
        });
    }

    /// Declares that `inverses[i]` takes the i-th argument out of an application of `injection`.
    ///
    /// # Panics
    /// When there is not one inverse for each argument, with its sort.
    pub fn injection(&mut self, terms: &Terms, injection: FunctionSymbol, inverses: &[FunctionSymbol]) {
        if !self.local.injection(terms, injection, inverses) {
            return;
        }
        let sorts = terms.function_info(injection).arguments.clone();
        assert_eq!(sorts.len(), inverses.len(), "one inverse for each argument");
        let variables: Vec<Symbol> = sorts
            .iter()
            .enumerate()
            .map(|(at, &sort)| terms.symbol(&format!("x{at}"), sort, SymbolKind::Bound))
            .collect();
        let arguments: Vec<Term> = variables.iter().map(|&it| terms.of_symbol(it)).collect();
        let applied = terms.apply(injection, &arguments);
        let equations = inverses.iter().zip(&arguments).map(|(&it, &x)| terms.eq(terms.apply(it, &[applied]), x));
        let body = terms.and_all(equations);
        let axiom = terms.forall(&variables, &[vec![applied]], body);
        self.assumptions.axioms.push(axiom);
        self.saturated.insert(axiom);
    }

    /// Declares that these, all of one sort, are different from each other, in all scopes.
    ///
    /// Each is the element of its number: that says it with as many facts as there are terms, and not as pairs.
    pub fn distinct(&mut self, terms: &Terms, values: &[Term]) {
        let Some(&first) = values.first() else { return };
        let sort = terms.sort(first);
        let element = terms.function(&format!("element of {}", self.groups), &[Sort::Int], sort);
        let number = terms.function(&format!("number in {}", self.groups), &[sort], Sort::Int);
        self.groups += 1;
        self.injection(terms, element, &[number]);
        for (at, &value) in values.iter().enumerate() {
            self.axiom(terms, terms.eq(value, terms.apply(element, &[terms.int(at)])));
        }
    }

    /// Opens a scope: what is assumed from here on is forgotten at the matching [`Prover::pop`].
    pub fn push(&mut self) {
        self.assumptions.push();
        self.local.push();
    }

    /// Closes the innermost scope and forgets what was assumed in it.
    pub fn pop(&mut self) {
        if self.assumptions.pop() {
            self.local.pop();
        }
    }

    /// Assumes a formula of sort Bool. Conjunctions are taken apart.
    pub fn assume(&mut self, terms: &Terms, fact: Term) {
        for_each_conjunct(terms, fact, |it| {
            self.assumptions.facts.push(Fact::Holds(it));
            if self.config.local {
                self.local.assume(terms, it);
            }
        });
    }

    /// Notes that `object` (a symbol) was created now: it differs from every term noted with [`Prover::known`] before,
    /// and from every object that was born before.
    pub fn born(&mut self, terms: &Terms, object: Term) {
        let number = self.assumptions.born(object);
        if self.config.local {
            self.local.born(terms, object, number);
        }
    }

    /// Notes that `reference` is the value of something in the state now: objects that are born later differ from it.
    pub fn known(&mut self, terms: &Terms, reference: Term) {
        let next = self.assumptions.known(reference);
        if self.config.local {
            self.local.known(terms, reference, next);
        }
    }

    /// Whether the assumptions imply `goal`.
    pub fn proves(&mut self, terms: &Terms, goal: Term, effort: ProofEffort) -> Proof {
        self.statistics.asked += 1;
        if terms.as_bool(goal) == Some(true) {
            self.statistics.local += 1;
            return Proof::Proved;
        }
        if self.config.local {
            if self.local.proves(terms, goal, effort != ProofEffort::Local) {
                self.statistics.local += 1;
                return Proof::Proved;
            }
            // That it is false is no proof that it cannot be proved: what is assumed may contradict itself.
            if effort == ProofEffort::Quick && self.local.refutes(terms, goal) {
                self.statistics.local += 1;
                return Proof::NotProved(None);
            }
        }
        let steps = match effort {
            ProofEffort::Local => return Proof::NotProved(None),
            ProofEffort::Quick => self.config.steps.min(self.quick),
            ProofEffort::Full => self.config.steps,
        };
        // A model needs no process. Where one runs already, it is quicker.
        if effort == ProofEffort::Full && !self.started() && self.countermodel(terms, goal, &[]).is_some() {
            self.statistics.local += 1;
            return Proof::NotProved(None);
        }
        self.statistics.sent += 1;
        let proof = self.session.proves(terms, &self.config, &self.assumptions, goal, steps);
        if effort == ProofEffort::Quick {
            self.quick = match proof.is_proved() {
                true => MOST_QUICK_STEPS,
                false => (self.quick / 2).max(LEAST_QUICK_STEPS),
            };
        }
        if proof.is_proved() {
            self.statistics.proved += 1;
            // The same is not asked again.
            if self.config.local {
                self.local.assume(terms, goal);
            }
        }
        match proof {
            // What the solver stopped at is a model of all that has no quantifier. An injection that takes back what
            // there are terms of can be continued to everything: then it is a model of all.
            Proof::NotProved(Some(Reason::GaveUp(why)))
                if why.contains(INCOMPLETE_QUANTIFIERS) && !self.has_quantifiers(terms, goal) =>
            {
                Proof::NotProved(None)
            }
            proof => proof,
        }
    }

    /// Whether there is a model of what is assumed in which the goal does not hold, and in which quantified formulas hold
    /// as they stand: asked where the solver gave up. For what is reported; too slow for what is only tried.
    ///
    /// That there is none is not told: what follows is what triggers find, as the program says.
    pub fn has_model_against(&mut self, terms: &Terms, goal: Term) -> bool {
        self.session.proves_by_models(terms, &self.config, &self.assumptions, goal) == Proof::NotProved(None)
    }

    /// A model of all that is assumed in which `goal` does not hold, with a value for each term of `wanted`, as far as it
    /// is found without a process. It need say nothing of terms that are in none of these.
    pub fn countermodel(&mut self, terms: &Terms, goal: Term, wanted: &[Term]) -> Option<Model> {
        if !self.config.local || self.has_quantifiers(terms, goal) {
            return None;
        }
        let ages = self.assumptions.has_births();
        let facts = self.assumptions.facts.iter().filter_map(|it| match ages || matches!(it, Fact::Holds(_)) {
            true => Some(it.formula(terms)),
            false => None,
        });
        let axioms = self.assumptions.axioms.iter().copied().filter(|it| !self.saturated.contains(it));
        let facts: Vec<Term> = facts.chain(axioms).collect();
        self.local.countermodel(terms, &facts, goal, wanted)
    }

    /// Whether a quantifier is in what is assumed, or in the goal, that triggers may not do justice to.
    fn has_quantifiers(&mut self, terms: &Terms, goal: Term) -> bool {
        let facts = self.assumptions.facts.iter().filter_map(|it| match it {
            Fact::Holds(fact) => Some(*fact),
            Fact::Born(..) | Fact::Known(..) => None,
        });
        let axioms = self.assumptions.axioms.iter().copied().filter(|it| !self.saturated.contains(it));
        let seen = &mut self.quantified;
        facts.chain(axioms).chain([goal]).any(|it| *seen.entry(it).or_insert_with(|| is_quantified(terms, it)))
    }

    /// The truth of a formula as far as it is plain to see: for what only saves work. No question is counted.
    pub fn evident(&mut self, terms: &Terms, formula: Term) -> Option<bool> {
        terms.as_bool(formula).or_else(|| self.config.local.then(|| self.local.evident(terms, formula)).flatten())
    }

    /// The representative of the terms that the local core knows to be equal to this one. The same until the next
    /// assumption, `push`, `pop`, or goal that the solver proves.
    pub fn representative(&mut self, terms: &Terms, term: Term) -> Term {
        if self.config.local { self.local.representative(terms, term) } else { term }
    }

    /// The terms that the local core knows to be equal to this one, itself among them, in an order that is the same for
    /// each of them.
    pub fn equals(&mut self, terms: &Terms, term: Term) -> Vec<Term> {
        if self.config.local { self.local.equals(terms, term) } else { vec![term] }
    }

    /// Whether the local core knows that the assumptions contradict each other.
    pub fn is_inconsistent(&self) -> bool {
        self.local.is_inconsistent()
    }

    /// Whether the solver's process has been started.
    pub fn started(&self) -> bool {
        self.session.started > 0
    }

    /// Values for `wanted` in a model in which the assumptions hold and `goal` does not, as the solver prints them.
    ///
    /// Where quantified formulas are assumed the solver does not know whether its model satisfies them: then the values
    /// are a suggestion.
    pub fn counterexample(&mut self, terms: &Terms, goal: Term, wanted: &[Term]) -> Option<Vec<String>> {
        self.session.counterexample(terms, &self.config, &self.assumptions, goal, wanted)
    }
}

/// Whether there is a quantifier anywhere in a formula.
fn is_quantified(terms: &Terms, formula: Term) -> bool {
    let mut work = vec![formula];
    let mut seen = FxHashSet::default();
    while let Some(term) = work.pop() {
        if seen.insert(term) {
            let node = terms.node(term);
            if matches!(node, Node::Quantifier(_)) {
                return true;
            }
            node.for_each_argument(|it| work.push(it));
        }
    }
    false
}
