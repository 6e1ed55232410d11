//! `produce`: adds the permissions and assumptions of an assertion.
//!
//! Source: Smans et al. 2010, section 3.4.2 and figure 6; that `untouched` is assumed, and not checked, is the text's
//! rule and not the figure's.

use crate::failure::ReasonKind;
use crate::machine::{Machine, Res, Scene, Stop};
use crate::state::{Env, Give, Mode, State, Take, Task, Work};
use crate::walk::Next;
use effigy_contracts::program::{BinaryOp, Exp, ExpKind, PredicateId, Type, VarId};
use effigy_heap::heap::{Amount, Chunk, Resource};
use effigy_term::{Node, Sort, Symbol, Term};
use std::rc::Rc;

impl<'a, 't> Machine<'a, 't> {
    /// The next step of producing a list of assertions, separately joined.
    pub(crate) fn produce(
        &mut self,
        mut state: State<'a>,
        task: Task<'a>,
        snapshot: Option<Term>,
        give: Give,
    ) -> Res<Option<Next<'a>>> {
        let Some((exp, rest)) = task.exps.split_first() else {
            return Ok(Some(Next::On(state)));
        };
        let mut snapshot = snapshot;
        if !rest.is_empty() {
            let parts = self.parts(snapshot, task.scale.is_some(), state.mode);
            let second = parts.map(|it| it.1);
            snapshot = parts.map(|it| it.0);
            state.work.push(Work::Produce(Task { exps: rest, ..task.clone() }, second, give));
        }
        self.produce_one(state, exp, task, snapshot, give)
    }

    fn produce_one(
        &mut self,
        mut state: State<'a>,
        exp: &'a Exp,
        task: Task<'a>,
        snapshot: Option<Term>,
        give: Give,
    ) -> Res<Option<Next<'a>>> {
        let blame = task.blame.of(exp);
        let on = |exp: &'a Exp, env, blame| Task {
            exps: std::slice::from_ref(exp),
            env,
            blame,
            scale: task.scale,
            trusted: task.trusted,
        };
        let heap = state.heap.clone();
        let mode = Mode { trusting: task.trusted, inhaling: !state.mode.exhale_side, ..state.mode };
        let scene = Scene {
            env: &task.env,
            heap: &heap,
            held: &heap,
            blame,
            checked: mode.checks(),
            mode,
            amounts: give == Give::Amount,
        };
        match &*exp.kind {
            ExpKind::Binary(BinaryOp::And, left, right) => {
                let parts = self.parts(snapshot, task.scale.is_some(), state.mode);
                let (first, second) = (parts.map(|it| it.0), parts.map(|it| it.1));
                let blame = crate::state::Blame { at_conjunct: false, ..blame };
                state.work.push(Work::Produce(on(right, task.env.clone(), blame), second, give));
                state.work.push(Work::Produce(on(left, task.env.clone(), blame), first, give));
            }
            _ if exp.asks_for_nothing() => {
                self.assume_unit(snapshot);
                let fact = self.eval(&scene, exp)?;
                if self.terms.as_bool(fact) == Some(false) {
                    return Err(Stop::Infeasible);
                }
                self.assume(fact);
                let negated = self.terms.not(fact);
                if self.known(negated) {
                    return Err(Stop::Infeasible);
                }
            }
            ExpKind::Binary(BinaryOp::Implies, cond, then) => {
                let cond_term = self.eval(&scene, cond)?;
                let other = match snapshot {
                    None => state.clone(),
                    Some(snapshot) => state.clone().with(Work::Nothing(snapshot)),
                };
                let blame = crate::state::Blame { at_conjunct: false, ..blame };
                let state = state.with(Work::Produce(on(then, task.env.clone(), blame), snapshot, give));
                return Ok(Some(Next::Fork { cond: cond_term, span: cond.span, then: state, other }));
            }
            ExpKind::Cond(cond, then, other) => {
                let cond_term = self.eval(&scene, cond)?;
                let blame = crate::state::Blame { at_conjunct: false, ..blame };
                let other = state.clone().with(Work::Produce(on(other, task.env.clone(), blame), snapshot, give));
                let then = state.with(Work::Produce(on(then, task.env.clone(), blame), snapshot, give));
                return Ok(Some(Next::Fork { cond: cond_term, span: cond.span, then, other }));
            }
            ExpKind::Let(variable, value, body) => {
                let value = self.eval(&scene, value)?;
                let mut env = task.env.clone();
                env.set(*variable, value);
                let blame = crate::state::Blame { at_conjunct: false, ..blame };
                state.work.push(Work::Produce(on(body, env, blame), snapshot, give));
            }
            ExpKind::InhaleExhale(inhaled, exhaled) => {
                let inhaled = if mode.exhale_side { exhaled } else { inhaled };
                let blame = crate::state::Blame { at_conjunct: false, ..blame };
                state.work.push(Work::Produce(on(inhaled, task.env.clone(), blame), snapshot, give));
            }
            ExpKind::Asserting(checked, body) => {
                self.check_inside(&scene, checked)?;
                let blame = crate::state::Blame { at_conjunct: false, ..blame };
                state.work.push(Work::Produce(on(body, task.env.clone(), blame), snapshot, give));
            }
            ExpKind::AccField(receiver, field, perm) => {
                let receiver = self.eval(&scene, receiver)?;
                let amount = self.amount(&scene, perm.as_ref(), give)?;
                let amount = self.scaled(amount, task.scale);
                let typ = &self.program.fields[field.index()].typ;
                let value = self.produced_value(snapshot, typ);
                if let (Some(contents), false) = (snapshot, mode.defining) {
                    self.assume_within(value, contents);
                }
                let chunk =
                    Chunk { resource: Resource::Field(*field), args: Rc::from([receiver]), value, perm: amount.term };
                self.add(&mut state.heap, chunk)?;
            }
            ExpKind::AccPredicate(instance) => {
                let mut args = Vec::new();
                for arg in &instance.args {
                    args.push(self.eval(&scene, arg)?);
                }
                let amount = self.amount(&scene, instance.perm.as_deref(), give)?;
                let amount = self.scaled(amount, task.scale);
                let value = snapshot.unwrap_or_else(|| self.fresh("snapshot", self.vocabulary.snapshot()));
                let resource = Resource::Predicate(instance.predicate);
                if !mode.defining {
                    self.assume_inside(&task, instance.predicate, &args, amount, snapshot);
                }
                self.add(&mut state.heap, Chunk { resource, args: args.into(), value, perm: amount.term })?;
            }
            ExpKind::Untouched(inner) => {
                // Assumed: the snapshot is what it was.
                let now = self.snapshot_of(&scene, inner)?;
                let Some(old) = task.env.old.clone() else { return self.unsupported("untouched", exp.span) };
                let before = self.snapshot_of(&Scene { heap: &old, held: &old, ..scene }, inner)?;
                let fact = self.terms.eq(now, before);
                self.assume(fact);
            }
            ExpKind::Quantified(_) => self.produce_quantified(&mut state, exp, &task, mode, snapshot, give)?,
            ExpKind::Unsupported(what) => return self.unsupported(what, exp.span),
            _ => return self.unsupported("this assertion", exp.span),
        }
        Ok(Some(Next::On(state)))
    }

    /// The predicate in whose body an assertion stands.
    fn body_of(&self, task: &Task<'a>) -> Option<PredicateId> {
        if !task.trusted {
            return None;
        }
        let is_it = |it: &effigy_contracts::program::Predicate| std::ptr::eq(task.env.table, it.variables.as_slice());
        let at = self.program.predicates.iter().position(is_it)?;
        let two_sides = self.program.predicates[at].body.as_ref().is_some_and(Exp::has_two_sides);
        (!two_sides).then_some(PredicateId(at as u32))
    }

    /// An instance stands in the body of another one, which is opened or closed: it is not that one, and, where the
    /// contents of the other one are known by a name, in no circle with it.
    pub(crate) fn assume_inside(
        &mut self,
        task: &Task<'a>,
        inner: PredicateId,
        args: &[Term],
        amount: Amount,
        snapshot: Option<Term>,
    ) {
        let Some(outer) = self.body_of(task) else { return };
        if outer == inner {
            self.assume_another(&task.env, args, amount);
        }
        let root = snapshot.map(|it| self.snapshots.root(self.terms, it));
        if let Some(root) = root
            && let Node::Symbol(contents) = *self.terms.node(root)
            && self.nests(inner, outer)
        {
            let count = self.program.predicates[outer.index()].parameters;
            let around: Option<Vec<Term>> = (0..count as u32).map(|it| task.env.get(VarId(it))).collect();
            let Some(around) = around else { return };
            let (high, low) = (self.height(outer, contents, &around), self.height(inner, contents, args));
            let fact = self.terms.implies(self.positive(amount.term), self.terms.int_lt(low, high));
            self.assume(fact);
        }
    }

    /// Whether instances of a predicate can have instances of this other one inside.
    fn nests(&mut self, predicate: PredicateId, other: PredicateId) -> bool {
        if let Some(&known) = self.nesting.get(&(predicate, other)) {
            return known;
        }
        let mut seen = vec![predicate];
        let mut at = 0;
        while let Some(&next) = seen.get(at) {
            at += 1;
            if let Some(body) = &self.program.predicates[next.index()].body {
                body.walk(&mut |it| match &*it.kind {
                    ExpKind::AccPredicate(it) if !seen.contains(&it.predicate) => seen.push(it.predicate),
                    _ => {}
                });
            }
        }
        let res = seen.contains(&other);
        self.nesting.insert((predicate, other), res);
        res
    }

    /// How high an instance of a predicate is nested that is inside of what has these contents. The symbol names a heap of
    /// one time, in which each instance is finite. It is no argument: contents of two times can be equal, and an instance
    /// be nested otherwise in each.
    fn height(&self, predicate: PredicateId, contents: Symbol, args: &[Term]) -> Term {
        let sorts: Vec<Sort> = args.iter().map(|&it| self.terms.sort(it)).collect();
        let name = &self.program.predicates[predicate.index()].name;
        let name = format!("height of {name} in {}", self.terms.symbol_info(contents).name);
        self.terms.apply(self.terms.function(&name, &sorts, Sort::Int), args)
    }

    /// An instance that is inside of another one of the same predicate is not that one: what an instance stands for is
    /// finite, and determined by the heap.
    fn assume_another(&mut self, env: &Env<'a>, args: &[Term], amount: Amount) {
        let outer = (0..args.len() as u32).map(|it| env.get(VarId(it)));
        let same = outer.zip(args).map(|(outer, &inner)| match outer {
            Some(outer) if self.terms.sort(outer) == self.terms.sort(inner) => self.terms.eq(outer, inner),
            _ => self.terms.bool(false),
        });
        let same: Vec<Term> = same.collect();
        let same = self.terms.and_all(same);
        let fact = self.terms.implies(self.positive(amount.term), self.terms.not(same));
        self.assume(fact);
    }

    /// The two parts of the snapshot of a separating conjunction. `scaled`: of part of a predicate, the rest of which may
    /// be there still, to be compared with what is inside of it: nothing is inside of itself.
    pub(crate) fn parts(&mut self, snapshot: Option<Term>, scaled: bool, mode: Mode) -> Option<(Term, Term)> {
        let snapshot = snapshot?;
        let fact = self.snapshots.is_combined(self.terms, snapshot);
        self.assume(fact);
        let parts = (self.snapshots.first(self.terms, snapshot), self.snapshots.second(self.terms, snapshot));
        if !mode.defining {
            self.assume_no_younger([parts.0, parts.1], snapshot);
        }
        if scaled && !mode.defining {
            for part in [parts.0, parts.1] {
                let fact = self.snapshots.is_smaller(self.terms, part, snapshot);
                self.assume(fact);
            }
        }
        Some(parts)
    }

    /// Nothing was asked for: the snapshot that `consume` would return is unit.
    pub(crate) fn assume_unit(&mut self, snapshot: Option<Term>) {
        if let Some(snapshot) = snapshot {
            let fact = self.terms.eq(snapshot, self.snapshots.unit(self.terms));
            self.assume(fact);
        }
    }

    /// The snapshot of what an assertion asks for, which must hold; nothing is taken.
    pub(crate) fn snapshot_of(&mut self, scene: &Scene<'_, 'a>, exp: &'a Exp) -> Res<Term> {
        self.snapshot_by(scene, exp, Take::Nothing)
    }

    fn snapshot_by(&mut self, scene: &Scene<'_, 'a>, exp: &'a Exp, take: Take) -> Res<Term> {
        let task = Task {
            exps: std::slice::from_ref(exp),
            env: scene.env.clone(),
            blame: scene.blame,
            scale: None,
            trusted: false,
        };
        let state = State::within(scene.env.clone(), scene.heap.clone(), scene.mode);
        let state = state.with(Work::Consume(task, scene.heap.clone(), take));
        self.joined(state, &mut |machine, mut state| {
            let unit = machine.snapshots.unit(machine.terms);
            Ok(state.snapshots.pop().unwrap_or(unit))
        })
    }

    /// An assertion inside of an expression: it must hold, and nothing is taken.
    pub(crate) fn check_inside(&mut self, scene: &Scene<'_, 'a>, exp: &'a Exp) -> Res<()> {
        if !scene.checked {
            return Ok(());
        }
        let take = if scene.amounts { Take::Amount } else { Take::Nothing };
        self.snapshot_by(scene, exp, take).map(|_| ())
    }

    /// The value of a location that is produced: from the snapshot, or unknown.
    fn produced_value(&mut self, snapshot: Option<Term>, typ: &Type) -> Term {
        let sort = self.vocabulary.sort(self.terms, typ);
        match snapshot {
            None => self.fresh("value", sort),
            Some(snapshot) => {
                let name = self.vocabulary.name(typ);
                let fact = self.snapshots.is_value(self.terms, snapshot, sort, &name);
                self.assume(fact);
                self.snapshots.value(self.terms, snapshot, sort, &name)
            }
        }
    }

    /// An amount that an assertion states; none is `write`. It must not be negative.
    pub(crate) fn amount(&mut self, scene: &Scene<'_, 'a>, perm: Option<&'a Exp>, give: Give) -> Res<Amount> {
        let amount = match perm {
            None => self.write(),
            Some(perm) => self.permission(scene, perm)?,
        };
        if give == Give::Amount || amount.wildcard {
            return Ok(amount);
        }
        // Some positive amount, if the stated one is.
        let positive = self.positive(amount.term);
        let some = self.fresh("some", Sort::Real);
        self.assume(self.positive(some));
        let fact = self.terms.implies(positive, self.terms.real_le(some, amount.term));
        self.assume(fact);
        let term = self.terms.ite(positive, some, self.no_permission());
        Ok(Amount { term, wildcard: false })
    }

    /// The value of an expression of type Perm.
    pub(crate) fn permission(&mut self, scene: &Scene<'_, 'a>, perm: &'a Exp) -> Res<Amount> {
        let failed = self.account.failed;
        let amount = self.amount_of(scene, perm)?;
        if self.account.failed > failed {
            // What means nothing has been reported as that.
            return Ok(amount);
        }
        let not_negative = self.terms.real_le(self.no_permission(), amount.term);
        // Also of what has been checked elsewhere: whoever opens a predicate that may hold a negative amount is told.
        let checked = scene.checked || Mode { trusting: false, ..scene.mode }.checks() && scene.mode.trusting;
        self.require(&Scene { checked, ..*scene }, not_negative, ReasonKind::NegativePermission, perm.span)?;
        Ok(amount)
    }

    /// The amount of an expression of type Perm, whatever its sign.
    pub(crate) fn amount_of(&mut self, scene: &Scene<'_, 'a>, perm: &'a Exp) -> Res<Amount> {
        if let ExpKind::Wildcard = &*perm.kind {
            return Ok(self.wildcard());
        }
        let term = self.eval(scene, perm)?;
        Ok(Amount { term: self.as_permission(term), wildcard: mentions_wildcard(perm) })
    }

    /// An Int where an amount is expected is a number of wholes.
    pub(crate) fn as_permission(&self, term: Term) -> Term {
        if self.terms.sort(term) == Sort::Int { self.terms.int_to_real(term) } else { term }
    }
}

fn mentions_wildcard(exp: &Exp) -> bool {
    match &*exp.kind {
        ExpKind::Wildcard => true,
        ExpKind::Binary(_, a, b) | ExpKind::Cond(_, a, b) => mentions_wildcard(a) || mentions_wildcard(b),
        ExpKind::Unary(_, a) => mentions_wildcard(a),
        _ => false,
    }
}
