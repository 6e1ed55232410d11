//! Specifications: what must hold, with quantifiers, as it is checked and as it is written.
//!
//! Knows: connectives, quantifiers and when one is a symbol like any other. Never: matchers, the order of paths.
//! Source: Near and Jackson 2014, section 2.4.
//!
//! A specification is part of another, or it is checked: at the latest when it is dropped. So
//! `expect(a).to_equal(b);` is an assertion, and the same words within `implies` are a formula.

use crate::exp::{Exp, of_term};
use crate::sym::Sym;
use crate::symbolic::Symbolic;
use effigy_session::{Kind, Session, Symbol, Term, Value};
use std::cell::RefCell;
use std::fmt;
use std::panic::Location;

/// A specification: a formula that must hold, checked when it is dropped.
pub struct Spec {
    inner: Option<Inner>,
    place: &'static Location<'static>,
}

struct Inner {
    formula: Formula,
    exp: Exp,
}

/// The symbols that a quantifier binds, with their names and kinds.
type Symbols = Vec<(String, Kind, Symbol)>;

enum Formula {
    Truth(Sym<bool>),
    Not(Box<Formula>),
    And(Box<Formula>, Box<Formula>),
    Or(Box<Formula>, Box<Formula>),
    Iff(Box<Formula>, Box<Formula>),
    /// For all values of symbols of the path.
    All(Symbols, Box<Formula>),
    /// For all (`true`) or for some values of bound variables.
    Bound(bool, Symbols, Box<Formula>),
}

/// Bound variables of so many bits together are replaced by each of their values.
const MOST_BITS: u32 = 8;

impl Spec {
    /// A truth value, and how it is written.
    #[track_caller]
    pub fn atom(truth: Sym<bool>, exp: Exp) -> Spec {
        Spec::new(Formula::Truth(truth), exp)
    }

    #[track_caller]
    fn new(formula: Formula, exp: Exp) -> Spec {
        Spec { inner: Some(Inner { formula, exp }), place: Location::caller() }
    }

    /// Its parts; it is not checked any more.
    fn take(mut self) -> Inner {
        // It is taken once: here, or when it is dropped.
        self.inner.take().unwrap_or(Inner { formula: Formula::Truth(Sym::plain(true)), exp: Exp::atom("true") })
    }

    /// The formula as the program writes it.
    pub fn exp(&self) -> Exp {
        self.inner.as_ref().map_or(Exp::atom("true"), |it| it.exp.clone())
    }

    /// It is neither checked nor part of another.
    pub fn forget(self) {
        drop(self.take());
    }

    /// The formula for an SMT solver: unsatisfiable where the specification holds on this path.
    ///
    /// # Panics
    /// Outside of a session.
    #[track_caller]
    pub fn smtlib(&self) -> String {
        let session = Session::current();
        let goal = self.inner.as_ref().map_or(session.terms().bool(true), |it| term(&session, &it.formula, true));
        let mut asserted = session.path_condition();
        asserted.push(session.terms().not(goal));
        let mut printer = effigy_term::print::SmtPrinter::new();
        let mut text = String::from("(set-logic ALL)\n");
        for it in asserted {
            let name = printer.define(session.terms(), it, &mut text);
            text.push_str(&format!("(assert {name})\n"));
        }
        text.push_str("(check-sat)\n");
        text
    }

    fn conclude(inner: Inner, place: &'static Location<'static>) {
        let text = inner.exp.to_string();
        let is_concrete = Session::try_current().is_some_and(|it| it.is_concrete());
        CONCLUDED.with_borrow_mut(|it| {
            if !is_concrete && text != "true" && !it.contains(&text) {
                it.push(text.clone());
            }
        });
        let message = format!("does not hold: {text}");
        match (Session::try_current(), inner.formula) {
            (None, Formula::Truth(truth)) if truth.as_plain() == Some(true) => {}
            (None, Formula::Truth(truth)) if truth.as_plain() == Some(false) => panic!("{place}: {message}"),
            (None, _) => panic!("{place}: a specification is checked outside of a session: {text}"),
            (Some(session), formula) => session.check_at(term(&session, &formula, true), &message, place),
        }
    }
}

