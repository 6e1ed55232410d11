//! The machine: everything that is not part of a path's state.
//!
//! Knows: the program, the arena, the prover with its scopes, fresh names, budgets; how paths are walked one after
//! another. Never: the rules of single constructs.
//!
//! Paths are walked depth first; a scope of the prover is open for each fork on the way to the current path, and the
//! facts of a scope are forgotten when the next alternative is taken.

use crate::code::Code;
use crate::exec::Joined;
use crate::failure::{Failure, ReasonKind, TracedState};
use crate::functions::{Definitions, Used};
use crate::recording::Recorder;
use crate::state::{Blame, Env, State, Work};
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

/// Why a path, or all of them, do not go on.
#[derive(Clone, Debug)]
pub(crate) enum Stop {
    /// The path condition is contradictory: there is no such run.
    Infeasible,
    /// A check failed.
    Failed(Box<Failure>),
    /// A budget ran out.
    Undecided(Arc<str>),
    /// The verifier does not know this.
    Unsupported(Arc<str>, Span),
}

pub(crate) type Res<T> = Result<T, Stop>;

/// What an evaluation happens in.
#[derive(Clone, Copy)]
pub(crate) struct Scene<'s, 'a> {
    pub(crate) env: &'s Env<'a>,
    pub(crate) heap: &'s Heap,
    /// What `perm` is asked of: while an assertion is consumed, what is left.
    pub(crate) held: &'s Heap,
    pub(crate) blame: Blame,
    /// Whether expressions must be shown to mean something here. A function's definition is evaluated without: that
    /// is checked where the function is verified.
    pub(crate) checked: bool,
    /// Whether amounts of permission are looked at, or only whether there is any: not in functions.
    pub(crate) amounts: bool,
}

/// An open scope of assumptions.
struct Scope {
    facts: usize,
    used: Used,
    /// The condition of the branch that the scope is for.
    cond: Option<Term>,
}

pub(crate) struct Machine<'a> {
    pub(crate) program: &'a Program,
    pub(crate) terms: &'a Terms,
    pub(crate) prover: &'a mut Prover,
    pub(crate) config: &'a Config,
    pub(crate) vocabulary: Vocabulary<'a>,
    pub(crate) snapshots: Snapshots,
    pub(crate) definitions: Definitions,
    /// The bound variables around the current evaluation: what is fresh depends on them.
    pub(crate) bound: Vec<Symbol>,
    /// Whether what is evaluated is a function's own definition.
    pub(crate) defining: bool,
    /// Whether what is evaluated is the body or contract of a function, in which nothing is closed by inference: the
    /// termination of pure methods rests on it (section 3.6).
    pub(crate) in_function: bool,
    /// The body of the method that is executed.
    pub(crate) code: Option<Rc<Code<'a>>>,
    /// The `join` statements that were reached.
    pub(crate) joins: Vec<Joined<'a>>,
    /// `refute` statements that some path does not contradict.
    pub(crate) refuted: Vec<Span>,
    pub(crate) trace: Vec<TracedState>,
    /// What is recorded, if anything is. There is none within a step.
    pub(crate) recorder: Option<Box<Recorder>>,
    /// The predicates whose `unfolding` is being evaluated.
    pub(crate) unfoldings: Vec<PredicateId>,
    /// Whether what is produced has been checked elsewhere to mean something.
    pub(crate) trusting: bool,
    /// Whether `[a, b]` is `a` in an expression.
    pub(crate) inhaling: bool,
    /// Whether an ill-formed contract, reported as that, is checked for what it says all the same.
    pub(crate) lenient: bool,
    /// Facts that hold on every path: definitions of functions without a precondition.
    unconditional: rustc_hash::FxHashSet<Term>,
    /// Whether what is evaluated is a trigger: only a term, which need not mean anything.
    pub(crate) in_trigger: bool,
    /// What has failed.
    pub(crate) failures: Vec<Failure>,
    /// How many checks have failed.
    pub(crate) failed: usize,
    /// Whether what fails is only tried: another way is known.
    pub(crate) trying: bool,
    /// Whether `[a, b]` is produced as `b`: so is a contract's second reading checked.
    pub(crate) exhale_side: bool,
    /// The branches to the current state.
    branches: rpds::List<(Span, bool)>,
    facts: Vec<Term>,
    /// The same as a set: what is assumed twice says nothing new.
    assumed: rustc_hash::FxHashSet<Term>,
    scopes: Vec<Scope>,
    counter: u64,
    pub(crate) effort: Effort,
    deadline: Option<Instant>,
}

