//! The session as a program sees it: symbols, questions, what is to be reported.
//!
//! Knows: the thread's session. Never: in which order paths are run.

use crate::current_session::CurrentSession;
use crate::kind::Kind;
use crate::observed_comparisons::ValueSplit;
use crate::panics::Leave;
use crate::pin::Pin;
use crate::question::{Answer, Purpose, Question};
use crate::registry::{self, SessionId};
use crate::run::{End, Mode, Outcome};
use effigy_term::{Symbol, SymbolKind, Term, Terms, Value};
use std::panic::{self, Location};
use std::rc::Rc;

/// The session that this thread is in. Cheap to clone; it does not leave its thread.
#[derive(Clone)]
pub struct Session {
    pub(crate) live: Rc<CurrentSession>,
}

impl Session {
    /// The session of this thread.
    ///
    /// # Panics
    /// Outside of a session.
    #[track_caller]
    pub fn current() -> Session {
        Session::try_current().unwrap_or_else(|| {
            panic!("no session on this thread: symbolic values live in the closure that a session runs")
        })
    }

    /// The session of this thread, if it is in one.
    pub fn try_current() -> Option<Session> {
        CurrentSession::current().map(|live| Session { live })
    }

    /// The session of this number: that of a value which is asked about.
    ///
    /// # Panics
    /// On a thread that is not in this session, which is told as well: its verdict is an error.
    #[track_caller]
    pub fn of(id: SessionId) -> Session {
        match CurrentSession::of(id) {
            Some(live) => Session { live },
            None => panic!("{}", registry::asked_elsewhere(id, Location::caller())),
        }
    }

    /// The number of the session, which no other has.
    pub fn id(&self) -> SessionId {
        self.live.id
    }

    /// The arena of the session's terms.
    pub fn terms(&self) -> &Terms {
        &self.live.terms
    }

    /// The arena of terms, to be kept beside the session.
    pub fn arena(&self) -> Rc<Terms> {
        Rc::clone(&self.live.terms)
    }

    /// A symbol that nothing is known of. A name that is there already gets a number.
    pub fn fresh(&self, name: &str, kind: Kind) -> Term {
        let mut run = self.live.run.borrow_mut();
        let name = run.name(name);
        let (sort, of) = (kind.sort(), if run.binding > 0 { SymbolKind::Bound } else { SymbolKind::Input });
        let symbol = self.live.terms.symbol(&name, sort, of);
        if matches!(kind, Kind::Bits { signed: false, .. }) {
            self.live.terms.set_unsigned(symbol);
        }
        if run.binding > 0 {
            run.bound.push((name, kind, symbol));
            return self.live.terms.of_symbol(symbol);
        }
        let given = self.live.given().filter(|it| run.quantifying == 0 || !it.quantified_are_free);
        let given = given.map(|it| it.values.get(&name).cloned());
        run.symbols.push((name, kind, symbol));
        match given {
            None => self.live.terms.of_symbol(symbol),
            Some(value) => {
                let default = effigy_term::eval::default_value(&self.live.terms, kind.sort());
                let same_sort = |it: &Value| std::mem::discriminant(it) == std::mem::discriminant(&default);
                let value = value.filter(same_sort).unwrap_or(default.clone());
                self.live.terms.of_value(kind.sort(), &value)
            }
        }
    }

    /// Begins a conditional of which both sides are run, if that can be: `None`. What is asked within, or panics, makes
    /// the run again with a conditional that forks: then this is the side. [`Session::joined`] ends it.
    #[track_caller]
    pub fn both_sides(&self, cond: Term) -> Option<bool> {
        if let Some(value) = self.live.terms.as_bool(cond) {
            return Some(value);
        }
        let mut run = self.live.run.borrow_mut();
        let number = run.conditionals;
        run.conditionals += 1;
        if run.prefix.apart.contains(&number) {
            drop(run);
            return Some(self.decide(cond));
        }
        run.both.push(number);
        None
    }

    /// Ends a conditional of which both sides were run.
    pub fn joined(&self) {
        self.live.run.borrow_mut().both.pop();
    }

