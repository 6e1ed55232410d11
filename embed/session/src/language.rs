//! A closure as a language: its state is a prefix of answers, its step is a run that is left at the next question.
//!
//! Knows: prefixes. Never: a model, a solver.
//!
//! Each step runs the closure from its start, which costs as many runs as a path has questions; for pictures of small
//! tests, for every analysis of the house, and as the other opinion on [`crate::explore`].

use crate::account::Limits;
use crate::current_session::CurrentSession;
use crate::kind::Kind;
use crate::panics;
use crate::place::place_text;
use crate::question::{Answer, AnsweredQuestion, Question};
use crate::run::{End, Mode, Prefix, Run};
use crate::sites::{QuestionSite, Sites};
use crate::sources::Sources;
use effigy_engine::{
    Alternative, AlternativeLabel, BugKind, Context, GaveUp, GiveUpCause, Input, InputData, Language, Outcome, Place,
    Resolution, Step, Trail, Violation, Witness,
};
use effigy_term::eval::{Evaluator, default_value};
use effigy_term::{Model, Symbol, Terms};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::panic::Location;
use std::rc::Rc;
use std::sync::Arc;

/// The class of what fails.
pub const FAILED: BugKind = BugKind("failed");

/// A closure that is walked by any analysis, over the arena [`Program::terms`].
pub struct Program<F> {
    live: Rc<CurrentSession>,
    run: RefCell<F>,
    pub(crate) name: Arc<str>,
    pub(crate) sources: Sources,
    sites: RefCell<Sites>,
}

/// What was answered so far.
#[derive(Clone, Debug)]
pub struct State {
    answered: Rc<Vec<AnsweredQuestion>>,
    apart: Rc<BTreeSet<u32>>,
    pub(crate) stands: Stands,
    pub(crate) place: Place,
    /// So many questions were answered when it came to where it stands.
    pub(crate) clock: u64,
    pub(crate) symbols: Rc<Vec<(String, Kind, Symbol)>>,
    pub(crate) notes: Rc<Vec<String>>,
}

/// Where a path stands. It comes to a question by one step and asks it by the next, so that whoever looks on sees it
/// stand there.
#[derive(Clone, Debug)]
pub(crate) enum Stands {
    /// The closure has not been run yet.
    Before,
    /// At a question, with what is said of a check that fails.
    Asks(Question, &'static Location<'static>, String),
    /// This question was answered; what comes next is not known yet.
    Answered(Question),
    /// At the end of the run; how it ended, if that is known.
    Ended(Option<End>),
}

impl<F: FnMut()> Program<F> {
    /// The language whose only program is `run`.
    pub fn new(limits: &Limits, run: F) -> Program<F> {
        Program {
            live: CurrentSession::new(limits, Rc::new(Terms::new()), None),
            run: RefCell::new(run),
            name: "closure".into(),
            sources: Sources::default(),
            sites: RefCell::default(),
        }
    }

    /// The same program under this name, for pictures.
    pub fn named(self, name: &str) -> Program<F> {
        Program { name: name.into(), ..self }
    }

    /// What coverage counts, as far as it was come to; a site's number is its place in this list.
    pub fn sites(&self) -> Vec<QuestionSite> {
        self.sites.borrow().all()
    }

    /// The arena of its terms: whoever walks it uses this one.
    pub fn terms(&self) -> &Terms {
        &self.live.terms
    }

    fn violation(&self, message: String, place: Place) -> Box<Violation> {
        Box::new(Violation { kind: FAILED, message, place, stack: Vec::new() })
    }

    fn end(&self, outcome: Option<End>) -> Step {
        let gave_up = |cause, what| Step::GaveUp(Box::new(GaveUp { cause, what, place: Place::default() }));
        match outcome {
            None => Step::Exit(Outcome::Exit { code: Some(0) }),
            Some(End::Failed(message, place)) => Step::Exit(Outcome::Violation(self.violation(message, place))),
            Some(End::Dropped) => Step::Exit(Outcome::Silent),
            Some(End::Cut(why)) => gave_up(GiveUpCause::Limit, why),
            Some(End::Undecided(why)) => gave_up(GiveUpCause::Undecided, why),
            Some(End::Unsupported(what) | End::Error(what)) => gave_up(GiveUpCause::Unsupported, what),
            // Neither is an end: `step` has taken them out.
            Some(End::Apart(_) | End::Open(..)) => Step::Next,
        }
    }

