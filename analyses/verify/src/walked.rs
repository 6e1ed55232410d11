//! A recorded verification as a language of the engine: the debugger and the tree walk it.
//!
//! Knows: moments as states, forks as questions, the end of a path as its outcome. Never: the rules of verification
//! (what happened is recorded), files (the caller says what the source says).
//!
//! What the verifier assumed is part of the path condition ([`Step::Assume`]), with a symbol for each application; what
//! has quantifiers, or follows from axioms and definitions, is not. Only sides that the verifier took can be walked.

mod expression;
mod inspect;

use crate::failure::Failure;
use crate::recording::{Action, End, MomentId, Onward, Recording};
use crate::{Config, Member};
use effigy_contracts::program::{MemberVariable, Program, Span};
use effigy_engine::{
    Alternative, AlternativeLabel, BugKind, Context, Input, InputData, Inputs, Language, Outcome, Place, Resolution,
    Step, Violation, Witness,
};
use effigy_term::Model;
use effigy_term::eval::Evaluator;
use std::fmt;
use std::rc::Rc;

/// What the source says: the caller has the files.
pub trait SourceText {
    /// The line on which a place begins.
    fn line(&self, span: Span) -> Option<String>;
    /// What stands at a place, on one line.
    fn quote(&self, span: Span) -> Option<String>;
    /// A failure, in sentences.
    fn message(&self, failure: &Failure) -> String;
}

/// What counts as a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Detail {
    /// Statements, and the conjuncts of the contract.
    Statements,
    /// Also the conjuncts that statements add and take: as calls, so that one can step over them.
    Conjuncts,
}

/// The verification of one member, to be walked.
pub struct Walked<'a> {
    program: &'a Program,
    member: Member,
    config: Config,
    source: &'a dyn SourceText,
    detail: Detail,
}

impl fmt::Debug for Walked<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Walked({:?})", self.member)
    }
}

/// A place in the recording.
#[derive(Clone)]
pub struct WalkedState {
    recording: Rc<Recording>,
    at: MomentId,
    /// The side of the fork that was decided for.
    side: Option<bool>,
    /// What is learnt on the way to the next moment is part of the path condition already.
    granted: bool,
}

impl fmt::Debug for WalkedState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "WalkedState({} of {})", self.at, self.recording.moments.len())
    }
}

impl<'a> Walked<'a> {
    /// To walk the verification of `member`; it is recorded when the walk starts.
    pub fn new(
        program: &'a Program,
        member: Member,
        config: Config,
        source: &'a dyn SourceText,
        detail: Detail,
    ) -> Walked<'a> {
        // All paths are walked, each to its first error.
        let config = Config { errors: 1, trace: false, ..config };
        Walked { program, member, config, source, detail }
    }

    /// The member's name.
    pub fn name(&self) -> &'a str {
        match self.member {
            Member::Function(it) => &self.program.functions[it.index()].name,
            Member::Predicate(it) => &self.program.predicates[it.index()].name,
            Member::Method(it) => &self.program.methods[it.index()].name,
        }
    }

    /// All variables of the member.
    fn table(&self) -> &'a [MemberVariable] {
        match self.member {
            Member::Function(it) => &self.program.functions[it.index()].variables,
            Member::Predicate(it) => &self.program.predicates[it.index()].variables,
            Member::Method(it) => &self.program.methods[it.index()].variables,
        }
    }

    /// How many of them are parameters, and how many results.
    fn parameters(&self) -> (usize, usize) {
        match self.member {
            Member::Function(it) => (self.program.functions[it.index()].parameters, 0),
            Member::Predicate(it) => (self.program.predicates[it.index()].parameters, 0),
            Member::Method(it) => {
                let method = &self.program.methods[it.index()];
                (method.parameters, method.results)
            }
        }
    }

    /// The moment that a person sees.
    fn shown(&self, state: &WalkedState) -> MomentId {
        match self.detail {
            Detail::Conjuncts => state.at,
            Detail::Statements => state.recording.statement_of(state.at),
        }
    }

    fn place_at(&self, span: Span) -> Place {
        let file = self.program.files.get(span.file as usize).map_or("", |it| it);
        Place { file: file.into(), line: span.line, column: span.column, function: self.name().into() }
    }

    fn outcome(&self, end: &End, span: Span) -> Outcome {
        match end {
            End::Verified => Outcome::Exit { code: None },
            End::Infeasible => Outcome::Silent,
            End::Failed(failure) => Outcome::Violation(Box::new(self.violation(failure))),
            End::Unsupported(what, span) => {
                Outcome::Unsupported { what: what.to_string(), place: self.place_at(*span) }
            }
            End::Undecided(why) => {
                Outcome::Unsupported { what: format!("undecided, {why}"), place: self.place_at(span) }
            }
        }
    }

    fn violation(&self, failure: &Failure) -> Violation {
        let id = format!("{}:{}", failure.error.id(), failure.reason.id());
        let undecided = match &failure.undecided {
            Some(why) => format!(" The solver did not decide this ({why})."),
            None => String::new(),
        };
        Violation {
            kind: BugKind(failure.error.id()),
            message: format!("{} [{id}]{undecided}", self.source.message(failure)),
            place: self.place_at(failure.culprit),
            stack: Vec::new(),
        }
    }
}

