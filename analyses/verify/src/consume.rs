//! `consume`: checks an assertion and takes its permissions.
//!
//! Source: Smans et al. 2010, section 3.4.2 and figure 7; the conditional goes on with `consume'`, which keeps what is
//! left, as the text has it.

use crate::failure::{ErrorKind, Failure, ReasonKind};
use crate::machine::{Machine, Res, Scene, Stop};
use crate::state::{Blame, Mode, State, Take, Task, Work};
use crate::walk::Next;
use effigy_contracts::program::{BinaryOp, Exp, ExpKind, MeasureCheck, MeasureRule, PredicateUse, Span, Type};
use effigy_heap::heap::{Amount, Heap, Resource};
use effigy_term::Term;

impl<'a, 't> Machine<'a, 't> {
    /// The next step of consuming a list of assertions, separately joined. `seen` is the heap in which expressions are
    /// evaluated: what is taken by one conjunct can still be read in the next.
    pub(crate) fn consume(
        &mut self,
        mut state: State<'a>,
        task: Task<'a>,
        seen: Heap,
        take: Take,
    ) -> Res<Option<Next<'a>>> {
        let Some((exp, rest)) = task.exps.split_first() else {
            state.work.push(Work::Unit);
            return Ok(Some(Next::On(state)));
        };
        if !rest.is_empty() {
            state.work.push(Work::Combine);
            state.work.push(Work::Consume(Task { exps: rest, ..task.clone() }, seen.clone(), take));
        }
        self.consume_one(state, exp, task, seen, take)
    }

    fn consume_one(
        &mut self,
        state: State<'a>,
        exp: &'a Exp,
        task: Task<'a>,
        seen: Heap,
        take: Take,
    ) -> Res<Option<Next<'a>>> {
        let of_call = task.blame.error == ErrorKind::CallPrecondition && take == Take::Amount && !state.mode.trying;
        let is_access = matches!(&*exp.kind, ExpKind::AccField(..) | ExpKind::AccPredicate(_));
        if !(self.config.inference.open && of_call && is_access) {
            return self.consume_here(state, exp, task, seen, take);
        }
        let (before, told) = (state.clone(), self.checks.len());
        match self.consume_here(state, exp, task.clone(), seen.clone(), take) {
            Err(Stop::Failed(failure)) => match self.opened_for(before, exp, task, seen)? {
                Some(opened) => {
                    // It is consumed once more, and checked then.
                    self.checks.truncate(told);
                    Ok(Some(Next::On(opened)))
                }
                None => Err(Stop::Failed(failure)),
            },
            other => other,
        }
    }

    /// What a call asks for is missing: the state in which a predicate that has it inside is opened first, and then it is
    /// consumed. The predicate is gone afterwards, so that this ends.
    fn opened_for(&mut self, mut state: State<'a>, exp: &'a Exp, task: Task<'a>, seen: Heap) -> Res<Option<State<'a>>> {
        let scene = Scene {
            env: &task.env,
            heap: &seen,
            held: &state.heap,
            blame: task.blame,
            checked: true,
            mode: state.mode,
            amounts: true,
        };
        let (resource, args) = match &*exp.kind {
            ExpKind::AccField(receiver, field, _) => (Resource::Field(*field), vec![self.eval(&scene, receiver)?]),
            ExpKind::AccPredicate(it) => (Resource::Predicate(it.predicate), self.eval_all(&scene, &it.args)?),
            _ => return Ok(None),
        };
        let Some(mut opened) = self.opened_with(&state.heap, &scene, resource, &args)? else { return Ok(None) };
        let exps = std::slice::from_ref(exp);
        state.work.push(Work::Consume(Task { exps, ..task }, seen, Take::Amount));
        state.work.append(&mut opened.work);
        state.heap = opened.heap;
        Ok(Some(state))
    }

    fn consume_here(
        &mut self,
        mut state: State<'a>,
        exp: &'a Exp,
        task: Task<'a>,
        seen: Heap,
        take: Take,
    ) -> Res<Option<Next<'a>>> {
        let blame = task.blame.of(exp);
        let inner = Blame { at_conjunct: false, ..blame };
        let on = |exp: &'a Exp, env, blame| Task {
            exps: std::slice::from_ref(exp),
            env,
            blame,
            scale: task.scale,
            trusted: task.trusted,
        };
        let left = state.heap.clone();
        let mode = Mode { inhaling: false, ..state.mode };
        let scene = Scene {
            env: &task.env,
            heap: &seen,
            held: &left,
            blame,
            checked: mode.checks(),
            mode,
            // Part of a predicate is closed with part of what its body speaks of.
            amounts: take == Take::Amount && task.scale.is_none(),
        };
        match &*exp.kind {
            ExpKind::Binary(BinaryOp::And, left, right) => {
                state.work.push(Work::Combine);
                state.work.push(Work::Consume(on(right, task.env.clone(), inner), seen.clone(), take));
                state.work.push(Work::Consume(on(left, task.env.clone(), inner), seen.clone(), take));
            }
            _ if exp.asks_for_nothing() => {
                self.check(&scene, exp)?;
                state.work.push(Work::Unit);
            }
            ExpKind::Binary(BinaryOp::Implies, cond, then) => {
                let cond_term = self.eval(&scene, cond)?;
                let other = state.clone().with(Work::Unit);
                let then = state.with(Work::Consume(on(then, task.env.clone(), inner), seen.clone(), take));
                return Ok(Some(Next::Fork { cond: cond_term, span: cond.span, then, other }));
            }
            ExpKind::Cond(cond, then, other) => {
                let cond_term = self.eval(&scene, cond)?;
                let other = state.clone().with(Work::Consume(on(other, task.env.clone(), inner), seen.clone(), take));
                let then = state.with(Work::Consume(on(then, task.env.clone(), inner), seen.clone(), take));
                return Ok(Some(Next::Fork { cond: cond_term, span: cond.span, then, other }));
            }
            ExpKind::Let(variable, value, body) => {
                let value = self.eval(&scene, value)?;
                let mut env = task.env.clone();
                env.set(*variable, value);
                state.work.push(Work::Consume(on(body, env, inner), seen.clone(), take));
            }
            ExpKind::InhaleExhale(_, exhaled) => {
                state.work.push(Work::Consume(on(exhaled, task.env.clone(), inner), seen.clone(), take));
            }
            ExpKind::Asserting(checked, body) => {
                self.check_inside(&scene, checked)?;
                state.work.push(Work::Consume(on(body, task.env.clone(), inner), seen.clone(), take));
            }
            ExpKind::AccField(receiver, field, perm) => {
                let args = [self.eval(&scene, receiver)?];
                let (amount, some) = self.asked(&scene, perm.as_ref(), task.scale)?;
                let resource = Resource::Field(*field);
                let culprit = self.location(receiver.span, *field);
                let value = self.take_as(&scene, &mut state, resource, &args, amount, culprit, take)?;
                let typ = &self.program.fields[field.index()].typ;
                let snapshot = self.snapshot_of_value(value, typ);
                state.snapshots.push(self.snapshot_if(some, snapshot));
            }
            ExpKind::AccPredicate(instance) => {
                return self.consume_predicate(state, instance, &scene, &task, take);
            }
            ExpKind::Untouched(inner) => {
                let now = self.snapshot_of(&scene, inner)?;
                let Some(old) = task.env.old.clone() else { return self.unsupported("untouched", exp.span) };
                let before = self.snapshot_of(&Scene { heap: &old, held: &old, ..scene }, inner)?;
                let same = self.terms.eq(now, before);
                self.require(&scene, same, ReasonKind::AssertionFalse, exp.span)?;
                state.work.push(Work::Unit);
            }
            ExpKind::Quantified(_) => {
                let snapshot = self.consume_quantified(&mut state, exp, &scene, &task, take)?;
                state.snapshots.push(snapshot);
            }
            ExpKind::Unsupported(what) => return self.unsupported(what, exp.span),
            _ => return self.unsupported("this assertion", exp.span),
        }
        Ok(Some(Next::On(state)))
    }

    /// A pure assertion: it must hold, and is known from then on.
    pub(crate) fn check(&mut self, scene: &Scene<'_, 'a>, exp: &'a Exp) -> Res<()> {
        // Of a conjunction, the conjunct that fails is the culprit.
        if let ExpKind::Binary(BinaryOp::And, left, right) = &*exp.kind {
            self.check(scene, left)?;
            return self.check(scene, right);
        }
        if let ExpKind::Terminates(it) = &*exp.kind {
            return self.check_measure(scene, it, exp.span);
        }
        let failed = self.account.failed;
        let goal = self.eval(scene, exp)?;
        // What means nothing has been reported as that, here or where the contract was looked at.
        let meant =
            self.account.failed == failed && !(scene.mode.lenient && is_elsewhere(exp) && self.is_blamed(exp.span));
        if (scene.checked || scene.mode.lenient) && meant {
            self.holds(scene, goal, why_false(exp), exp.span)?;
        }
        self.assume(goal);
        Ok(())
    }

    /// What a `decreases` clause asks for, at the place of the call or of the loop's clause.
    fn check_measure(&mut self, scene: &Scene<'_, 'a>, check: &'a MeasureCheck, span: Span) -> Res<()> {
        let why = match check.rule {
            MeasureRule::TerminationCondition => ReasonKind::TerminationCondition,
            MeasureRule::TupleCondition => ReasonKind::TupleCondition,
            MeasureRule::Decreases => ReasonKind::TupleFalse,
        };
        let blame = Blame { goes_on: scene.blame.goes_on, ..Blame::at(ErrorKind::Termination, span) };
        let scene = Scene { blame, ..*scene };
        let goal = self.eval(&scene, &check.holds)?;
        if scene.checked || scene.mode.lenient {
            self.holds(&scene, goal, why, check.holds.span)?;
        }
        Ok(())
    }

    /// The amount that an assertion asks for, and under which condition it is any. What it is scaled by is positive.
    fn asked(&mut self, scene: &Scene<'_, 'a>, perm: Option<&'a Exp>, scale: Option<Amount>) -> Res<(Amount, Term)> {
        let amount = match perm {
            None => self.write(),
            Some(perm) => self.permission(scene, perm)?,
        };
        let positive = self.positive(amount.term);
        let some = if self.known(positive) { self.terms.bool(true) } else { positive };
        Ok((self.scaled(amount, scale), some))
    }

    /// The snapshot of a location of which some amount was asked for under this condition. Where none was, its value
    /// is not framed: it may change while the snapshot stays, so that the snapshot must not tell it.
    fn snapshot_if(&self, some: Term, snapshot: Term) -> Term {
        self.terms.ite(some, snapshot, self.snapshots.unit(self.terms))
    }

    #[expect(clippy::too_many_arguments, reason = "one rule with the parameters that the figure has")]
    fn take_as(
        &mut self,
        scene: &Scene<'_, 'a>,
        state: &mut State<'a>,
        resource: Resource,
        args: &[Term],
        amount: Amount,
        culprit: Span,
        take: Take,
    ) -> Res<Option<Term>> {
        if take == Take::Amount {
            return self.take(scene, &mut state.heap, resource, args, amount, culprit);
        }
        let before = state.heap.clone();
        let scene = Scene { heap: &before, held: &before, ..*scene };
        if take == Take::Chunk {
            return self.take_whole(&scene, state, resource, args, culprit);
        }
        let positive = self.positive(amount.term);
        match self.terms.as_bool(positive) {
            Some(false) => Ok(None),
            None if !self.known(positive) => {
                // An amount that may be none asks for nothing then.
                let value =
                    self.under(positive, &mut |machine| machine.read_anywhere(&scene, resource, args, culprit))?;
                Ok(value.flatten())
            }
            _ => self.read_anywhere(&scene, resource, args, culprit),
        }
    }

    /// Takes the whole chunk, or something from inside of a predicate that is opened by inference: from then on that one
    /// is taken only in parts.
    fn take_whole(
        &mut self,
        scene: &Scene<'_, 'a>,
        state: &mut State<'a>,
        resource: Resource,
        args: &[Term],
        culprit: Span,
    ) -> Res<Option<Term>> {
        let missing = || {
            let failure =
                Failure::new(scene.blame.error, ReasonKind::InsufficientPermission, scene.blame.span, culprit);
            Err(Stop::Failed(Box::new(failure)))
        };
        let taken = self.chunks_meant(scene.heap, resource, args);
        let read = self.read(scene, resource, args, culprit);
        let opens = self.config.inference.open && matches!(read, Ok(None) | Err(Stop::Failed(_)));
        if opens && let Some((value, opened)) = self.read_opened(scene, resource, args, culprit)? {
            state.opened.push(opened);
            taken.iter().filter(|&&it| it != opened).for_each(|&it| state.heap.remove(it));
            return Ok(Some(value));
        }
        let value = read?;
        if taken.iter().any(|it| state.opened.contains(it)) {
            return missing();
        }
        taken.into_iter().for_each(|it| state.heap.remove(it));
        Ok(value)
    }

    fn consume_predicate(
        &mut self,
        mut state: State<'a>,
        instance: &'a PredicateUse,
        scene: &Scene<'_, 'a>,
        task: &Task<'a>,
        take: Take,
    ) -> Res<Option<Next<'a>>> {
        let mut args = Vec::new();
        for arg in &instance.args {
            args.push(self.eval(scene, arg)?);
        }
        let (amount, some) = self.asked(scene, instance.perm.as_deref(), task.scale)?;
        let resource = Resource::Predicate(instance.predicate);
        let before = state.heap.clone();
        let mut taken = self.take_as(scene, &mut state, resource, &args, amount, instance.span, take);
        // Section 4.1: instead of an error, one can attempt to close the predicate first. Also where what is asked for
        // is known to be there, and nothing is checked: then the parts tell its snapshot.
        let missing = match &taken {
            Ok(value) => value.is_none() && self.terms.as_bool(some) != Some(false),
            Err(stop) => matches!(stop, Stop::Failed(_)),
        };
        if missing && self.may_close(&state, instance.predicate) {
            let whole = State { heap: before.clone(), ..state.clone() };
            match self.closed(&whole, instance.predicate, &args, scene.blame, take)? {
                Ok(closed) => return Ok(Some(Next::On(closed))),
                Err(inner) => {
                    taken = taken.map_err(|stop| match (stop, inner) {
                        (Stop::Failed(failure), Some(inner)) => Stop::Failed(Self::not_closed(failure, *inner)),
                        (stop, _) => stop,
                    });
                }
            }
        }
        match taken {
            Ok(value) => {
                if !state.mode.defining {
                    self.assume_inside(task, instance.predicate, &args, amount, None);
                }
                let snapshot = value.unwrap_or_else(|| self.fresh("snapshot", self.vocabulary.snapshot()));
                state.snapshots.push(self.snapshot_if(some, snapshot));
                Ok(Some(Next::On(state)))
            }
            Err(stop) => Err(stop),
        }
    }

    /// The snapshot of one location.
    fn snapshot_of_value(&mut self, value: Option<Term>, typ: &Type) -> Term {
        match value {
            None => self.fresh("snapshot", self.vocabulary.snapshot()),
            Some(value) => {
                let name = self.vocabulary.name(typ);
                self.snapshots.of_value(self.terms, value, &name)
            }
        }
    }

    /// The amount of a ghost statement or `unfolding`: positive; none is `write`.
    pub(crate) fn positive_amount(&mut self, scene: &Scene<'_, 'a>, perm: Option<&'a Exp>) -> Res<Amount> {
        let Some(perm) = perm else { return Ok(self.write()) };
        let amount = self.amount_of(scene, perm)?;
        if !amount.wildcard {
            let positive = self.positive(amount.term);
            self.require(scene, positive, ReasonKind::PermissionNotPositive, perm.span)?;
        }
        Ok(amount)
    }
}

/// Why an assertion does not hold: of one that the program does not write in words, `e` stands where `e != null` is
/// meant.
fn why_false(exp: &Exp) -> ReasonKind {
    match &*exp.kind {
        ExpKind::Binary(BinaryOp::Ne, object, null)
            if matches!(&*null.kind, ExpKind::Null) && object.span == exp.span && null.span == exp.span =>
        {
            ReasonKind::Null
        }
        _ => ReasonKind::AssertionFalse,
    }
}

/// Whether an assertion speaks of more than the values of one state: where it means nothing, what it says is made up.
fn is_elsewhere(exp: &Exp) -> bool {
    let mut res = false;
    exp.walk(&mut |it| {
        res |= matches!(&*it.kind, ExpKind::Old(..) | ExpKind::Unfolding(..) | ExpKind::Quantified(_));
    });
    res
}