impl<'a> Machine<'a> {
    pub(crate) fn new(
        program: &'a Program,
        terms: &'a Terms,
        prover: &'a mut Prover,
        config: &'a Config,
    ) -> Machine<'a> {
        let vocabulary = Vocabulary::new(terms, program);
        let snapshots = Snapshots::new(terms, &vocabulary);
        snapshots.tell(terms, prover, &vocabulary, program);
        Machine {
            program,
            terms,
            prover,
            config,
            vocabulary,
            snapshots,
            definitions: Definitions::default(),
            bound: Vec::new(),
            defining: false,
            in_function: false,
            code: None,
            joins: Vec::new(),
            refuted: Vec::new(),
            trace: Vec::new(),
            recorder: None,
            unfoldings: Vec::new(),
            trusting: false,
            inhaling: false,
            lenient: false,
            unconditional: rustc_hash::FxHashSet::default(),
            in_trigger: false,
            failures: Vec::new(),
            failed: 0,
            trying: false,
            exhale_side: false,
            branches: rpds::List::new(),
            facts: Vec::new(),
            assumed: rustc_hash::FxHashSet::default(),
            scopes: Vec::new(),
            counter: 0,
            effort: Effort::default(),
            deadline: config.time.map(|it| Instant::now() + it),
        }
    }

    // Assumptions.

    pub(crate) fn push(&mut self) {
        let used = self.definitions.used();
        self.scopes.push(Scope { facts: self.facts.len(), used, cond: None });
        self.prover.push();
    }

    /// Opens the scope of a branch.
    pub(crate) fn branch_on(&mut self, cond: Term) {
        self.push();
        if let Some(scope) = self.scopes.last_mut() {
            scope.cond = Some(cond);
        }
        self.prover.assume(self.terms, cond);
    }

    /// The conditions of all branches that are open.
    pub(crate) fn branch(&self) -> Term {
        self.branch_since(0)
    }

    fn branch_since(&self, depth: usize) -> Term {
        self.terms.and_all(self.scopes[depth..].iter().filter_map(|it| it.cond))
    }

    /// Closes the innermost scope; what was assumed in it beside its condition.
    pub(crate) fn pop(&mut self) -> Vec<Term> {
        self.prover.pop();
        let scope = self.scopes.pop().expect("every pop has its push");
        self.definitions.forget_since(scope.used);
        let facts = self.facts.split_off(scope.facts);
        for it in &facts {
            self.assumed.remove(it);
        }
        facts
    }

    /// The number of open scopes.
    pub(crate) fn depth(&self) -> usize {
        self.scopes.len()
    }

    /// Closes scopes until so many are left.
    pub(crate) fn pop_to(&mut self, depth: usize) {
        while self.scopes.len() > depth {
            self.pop();
        }
    }

    /// What is assumed on the current path, beside the conditions of its branches.
    pub(crate) fn facts(&self) -> &[Term] {
        &self.facts
    }

    /// The conditions of the branches, outermost first.
    pub(crate) fn conditions(&self) -> impl Iterator<Item = Term> + '_ {
        self.scopes.iter().filter_map(|it| it.cond)
    }

    /// Σ ∪ {fact}.
    pub(crate) fn assume(&mut self, fact: Term) {
        if self.terms.as_bool(fact) == Some(true) || !self.assumed.insert(fact) {
            return;
        }
        self.facts.push(fact);
        self.prover.assume(self.terms, fact);
        // The extensional predicate is for the solver's triggers; the local core knows equality.
        let conjuncts = match self.terms.node(fact) {
            Node::And(args) => args,
            _ => std::slice::from_ref(&fact),
        };
        for plain in conjuncts.iter().filter_map(|&it| plain_equality(self.terms, it)) {
            self.prover.assume(self.terms, plain);
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
        let negated = self.terms.not(cond);
        if self.known(negated) {
            return false;
        }
        if !self.prover.started() {
            return true;
        }
        self.tell_axioms();
        !self.prover.proves(self.terms, negated, prover::ProofEffort::Quick).is_proved()
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
            self.prover.known(self.terms, value);
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

    /// Whether what is evaluated must be shown to mean something.
    pub(crate) fn checked(&self) -> bool {
        !self.defining && !self.in_trigger && !self.trusting && !self.lenient
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
            && self.prover.has_model_against(self.terms, goal)
        {
            proof = Proof::NotProved(None);
        }
        if proof.is_proved() {
            return Ok(true);
        }
        match self.failure(scene.blame, reason, culprit, goal, &proof) {
            Stop::Failed(failure) => {
                let failure = self.with_counterexample(failure, scene, goal);
                self.report(failure)?;
                Ok(false)
            }
            stop => Err(stop),
        }
    }

    /// Keeps a failure, or stops with it if it is the last that is wanted.
    pub(crate) fn report(&mut self, mut failure: Box<Failure>) -> Res<()> {
        if failure.branches.is_empty() {
            failure.branches = self.branches.iter().copied().collect();
            failure.branches.reverse();
        }
        if failure.trace.is_empty() && self.config.trace {
            failure.trace = self.trace.clone();
        }
        let infers = self.config.inference.open || self.config.inference.close > 0;
        if self.trying || infers || self.failures.len() + 1 >= self.config.errors {
            return Err(Stop::Failed(failure));
        }
        // Not before: who gets the failure may know another way, and then nothing has failed.
        let same = |it: &Failure| {
            (it.error, it.reason, it.span, it.culprit) == (failure.error, failure.reason, failure.span, failure.culprit)
        };
        // Only what is reported counts: what stops a trial does not.
        self.failed += 1;
        if !self.failures.iter().any(same) {
            self.failures.push(*failure);
        }
        Ok(())
    }

    /// Whether something is reported of this place, or of a part of it.
    pub(crate) fn is_blamed(&self, span: Span) -> bool {
        let begins = |it: Span| (it.line, it.column);
        let ends = |it: Span| (it.end_line, it.end_column);
        let inside = |it: Span| it.file == span.file && begins(it) >= begins(span) && ends(it) <= ends(span);
        self.failures.iter().any(|it| inside(it.span))
    }

    /// Something that the verifier does not know.
    pub(crate) fn unsupported<T>(&self, what: &str, span: Span) -> Res<T> {
        Err(Stop::Unsupported(what.into(), span))
    }

    /// Counts a step against the budgets.
    pub(crate) fn tick(&mut self) -> Res<()> {
        self.effort.steps += 1;
        if self.effort.steps > self.config.steps {
            return Err(Stop::Undecided("the step limit was reached".into()));
        }
        if self.deadline.is_some_and(|it| Instant::now() > it) {
            return Err(Stop::Undecided("the time limit was reached".into()));
        }
        if self.config.prover.interrupt.load(Ordering::Relaxed) {
            return Err(Stop::Undecided("interrupted".into()));
        }
        Ok(())
    }

    // Walking.

    /// Walks all paths from `state` until its work is done and hands each final state to `leaf`, in its scope. A stop
    /// other than infeasibility ends the walk, with all scopes closed that it opened.
    pub(crate) fn walk(
        &mut self,
        state: State<'a>,
        leaf: &mut dyn FnMut(&mut Machine<'a>, State<'a>) -> Res<()>,
    ) -> Res<()> {
        let base = self.depth();
        let res = self.walk_from(state, base, leaf);
        self.pop_to(base);
        res
    }

    fn walk_from(
        &mut self,
        state: State<'a>,
        base: usize,
        leaf: &mut dyn FnMut(&mut Machine<'a>, State<'a>) -> Res<()>,
    ) -> Res<()> {
        let mut pending: Vec<(State<'a>, Term, usize)> = Vec::new();
        let mut current = Some(state);
        loop {
            let Some(mut state) = current.take() else {
                let Some((state, cond, depth)) = pending.pop() else { return Ok(()) };
                self.pop_to(depth);
                self.branch_on(cond);
                self.recorder.iter_mut().for_each(|it| it.resume());
                current = Some(state);
                continue;
            };
            let step = match state.work.pop() {
                None => self.recorded_leaf(state, leaf),
                Some(work) => self.recorded_step(state, work),
            };
            match step {
                Ok(None) => {
                    if base == 0 {
                        self.effort.paths += 1;
                    }
                }
                Ok(Some(Next::On(state))) => current = Some(state),
                Ok(Some(Next::Fork { cond, span, then, other })) => {
                    let negated = self.terms.not(cond);
                    let (can_hold, can_fail) = match self.terms.as_bool(cond) {
                        Some(value) => (value, !value),
                        None => {
                            let can_hold = self.feasible(cond);
                            (can_hold, !can_hold || self.feasible(negated))
                        }
                    };
                    let on = |mut state: State<'a>, side: bool| {
                        state.branches = state.branches.push_front((span, side));
                        state
                    };
                    match (can_hold, can_fail) {
                        (true, true) => {
                            self.recorder.iter_mut().for_each(|it| it.fork(cond));
                            pending.push((on(other, false), negated, self.depth()));
                            self.branch_on(cond);
                            current = Some(on(then, true));
                        }
                        (true, false) => {
                            self.assume(cond);
                            current = Some(then);
                        }
                        _ => {
                            self.assume(negated);
                            current = Some(other);
                        }
                    }
                }
                Err(Stop::Infeasible) => {}
                // Where more errors are wanted, only this path ends.
                Err(Stop::Failed(failure)) => self.report(failure)?,
                Err(stop) => return Err(stop),
            }
        }
    }

    pub(crate) fn step(&mut self, mut state: State<'a>, work: Work<'a>) -> Res<Option<Next<'a>>> {
        self.tick()?;
        self.branches = state.branches.clone();
        if self.config.trace {
            self.record(&state, &work);
        }
        match work {
            Work::Produce(task, snapshot, give) => self.produce(state, task, snapshot, give),
            Work::Consume(task, seen, take) => self.consume(state, task, seen, take),
            Work::Unit => {
                let unit = self.snapshots.unit(self.terms);
                state.snapshots.push(unit);
                Ok(Some(Next::On(state)))
            }
            Work::Combine => {
                if let (Some(right), Some(left)) = (state.snapshots.pop(), state.snapshots.pop()) {
                    let combined = self.snapshots.combine(self.terms, left, right);
                    state.snapshots.push(combined);
                }
                Ok(Some(Next::On(state)))
            }
            Work::Drop => {
                state.snapshots.pop();
                Ok(Some(Next::On(state)))
            }
            Work::Nothing(snapshot) => {
                self.assume_unit(Some(snapshot));
                Ok(Some(Next::On(state)))
            }
            Work::Closed => Ok(Some(Next::On(state))),
            Work::Restore(heap) => {
                state.heap = heap;
                Ok(Some(Next::On(state)))
            }
            Work::End => {
                if self.depth() == 0 {
                    self.effort.paths += 1;
                }
                Ok(None)
            }
            work => self.exec(state, work),
        }
    }

    /// Walks all paths of `state`, takes a term of each and joins them: what each path learnt holds under its branch.
    /// The rules that evaluate inside of expressions use it: a path inside of an expression is not a path of the
    /// program.
    pub(crate) fn joined(
        &mut self,
        state: State<'a>,
        value: &mut dyn FnMut(&mut Machine<'a>, State<'a>) -> Res<Term>,
    ) -> Res<Term> {
        let mut leaves: Vec<(Term, Vec<Term>, Term)> = Vec::new();
        self.push();
        let base = self.depth();
        let start = self.facts.len();
        let res = self.walk(state, &mut |machine, state| {
            let res = value(machine, state)?;
            let branch = machine.branch_since(base);
            let learnt = machine.facts[start..].to_vec();
            leaves.push((branch, learnt, res));
            Ok(())
        });
        self.pop();
        res?;
        let Some(last) = leaves.last() else { return Err(Stop::Infeasible) };
        let mut joined = last.2;
        for (branch, _, value) in leaves.iter().rev().skip(1) {
            joined = self.terms.ite(*branch, *value, joined);
        }
        // Branches that are missing are infeasible.
        let some_branch = self.terms.or_all(leaves.iter().map(|it| it.0));
        self.assume(some_branch);
        for (branch, learnt, _) in leaves {
            for fact in learnt {
                self.assume_learnt(branch, fact);
            }
        }
        Ok(joined)
    }

    /// A fact that holds on every path.
    pub(crate) fn assume_always(&mut self, fact: Term) {
        self.unconditional.insert(fact);
        self.assume(fact);
    }

    /// What was learnt under a condition.
    fn assume_learnt(&mut self, cond: Term, fact: Term) {
        if self.unconditional.contains(&fact) {
            return self.assume(fact);
        }
        let fact = self.terms.implies(cond, fact);
        self.assume(fact);
    }

    /// Evaluates under an assumption, in a scope of its own; what was learnt holds under the assumption.
    /// `None`: the assumption is contradictory.
    pub(crate) fn under<T>(&mut self, cond: Term, body: &mut dyn FnMut(&mut Machine<'a>) -> Res<T>) -> Res<Option<T>> {
        self.branch_on(cond);
        let res = body(self);
        let learnt = self.pop();
        match res {
            Ok(value) => {
                for fact in learnt {
                    self.assume_learnt(cond, fact);
                }
                Ok(Some(value))
            }
            Err(Stop::Infeasible) => {
                let negated = self.terms.not(cond);
                self.assume(negated);
                Ok(None)
            }
            Err(stop) => Err(stop),
        }
    }
}

/// How a path goes on.
#[expect(clippy::large_enum_variant, reason = "it lives for one step; a box would cost more than it saves")]
pub(crate) enum Next<'a> {
    /// One way.
    On(State<'a>),
    /// Two ways, by a condition.
    Fork { cond: Term, span: Span, then: State<'a>, other: State<'a> },
}

impl Blame {
    /// This blame for the conjunct that stands here.
    pub(crate) fn of(self, exp: &Exp) -> Blame {
        if self.at_conjunct { Blame { span: exp.span, ..self } } else { self }
    }
}
