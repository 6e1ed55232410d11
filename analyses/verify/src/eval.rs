//! `eval`: the term that an expression stands for in a state.
//!
//! Source: Smans et al. 2010, section 3.4.1 and figure 5; that facts learnt while a precondition is consumed are kept
//! is section 4.1's rule and not the figure's.
//!
//! Evaluation never forks a path of the program: conditionals, and what forks inside of preconditions and `unfolding`,
//! are joined.

mod collection;
mod for_perm;
mod operator;
mod quantified;

use crate::failure::{ErrorKind, Failure, ReasonKind};
use crate::machine::{Machine, Res, Scene, Stop};
use crate::state::{Blame, Env, Give, State, Take, Task, Work};
use effigy_contracts::program::{BinaryOp, Exp, ExpKind, FunctionId, PredicateUse, Span, UnaryOp};
use effigy_heap::heap::{Amount, Resource};
use effigy_heap::vocabulary::substituted;
use effigy_solver::prover::Proof;
use effigy_term::Term;
use num_traits::{One, Zero};

impl<'a, 't> Machine<'a, 't> {
    /// The value of a pure expression.
    pub(crate) fn eval(&mut self, scene: &Scene<'_, 'a>, exp: &'a Exp) -> Res<Term> {
        let terms = self.terms;
        Ok(match &*exp.kind {
            ExpKind::Bool(value) => terms.bool(*value),
            ExpKind::Int(value) => terms.int(value.clone()),
            ExpKind::Null => self.vocabulary.null(terms),
            ExpKind::NoPerm => terms.real(num_rational::BigRational::zero()),
            ExpKind::FullPerm => terms.real(num_rational::BigRational::one()),
            ExpKind::Wildcard => self.wildcard().term,
            ExpKind::Var(variable) => match scene.env.get(*variable) {
                Some(value) => value,
                None => return self.unsupported("a variable without a value", exp.span),
            },
            ExpKind::Result => match scene.env.result {
                Some(value) => value,
                None => return self.unsupported("`result` outside of a postcondition", exp.span),
            },
            ExpKind::Unary(UnaryOp::Not, operand) => {
                let operand = self.eval(scene, operand)?;
                terms.not(operand)
            }
            ExpKind::Unary(UnaryOp::Neg, operand) => {
                let operand = self.eval(scene, operand)?;
                self.negated(operand)
            }
            ExpKind::Binary(op, left, right) => self.binary(scene, *op, left, right)?,
            ExpKind::Cond(cond, then, other) => {
                let cond = self.eval(scene, cond)?;
                self.choose(cond, &mut |it| it.eval(scene, then), &mut |it| it.eval(scene, other))?
            }
            ExpKind::Let(variable, value, body) => {
                let value = self.eval(scene, value)?;
                let mut env = scene.env.clone();
                env.set(*variable, value);
                self.eval(&Scene { env: &env, ..*scene }, body)?
            }
            ExpKind::Old(label, body) => {
                let heap = match label {
                    None => scene.env.old.as_ref(),
                    Some(label) => scene.env.labels.get(label),
                };
                match heap {
                    Some(heap) => {
                        let heap = heap.clone();
                        self.eval(&Scene { heap: &heap, held: &heap, ..*scene }, body)?
                    }
                    None => {
                        let no_proof = Proof::NotProved(None);
                        let goal = terms.bool(false);
                        if self.prove(scene, goal)?.is_proved() {
                            return Err(Stop::Infeasible);
                        }
                        let reason = ReasonKind::LabelledStateNotReached;
                        return Err(self.failure(scene.blame, reason, exp.span, goal, &no_proof));
                    }
                }
            }
            ExpKind::Quantified(quantified) => self.quantified(scene, quantified, exp)?,
            ExpKind::Field(receiver, field) => {
                let receiver = self.eval(scene, receiver)?;
                let resource = Resource::Field(*field);
                if let Some(value) = self.read_anywhere(scene, resource, &[receiver], exp.span)? {
                    return Ok(value);
                }
                self.fresh_of("value", &self.program.fields[field.index()].typ)
            }
            ExpKind::Call(function, args) => {
                let args = self.eval_all(scene, args)?;
                self.apply_function(scene, *function, args, exp.span, false)?
            }
            ExpKind::Reveal(call) => match &*call.kind {
                ExpKind::Call(function, args) => {
                    let args = self.eval_all(scene, args)?;
                    self.apply_function(scene, *function, args, call.span, true)?
                }
                _ => self.eval(scene, call)?,
            },
            ExpKind::DomainCall(function, args, types) => {
                let args = self.eval_all(scene, args)?;
                let types: Vec<_> = types.iter().map(|it| substituted(it, &scene.env.types)).collect();
                let parameters = &self.program.domain_functions[function.index()].parameters;
                let args: Vec<Term> = args
                    .into_iter()
                    .zip(parameters)
                    .map(|(it, parameter)| match substituted(parameter, &types) {
                        effigy_contracts::program::Type::Perm => self.as_permission(it),
                        _ => it,
                    })
                    .collect();
                self.vocabulary.domain_call(terms, *function, &types, &args)
            }
            ExpKind::Unfolding(instance, body) => self.unfolding(scene, instance, body)?,
            ExpKind::Using(call, body) => {
                self.use_function(scene, call)?;
                self.eval(scene, body)?
            }
            ExpKind::Asserting(checked, body) => {
                self.check_inside(scene, checked)?;
                self.eval(scene, body)?
            }
            ExpKind::Terminates(it) => self.eval(scene, &it.holds)?,
            // Both are the same where they are pure; otherwise the rules of produce and consume choose.
            ExpKind::InhaleExhale(inhaled, exhaled) => {
                let inhaling = scene.mode.inhaling || scene.mode.defining;
                self.eval(scene, if inhaling { inhaled } else { exhaled })?
            }
            ExpKind::PermField(receiver, field) => {
                let receiver = self.eval(scene, receiver)?;
                self.held(scene.held, Resource::Field(*field), &[receiver])
            }
            ExpKind::PermPredicate(predicate, args) => {
                let args = self.eval_all(scene, args)?;
                self.held(scene.held, Resource::Predicate(*predicate), &args)
            }
            ExpKind::ForPerm(it) => self.for_perm(scene, it)?,
            ExpKind::Collection(op, args) => self.collection(scene, *op, args, exp)?,
            ExpKind::Unsupported(what) => return self.unsupported(what, exp.span),
            ExpKind::AccField(..) | ExpKind::AccPredicate(_) | ExpKind::Untouched(_) => {
                return self.unsupported("permissions inside of expressions", exp.span);
            }
        })
    }