    fn question(&self, question: &Question, place: &Place, what: String) -> Step {
        let terms = &self.live.terms;
        let case = |at: usize| AlternativeLabel::Case(at.to_string().into());
        match question {
            Question::Decide(cond, _) => Step::Branch(vec![
                Alternative { cond: *cond, label: AlternativeLabel::True },
                Alternative { cond: terms.not(*cond), label: AlternativeLabel::False },
            ]),
            Question::Among(conds) => {
                let sides = conds.iter().enumerate();
                Step::Branch(sides.map(|(at, &cond)| Alternative { cond, label: case(at) }).collect())
            }
            Question::Choose(count) => {
                let side = |at: u32| Alternative { cond: terms.bool(true), label: case(at as usize) };
                Step::Branch((0..*count).map(side).collect())
            }
            Question::Value(term) | Question::Witness(term) | Question::Watched(term, _) => Step::Value(*term),
            Question::Assume(cond) => Step::Assume(*cond),
            Question::Check(cond) => Step::Require { cond: *cond, violation: self.violation(what, place.clone()) },
        }
    }
}

impl<F: FnMut()> Language for Program<F> {
    type State = State;

    fn start(&self, ctx: &mut Context<'_>) -> State {
        // Terms of another arena would be other terms.
        assert!(std::ptr::eq(ctx.terms, &*self.live.terms), "a session is walked over its own arena");
        State {
            answered: Rc::default(),
            apart: Rc::default(),
            stands: Stands::Before,
            place: Place::default(),
            clock: 0,
            symbols: Rc::default(),
            notes: Rc::default(),
        }
    }

    fn step(&self, ctx: &mut Context<'_>, state: &mut State, fuel: &mut u64) -> Step {
        *fuel = fuel.saturating_sub(1);
        match &state.stands {
            Stands::Asks(question, _, what) => return self.question(question, &state.place, what.clone()),
            Stands::Ended(end) => return self.end(end.clone()),
            Stands::Before | Stands::Answered(_) => {}
        }
        let shared = state.answered.len();
        let history = Rc::clone(&state.answered);
        let prefix = Prefix { history, shared, apart: Rc::clone(&state.apart), ..Prefix::default() };
        self.live.run.replace(Run::new(prefix, Trail::new(), Mode::Leave));
        let panic = self.live.enter(|| panics::catch(&mut *self.run.borrow_mut())).err();
        let mut done = self.live.run.take();
        if let Some(number) = crate::walk::apart(&done) {
            Rc::make_mut(&mut state.apart).insert(number);
            return Step::Next;
        }
        state.symbols = Rc::new(std::mem::take(&mut done.symbols));
        state.notes = Rc::new(std::mem::take(&mut done.notes));
        state.clock = shared as u64 + 1;
        let mut sites = self.sites.borrow_mut();
        state.answered.last().into_iter().for_each(|it| sites.reach(it, ctx.coverage));
        match (crate::walk::end_of(&mut done, shared, panic), done.open) {
            (Some(End::Open(question, place, what)), Some(at)) => {
                sites.ask(&question, at, ctx.coverage);
                state.place = place;
                state.stands = Stands::Asks(question, at, what);
            }
            (end, _) => {
                state.place = match &end {
                    Some(End::Failed(_, place)) => place.clone(),
                    _ => Place::default(),
                };
                state.stands = Stands::Ended(end);
            }
        }
        Step::Next
    }

    fn answer(&self, state: &mut State, resolution: Resolution) {
        let Stands::Asks(question, place, _) = &state.stands else { return };
        let (question, place) = (question.clone(), *place);
        let answer = match resolution {
            Resolution::Granted => Answer::Holds,
            Resolution::Alternative(side) => Answer::Side(side),
            Resolution::Value(value) => Answer::Value(value),
        };
        state.stands = Stands::Answered(question.clone());
        Rc::make_mut(&mut state.answered).push(AnsweredQuestion { question, answer, place });
    }

    fn place(&self, state: &State) -> Place {
        state.place.clone()
    }

    fn witness(&self, ctx: &Context<'_>, state: &State, model: &Model) -> Witness {
        let mut evaluator = Evaluator::new(ctx.terms, model);
        let mut input = |(name, kind, symbol): &(String, Kind, Symbol)| {
            let value = evaluator.value(ctx.terms.of_symbol(*symbol));
            let value = value.unwrap_or_else(|| default_value(ctx.terms, kind.sort()));
            Input::new(name.clone(), InputData::Scalar(kind.text(&value)))
        };
        let inputs = state.symbols.iter().map(&mut input).collect();
        Witness { inputs, exit: Some(0), ..Witness::default() }
    }
}

impl std::fmt::Display for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} questions answered, at {}", self.answered.len(), place_text(&self.place))
    }
}
