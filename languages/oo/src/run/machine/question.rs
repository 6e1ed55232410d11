//! What a state asks, one question at a time: which thread, the conditions of δ, tests, assumptions, what was deferred.
//!
//! Knows: what is done with errors, and when feasibility is asked for. Never: what a statement does.

use super::super::control::ThreadId;
use super::super::memory::Memory;
use super::super::obligation::{ASSERTION, Obligation};
use super::super::program::{Expr, StmtId};
use super::super::reduction;
use super::{Check, Errors, Machine, Question, REDUCED, State};
use effigy_engine::{Alternative, AlternativeLabel, Context, Language, Note, Outcome, Step};
use effigy_term::Terms;
use std::rc::Rc;

impl<M: Memory> Machine<M> {
    /// Ends the path; what was deferred is asked about first.
    pub(super) fn finish(&self, ctx: &Context<'_>, state: &mut State<M>, outcome: Outcome) -> Step {
        if !state.settled && !state.deferred.is_empty() && outcome != Outcome::Silent {
            state.question = Question::Leaf;
            return Step::Assume(ctx.terms.and_all(state.deferred.iter().copied()));
        }
        Step::Exit(outcome)
    }

    /// Which thread moves next; `Err` is a question or an end.
    pub(super) fn choose(&self, ctx: &mut Context<'_>, state: &mut State<M>) -> Result<ThreadId, Step> {
        if let Some(id) = state.chosen {
            return Ok(id);
        }
        let runnable = state.control.runnable();
        let id = match runnable.as_slice() {
            [] => return Err(self.finish(ctx, state, Outcome::Exit { code: None })),
            [only] if state.sleep.is_empty() => *only,
            several => {
                let (awake, sleeps) =
                    reduction::awake(&self.program, &state.control, several, &state.sleep, self.options.reduce);
                for _ in awake.len()..several.len() {
                    let note =
                        Note { kind: REDUCED, what: "interleavings that do the same".to_owned(), incomplete: false };
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
            match (terms.as_bool(cond), self.errors_of(obligation), self.options.check) {
                (Some(true), ..) => state.granted = true,
                (Some(false), Errors::Report, _) => {
                    let violation = self.violation(state, id, obligation);
                    state.fault = Some(Rc::from(violation));
                    return None;
                }
                (Some(false), Errors::Exclude, _) => return Some(Step::Exit(Outcome::Silent)),
                (None, Errors::Report, Check::Branch) => {
                    state.question = Question::Condition;
                    return Some(Step::Require { cond, violation: self.violation(state, id, obligation) });
                }
                (None, Errors::Report, Check::Leaf) => {
                    let violation = Rc::from(self.violation(state, id, obligation));
                    state.question = Question::DeferredCondition(cond, terms.not(cond), violation);
                    return Some(either(terms, obligation.kind.0));
                }
                (None, Errors::Exclude, Check::Branch) => {
                    state.question = Question::Condition;
                    return Some(Step::Assume(cond));
                }
                (None, Errors::Exclude, Check::Leaf) => {
                    state.deferred.push_back_mut(cond);
                    state.granted = true;
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
                match (terms.as_bool(value), self.options.check) {
                    (Some(holds), _) => holds,
                    (None, Check::Branch) => {
                        state.question = Question::Test(None);
                        return Err(Step::Branch(vec![
                            Alternative { cond: value, label: AlternativeLabel::True },
                            Alternative { cond: terms.not(value), label: AlternativeLabel::False },
                        ]));
                    }
                    (None, Check::Leaf) => {
                        state.question = Question::Test(Some((value, terms.not(value))));
                        let always = terms.bool(true);
                        return Err(Step::Branch(vec![
                            Alternative { cond: always, label: AlternativeLabel::True },
                            Alternative { cond: always, label: AlternativeLabel::False },
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
        match (ctx.terms.as_bool(value), self.options.check) {
            (Some(true), _) => Ok(()),
            (Some(false), _) => Err(Step::Exit(Outcome::Silent)),
            (None, Check::Branch) => {
                state.question = Question::Condition;
                Err(Step::Assume(value))
            }
            (None, Check::Leaf) => {
                state.deferred.push_back_mut(value);
                Ok(())
            }
        }
    }
}

/// A question that is answered at the end of the path.
fn either(terms: &Terms, error: &'static str) -> Step {
    let cond = terms.bool(true);
    Step::Branch(vec![
        Alternative { cond, label: AlternativeLabel::Case("defined".into()) },
        Alternative { cond, label: AlternativeLabel::Case(error.into()) },
    ])
}