thread_local! {
    /// What was checked on this thread, in this order.
    static CONCLUDED: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// What was checked on this thread since the last call, each once.
pub fn concluded() -> Vec<String> {
    CONCLUDED.take()
}

impl Drop for Spec {
    fn drop(&mut self) {
        if let Some(inner) = self.inner.take()
            && !std::thread::panicking()
        {
            Spec::conclude(inner, self.place);
        }
    }
}

/// The text names symbols, so it decides nothing: unless the path fails, the verdict says that it was written.
impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(session) = Session::try_current()
            && !session.is_concrete()
            && !session.writes_panic()
            && !crate::written::is_report()
        {
            session.witnessed("a specification that was written as text");
        }
        self.exp().fmt(f)
    }
}

impl fmt::Debug for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl From<bool> for Spec {
    #[track_caller]
    fn from(value: bool) -> Spec {
        Spec::atom(Sym::plain(value), Exp::atom(value.to_string()))
    }
}

impl From<()> for Spec {
    #[track_caller]
    fn from((): ()) -> Spec {
        Spec::from(true)
    }
}

impl From<Sym<bool>> for Spec {
    #[track_caller]
    fn from(value: Sym<bool>) -> Spec {
        let exp = match (value.as_plain(), Session::try_current()) {
            (None, Some(session)) => of_term(session.terms(), value.term(&session), false),
            (plain, _) => Exp::atom(plain.unwrap_or(false).to_string()),
        };
        Spec::atom(value, exp)
    }
}

/// The term of a formula; `positive` says that it is to hold, not to fail.
fn term(session: &Session, formula: &Formula, positive: bool) -> Term {
    let terms = session.terms();
    match formula {
        Formula::Truth(truth) => truth.term(session),
        Formula::Not(it) => terms.not(term(session, it, !positive)),
        Formula::And(a, b) => terms.and(term(session, a, positive), term(session, b, positive)),
        Formula::Or(a, b) => terms.or(term(session, a, positive), term(session, b, positive)),
        Formula::Iff(a, b) => {
            // Each side stands on both sides of an implication.
            let both = |it: &Formula| (term(session, it, true), term(session, it, false));
            let ((a, not_a), (b, not_b)) = (both(a), both(b));
            match positive {
                true => terms.and(terms.implies(not_a, b), terms.implies(not_b, a)),
                false => terms.and(terms.implies(a, not_b), terms.implies(b, not_a)),
            }
        }
        // What holds of symbols of which nothing is known holds of all values.
        Formula::All(_, body) if positive => term(session, body, true),
        Formula::All(..) if session.has_values_of_quantified() => {
            session.unsupported("a universal quantifier as a premise, where its variables have values")
        }
        Formula::All(symbols, body) => {
            let path = session.path_condition();
            let known = |it: &Symbol| path.iter().any(|cond| terms.symbols(*cond).contains(it));
            if let Some((name, ..)) = symbols.iter().find(|it| known(&it.2)) {
                session.unsupported(&format!("`for all {name}` as a premise, whose body decides on {name}"));
            }
            let body = term(session, body, false);
            let mut variables = Vec::new();
            let (variables, body) = {
                let mut replace = |it: Symbol| {
                    let (name, kind, _) = symbols.iter().find(|own| own.2 == it)?;
                    let bound = terms.symbol(name, kind.sort(), effigy_term::SymbolKind::Bound);
                    variables.push((name.clone(), *kind, bound));
                    Some(terms.of_symbol(bound))
                };
                let body = terms.substitute(body, &mut replace);
                (variables, body)
            };
            quantified(session, &variables, body, true)
        }
        Formula::Bound(universal, symbols, body) => {
            quantified(session, symbols, term(session, body, positive), *universal)
        }
    }
}