impl Language for Walked<'_> {
    type State = WalkedState;

    fn start(&self, ctx: &mut Context<'_>) -> WalkedState {
        let recording = Recording::new(self.program, ctx.terms, self.member, &self.config);
        WalkedState { recording: Rc::new(recording), at: 0, side: None, granted: false }
    }

    fn step(&self, ctx: &mut Context<'_>, state: &mut WalkedState, fuel: &mut u64) -> Step {
        if matches!(ctx.inputs, Inputs::Concrete(_)) {
            let what = "a concrete run of what is verified".to_owned();
            return Step::Exit(Outcome::Unsupported { what, place: self.place(state) });
        }
        *fuel = fuel.saturating_sub(1);
        loop {
            let moment = &state.recording.moments[state.at];
            if let Action::End(end) = &moment.action {
                return Step::Exit(self.outcome(end, moment.span));
            }
            let next = match (moment.next, state.side) {
                (Onward::To(next), _) => Some(next),
                (Onward::Fork { then, other, .. }, Some(side)) => {
                    if side {
                        then
                    } else {
                        other
                    }
                }
                (Onward::Fork { cond, .. }, None) => {
                    let negated = ctx.terms.not(cond);
                    return Step::Branch(vec![
                        Alternative { cond, label: AlternativeLabel::True },
                        Alternative { cond: negated, label: AlternativeLabel::False },
                    ]);
                }
                (Onward::Nowhere, _) => None,
            };
            let Some(next) = next else {
                let what = "what comes here was not walked: a budget ran out before".to_owned();
                return Step::Exit(Outcome::Unsupported { what, place: self.place(state) });
            };
            if !state.granted {
                let learnt = ctx.terms.and_all(state.recording.moments[next].told.iter().copied());
                if ctx.terms.as_bool(learnt).is_none() {
                    return Step::Assume(learnt);
                }
            }
            state.at = next;
            state.side = None;
            state.granted = false;
            let moment = &state.recording.moments[next];
            let hidden = self.detail == Detail::Statements && moment.part;
            if !hidden && !matches!(moment.action, Action::End(_)) {
                return Step::Next;
            }
        }
    }

    fn answer(&self, state: &mut WalkedState, decision: Resolution) {
        match decision {
            Resolution::Alternative(index) => state.side = Some(index == 0),
            _ => state.granted = true,
        }
    }

    fn place(&self, state: &WalkedState) -> Place {
        self.place_at(state.recording.moments[self.shown(state)].span)
    }

    fn witness(&self, ctx: &Context<'_>, state: &WalkedState, model: &Model) -> Witness {
        let start = &state.recording.moments[0].store;
        let mut evaluator = Evaluator::new(ctx.terms, model);
        let mut inputs = Vec::new();
        for &term in start.iter().take(self.parameters().0).flatten() {
            if let Some(value) = evaluator.value(term) {
                let value = ctx.terms.of_value(ctx.terms.sort(term), &value);
                let name = effigy_term::print::math(ctx.terms, term);
                let data = InputData::Scalar(effigy_term::print::math(ctx.terms, value));
                inputs.push(Input { name, data });
            }
        }
        // Axioms are no part of the path condition: the values may contradict them.
        Witness { inputs, assumed: true, ..Witness::default() }
    }
}