    pub(crate) fn eval_all(&mut self, scene: &Scene<'_, 'a>, exps: &'a [Exp]) -> Res<Vec<Term>> {
        exps.iter().map(|it| self.eval(scene, it)).collect()
    }

    /// One of two values, each evaluated under its condition.
    pub(crate) fn choose(
        &mut self,
        cond: Term,
        then: &mut dyn FnMut(&mut Machine<'a, 't>) -> Res<Term>,
        other: &mut dyn FnMut(&mut Machine<'a, 't>) -> Res<Term>,
    ) -> Res<Term> {
        let negated = self.terms.not(cond);
        if self.known(cond) {
            return then(self);
        }
        if self.known(negated) {
            return other(self);
        }
        let then = self.under(cond, then)?;
        let other = self.under(negated, other)?;
        match (then, other) {
            (Some(then), Some(other)) if self.terms.sort(then) == self.terms.sort(other) => {
                Ok(self.terms.ite(cond, then, other))
            }
            (Some(then), Some(other)) => {
                let (then, other) = (self.as_permission(then), self.as_permission(other));
                Ok(self.terms.ite(cond, then, other))
            }
            (Some(only), None) | (None, Some(only)) => Ok(only),
            (None, None) => Err(Stop::Infeasible),
        }
    }

    /// A function applied: its precondition must hold; its value depends on the snapshot of what the precondition asks
    /// for and on the arguments (section 3.2.1).
    fn apply_function(
        &mut self,
        scene: &Scene<'_, 'a>,
        function: FunctionId,
        args: Vec<Term>,
        span: Span,
        revealed: bool,
    ) -> Res<Term> {
        let info = &self.program.functions[function.index()];
        let args: Vec<Term> = args
            .into_iter()
            .zip(&info.variables)
            .map(|(it, parameter)| match parameter.typ {
                effigy_contracts::program::Type::Perm => self.as_permission(it),
                _ => it,
            })
            .collect();
        let snapshot = self.precondition(scene, function, &args, span)?;
        if scene.checked && scene.mode.in_function && self.program.functions_terminate {
            self.check_taken(scene, function, &args, span)?;
        }
        let value = self.application(function, snapshot, &args);
        if !scene.mode.defining && !scene.mode.in_trigger && self.config.inference.functions {
            let terminates = self.program.shrinking.contains(&span);
            self.unroll_applied(function, snapshot, &args, revealed, terminates);
        }
        if scene.mode.defining {
            self.note_inner(function, snapshot, &args, revealed);
        }
        Ok(value)
    }

