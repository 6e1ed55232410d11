//! Walks inside of one step, and the step itself.
//!
//! Knows: how a path moves by one piece of work, how what forks inside of an expression is joined. Never: who walks the
//! paths of a member, the rules of single constructs.
//!
//! What is walked here is walked depth first, in scopes beyond those of the path that makes the step: a path inside of an
//! expression is not a path of the program.

use crate::machine::{Machine, Res, Stop};
use crate::state::{State, Work};
use effigy_contracts::program::Span;
use effigy_term::Term;

/// The way on of a path after a piece of work.
#[expect(clippy::large_enum_variant, reason = "it lives for one step; a box would cost more than it saves")]
pub(crate) enum Next<'a> {
    /// The path goes on in one way.
    On(State<'a>),
    /// The path splits at a condition.
    Fork { cond: Term, span: Span, then: State<'a>, other: State<'a> },
}

impl<'a, 't> Machine<'a, 't> {
    /// Walks all paths from `state` until its work is done and hands each final state to `leaf`, in its scope. A stop
    /// other than infeasibility ends the walk, with all scopes closed that it opened.
    pub(crate) fn walk(
        &mut self,
        mut state: State<'a>,
        leaf: &mut dyn FnMut(&mut Machine<'a, 't>, State<'a>) -> Res<()>,
    ) -> Res<()> {
        let base = self.depth();
        // What fails in here fails on the branches that lead here.
        let branches = self.branches.clone();
        if state.branches.is_empty() {
            state.branches = branches.clone();
        }
        self.nested += 1;
        let res = self.walk_from(state, leaf);
        self.nested -= 1;
        self.branches = branches;
        self.pop_to(base);
        res
    }

    fn walk_from(
        &mut self,
        state: State<'a>,
        leaf: &mut dyn FnMut(&mut Machine<'a, 't>, State<'a>) -> Res<()>,
    ) -> Res<()> {
        let mut pending: Vec<(State<'a>, Term, usize)> = Vec::new();
        let mut current = Some(state);
        loop {
            let Some(mut state) = current.take() else {
                let Some((state, cond, depth)) = pending.pop() else { return Ok(()) };
                self.pop_to(depth);
                self.branch_on(cond);
                current = Some(state);
                continue;
            };
            let mode = state.mode;
            let step = match state.work.pop() {
                None => leaf(self, state).map(|()| None),
                Some(work) => self.step(state, work),
            };
            match step {
                Ok(None) => {}
                Ok(Some(Next::On(state))) => current = Some(state),
                Ok(Some(Next::Fork { cond, span, then, other })) => {
                    let sides = self.sides(cond);
                    match sides {
                        (true, true) => {
                            pending.push((other.after(span, false), self.terms.not(cond), self.depth()));
                            self.branch_on(cond);
                            current = Some(then.after(span, true));
                        }
                        (true, false) => {
                            self.assume(cond);
                            current = Some(then);
                        }
                        _ => {
                            self.assume(self.terms.not(cond));
                            current = Some(other);
                        }
                    }
                }
                Err(Stop::Infeasible) => {}
                // Where more errors are wanted, only this path ends.
                Err(Stop::Failed(failure)) => self.report(failure, mode)?,
                Err(stop) => return Err(stop),
            }
        }
    }

    /// Which sides of a branch are to be walked; at least one.
    pub(crate) fn sides(&mut self, cond: Term) -> (bool, bool) {
        match self.terms.as_bool(cond) {
            Some(value) => (value, !value),
            None => {
                let can_hold = self.feasible(cond);
                let negated = self.terms.not(cond);
                (can_hold, !can_hold || self.feasible(negated))
            }
        }
    }

    pub(crate) fn step(&mut self, mut state: State<'a>, work: Work<'a>) -> Res<Option<Next<'a>>> {
        self.tick()?;
        self.branches = state.branches.clone();
        if self.nested == 0 {
            self.store = state.env.clone();
            self.store_heap = match &work {
                Work::Consume(_, seen, _) => seen.clone(),
                _ => state.heap.clone(),
            };
        }
        if self.config.trace && !self.merging {
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
            Work::End => Ok(None),
            Work::Body => self.begin_body(state),
            Work::GoOn(next, exp) => self.go_on(state, next, exp),
            Work::Value(function, snapshot) => self.check_value(&state, function, snapshot).map(|()| None),
            Work::Meant { exps, result, exhaled } => self.check_meaning(state, exps, result, exhaled),
            Work::CheckPost { lenient } => self.check_post(state, lenient),
            work => self.exec(state, work),
        }
    }

    /// Walks all paths of `state`, takes a term of each and joins them: what each path learnt holds under its branch.
    /// The rules that evaluate inside of expressions use it: a path inside of an expression is not a path of the
    /// program.
    pub(crate) fn joined(
        &mut self,
        state: State<'a>,
        value: &mut dyn FnMut(&mut Machine<'a, 't>, State<'a>) -> Res<Term>,
    ) -> Res<Term> {
        let mut leaves: Vec<(Term, Vec<Term>, Term)> = Vec::new();
        self.push();
        let base = self.depth();
        let start = self.facts().len();
        let res = self.walk(state, &mut |machine, state| {
            let res = value(machine, state)?;
            let branch = machine.branch_since(base);
            let learnt = machine.facts()[start..].to_vec();
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

    /// A fact that follows from another one, on every path where the other one does.
    pub(crate) fn assume_as(&mut self, of: Term, fact: Term) {
        match self.unconditional.contains(&of) {
            true => self.assume_always(fact),
            false => self.assume(fact),
        }
    }

    /// Evaluates under an assumption, in a scope of its own; what was learnt holds under the assumption.
    /// `None`: the assumption is contradictory.
    pub(crate) fn under<T>(
        &mut self,
        cond: Term,
        body: &mut dyn FnMut(&mut Machine<'a, 't>) -> Res<T>,
    ) -> Res<Option<T>> {
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