/// A quantifier over bound variables: each of their values, where these are few.
fn quantified(session: &Session, symbols: &Symbols, body: Term, universal: bool) -> Term {
    let terms = session.terms();
    let bits: u32 = symbols.iter().map(|it| it.1.sort().width().map_or(1, effigy_session::Width::bits)).sum();
    if bits <= MOST_BITS {
        let mut all = vec![body];
        for (_, kind, symbol) in symbols {
            let each = |body: &Term| {
                values(*kind)
                    .into_iter()
                    .map(|value| {
                        let value = terms.of_value(kind.sort(), &value);
                        terms.substitute(*body, &mut |it| (it == *symbol).then_some(value))
                    })
                    .collect::<Vec<_>>()
            };
            all = all.iter().flat_map(each).collect();
        }
        return if universal { terms.and_all(all) } else { terms.or_all(all) };
    }
    let variables: Vec<Symbol> = symbols.iter().map(|it| it.2).collect();
    if universal { terms.forall(&variables, &[], body) } else { terms.exists(&variables, &[], body) }
}

fn values(kind: Kind) -> Vec<Value> {
    match kind {
        Kind::Bool => vec![Value::Bool(false), Value::Bool(true)],
        Kind::Bits { width, .. } => {
            let of = |it: u64| Value::BitVec(effigy_session::BvValue::from_u64(width, it));
            (0..1u64 << width.bits().min(MOST_BITS)).map(of).collect()
        }
    }
}

/// What follows from a premise: a specification, or a block that is run only where the premise holds.
pub trait Consequence {
    /// The implication from `premise` to this.
    fn follows(self, premise: Spec) -> Spec;
}

impl Consequence for Spec {
    #[track_caller]
    fn follows(self, premise: Spec) -> Spec {
        let (a, b) = (premise.take(), self.take());
        let exp = Exp::of("implies", [a.exp, b.exp]);
        Spec::new(Formula::Or(Box::new(Formula::Not(Box::new(a.formula))), Box::new(b.formula)), exp)
    }
}

impl<F: FnOnce() -> S, S: Into<Spec>> Consequence for F {
    #[track_caller]
    fn follows(self, premise: Spec) -> Spec {
        let Inner { formula, exp } = premise.take();
        let holds = match (&formula, Session::try_current()) {
            (Formula::Truth(truth), _) => truth.holds(),
            (_, Some(session)) => session.decide(term(&session, &formula, false)),
            (_, None) => panic!("a quantifier outside of a session"),
        };
        if !holds {
            // Nothing is asked of this path; what would be is not known, and not written.
            Spec::from(true)
        } else {
            let consequence = self().into().take();
            Spec::new(consequence.formula, Exp::of("implies", [exp, consequence.exp]))
        }
    }
}

/// Connectives of what can be a specification.
pub trait Logic: Into<Spec> {
    /// The premise implies what follows. A block is run only where the premise holds, so that it may panic elsewhere;
    /// a specification is one formula with the premise.
    #[track_caller]
    fn implies(self, consequence: impl Consequence) -> Spec {
        consequence.follows(self.into())
    }

    /// Both hold, or neither does.
    #[track_caller]
    fn iff(self, other: impl Into<Spec>) -> Spec {
        let (a, b) = (self.into().take(), other.into().take());
        Spec::new(Formula::Iff(Box::new(a.formula), Box::new(b.formula)), Exp::of("iff", [a.exp, b.exp]))
    }

    /// The specification that both hold.
    #[track_caller]
    fn and(self, other: impl Into<Spec>) -> Spec {
        let (a, b) = (self.into().take(), other.into().take());
        Spec::new(Formula::And(Box::new(a.formula), Box::new(b.formula)), Exp::of("and", [a.exp, b.exp]))
    }

    /// The specification that at least one of both holds.
    #[track_caller]
    fn or(self, other: impl Into<Spec>) -> Spec {
        let (a, b) = (self.into().take(), other.into().take());
        Spec::new(Formula::Or(Box::new(a.formula), Box::new(b.formula)), Exp::of("or", [a.exp, b.exp]))
    }

    /// The specification that it does not hold.
    #[track_caller]
    fn negated(self) -> Spec {
        let it = self.into().take();
        Spec::new(Formula::Not(Box::new(it.formula)), Exp::of("not", [it.exp]))
    }
}

impl Logic for Spec {}
impl Logic for Sym<bool> {}
impl Logic for bool {}

