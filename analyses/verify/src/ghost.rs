//! Ghost statements, written or inferred: fold and unfold, close and open.
//!
//! Source: Smans et al. 2010, figure 8 and section 4.1 (eliminating ghost operations).

use crate::failure::{ErrorKind, Failure, ReasonKind};
use crate::machine::{Machine, Res, Scene, Stop};
use crate::state::{Blame, Env, Give, Mode, State, Take, Task, Work};
use crate::walk::Next;
use effigy_contracts::program::{Exp, ExpKind, Predicate, PredicateId, PredicateUse, Span, Stmt, StmtKind};
use effigy_heap::heap::{Amount, Chunk, ChunkId, Heap, Resource};
use effigy_term::Term;

/// The most predicates of other references that are looked into for one missing field.
const MOST_TRIED: usize = 8;

impl<'a, 't> Machine<'a, 't> {
    /// `fold acc(P(args), p)`: the body is consumed, the predicate added with its snapshot.
    pub(crate) fn fold(
        &mut self,
        mut state: State<'a>,
        instance: &'a PredicateUse,
        span: Span,
    ) -> Res<Option<Next<'a>>> {
        let env = state.env.clone();
        let heap = state.heap.clone();
        let scene = self.scene(&env, &heap, state.mode, Blame::at(ErrorKind::Fold, span));
        let args = self.eval_all(&scene, &instance.args)?;
        let amount = self.positive_amount(&scene, instance.perm.as_deref())?;
        let predicate = &self.program.predicates[instance.predicate.index()];
        let Some(body) = &predicate.body else {
            return self.unsupported("folding an abstract predicate", instance.span);
        };
        let task = self.body_task(instance.predicate, body, &args, amount, scene.blame);
        state.work.push(Work::Fold(instance.predicate, args.into(), amount));
        Ok(Some(Next::On(state.with(Work::Consume(task, heap, Take::Amount)))))
    }

    fn body_task(
        &self,
        predicate: PredicateId,
        body: &'a Exp,
        args: &[Term],
        amount: Amount,
        blame: Blame,
    ) -> Task<'a> {
        let env = Env::new(args, &self.program.predicates[predicate.index()].variables);
        let scale = (amount.term != self.full_permission()).then_some(amount);
        Task { exps: std::slice::from_ref(body), env, blame, scale, trusted: true }
    }

    /// `unfold acc(P(args), p)`: the predicate is consumed, its body produced from its snapshot.
    pub(crate) fn unfold(
        &mut self,
        mut state: State<'a>,
        instance: &'a PredicateUse,
        span: Span,
    ) -> Res<Option<Next<'a>>> {
        let env = state.env.clone();
        let heap = state.heap.clone();
        let scene = self.scene(&env, &heap, state.mode, Blame::at(ErrorKind::Unfold, span));
        let args = self.eval_all(&scene, &instance.args)?;
        let amount = self.positive_amount(&scene, instance.perm.as_deref())?;
        let predicate = &self.program.predicates[instance.predicate.index()];
        let Some(body) = &predicate.body else {
            return self.unsupported("unfolding an abstract predicate", instance.span);
        };
        let resource = Resource::Predicate(instance.predicate);
        let snapshot = self.take(&scene, &mut state.heap, resource, &args, amount, instance.span)?;
        let snapshot = snapshot.unwrap_or_else(|| self.fresh("snapshot", self.vocabulary.snapshot()));
        self.unfolded_snapshot(snapshot, state.mode);
        let task = self.body_task(instance.predicate, body, &args, amount, scene.blame);
        // The snapshot of what was exhaled says nothing of what is inhaled.
        let snapshot = (!body.has_two_sides()).then_some(snapshot);
        Ok(Some(Next::On(state.with(Work::Produce(task, snapshot, Give::Amount)))))
    }

    // Inference.

    /// Whether a predicate that is missing may be closed: within the bound on nested attempts.
    pub(crate) fn may_close(&self, state: &State<'a>, predicate: PredicateId) -> bool {
        let has_body = self.program.predicates[predicate.index()].body.is_some();
        has_body
            && !state.mode.in_function
            && !state.mode.defining
            && (nesting(state) as u32) < self.config.inference.close
    }

    /// The state in which a predicate that is missing is closed and consumed at once, or why that fails.
    pub(crate) fn closed(
        &mut self,
        state: &State<'a>,
        predicate: PredicateId,
        args: &[Term],
        blame: Blame,
        take: Take,
    ) -> Res<Result<State<'a>, Option<Box<Failure>>>> {
        let Some(body) = &self.program.predicates[predicate.index()].body else { return Ok(Err(None)) };
        // Tried in a scope of its own, so that a failed attempt leaves nothing behind. It is checked, also where what
        // is asked for is known to be there: it may be there in another form.
        let full = self.write();
        let heap = state.heap.clone();
        let task = self.body_task(predicate, body, args, full, blame);
        let mode = Mode { trusting: false, ..state.mode };
        let trial = State { work: vec![Work::Closed; nesting(state) + 1], mode, ..state.clone() };
        let trial = trial.with(Work::Consume(task.clone(), heap.clone(), take));
        self.push();
        let res = self.tried(|machine| machine.walk(trial, &mut |_, _| Ok(())));
        self.pop();
        match res {
            // Now for good: what it takes stays taken, its snapshot is the predicate's.
            Ok(()) => Ok(Ok(state.clone().with(Work::Closed).with(Work::Consume(task, heap, take)))),
            Err(Stop::Failed(failure)) => Ok(Err(Some(failure))),
            Err(stop) => Err(stop),
        }
    }

    /// A predicate is missing, and cannot be closed. Where that is not for want of permission, what is false is the
    /// reason.
    pub(crate) fn not_closed(failure: Box<Failure>, inner: Failure) -> Box<Failure> {
        if !matches!(inner.reason, ReasonKind::AssertionFalse | ReasonKind::Null | ReasonKind::NotClosed) {
            return failure;
        }
        let (error, span) = (failure.error, failure.span);
        Box::new(Failure { error, span, reason: ReasonKind::NotClosed, ..inner })
    }

    /// The predicates in the heap in which a field of this reference, or a predicate of it, may be: those whose first
    /// argument it is, then those that speak of such a resource at all.
    fn predicates_with(&mut self, heap: &Heap, receiver: Term, resource: Resource) -> Vec<(ChunkId, Chunk)> {
        let wanted = self.prover.representative(self.terms, receiver);
        let mut own = Vec::new();
        let mut others = Vec::new();
        for (id, chunk) in heap.entries() {
            let Resource::Predicate(predicate) = chunk.resource else { continue };
            if chunk.args.first().is_some_and(|&it| self.prover.representative(self.terms, it) == wanted) {
                own.push((id, chunk.clone()));
            } else if others.len() < MOST_TRIED && asks_for(&self.program.predicates[predicate.index()], resource) {
                others.push((id, chunk.clone()));
            }
        }
        own.append(&mut others);
        own
    }

    /// The value of a location or the snapshot of a predicate that is held, or is inside of a predicate that is: section
    /// 4.1.
    pub(crate) fn read_anywhere(
        &mut self,
        scene: &Scene<'_, 'a>,
        resource: Resource,
        args: &[Term],
        culprit: Span,
    ) -> Res<Option<Term>> {
        if !self.config.inference.open || self.find(scene.heap, resource, args).is_some() {
            return self.read(scene, resource, args, culprit);
        }
        if scene.checked {
            let read = self.read(scene, resource, args, culprit);
            if matches!(read, Ok(None) | Err(Stop::Failed(_)))
                && let Some((value, _)) = self.read_opened(scene, resource, args, culprit)?
            {
                return Ok(Some(value));
            }
            return read;
        }
        self.read_unchecked(scene, resource, args, culprit)
    }

    /// The value of what is held for certain, but it is not checked where: one of all locations that may be meant. What
    /// is found first need not be it, only because it may be.
    fn read_unchecked(
        &mut self,
        scene: &Scene<'_, 'a>,
        resource: Resource,
        args: &[Term],
        culprit: Span,
    ) -> Res<Option<Term>> {
        if let Some((value, _)) = self.read_opened(scene, resource, args, culprit)? {
            return Ok(Some(value));
        }
        let Some(&receiver) = args.first() else { return self.read(scene, resource, args, culprit) };
        let outside = self.candidates(scene.heap, resource, args).len();
        let mut inside = Vec::new();
        for (id, chunk) in self.predicates_with(scene.heap, receiver, resource) {
            let Some(state) = self.opened(scene.heap, id, &chunk, scene) else { continue };
            let mut any = false;
            self.push();
            let look = &mut |machine: &mut Machine<'a, 't>, state: State<'a>| {
                any |= machine.candidates(&state.heap, resource, args).len() > outside;
                Ok(())
            };
            let res = self.tried(|machine| machine.walk(state.clone(), look));
            self.pop();
            res?;
            if any {
                inside.push(state);
            }
        }
        if inside.is_empty() {
            return self.read(scene, resource, args, culprit);
        }
        let sort = match resource {
            Resource::Field(field) => self.vocabulary.sort(self.terms, &self.program.fields[field.index()].typ),
            Resource::Predicate(_) => self.vocabulary.snapshot(),
        };
        let value = self.fresh("value", sort);
        for state in inside {
            let fact =
                self.joined(state, &mut |machine, state| Ok(machine.is_held(&state.heap, resource, args, value)))?;
            self.assume(fact);
        }
        Ok(Some(value))
    }

    /// Reads inside of a predicate, which stays closed; the value, and which predicate that is.
    pub(crate) fn read_opened(
        &mut self,
        scene: &Scene<'_, 'a>,
        resource: Resource,
        args: &[Term],
        culprit: Span,
    ) -> Res<Option<(Term, ChunkId)>> {
        let Some(&receiver) = args.first() else { return Ok(None) };
        for (id, chunk) in self.predicates_with(scene.heap, receiver, resource) {
            let Some(state) = self.opened(scene.heap, id, &chunk, scene) else { continue };
            let told = self.checks.len();
            let value = self.joined(state, &mut |machine, state| {
                let inner = Scene { heap: &state.heap, held: &state.heap, ..*scene };
                let found = scene.checked || machine.find(&state.heap, resource, args).is_some();
                match if found { machine.read(&inner, resource, args, culprit)? } else { None } {
                    Some(value) => Ok(value),
                    None => {
                        let reason = ReasonKind::InsufficientPermission;
                        Err(Stop::Failed(Box::new(Failure::new(scene.blame.error, reason, scene.blame.span, culprit))))
                    }
                }
            });
            match value {
                Err(Stop::Failed(_)) => self.checks.truncate(told),
                other => return other.map(|it| Some((it, id))),
            }
        }
        Ok(None)
    }

    /// The state in which a predicate is being opened that has this resource inside, on each path.
    pub(crate) fn opened_with(
        &mut self,
        heap: &Heap,
        scene: &Scene<'_, 'a>,
        resource: Resource,
        args: &[Term],
    ) -> Res<Option<State<'a>>> {
        let Some(&receiver) = args.first() else { return Ok(None) };
        for (id, chunk) in self.predicates_with(heap, receiver, resource) {
            let Some(state) = self.opened(heap, id, &chunk, scene) else { continue };
            let (mut paths, mut found) = (0, 0);
            self.push();
            let look = &mut |machine: &mut Machine<'a, 't>, state: State<'a>| {
                paths += 1;
                found += u32::from(machine.find(&state.heap, resource, args).is_some());
                Ok(())
            };
            let res = self.tried(|machine| machine.walk(state.clone(), look));
            self.pop();
            match res {
                Ok(()) if found > 0 && found == paths => return Ok(Some(state)),
                Ok(()) | Err(Stop::Failed(_)) => {}
                Err(stop) => return Err(stop),
            }
        }
        Ok(None)
    }

    /// The state in which a predicate is being opened.
    pub(crate) fn opened(
        &mut self,
        heap: &Heap,
        id: ChunkId,
        chunk: &Chunk,
        scene: &Scene<'_, 'a>,
    ) -> Option<State<'a>> {
        let Resource::Predicate(predicate) = chunk.resource else { return None };
        let body = self.program.predicates[predicate.index()].body.as_ref()?;
        let mut heap = heap.clone();
        heap.remove(id);
        self.unfolded_snapshot(chunk.value, scene.mode);
        let amount = Amount { term: chunk.perm, wildcard: false };
        let task = self.body_task(predicate, body, &chunk.args, amount, scene.blame);
        let state = State::within(scene.env.clone(), heap, scene.mode);
        let snapshot = (!body.has_two_sides()).then_some(chunk.value);
        Some(state.with(Work::Produce(task, snapshot, Give::Amount)))
    }

    /// Opens a predicate of the receiver of a field that is assigned and missing, and tries the statement again.
    pub(crate) fn open_instead(
        &mut self,
        mut state: State<'a>,
        stmt: &'a Stmt,
        receiver: Term,
        failure: Failure,
    ) -> Res<Option<Next<'a>>> {
        if !self.config.inference.open {
            return Err(Stop::Failed(Box::new(failure)));
        }
        let env = state.env.clone();
        let heap = state.heap.clone();
        let scene = self.scene(&env, &heap, state.mode, Blame::at(ErrorKind::Assignment, stmt.span));
        let StmtKind::FieldAssign(_, field, _) = &stmt.kind else { return Err(Stop::Failed(Box::new(failure))) };
        for (id, chunk) in self.predicates_with(&heap, receiver, Resource::Field(*field)) {
            let Some(mut opened) = self.opened(&heap, id, &chunk, &scene) else { continue };
            // The chunk is gone afterwards, so that this ends.
            if let (Some(produce), Some(Work::Run(next))) = (opened.work.pop(), state.work.pop()) {
                state.heap = opened.heap;
                state.work.push(Work::Run(next - 1));
                state.work.push(produce);
                return Ok(Some(Next::On(state)));
            }
        }
        Err(Stop::Failed(Box::new(failure)))
    }
}

/// How many predicates are being closed because they were missing.
fn nesting(state: &State<'_>) -> usize {
    state.work.iter().filter(|it| matches!(it, Work::Closed)).count()
}

/// Whether a predicate's body asks for such a resource of something.
fn asks_for(predicate: &Predicate, resource: Resource) -> bool {
    let mut res = false;
    if let Some(body) = &predicate.body {
        body.walk(&mut |it| {
            res |= match &*it.kind {
                ExpKind::AccField(_, field, _) => resource == Resource::Field(*field),
                ExpKind::AccPredicate(inner) => resource == Resource::Predicate(inner.predicate),
                _ => false,
            };
        });
    }
    res
}
