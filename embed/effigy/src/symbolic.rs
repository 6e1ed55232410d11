//! Values of any type: what a test is given, and how its values are written in a program.
//!
//! Knows: which types have symbolic values, and how many alternatives a type has. Never: what a test does.

use crate::scalar::Scalar;
use crate::sym::Sym;
use effigy_session::{Model, Session, Term, Terms, Value};
use std::cell::Cell;

/// A type that a test can be given any value of. `#[derive(Symbolic)]` for structs and enums of such.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no symbolic values",
    note = "an integer is `Sym<{Self}>`; a struct or an enum derives `effigy::Symbolic`"
)]
pub trait Symbolic: Sized {
    /// Any value; `name` is that of the input.
    fn symbolic(name: &str) -> Self;

    /// How the value is written in a program, under a model.
    fn expression(&self) -> Expression;

    /// The name of the type in a specification.
    fn type_name() -> String {
        let name = std::any::type_name::<Self>();
        let name = name.split('<').next().unwrap_or(name);
        name.rsplit("::").next().unwrap_or(name).to_owned()
    }
}

/// A value as it is written in a program, once its symbols have values.
#[derive(Clone, Debug)]
pub enum Expression {
    /// Text that is written as it is.
    Text(String),
    /// A symbolic value, with how a value of it is written.
    Scalar(Term, fn(&Value) -> String),
    /// Parts, each after its own words.
    List(String, Vec<(String, Expression)>, String),
}

impl Expression {
    /// A call, or a tuple, of these parts.
    pub fn call(open: &str, parts: impl IntoIterator<Item = Expression>, close: &str) -> Expression {
        let parts = parts.into_iter().map(|it| (String::new(), it)).collect();
        Expression::List(open.to_owned(), parts, close.to_owned())
    }

    /// The text under a model.
    pub fn text(&self, terms: &Terms, model: &Model) -> String {
        match self {
            Expression::Text(text) => text.clone(),
            Expression::Scalar(term, literal) => {
                let value = effigy_term::eval::Evaluator::new(terms, model).value(*term);
                format!("Sym::from({})", literal(&value.unwrap_or(Value::Bool(false))))
            }
            Expression::List(open, parts, close) => {
                let parts: Vec<String> =
                    parts.iter().map(|(words, part)| format!("{words}{}", part.text(terms, model))).collect();
                format!("{open}{}{close}", parts.join(", "))
            }
        }
    }
}

fn literal_of<T: Scalar>(value: &Value) -> String {
    T::of_value(value).literal()
}

impl<T: Scalar> Symbolic for Sym<T> {
    fn symbolic(name: &str) -> Sym<T> {
        Sym::any(name)
    }

    fn expression(&self) -> Expression {
        match (self.as_plain(), Session::try_current()) {
            (None, Some(session)) => Expression::Scalar(self.term(&session), literal_of::<T>),
            (value, _) => Expression::Text(value.map_or_else(String::new, |it| format!("Sym::from({})", it.literal()))),
        }
    }

    fn type_name() -> String {
        T::NAME.to_owned()
    }
}

/// Both values, each on its paths.
impl Symbolic for bool {
    fn symbolic(name: &str) -> bool {
        Sym::<bool>::any(name).holds()
    }

    fn expression(&self) -> Expression {
        Expression::Text(self.to_string())
    }
}

impl Symbolic for () {
    fn symbolic(_: &str) {}

    fn expression(&self) -> Expression {
        Expression::Text("()".to_owned())
    }
}

/// Nothing and something, each on its paths.
impl<T: Symbolic> Symbolic for Option<T> {
    fn symbolic(name: &str) -> Option<T> {
        Sym::<bool>::any(&format!("{name}.is_some")).holds().then(|| T::symbolic(name))
    }

    fn expression(&self) -> Expression {
        match self {
            None => Expression::Text("None".to_owned()),
            Some(it) => Expression::call("Some(", [it.expression()], ")"),
        }
    }
}

impl<T: Symbolic, const N: usize> Symbolic for [T; N] {
    fn symbolic(name: &str) -> [T; N] {
        std::array::from_fn(|at| T::symbolic(&format!("{name}[{at}]")))
    }

    fn expression(&self) -> Expression {
        Expression::call("[", self.iter().map(Symbolic::expression), "]")
    }
}

thread_local! {
    static BOUND: Cell<usize> = const { Cell::new(3) };
}

/// The most elements that a list or a text has that is made up.
pub fn bound() -> usize {
    BOUND.get()
}

/// Sets it for this thread; returns what it was.
pub fn set_bound(bound: usize) -> usize {
    BOUND.replace(bound)
}

/// As many elements as each length up to the bound says: which one, is a decision.
pub(crate) fn list<T>(element: impl Fn(usize) -> T) -> Vec<T> {
    let length = Session::current().choose(bound() + 1);
    (0..length).map(element).collect()
}

/// Every length up to the bound ([`bound`]).
impl<T: Symbolic> Symbolic for Vec<T> {
    fn symbolic(name: &str) -> Vec<T> {
        list(|at| T::symbolic(&format!("{name}[{at}]")))
    }

    fn expression(&self) -> Expression {
        Expression::call("vec![", self.iter().map(Symbolic::expression), "]")
    }
}

impl<T: Symbolic> Symbolic for Box<T> {
    fn symbolic(name: &str) -> Box<T> {
        Box::new(T::symbolic(name))
    }

    fn expression(&self) -> Expression {
        Expression::call("Box::new(", [T::expression(self)], ")")
    }
}

macro_rules! tuples {
    ($($($type:ident $at:tt)*;)*) => { $(
        impl<$($type: Symbolic),*> Symbolic for ($($type,)*) {
            fn symbolic(name: &str) -> ($($type,)*) {
                ($($type::symbolic(&format!("{name}.{}", $at)),)*)
            }

            fn expression(&self) -> Expression {
                // The comma that a tuple of one needs harms no other.
                Expression::call("(", [$(self.$at.expression()),*], ",)")
            }
        }
    )* };
}

tuples! {
    A 0;
    A 0 B 1;
    A 0 B 1 C 2;
    A 0 B 1 C 2 D 3;
}
