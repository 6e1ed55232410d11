//! The transition system of the verifier, as the engine asks for it.
//!
//! Knows: where a member's walk starts, what is asked and answered. Never: how a path moves (`moves`).
//!
//! What is learnt can be told to the walk ([`Step::Assume`]), with a symbol for each application; what has quantifiers,
//! or follows from axioms and definitions, is not. Sides that contradict Σ are not asked about.

use super::{Coming, Detail, Verifier, VerifierState};
use crate::machine::Stop;
use crate::moment::End;
use crate::plain::plain;
use crate::sigma::Layer;
use crate::verify::Phase;
use effigy_engine::{
    Alternative, AlternativeLabel, Context, Input, InputData, Inputs, Language, Place, Resolution, Step, Witness,
};
use effigy_term::Model;
use effigy_term::eval::Evaluator;
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
            if state.asked.is_none() && state.coming.is_none() && state.end.is_none() {
                match self.detail {
                    Detail::Nothing => self.move_on(ctx.terms, state, fuel),
                    _ => self.move_on(ctx.terms, state, &mut u64::MAX.clone()),
                }
            }
            if let Some(fork) = &state.asked {
                let side = |cond, label| Alternative { cond, label };
                let cond = if self.detail == Detail::Nothing { fork.cond } else { plain(ctx.terms, fork.cond) };
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
        match (decision, state.asked.take()) {
            (Resolution::Alternative(index), Some(fork)) => {
                let (path, cond) = match index {
                    0 => (&fork.then, fork.cond),
                    _ => (&fork.other, fork.negated),
                };
                state.path = path.clone();
                state.sigma.push(Layer::branch(cond));
                state.unseen = true;
            }
            (_, asked) => {
                state.asked = asked;
                state.coming.iter_mut().for_each(|it| it.learnt = None);
            }
        }
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
