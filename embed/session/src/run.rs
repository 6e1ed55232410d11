//! One run: the answers that it was given, and how it answers what is asked beyond.
//!
//! Knows: the prefix, the trail with its model, the sides that were not taken. Never: when these are run.
//! Source: Godefroid, Levin, Molnar 2008, section 2 (one run, the sides that it leaves); the model is that of the path
//! condition, so that no side is taken that does not exist.

use crate::kind::Kind;
use crate::pin::Pin;
use crate::place::{place_of, place_text};
use crate::question::{Answer, AnsweredQuestion, Question};
use crate::surroundings::Surroundings;
use effigy_engine::{Decision, Place, Trail};
use effigy_term::print::{Dialect, machine};
use effigy_term::{Symbol, SymbolKind, Term, Terms};
use std::collections::{BTreeMap, BTreeSet};
use std::panic::Location;
use std::rc::Rc;

/// The answers that a run was given by the run that it branches off.
#[derive(Clone, Debug, Default)]
pub(crate) struct Prefix {
    /// What the other run was asked.
    pub(crate) history: Rc<Vec<AnsweredQuestion>>,
    /// So many of the answers are those of the other run.
    pub(crate) shared: usize,
    /// The next question has this answer; `None`: it is asked anew.
    pub(crate) turn: Option<Answer>,
    /// There is such a question: the start of everything has none, nor has what begins where a comparison was seen.
    pub(crate) turns: bool,
    /// The parts of what was split that this run is in.
    pub(crate) parts: Rc<BTreeSet<Term>>,
    /// The conditionals, by their number in the run, whose sides are not run both.
    pub(crate) apart: Rc<BTreeSet<u32>>,
}

/// A side that was not taken.
#[derive(Clone, Debug)]
pub(crate) struct PendingSide {
    /// The number of the question.
    pub(crate) at: usize,
    /// How a run on this side answers it.
    pub(crate) turn: Option<Answer>,
    /// There is a question; it was not split where a comparison was seen.
    pub(crate) turns: bool,
    /// The parts of what was split that it is in.
    pub(crate) parts: Rc<BTreeSet<Term>>,
    /// The trail up to the question.
    pub(crate) before: Trail,
    /// What holds on this side.
    pub(crate) cond: Term,
    /// What is added to the name of the path.
    pub(crate) decision: Option<Decision>,
    /// So many conditionals were met before; of later ones this side knows nothing.
    pub(crate) conditionals: u32,
}

/// Why a run was left.
#[derive(Clone, Debug)]
pub(crate) enum End {
    Failed(String, Place),
    Dropped,
    Cut(String),
    Unsupported(String),
    Undecided(String),
    Error(String),
    /// Something was asked while both sides of this conditional were run: the run is made again, and forks there.
    Apart(u32),
    /// The question is for somebody else ([`crate::Program`]).
    Open(Question, Place, String),
}

/// What a run has to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Mode {
    /// Questions are answered where they stand.
    #[default]
    Answer,
    /// The run is left at the first question beyond its prefix.
    Leave,
}

/// What [`Session::choose`](crate::Session::choose) answered on one path, in this order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Choices {
    pub(crate) outside: Vec<u32>,
    /// The same within blocks of quantifiers.
    pub(crate) quantified: Vec<u32>,
}

#[derive(Debug, Default)]
pub(crate) struct Run {
    pub(crate) mode: Mode,
    pub(crate) prefix: Prefix,
    pub(crate) trail: Trail,
    pub(crate) asked: Vec<AnsweredQuestion>,
    pub(crate) filed: Vec<PendingSide>,
    /// What was asked for, in this order.
    pub(crate) symbols: Vec<(String, Kind, Symbol)>,
    /// Variables of quantifiers, while these are built.
    pub(crate) bound: Vec<(String, Kind, Symbol)>,
    pub(crate) binding: u32,
    /// So many blocks of universal quantifiers are being run.
    pub(crate) quantifying: u32,
    pub(crate) choices: Choices,
    /// The message of a panic names symbols.
    pub(crate) panic_names_symbols: bool,
    /// Something was asked while a panic unwound, and only the answer of the model was followed.
    pub(crate) guessed: bool,
    /// Conditionals so far of which both sides could be run.
    pub(crate) conditionals: u32,
    /// Those of which both sides are being run, the outermost first.
    pub(crate) both: Vec<u32>,
    names: BTreeMap<String, u32>,
    pub(crate) notes: Vec<String>,
    pub(crate) witnesses: BTreeSet<String>,
    /// What the program has of terms that are watched.
    pub(crate) pins: Vec<Pin>,
    /// Names of watched terms that were seen to be compared.
    pub(crate) compared: BTreeSet<String>,
    /// The parts of what was split that the run is in.
    pub(crate) parts: Rc<BTreeSet<Term>>,
    /// Sides that are not followed, and why.
    pub(crate) cut: Vec<String>,
    /// Sides of which it is not known whether they exist.
    pub(crate) undecided: Vec<String>,
    pub(crate) end: Option<End>,
    /// Where the question stands at which the run was left.
    pub(crate) open: Option<&'static Location<'static>>,
    /// Conditions that were granted since the last decision: their number is part of the name of one that fails.
    pub(crate) granted: u32,
}

/// Why a path says nothing on which a panic was caught.
pub(crate) const GUESSED: &str = "a destructor asks while a panic unwinds that the program catches";

/// What came of a question.
pub(crate) enum Outcome {
    Answered(Answer),
    /// The run ends here, without an answer.
    Over,
}

impl Run {
    pub(crate) fn new(prefix: Prefix, trail: Trail, mode: Mode) -> Run {
        let parts = Rc::clone(&prefix.parts);
        Run { prefix, trail, mode, parts, ..Run::default() }
    }

