//! The machine: everything that is not part of a path's state.
//!
//! Knows: the program, the arena, the prover, fresh names, budgets, what has failed. Never: the rules of single
//! constructs, how a path moves.

use crate::code::{Code, Pc};
use crate::definitions::Definitions;
use crate::failure::{Failure, ReasonKind, TracedState};
use crate::sigma::{Knowledge, Stand};
use crate::state::{Blame, Check, Env, Mode};
use crate::{Config, Effort};
use effigy_contracts::program::{Exp, PredicateId, Program, Span, Type};
use effigy_heap::collections::plain_equality;
use effigy_heap::heap::Heap;
use effigy_heap::snapshot::Snapshots;
use effigy_heap::vocabulary::Vocabulary;
use effigy_solver::Reason;
use effigy_solver::prover::{self, Proof, Prover};
use effigy_term::{Node, Sort, Symbol, SymbolKind, Term, Terms};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// The reason why a path, or all of them, do not go on.
#[derive(Clone, Debug)]
pub(crate) enum Stop {
    /// The path condition is contradictory: there is no such run.
    Infeasible,
    /// A check failed, with this failure.
    Failed(Box<Failure>),
    /// A budget ran out, or the solver failed, for this reason.
    Undecided(Arc<str>),
    /// The verifier does not support this construct, at this place.
    Unsupported(Arc<str>, Span),
}

pub(crate) type Res<T> = Result<T, Stop>;

/// The surroundings of an evaluation: store, heap and mode.
#[derive(Clone, Copy)]
pub(crate) struct Scene<'s, 'a> {
    pub(crate) env: &'s Env<'a>,
    pub(crate) heap: &'s Heap,
    /// The heap that `perm` reads: while an assertion is consumed, what is left of it.
    pub(crate) held: &'s Heap,
    pub(crate) blame: Blame,
    /// Whether expressions must be shown to mean something here. A function's definition is evaluated without: that
    /// is checked where the function is verified.
    pub(crate) checked: bool,
    /// Whether amounts of permission are looked at, or only whether there is any: not in functions.
    pub(crate) amounts: bool,
    /// The mode of the evaluation.
    pub(crate) mode: Mode,
}