    /// The snapshot of a function's precondition, which is checked.
    fn precondition(&mut self, scene: &Scene<'_, 'a>, function: FunctionId, args: &[Term], span: Span) -> Res<Term> {
        let info = &self.program.functions[function.index()];
        if info.pre.is_empty() {
            return Ok(self.snapshots.unit(self.terms));
        }
        let env = Env { types: scene.env.types.clone(), ..Env::new(args, &info.variables) };
        let blame = Blame { goes_on: scene.blame.goes_on, ..Blame::at(ErrorKind::ApplicationPrecondition, span) };
        let task = Task { exps: &info.pre, env: env.clone(), blame, scale: None, trusted: false };
        let state = State::within(env, scene.heap.clone(), scene.mode);
        let state = state.with(Work::Consume(task, scene.heap.clone(), Take::Nothing));
        let snapshot = self.joined(state, &mut |machine, mut state| {
            let unit = machine.snapshots.unit(machine.terms);
            Ok(state.snapshots.pop().unwrap_or(unit))
        })?;
        // The snapshot of what is exhaled says nothing of what the body was given to read.
        if info.pre.iter().any(Exp::has_two_sides) && !self.definitions.by_exhaled.contains(&function) {
            return Ok(self.fresh("snapshot", self.vocabulary.snapshot()));
        }
        Ok(snapshot)
    }

    /// Section 3.6: the precondition takes each chunk at most once, and leaves one over where condition (3) asks for that.
    ///
    /// So what a function is given never grows on the way from call to call, as a multiset ordered by how deeply its
    /// chunks are nested. It is smaller where a chunk is left over, and where a predicate was opened, by a statement or by
    /// inference.
    fn check_taken(&mut self, scene: &Scene<'_, 'a>, function: FunctionId, args: &[Term], span: Span) -> Res<()> {
        let info = &self.program.functions[function.index()];
        let shrinking = self.program.shrinking.contains(&span);
        let env = Env::new(args, &info.variables);
        let error = if shrinking { ErrorKind::Termination } else { ErrorKind::ApplicationPrecondition };
        let blame = Blame::at(error, span);
        let task = Task { exps: &info.pre, env: env.clone(), blame, scale: None, trusted: false };
        let state = State::within(env, scene.heap.clone(), scene.mode);
        let state = state.with(Work::Consume(task, scene.heap.clone(), Take::Chunk));
        self.push();
        let res = self.walk(state, &mut |_, state| match shrinking && state.heap.is_empty() {
            false => Ok(()),
            true => {
                let reason = ReasonKind::TerminationCondition;
                Err(Stop::Failed(Box::new(Failure::new(blame.error, reason, blame.span, span))))
            }
        });
        self.pop();
        res
    }

