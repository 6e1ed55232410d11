//! The transition system of the verifier, as the engine asks for it.
//!
//! Knows: where a member's walk starts, what is asked and answered. Never: how a path moves (`moves`).
//!
//! What is learnt can be told to the walk ([`Step::Assume`]), with a symbol for each application; what has quantifiers,
//! or follows from axioms and definitions, is not. So the walk's own judge cannot answer what is asked here: sides that
//! contradict Σ, and checks, are for the language's own (`judge`).

use super::judge::ProofJudge;
use super::{Coming, Detail, Verifier, VerifierState};
use crate::machine::Stop;
use crate::moment::End;
use crate::plain::plain;
use crate::sigma::{Layer, Learnt};
use crate::verify::Phase;
use effigy_engine::{
    Alternative, AlternativeLabel, Context, Input, InputData, Inputs, Judge, Language, Place, Resolution, Step, Witness,
};
use effigy_term::eval::Evaluator;
use effigy_term::{Model, Term, Terms};
use std::rc::Rc;

impl<'a> Language for Verifier<'a> {
    type State = VerifierState<'a>;

    /// The start state of the first phase that fails; of the last phase if none does.
    fn start(&self, ctx: &mut Context<'_>) -> VerifierState<'a> {
        let phases = match self.prepare(ctx.terms) {
            Ok(phases) => phases,
            Err(stop) => {
                let mut res = self.start_of(ctx.terms, Phase::Body);
                res.end = Some(match stop {
                    Stop::Unsupported(what, span) => End::Unsupported(what, span),
                    Stop::Undecided(why) => End::Undecided(why),
                    Stop::Infeasible | Stop::Failed(_) => End::Infeasible,
                });
                return res;
            }
        };
        for (at, &phase) in phases.iter().enumerate() {
            let state = self.start_of(ctx.terms, phase);
            if at + 1 == phases.len() || !self.is_clean(ctx.terms, state.clone()) {
                return state;
            }
        }
        self.start_of(ctx.terms, Phase::Body)
    }

    fn step(&self, ctx: &mut Context<'_>, state: &mut VerifierState<'a>, fuel: &mut u64) -> Step {
        if matches!(ctx.inputs, Inputs::Concrete(_)) {
            return Step::unsupported("a concrete run of what is verified", self.place(state));
        }
        if self.detail != Detail::Nothing {
            *fuel = fuel.saturating_sub(1);
        }
        loop {
            let stands = state.asked.is_some() || state.coming.is_some() || state.end.is_some();
            if !stands && state.checks.is_empty() {
                match self.detail {
                    Detail::Nothing => self.move_on(ctx.terms, state, fuel),
                    _ => self.move_on(ctx.terms, state, &mut u64::MAX.clone()),
                }
            }
            // In the order in which they came: what was checked on the way, then what is open now.
            if let Some(check) = state.checks.front() {
                let cond = self.shown(ctx.terms, check.goal);
                return Step::Require { cond, violation: Box::new(self.violation_of(check)) };
            }
            if let Some(fork) = &state.asked {
                let side = |cond, label| Alternative { cond, label };
                let cond = self.shown(ctx.terms, fork.cond);
                return Step::Branch(vec![
                    side(cond, AlternativeLabel::True),
                    side(ctx.terms.not(cond), AlternativeLabel::False),
                ]);
            }
            match state.coming.take() {
                Some(Coming { moment, learnt: Some(learnt) }) => {
                    state.coming = Some(Coming { moment, learnt: Some(learnt) });
                    return Step::Assume(learnt);
                }
                Some(Coming { moment, learnt: None }) => {
                    state.shown = moment;
                    let hidden = self.detail == Detail::Statements && state.shown.part;
                    if !hidden && state.end.is_none() {
                        return Step::Next;
                    }
                }
                None if state.end.is_none() => return Step::Next,
                None => {}
            }
            if let (Some(end), None) = (&state.end, &state.coming) {
                return self.end_step(end, state.shown.span);
            }
        }
    }

    fn answer(&self, state: &mut VerifierState<'a>, decision: Resolution) {
        if decision == Resolution::Granted && state.checks.pop_front().is_some() {
            return;
        }
        match (decision, state.asked.take()) {
            (Resolution::Alternative(index), Some(fork)) => {
                let (path, cond) = match index {
                    0 => (&fork.then, fork.cond),
                    _ => (&fork.other, fork.negated),
                };
                state.path = path.clone();
                state.sigma.push(Layer { learnt: vec![Learnt::Fact(cond)], ..Layer::default() });
                state.taken = Some((fork.span, index == 0));
                state.unseen = true;
            }
            (_, asked) => {
                state.asked = asked;
                state.coming.iter_mut().for_each(|it| it.learnt = None);
            }
        }
    }

    /// A side of several has a scope of its own, and is a branch on the way to a failure.
    fn forked(&self, state: &mut VerifierState<'a>) {
        let Some((span, side)) = state.taken.take() else { return };
        state.path.branches = state.path.branches.push_front((span, side));
        if let Some(Layer { learnt, .. }) = state.sigma.last()
            && let [Learnt::Fact(cond)] = learnt[..]
        {
            state.sigma.pop();
            state.sigma.push(Layer::branch(cond));
        }
    }

    fn judge(&self) -> Option<Box<dyn Judge<VerifierState<'a>> + '_>> {
        Some(Box::new(ProofJudge(self)))
    }

    fn place(&self, state: &VerifierState<'a>) -> Place {
        self.place_at(self.moment(state).span)
    }

    fn witness(&self, ctx: &Context<'_>, _: &VerifierState<'a>, model: &Model) -> Witness {
        let start = self.with(ctx.terms, |_, start| Rc::clone(&start.env.vars)).unwrap_or_default();
        let mut evaluator = Evaluator::new(ctx.terms, model);
        let mut inputs = Vec::new();
        for &term in start.iter().take(self.parameters().0).flatten() {
            if let Some(value) = evaluator.value(term) {
                let value = ctx.terms.of_value(ctx.terms.sort(term), &value);
                let name = effigy_term::print::math(ctx.terms, term);
                let data = InputData::Scalar(effigy_term::print::math(ctx.terms, value));
                inputs.push(Input::new(name, data));
            }
        }
        // Axioms are no part of the path condition: the values may contradict them.
        Witness { inputs, assumed: true, ..Witness::default() }
    }
}

impl Verifier<'_> {
    /// A condition as a walk is told it: in words that its own judge knows, where somebody looks.
    fn shown(&self, terms: &Terms, cond: Term) -> Term {
        if self.detail == Detail::Nothing { cond } else { plain(terms, cond) }
    }
}