thread_local! {
    /// The variables of the quantifiers that are being built.
    static VARIABLES: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// Numbers are called i, j, k; others by the first letter of their type.
fn variable(of: &str) -> String {
    let is_number = of.starts_with(['u', 'i']) && of[1..].starts_with(|it: char| it.is_ascii_digit() || it == 's');
    let first = of.chars().next().unwrap_or('x').to_lowercase().to_string();
    VARIABLES.with_borrow_mut(|known| {
        let letters = ["i", "j", "k", "l", "m", "n"].iter().map(|it| (*it).to_owned());
        let mut names: Vec<String> = if is_number { letters.collect() } else { vec![first.clone()] };
        names.extend((2..).map(|it| format!("{first}{it}")).take(known.len() + 1));
        let name = names.into_iter().find(|it| !known.contains(it)).unwrap_or(first);
        known.push(name.clone());
        name
    })
}

/// The variables are out of scope, also where the block is left by a panic.
struct Scope(usize);

impl Scope {
    fn new() -> Scope {
        Scope(VARIABLES.with_borrow(Vec::len))
    }
}

impl Drop for Scope {
    fn drop(&mut self) {
        VARIABLES.with_borrow_mut(|it| it.truncate(self.0));
    }
}

/// A block of a quantifier, with up to four variables.
pub trait Block<Variables> {
    /// Runs it on fresh values: names and types, and what came of it.
    fn run(self) -> (Vec<(String, String)>, Spec);
}

macro_rules! blocks {
    ($($($type:ident)*;)*) => { $(
        #[allow(non_snake_case, reason = "a variable is called as its type")]
        impl<F, S: Into<Spec>, $($type: Symbolic),*> Block<($($type,)*)> for F
        where
            F: FnOnce($($type),*) -> S,
        {
            fn run(self) -> (Vec<(String, String)>, Spec) {
                let _scope = Scope::new();
                let mut names = Vec::new();
                $(
                    let of = $type::type_name();
                    let name = variable(&of);
                    let $type = $type::symbolic(&name);
                    names.push((name, of));
                )*
                let body = self($($type),*).into();
                (names, body)
            }
        }
    )* };
}

blocks! {
    A;
    A B;
    A B C;
    A B C D;
}

/// For all values: the block is run on any. What it decides of them is decided on paths, as everywhere.
#[track_caller]
pub fn forall<V>(block: impl Block<V>) -> Spec {
    let session = Session::current();
    let before = session.symbols().len();
    // Within `exists` a symbol would depend on its variable.
    let ((names, body), bound) = match session.is_binding() {
        true => session.binding(|| block.run()),
        false => (session.quantifying(|| block.run()), Vec::new()),
    };
    let symbols = session.symbols().split_off(before);
    let Inner { formula, exp } = body.take();
    let exp = names.into_iter().rev().fold(exp, |body, (name, of)| Exp::All(name, of, Box::new(body)));
    let formula = match session.is_binding() {
        true => Formula::Bound(true, bound, Box::new(formula)),
        false => Formula::All(symbols, Box::new(formula)),
    };
    Spec::new(formula, exp)
}

/// For some values. The block builds a formula: what decides on its variables is not supported, and says so.
#[track_caller]
pub fn exists<V>(block: impl Block<V>) -> Spec {
    let session = Session::current();
    let ((names, body), symbols) = session.binding(|| block.run());
    let Inner { formula, exp } = body.take();
    let exp = names.into_iter().rev().fold(exp, |body, (name, of)| Exp::Some(name, of, Box::new(body)));
    Spec::new(Formula::Bound(false, symbols, Box::new(formula)), exp)
}

/// What the body of a test may return.
pub trait Conclude {
    /// Checks what the test returned.
    fn conclude(self);
}

impl<T: Into<Spec>> Conclude for T {
    fn conclude(self) {
        drop(self.into());
    }
}

impl<E: fmt::Debug> Conclude for Result<(), E> {
    fn conclude(self) {
        if let Err(error) = self {
            panic!("the test returns an error: {error:?}");
        }
    }
}