    /// `unfolding acc(P(args), p) in body`.
    fn unfolding(&mut self, scene: &Scene<'_, 'a>, instance: &'a PredicateUse, body: &'a Exp) -> Res<Term> {
        let args = self.eval_all(scene, &instance.args)?;
        let mut heap = scene.heap.clone();
        let resource = Resource::Predicate(instance.predicate);
        let amount = self.positive_amount(scene, instance.perm.as_deref())?;
        let (amount, snapshot) = if scene.amounts {
            (amount, self.take(scene, &mut heap, resource, &args, amount, instance.span)?)
        } else {
            let snapshot = self.read(scene, resource, &args, instance.span)?;
            if scene.checked && scene.mode.in_function && self.program.functions_terminate {
                self.take_chunk(&mut heap, resource, &args);
            }
            let some = self.wildcard();
            (Amount { wildcard: false, ..some }, snapshot)
        };
        // A predicate whose body opens itself: what is inside of the second one is unknown.
        if self.unfoldings.iter().filter(|&&it| it == instance.predicate).count() >= MOST_UNFOLDINGS {
            return Ok(self.fresh_of("recursive", &substituted(&body.typ, &scene.env.types)));
        }
        let snapshot = snapshot.unwrap_or_else(|| self.fresh("snapshot", self.vocabulary.snapshot()));
        let depth = self.unfoldings.len();
        self.unfoldings.push(instance.predicate);
        let res = match self.unfolded(heap, instance, &args, snapshot, amount, scene) {
            Ok(Some(state)) => self.joined(state, &mut |machine, state| {
                // The body of the expression is not inside of the predicate.
                let opened = machine.unfoldings.split_off(depth);
                let heap = state.heap;
                if scene.checked && scene.amounts {
                    machine.compare_chunks(&heap);
                }
                let res = machine.eval(&Scene { heap: &heap, held: &heap, ..*scene }, body);
                machine.unfoldings.extend(opened);
                res
            }),
            Ok(None) => self.unsupported("unfolding of an abstract predicate", instance.span),
            Err(stop) => Err(stop),
        };
        self.unfoldings.truncate(depth);
        res
    }

    /// The work that adds the body of a predicate in place of it.
    pub(crate) fn unfolded(
        &mut self,
        heap: effigy_heap::heap::Heap,
        instance: &PredicateUse,
        args: &[Term],
        snapshot: Term,
        amount: Amount,
        scene: &Scene<'_, 'a>,
    ) -> Res<Option<State<'a>>> {
        let predicate = &self.program.predicates[instance.predicate.index()];
        let Some(body) = &predicate.body else { return Ok(None) };
        self.unfolded_snapshot(snapshot, scene.mode);
        let env = Env::new(args, &predicate.variables);
        let full = self.full_permission();
        let scale = (amount.term != full).then_some(amount);
        let task = Task { exps: std::slice::from_ref(body), env, blame: scene.blame, scale, trusted: true };
        let state = State::within(scene.env.clone(), heap, scene.mode);
        let snapshot = (!body.has_two_sides()).then_some(snapshot);
        Ok(Some(state.with(Work::Produce(task, snapshot, Give::Amount))))
    }

    fn binary(&mut self, scene: &Scene<'_, 'a>, op: BinaryOp, left: &'a Exp, right: &'a Exp) -> Res<Term> {
        let terms = self.terms;
        let first = self.eval(scene, left)?;
        let short = match op {
            BinaryOp::And => Some((first, false)),
            BinaryOp::Or => Some((terms.not(first), true)),
            BinaryOp::Implies => Some((first, true)),
            _ => None,
        };
        if let Some((cond, otherwise)) = short {
            // The right operand matters only where the left one does not decide.
            if terms.as_bool(cond) == Some(false) {
                return Ok(terms.bool(otherwise));
            }
            let second = if is_total(right) {
                Some(self.eval(scene, right)?)
            } else {
                self.under(cond, &mut |it| it.eval(scene, right))?
            };
            let second = second.unwrap_or(terms.bool(otherwise));
            return Ok(match op {
                BinaryOp::And => terms.and(first, second),
                BinaryOp::Or => terms.or(first, second),
                _ => terms.implies(first, second),
            });
        }
        let second = self.eval(scene, right)?;
        self.operator(scene, op, first, second, right)
    }
}

/// An `unfolding` inside of the body of its own predicate is followed so often.
const MOST_UNFOLDINGS: usize = 2;

/// Whether an expression has a value everywhere, and its evaluation learns nothing.
fn is_total(exp: &Exp) -> bool {
    match &*exp.kind {
        ExpKind::Bool(_)
        | ExpKind::Int(_)
        | ExpKind::Null
        | ExpKind::NoPerm
        | ExpKind::FullPerm
        | ExpKind::Var(_)
        | ExpKind::Result => true,
        ExpKind::Unary(_, a) => is_total(a),
        ExpKind::Binary(BinaryOp::Div | BinaryOp::Mod | BinaryOp::PermDiv, ..) => false,
        ExpKind::Binary(_, a, b) => is_total(a) && is_total(b),
        ExpKind::Cond(a, b, c) => is_total(a) && is_total(b) && is_total(c),
        ExpKind::DomainCall(_, args, _) => args.iter().all(is_total),
        _ => false,
    }
}
