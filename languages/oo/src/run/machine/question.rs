//! What a state asks, one question at a time: which thread, the conditions of δ, tests, assumptions.
//!
//! Knows: what is done with errors. Never: what a statement does.

use super::super::control::ThreadId;
use super::super::memory::Memory;
use super::super::obligation::{ASSERTION, Obligation};
use super::super::program::{Expr, StmtId};
use super::super::reduction;
use super::{Errors, Machine, Question, REDUCED, State};
use effigy_engine::{Alternative, AlternativeLabel, Context, Language, Note, Outcome, Step};
use std::rc::Rc;

impl<M: Memory> Machine<M> {
    /// Which thread moves next; `Err` is a question or an end.
    pub(super) fn choose(&self, ctx: &mut Context<'_>, state: &mut State<M>) -> Result<ThreadId, Step> {
        if let Some(id) = state.chosen {
            return Ok(id);
        }
        let runnable = state.control.runnable();
        let id = match runnable.as_slice() {
            [] => return Err(Step::Exit(Outcome::Exit { code: None })),
            [only] if state.sleep.is_empty() => *only,
            several => {
                let (awake, sleeps) =
                    reduction::awake(&self.program, &state.control, several, &state.sleep, self.options.reduce);
                for _ in awake.len()..several.len() {
                    let note = Note {
                        kind: REDUCED.into(),
                        what: "interleavings that do the same".to_owned(),
                        incomplete: false,
                    };
                    ctx.notes.add(note, || self.place(state));
                }
                match awake.as_slice() {
                    [] => {
                        state.redundant = true;
                        return Err(Step::Exit(Outcome::Silent));
                    }
                    [only] => {
                        state.sleep = sleeps.into_iter().next().unwrap_or_default();
                        *only
                    }
                    several => {
                        let always = ctx.terms.bool(true);
                        let label = |it: &ThreadId| AlternativeLabel::Case(format!("thread {it}").into());
                        let alternatives = several.iter().map(|it| Alternative { cond: always, label: label(it) });
                        let step = Step::Branch(alternatives.collect());
                        state.question = Question::Thread(several.into(), sleeps.into());
                        return Err(step);
                    }
                }
            }
        };
        state.chosen = Some(id);
        Ok(id)
    }

    /// Asks for the conditions of δ one after the other.
    pub(super) fn require(
        &self,
        ctx: &Context<'_>,
        state: &mut State<M>,
        id: StmtId,
        list: &[Obligation],
        kept: bool,
    ) -> Option<Step> {
        let words = Rc::clone(&state.words);
        let instance = state.instance();
        let at = self.at(ctx.terms, &words, instance);
        let terms = ctx.terms;
        while let Some(obligation) = list.get(state.passed) {
            if std::mem::take(&mut state.granted) {
                state.passed += 1;
                if kept {
                    state.memory.test(at, &obligation.cond);
                }
                continue;
            }
            let cond = state.memory.value(at, &obligation.cond);
            match (terms.as_bool(cond), self.errors_of(obligation)) {
                (Some(true), _) => state.granted = true,
                (Some(false), Errors::Report) => {
                    let violation = self.violation(state, id, obligation);
                    state.fault = Some(Rc::from(violation));
                    return None;
                }
                (Some(false), Errors::Exclude) => return Some(Step::Exit(Outcome::Silent)),
                (None, Errors::Report) => {
                    state.question = Question::Condition;
                    return Some(Step::Require { cond, violation: self.violation(state, id, obligation) });
                }
                (None, Errors::Exclude) => {
                    state.question = Question::Condition;
                    return Some(Step::Assume(cond));
                }
            }
        }
        None
    }

    pub(super) fn errors_of(&self, obligation: &Obligation) -> Errors {
        if obligation.kind == ASSERTION { Errors::Report } else { self.options.errors }
    }

    /// The outcome of a test, or the question for it.
    pub(super) fn test(&self, ctx: &Context<'_>, state: &mut State<M>, cond: &Expr) -> Result<bool, Step> {
        let words = Rc::clone(&state.words);
        let at = self.at(ctx.terms, &words, state.instance());
        let terms = ctx.terms;
        let holds = match state.tested {
            Some(holds) => holds,
            None => {
                let value = state.memory.value(at, cond);
                match terms.as_bool(value) {
                    Some(holds) => holds,
                    None => {
                        state.question = Question::Test;
                        return Err(Step::Branch(vec![
                            Alternative { cond: value, label: AlternativeLabel::True },
                            Alternative { cond: terms.not(value), label: AlternativeLabel::False },
                        ]));
                    }
                }
            }
        };
        Ok(holds)
    }

    /// Assumes a condition; `Err` is the question.
    pub(super) fn assume(&self, ctx: &Context<'_>, state: &mut State<M>, cond: &Expr) -> Result<(), Step> {
        if std::mem::take(&mut state.granted) {
            return Ok(());
        }
        let words = Rc::clone(&state.words);
        let value = state.memory.value(self.at(ctx.terms, &words, state.instance()), cond);
        match ctx.terms.as_bool(value) {
            Some(true) => Ok(()),
            Some(false) => Err(Step::Exit(Outcome::Silent)),
            None => {
                state.question = Question::Condition;
                Err(Step::Assume(value))
            }
        }
    }
}