    /// What was asked for on this path so far.
    pub fn symbols(&self) -> Vec<(String, Kind, Symbol)> {
        self.live.run.borrow().symbols.clone()
    }

    /// What is asked for within is no symbol of the path but a variable of a quantifier, of which nothing can be
    /// decided. Returns them as well.
    pub fn binding<R>(&self, within: impl FnOnce() -> R) -> (R, Vec<(String, Kind, Symbol)>) {
        let before = {
            let mut run = self.live.run.borrow_mut();
            run.binding += 1;
            run.bound.len()
        };
        // Where this is left by a panic that the program catches, later symbols would be bound: the run cannot go on.
        struct ScopeGuard<'a>(&'a Session, bool);
        impl Drop for ScopeGuard<'_> {
            fn drop(&mut self) {
                if !self.1 {
                    let end = End::Unsupported("a quantifier whose block panics".to_owned());
                    self.0.live.run.borrow_mut().finish(end);
                }
            }
        }
        let mut left = ScopeGuard(self, false);
        let res = within();
        left.1 = true;
        let mut run = self.live.run.borrow_mut();
        run.binding -= 1;
        let bound = run.bound.split_off(before);
        (res, bound)
    }

    /// What is asked for within is a variable of a universal quantifier, which is a symbol of the path like any other.
    pub fn quantifying<R>(&self, within: impl FnOnce() -> R) -> R {
        struct ScopeGuard<'a>(&'a Session);
        impl Drop for ScopeGuard<'_> {
            fn drop(&mut self) {
                self.0.live.run.borrow_mut().quantifying -= 1;
            }
        }
        self.live.run.borrow_mut().quantifying += 1;
        let _left = ScopeGuard(self);
        within()
    }

    /// Whether the inputs of this run have values: it confirms what was said of a path, and decides nothing by itself.
    pub fn is_concrete(&self) -> bool {
        self.live.given.borrow().is_some()
    }

    /// Whether the variables of quantifiers have values too, so that a formula over all of their values is not known.
    pub fn has_values_of_quantified(&self) -> bool {
        self.live.given().is_some_and(|it| !it.quantified_are_free)
    }

    /// Whether what is asked for now is a variable of a quantifier.
    pub fn is_binding(&self) -> bool {
        self.live.run.borrow().binding > 0
    }

    /// Does it hold? Both answers are followed, where inputs are known to give them.
    #[track_caller]
    pub fn decide(&self, cond: Term) -> bool {
        self.decide_for(Purpose::Condition, cond)
    }

    /// As [`Session::decide`], where an expression asks more than its condition at its place.
    #[track_caller]
    pub fn decide_for(&self, purpose: Purpose, cond: Term) -> bool {
        match self.live.terms.as_bool(cond) {
            Some(value) => value,
            None => self.ask(Question::Decide(cond, purpose), "", Location::caller()) == Answer::Side(0),
        }
    }

    /// Which of these holds? They exclude one another, and one of them does: otherwise the verdict is an error, or paths
    /// are counted twice.
    #[track_caller]
    pub fn decide_among(&self, conds: &[Term]) -> usize {
        if let Some(at) = conds.iter().position(|it| self.live.terms.as_bool(*it) == Some(true)) {
            return at;
        }
        match self.ask(Question::Among(conds.into()), "", Location::caller()) {
            Answer::Side(at) => at as usize,
            _ => 0,
        }
    }

    /// One of `0..count`, whatever the values are; each is followed.
    ///
    /// # Panics
    /// When there is nothing to choose from.
    #[track_caller]
    pub fn choose(&self, count: usize) -> usize {
        assert!(count > 0, "a choice of nothing");
        if count == 1 {
            return 0;
        }
        let Ok(many) = u32::try_from(count) else { panic!("a choice of {count}") };
        let side = self.given_choice().filter(|it| *it < many).unwrap_or_else(|| {
            match self.ask(Question::Choose(many), "", Location::caller()) {
                Answer::Side(at) => at,
                _ => 0,
            }
        });
        self.live.run.borrow_mut().choices().push(side);
        side as usize
    }

    /// The answer of a concrete run to the next choice, if it has one.
    fn given_choice(&self) -> Option<u32> {
        let given = self.live.given()?;
        let mut run = self.live.run.borrow_mut();
        let is_quantified = run.quantifying > 0;
        let at = run.choices().len();
        match (&given.choices, is_quantified) {
            (None, _) => None,
            (Some(_), true) if given.quantified_are_free => None,
            (Some(it), true) => it.quantified.get(at).copied(),
            (Some(it), false) => it.outside.get(at).copied(),
        }
    }

    /// The value of a term. Each that it can have is followed, up to a limit; where there are more, the verdict is *cut
    /// short*.
    #[track_caller]
    pub fn value(&self, term: Term) -> Value {
        self.valued(term, Question::Value(term), "", Location::caller())
    }

    /// As [`Session::value`], where the caller's place tells a person nothing: `what` names the value where there are too
    /// many.
    #[track_caller]
    pub fn value_of(&self, term: Term, what: &str) -> Value {
        self.valued(term, Question::Value(term), what, Location::caller())
    }

    /// Whether text that is written now is the message of a panic, which is to name symbols and to ask nothing. The
    /// verdict names the text unless the path fails.
    pub fn writes_panic(&self) -> bool {
        let is_panic = std::thread::panicking();
        if is_panic {
            let mut run = self.live.run.borrow_mut();
            run.panic_names_symbols |= run.end.is_none();
        }
        is_panic
    }

    /// A symbolic value of this session is written on a thread that panics. Returns the session, if it is on this thread;
    /// otherwise its verdict is an error.
    #[track_caller]
    pub fn writing_panic_of(id: SessionId) -> Option<Session> {
        let session = CurrentSession::of(id).map(|live| Session { live });
        match &session {
            Some(it) => drop(it.writes_panic()),
            None => drop(registry::asked_elsewhere(id, Location::caller())),
        }
        session
    }

    /// One value of a term, which stands for all: the verdict names `what` unless the path leaves no choice.
    #[track_caller]
    pub fn witness(&self, term: Term, what: &str) -> Value {
        self.valued(term, Question::Witness(term), what, Location::caller())
    }

    /// One value of a term, which the term is not assumed to have: whoever sees the program compare it says so by
    /// [`Session::compared`]. It is the first of `candidates` that the path allows and that no other watched term has, so that
    /// it can be recognised. The verdict names `what`, and says whether a comparison was seen. Asked again on the same
    /// path, it is the same value.
    #[track_caller]
    pub fn watched(&self, term: Term, what: &str, candidates: &[Value]) -> Value {
        if !self.answers() {
            return self.witness(term, what);
        }
        let known = self.live.run.borrow().pins.iter().find(|it| it.term == term).map(|it| it.value.clone());
        match known {
            Some(value) => value,
            None => self.valued(term, Question::Watched(term, candidates.into()), what, Location::caller()),
        }
    }

    /// The program was seen to compare something: `look` says what that tells of the watched terms. The run goes on with
    /// the part that its values are in, the other parts are runs of their own. Nothing is asked, and nothing unwinds: a run
    /// that is over goes on to its next question. Where the session itself is at work, nothing is looked at.
    pub fn compared(look: impl FnOnce(&Terms, &[Pin]) -> Vec<ValueSplit>) {
        let Some(live) = CurrentSession::try_current() else { return };
        let splits = match live.run.try_borrow() {
            Ok(run) if !run.pins.is_empty() && run.end.is_none() => look(&live.terms, &run.pins),
            _ => return,
        };
        if let Ok(mut run) = live.run.try_borrow_mut() {
            splits.iter().for_each(|it| run.split(&live, it));
        }
    }

    fn valued(&self, term: Term, question: Question, what: &str, place: &'static Location<'static>) -> Value {
        // A constant is its own value under every model.
        if self.live.terms.is_constant(term)
            && let Some(value) = effigy_engine::Valuation::default().value(&self.live.terms, term)
        {
            return value;
        }
        match self.ask(question, what, place) {
            Answer::Value(value) => value,
            _ => effigy_term::eval::default_value(&self.live.terms, self.live.terms.sort(term)),
        }
    }

    /// One value was taken for all of `what`, by whoever calls: the verdict names it.
    pub fn witnessed(&self, what: &str) {
        self.live.run.borrow_mut().witnesses.insert(what.to_owned());
    }

    /// Only inputs matter of which this holds; a path without any is dropped.
    #[track_caller]
    pub fn assume(&self, cond: Term) {
        match self.live.terms.as_bool(cond) {
            Some(true) => {}
            Some(false) => self.leave(End::Dropped),
            None => {
                self.ask(Question::Assume(cond), "", Location::caller());
            }
        }
    }

    /// This must hold. Where it does not, the path has failed.
    #[track_caller]
    pub fn check(&self, cond: Term, message: &str) {
        self.check_at(cond, message, Location::caller());
    }

    /// As [`Session::check`], said of a place where the caller does not stand any more.
    pub fn check_at(&self, cond: Term, message: &str, place: &'static Location<'static>) {
        match self.live.terms.as_bool(cond) {
            Some(true) => {}
            Some(false) => self.leave(End::Failed(message.to_owned(), crate::place::place_of(place))),
            None => {
                self.ask(Question::Check(cond), message, place);
            }
        }
    }

    /// Said of the path if it fails.
    pub fn note(&self, text: impl Into<String>) {
        self.live.run.borrow_mut().notes.push(text.into());
    }

    /// The path ends here, with something that is not supported: never *passed*.
    #[track_caller]
    pub fn unsupported(&self, what: &str) -> ! {
        let place = Location::caller();
        self.leave(End::Unsupported(format!("{what}, at {place}")));
        panic!("unsupported: {what}")
    }

    /// The conditions of the path so far.
    pub fn path_condition(&self) -> Vec<Term> {
        self.live.run.borrow().trail.condition.conjuncts()
    }

    /// How many questions were asked on this path so far.
    pub fn questions(&self) -> usize {
        self.live.run.borrow().asked.len()
    }

    fn ask(&self, question: Question, what: &str, place: &'static Location<'static>) -> Answer {
        let unwinding = std::thread::panicking();
        let mut run = self.live.run.borrow_mut();
        if unwinding && (run.end.is_some() || run.asked.len() >= run.expected()) {
            // The path has failed, or is left; what its destructors ask changes nothing, and must not panic again.
            run.guessed |= run.end.is_none();
            return self.by_model(&run.trail, &question);
        }
        crate::watchdog::asks(self.live.id);
        let outcome = run.ask(&self.live, question.clone(), what, place);
        crate::watchdog::goes_on(self.live.id, place, || {
            crate::walk::named(&self.live, &run, run.trail.witness.as_deref().unwrap_or(&Default::default()))
        });
        match outcome {
            Outcome::Answered(answer) => answer,
            Outcome::Over if unwinding => self.by_model(&run.trail, &question),
            Outcome::Over => {
                drop(run);
                panic::resume_unwind(Box::new(Leave))
            }
        }
    }

    fn by_model(&self, trail: &effigy_engine::Trail, question: &Question) -> Answer {
        let holds = |it: &Term| trail.witness.as_ref().and_then(|known| known.truth(&self.live.terms, *it));
        match question {
            Question::Decide(cond, _) => Answer::Side(u32::from(holds(cond) != Some(true))),
            Question::Among(of) => Answer::Side(of.iter().position(|it| holds(it) == Some(true)).unwrap_or(0) as u32),
            Question::Choose(_) => Answer::Side(0),
            Question::Value(term) | Question::Witness(term) | Question::Watched(term, _) => {
                let value = trail.witness.as_ref().and_then(|it| it.value(&self.live.terms, *term));
                let sort = self.live.terms.sort(*term);
                Answer::Value(value.unwrap_or_else(|| effigy_term::eval::default_value(&self.live.terms, sort)))
            }
            Question::Assume(_) | Question::Check(_) => Answer::Holds,
        }
    }

    /// The run is over. Returns only while a panic unwinds.
    fn leave(&self, end: End) {
        self.live.run.borrow_mut().finish(end);
        if !std::thread::panicking() {
            panic::resume_unwind(Box::new(Leave));
        }
    }

    /// Whether questions are answered here, not by another walk.
    pub fn answers(&self) -> bool {
        self.live.run.borrow().mode == Mode::Answer
    }
}