/// Declares the machine, and what is kept of it while no path moves: everything but the arena.
macro_rules! machine {
    ($($(#[$doc:meta])* $name:ident: $typ:ty,)*) => {
        /// The prover, the definitions and the budgets that all paths of a member share.
        pub(crate) struct Machine<'a, 't> {
            /// The arena in which all terms are built.
            pub(crate) terms: &'t Terms,
            $($(#[$doc])* pub(crate) $name: $typ,)*
        }

        /// A [`Machine`] without its arena, kept between two steps.
        pub(crate) struct Parked<'a> {
            $($name: $typ,)*
        }

        impl<'a, 't> Machine<'a, 't> {
            pub(crate) fn park(self) -> Parked<'a> {
                let Machine { terms: _, $($name,)* } = self;
                Parked { $($name,)* }
            }
        }

        impl<'a> Parked<'a> {
            /// The machine again, with the arena in which it was made.
            pub(crate) fn resume<'t>(self, terms: &'t Terms) -> Machine<'a, 't> {
                let Parked { $($name,)* } = self;
                Machine { terms, $($name,)* }
            }
        }
    };
}

machine! {
    /// The program whose member is verified.
    program: &'a Program,
    /// The budgets and choices of the verification.
    config: Rc<Config>,
    /// The prover, which decides what follows from Σ.
    prover: Prover,
    /// The sorts and function symbols for the program.
    vocabulary: Vocabulary<'a>,
    /// The constructors and selectors of snapshots.
    snapshots: Snapshots,
    /// The definitions of functions, and their use on the path.
    definitions: Definitions,
    /// The body of the method that is executed.
    code: Option<Rc<Code<'a>>>,
    /// The Σ that the prover has assumed.
    stand: Stand,
    /// Facts that hold on every path: definitions of functions without a precondition.
    unconditional: rustc_hash::FxHashSet<Term>,
    /// The failures that were found on all paths.
    account: Account,
    /// The checks that were made since the path began to move, in order.
    checks: Vec<Check>,
    /// Somebody looks at checks: then they are told as goals of the path.
    watched: bool,
    /// The bound variables around the current evaluation: what is fresh depends on them.
    bound: Vec<Symbol>,
    /// The predicates whose `unfolding` is being evaluated.
    unfoldings: Vec<PredicateId>,
    /// The member that is verified creates objects.
    creates: bool,
    /// Whether instances of the one predicate can have instances of the other one inside, as far as it was asked.
    nesting: rustc_hash::FxHashMap<(PredicateId, PredicateId), bool>,
    /// The inverse functions of quantified permissions, by what they are the inverse of.
    inverses: crate::quantified_names::Inverses,
    /// The maps of values for what functions and predicates ask of quantified chunks.
    value_maps: crate::quantified_names::ValueMaps,
    /// The branches to the current state.
    branches: rpds::List<(Span, bool)>,
    /// How many walks inside of a step are under way.
    nested: u32,
    /// The store of the path that makes the step: what is evaluated inside of it may be in a callee's words.
    store: Env<'a>,
    /// The heap of that path.
    store_heap: Heap,
    /// What the member assumes when it is entered: its precondition, and its store there.
    entry: (&'a [Exp], Env<'a>),
    /// The states on the way to it, the last one first.
    trace: rpds::List<Rc<TracedState>>,
    /// The number of the last fresh name on the current path.
    counter: u64,
    /// The effort of the verification so far.
    effort: Effort,
    /// The time at which it is to stop.
    deadline: Option<Instant>,
    /// Paths are merged: whether all of them verify is only tried. What fails is looked at again on paths alone.
    merging: bool,
}

/// What was found on all paths so far. No path looks at it but to say each thing once.
#[derive(Debug, Default)]
pub(crate) struct Account {
    /// The failures that were found so far.
    pub(crate) failures: Vec<Failure>,
    /// Whether no more failures are wanted.
    pub(crate) closed: bool,
    /// The number of checks that have failed.
    pub(crate) failed: usize,
    /// `refute` statements that some path does not contradict.
    pub(crate) refuted: Vec<Span>,
    /// The path that goes on from each `join`.
    pub(crate) joined: Vec<Joined>,
}

/// A `join` that some path has reached, from which one goes on.
#[derive(Clone, Debug)]
pub(crate) struct Joined {
    /// The instruction at which it goes on.
    pub(crate) next: Pc,
    /// What is known there beside its assertion: what was known when the body began.
    pub(crate) entry: Knowledge,
    /// The branches of the path.
    pub(crate) branches: rpds::List<(Span, bool)>,
}

impl<'a, 't> Machine<'a, 't> {
    pub(crate) fn new(program: &'a Program, terms: &'t Terms, config: Rc<Config>) -> Machine<'a, 't> {
        let mut prover = Prover::new(config.prover.clone());
        let deadline = config.time.map(|it| Instant::now() + it);
        prover.set_deadline(deadline);
        let vocabulary = Vocabulary::new(terms, program);
        let snapshots = Snapshots::new(terms, &vocabulary);
        snapshots.tell(terms, &mut prover, &vocabulary, program);
        Machine {
            program,
            terms,
            prover,
            vocabulary,
            snapshots,
            definitions: Definitions::default(),
            code: None,
            stand: Stand::default(),
            unconditional: rustc_hash::FxHashSet::default(),
            account: Account::default(),
            checks: Vec::new(),
            watched: false,
            bound: Vec::new(),
            unfoldings: Vec::new(),
            creates: false,
            nesting: rustc_hash::FxHashMap::default(),
            inverses: crate::quantified_names::Inverses::default(),
            value_maps: crate::quantified_names::ValueMaps::default(),
            branches: rpds::List::new(),
            nested: 0,
            store: Env::default(),
            store_heap: Heap::default(),
            entry: (&[], Env::default()),
            trace: rpds::List::new(),
            counter: 0,
            effort: Effort::default(),
            deadline,
            merging: false,
            config,
        }
    }

    /// What collections and domains have to say about what was mentioned since the last time.
    fn tell_axioms(&mut self) {
        for (_, axiom) in self.vocabulary.collections.take_axioms() {
            self.prover.axiom(self.terms, axiom);
        }
    }

    /// Σ ⊢ goal, by the local core.
    pub(crate) fn known(&mut self, goal: Term) -> bool {
        // What is equal is equal in its elements.
        let goal = plain_equality(self.terms, goal)
            .filter(|&it| self.prover.proves(self.terms, it, prover::ProofEffort::Local).is_proved())
            .map_or(goal, |_| self.terms.bool(true));
        match self.terms.as_bool(goal) {
            Some(value) => value,
            None => self.prover.proves(self.terms, goal, prover::ProofEffort::Local).is_proved(),
        }
    }

    /// Σ ⊢ goal: first by what is at hand, then with all that the heap implies.
    pub(crate) fn prove(&mut self, scene: &Scene<'_, 'a>, goal: Term) -> Res<Proof> {
        if self.known(goal) {
            return Ok(Proof::Proved);
        }
        self.tick()?;
        if self.saturate(scene) && self.known(goal) {
            return Ok(Proof::Proved);
        }
        if self.has_same_parts(goal) {
            self.assume(goal);
            return Ok(Proof::Proved);
        }
        self.tell_axioms();
        self.effort.queries += 1;
        Ok(self.prover.proves(self.terms, goal, prover::ProofEffort::Full))
    }

    /// Whether a side of a branch is to be walked: not if its condition contradicts what is known.
    pub(crate) fn feasible(&mut self, cond: Term) -> bool {
        !self.refutes(cond).is_proved()
    }

    /// Σ ⊢ ¬cond, with little effort: what is not proved costs a path that does not exist.
    pub(crate) fn refutes(&mut self, cond: Term) -> Proof {
        let negated = self.terms.not(cond);
        if self.known(negated) {
            return Proof::Proved;
        }
        if !self.prover.started() {
            return Proof::NotProved(None);
        }
        self.tell_axioms();
        self.prover.proves(self.terms, negated, prover::ProofEffort::Quick)
    }

    /// Σ ⊢ goal, without a heap.
    pub(crate) fn follows(&mut self, goal: Term) -> Proof {
        if self.known(goal) {
            return Proof::Proved;
        }
        self.tell_axioms();
        self.prover.proves(self.terms, goal, prover::ProofEffort::Full)
    }

    /// Assumes what the heap implies about pairs of chunks, and what the heaps that it was before do. Whether there was
    /// something new.
    fn saturate(&mut self, scene: &Scene<'_, 'a>) -> bool {
        let mut res = false;
        let heaps = [scene.heap].into_iter().chain(&scene.env.old).chain(scene.env.labels.values());
        for heap in heaps {
            for fact in self.implied_by(heap) {
                if !self.known(fact) {
                    self.assume(fact);
                    res = true;
                }
            }
        }
        res
    }

    // Fresh things.

    /// A value of which nothing is known. Under bound variables it may depend on them.
    pub(crate) fn fresh(&mut self, name: &str, sort: Sort) -> Term {
        let res = self.fresh_unnoted(name, sort);
        self.note(res);
        res
    }

    /// A fresh value that is not yet in the state: the identity of an object about to be created.
    pub(crate) fn fresh_unnoted(&mut self, name: &str, sort: Sort) -> Term {
        self.counter += 1;
        let name = format!("{name}@{}", self.counter);
        if self.bound.is_empty() {
            return self.terms.of_symbol(self.terms.symbol(&name, sort, SymbolKind::Fresh));
        }
        let args: Vec<Term> = self.bound.iter().map(|&it| self.terms.of_symbol(it)).collect();
        let sorts: Vec<Sort> = args.iter().map(|&it| self.terms.sort(it)).collect();
        self.terms.apply(self.terms.function(&name, &sorts, sort), &args)
    }

    /// A fresh value of a type.
    pub(crate) fn fresh_of(&mut self, name: &str, typ: &Type) -> Term {
        let sort = self.vocabulary.sort(self.terms, typ);
        self.fresh(name, sort)
    }

    /// A symbol for a quantifier to bind.
    pub(crate) fn fresh_bound(&mut self, name: &str, sort: Sort) -> Symbol {
        self.counter += 1;
        self.terms.symbol(&format!("{name}@{}", self.counter), sort, SymbolKind::Bound)
    }

    /// Objects that are created later differ from this value of the state.
    pub(crate) fn note(&mut self, value: Term) {
        if self.terms.sort(value) == self.vocabulary.reference() && self.bound.is_empty() {
            self.assume_noted(value);
        }
    }

    /// Makes a term known to the solver, so that quantified facts are instantiated for it: what a program computes is
    /// what its assertions are about.
    pub(crate) fn mention(&mut self, value: Term) {
        if matches!(self.terms.node(value), Node::Apply(..)) && self.bound.is_empty() {
            let name = self.fresh_unnoted("it", self.terms.sort(value));
            let fact = self.terms.eq(name, value);
            self.assume(fact);
        }
    }

    // Failing.

    /// A failed check of `goal`.
    pub(crate) fn failure(
        &mut self,
        blame: Blame,
        reason: ReasonKind,
        culprit: Span,
        goal: Term,
        proof: &Proof,
    ) -> Stop {
        if let Some((what, span)) = self.rests_on_unsupported(goal) {
            return Stop::Unsupported(what, span);
        }
        let failure = Failure::new(blame.error, reason, blame.span, culprit);
        match proof {
            // A solver that ran out of its budget has no opinion; one that gave up has looked.
            Proof::NotProved(Some(reason @ (Reason::GaveUp(_) | Reason::Unsupported(_) | Reason::WrongModel))) => {
                Stop::Failed(Box::new(Failure { undecided: Some(reason.to_string().into()), ..failure }))
            }
            Proof::NotProved(Some(reason)) => Stop::Undecided(reason.to_string().into()),
            _ => Stop::Failed(Box::new(failure)),
        }
    }

    /// `goal` must hold in `scene`, where that is to be shown.
    pub(crate) fn require(&mut self, scene: &Scene<'_, 'a>, goal: Term, reason: ReasonKind, culprit: Span) -> Res<()> {
        if scene.checked && !self.holds(scene, goal, reason, culprit)? {
            if reason == ReasonKind::NegativePermission && !scene.blame.goes_on {
                return Err(Stop::Infeasible);
            }
            self.assume(goal);
        }
        Ok(())
    }

    /// Whether `goal` holds in `scene`; that it may not is reported. If more errors are wanted the path goes on.
    pub(crate) fn holds(&mut self, scene: &Scene<'_, 'a>, goal: Term, reason: ReasonKind, culprit: Span) -> Res<bool> {
        let mut proof = self.prove(scene, goal)?;
        if let Proof::NotProved(Some(Reason::GaveUp(_))) = proof
            && (self.prover.has_model_against(self.terms, goal) || self.fails_always(scene, goal)?)
        {
            proof = Proof::NotProved(None);
        }
        if proof.is_proved() {
            self.note_check(scene, goal, reason, culprit, &proof);
            return Ok(true);
        }
        // What was not proved for want of time is no failure.
        if proof != Proof::NotProved(None) {
            self.in_time()?;
        }
        match self.failure(scene.blame, reason, culprit, goal, &proof) {
            Stop::Failed(mut failure) => {
                if failure.undecided.is_none() && !scene.mode.trying && !self.merging && self.rests_on_limited(goal) {
                    failure.undecided = Some("a recursive function is not unrolled so far".into());
                }
                let failure = match failure.undecided {
                    Some(_) if !self.config.counterexample => failure,
                    _ => self.with_counterexample(failure, scene, goal),
                };
                self.report(failure, scene.mode)?;
                self.note_check(scene, goal, reason, culprit, &proof);
                Ok(false)
            }
            stop => Err(stop),
        }
    }

    /// Whether `goal` is known to hold in no state that comes here: then it fails, though no solver finds a model among
    /// quantified facts. Of `i = length`, `i < length` is refuted by arithmetic alone.
    fn fails_always(&mut self, scene: &Scene<'_, 'a>, goal: Term) -> Res<bool> {
        if scene.mode.trying || self.merging {
            return Ok(false);
        }
        let negated = self.terms.not(goal);
        // In no state at all everything holds.
        Ok(self.prove(scene, negated)?.is_proved() && !self.prove(scene, self.terms.bool(false))?.is_proved())
    }

    /// Keeps a failure, or stops with it if it is the last that is wanted.
    pub(crate) fn report(&mut self, mut failure: Box<Failure>, mode: Mode) -> Res<()> {
        if failure.branches.is_empty() {
            failure.branches = self.branches.iter().copied().collect();
            failure.branches.reverse();
        }
        if self.merging {
            return Err(Stop::Failed(failure));
        }
        if failure.trace.is_empty() && self.config.trace {
            failure.trace = self.trace.iter().map(|it| TracedState::clone(it)).collect();
            failure.trace.reverse();
        }
        let infers = self.config.inference.open || self.config.inference.close > 0;
        if mode.trying || infers || self.account.failures.len() + 1 >= self.config.errors {
            return Err(Stop::Failed(failure));
        }
        // Not before: who gets the failure may know another way, and then nothing has failed.
        let same = |it: &Failure| {
            (it.error, it.reason, it.span, it.culprit) == (failure.error, failure.reason, failure.span, failure.culprit)
        };
        // Only what is reported counts: what stops a trial does not.
        self.account.failed += 1;
        if !self.account.failures.iter().any(same) {
            self.account.failures.push(*failure);
        }
        Ok(())
    }

    /// Whether something is reported of this place, or of a part of it.
    pub(crate) fn is_blamed(&self, span: Span) -> bool {
        let begins = |it: Span| (it.line, it.column);
        let ends = |it: Span| (it.end_line, it.end_column);
        let inside = |it: Span| it.file == span.file && begins(it) >= begins(span) && ends(it) <= ends(span);
        self.account.failures.iter().any(|it| inside(it.span))
    }

    /// Something that the verifier does not know.
    pub(crate) fn unsupported<T>(&self, what: &str, span: Span) -> Res<T> {
        Err(Stop::Unsupported(what.into(), span))
    }

    fn in_time(&self) -> Res<()> {
        match self.deadline {
            Some(deadline) if Instant::now() > deadline => Err(Stop::Undecided("the time limit was reached".into())),
            _ => Ok(()),
        }
    }

    /// Counts a step against the budgets.
    pub(crate) fn tick(&mut self) -> Res<()> {
        self.effort.steps += 1;
        if self.effort.steps > self.config.steps {
            return Err(Stop::Undecided("the step limit was reached".into()));
        }
        self.in_time()?;
        if self.config.prover.interrupt.load(Ordering::Relaxed) {
            return Err(Stop::Undecided("interrupted".into()));
        }
        Ok(())
    }
}

impl Blame {
    /// This blame for the conjunct that stands here.
    pub(crate) fn of(self, exp: &Exp) -> Blame {
        if self.at_conjunct { Blame { span: exp.span, ..self } } else { self }
    }
}