    /// A name that nothing else has in this run.
    pub(crate) fn name(&mut self, name: &str) -> String {
        let count = self.names.entry(name.to_owned()).or_insert(0);
        *count += 1;
        if *count == 1 { name.to_owned() } else { format!("{name}#{count}") }
    }

    /// The choices so far, of the kind of the next one.
    pub(crate) fn choices(&mut self) -> &mut Vec<u32> {
        if self.quantifying > 0 { &mut self.choices.quantified } else { &mut self.choices.outside }
    }

    /// The number of questions that the run must repeat.
    pub(crate) fn expected(&self) -> usize {
        self.prefix.shared + usize::from(self.prefix.turns)
    }

    fn over(&mut self, end: End) -> Outcome {
        self.finish(end);
        Outcome::Over
    }

    /// The run is over. What ends it may not happen where both sides of a conditional are run: it is made again.
    pub(crate) fn finish(&mut self, end: End) {
        let end = self.both.first().map_or(end, |it| End::Apart(*it));
        self.end.get_or_insert(end);
    }

    /// Asks. `what` is said of a check that fails, and of a witness.
    pub(crate) fn ask(
        &mut self,
        live: &Surroundings,
        question: Question,
        what: &str,
        place: &'static Location<'static>,
    ) -> Outcome {
        if self.end.is_some() {
            return Outcome::Over;
        }
        if is_bound(&live.terms, &question) {
            let what = text(&live.terms, &question);
            return self.over(End::Unsupported(format!("{what}, which depends on a bound variable, at {place}")));
        }
        if let Some(outermost) = self.both.first() {
            return self.over(End::Apart(*outermost));
        }
        let at = self.asked.len();
        if at < self.expected() {
            let expected = &self.prefix.history[at];
            if expected.question != question || expected.place != place {
                let error = not_deterministic(&live.terms, at, expected, &question, place);
                let guessed = self.guessed.then(|| End::Unsupported(GUESSED.to_owned()));
                return self.over(self.unseen_use().or(guessed).unwrap_or(End::Error(error)));
            }
            if let Question::Watched(term, candidates) = &question {
                let (term, candidates) = (*term, Rc::clone(candidates));
                let was = expected.answer.clone();
                return match self.watch(live, term, what, &candidates, Some(was), place) {
                    Ok(answer) => self.take(question, answer, what, place),
                    Err(end) => self.over(end),
                };
            }
            let answer = if at < self.prefix.shared { Some(expected.answer.clone()) } else { self.prefix.turn.clone() };
            if let Some(answer) = answer {
                return self.take(question, answer, what, place);
            }
        }
        if self.mode == Mode::Leave {
            self.open = Some(place);
            return self.over(End::Open(question, place_of(place), what.to_owned()));
        }
        if self.questions() >= live.limits.decisions {
            let why = format!("more than {} questions on one path, at {place}", live.limits.decisions);
            return self.over(End::Cut(why));
        }
        match self.answer(live, at, &question, what, place) {
            Ok(answer) => self.take(question, answer, what, place),
            Err(end) => {
                // Another run may go on from here: it is told what was asked.
                if self.filed.last().is_some_and(|it| it.at == at) {
                    self.asked.push(AnsweredQuestion { question, answer: Answer::Holds, place });
                }
                self.over(end)
            }
        }
    }

    /// The question has this answer.
    fn take(&mut self, question: Question, answer: Answer, what: &str, place: &'static Location<'static>) -> Outcome {
        self.granted = if answer == Answer::Holds { self.granted + 1 } else { 0 };
        let fails = answer == Answer::Fails;
        self.asked.push(AnsweredQuestion { question, answer: answer.clone(), place });
        if fails {
            return self.over(End::Failed(what.to_owned(), place_of(place)));
        }
        Outcome::Answered(answer)
    }
}

/// The first question that is not the one that was asked there before.
fn not_deterministic(
    terms: &Terms,
    at: usize,
    before: &AnsweredQuestion,
    now: &Question,
    place: &Location<'_>,
) -> String {
    let again = if before.question == *now { "the same question".to_owned() } else { text(terms, now) };
    format!(
        "not deterministic at question {}: {} asked at {}, and when the run was made again, {again} at {}",
        at + 1,
        text(terms, &before.question),
        place_text(&place_of(before.place)),
        place_text(&place_of(place)),
    )
}

/// Whether a variable is asked about that only a quantifier knows: nothing can be decided of it.
fn is_bound(terms: &Terms, question: &Question) -> bool {
    let bound = |it: &Term| {
        let mut symbols = terms.symbols(*it).iter();
        symbols.any(|it| terms.symbol_info(*it).kind == SymbolKind::Bound)
    };
    match question {
        Question::Among(of) => of.iter().any(bound),
        Question::Choose(_) => false,
        Question::Decide(it, _)
        | Question::Value(it)
        | Question::Witness(it)
        | Question::Watched(it, _)
        | Question::Assume(it)
        | Question::Check(it) => bound(it),
    }
}

/// The text of a question, as messages show it.
pub(crate) fn text(terms: &Terms, question: &Question) -> String {
    let shown = |it: &Term| format!("`{}`", machine(terms, Dialect::Rust, *it));
    match question {
        Question::Decide(it, _) => format!("whether {}", shown(it)),
        Question::Among(of) => format!("which of {}", of.iter().map(shown).collect::<Vec<_>>().join(", ")),
        Question::Choose(count) => format!("which of {count}"),
        Question::Value(it) | Question::Witness(it) | Question::Watched(it, _) => format!("the value of {}", shown(it)),
        Question::Assume(it) => format!("to assume {}", shown(it)),
        Question::Check(it) => format!("to check {}", shown(it)),
    }
}
