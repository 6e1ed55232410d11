//! The paper's symbolic objects: whatever is done to one is an expression.
//!
//! Knows: expressions. Never: types, terms, solvers, side effects.
//! Source: Near and Jackson 2014, sections 2.1 and 2.4.

use crate::exp::Exp;

/// A symbolic object: a symbol, or an expression over symbols.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Object(pub Exp);

impl Object {
    /// A symbol of this name.
    pub fn new(name: &str) -> Object {
        Object(Exp::atom(name))
    }

    /// A plain value, by its text.
    pub fn value(text: impl ToString) -> Object {
        Object(Exp::atom(text.to_string()))
    }

    /// Any method: `x.foo(y)` is `Exp(foo, [x, y])`.
    pub fn call(&self, method: &str, arguments: &[&Object]) -> Object {
        let operands = std::iter::once(self).chain(arguments.iter().copied()).map(|it| it.0.clone());
        Object(Exp::of(method, operands))
    }

    /// The method `==`, which every object has.
    pub fn equals(&self, other: &Object) -> Object {
        self.call("==", &[other])
    }

    /// Both sides of a conditional without side effects.
    pub fn branch(&self, then: impl FnOnce() -> Object, other: impl FnOnce() -> Object) -> Object {
        Object(Exp::of("if", [self.0.clone(), then().0, other().0]))
    }

    /// For all objects of a type.
    pub fn forall(of: &str, name: &str, body: impl FnOnce(&Object) -> Object) -> Object {
        let body = body(&Object::new(name));
        Object(Exp::All(name.to_owned(), of.to_owned(), Box::new(body.0)))
    }

    /// `should`: an expectation as an expression.
    pub fn should(&self, matcher: &str, expected: &Object) -> Object {
        Object(Exp::of("should", [self.0.clone(), Exp::atom(matcher), expected.0.clone()]))
    }
}

impl std::ops::Add for &Object {
    type Output = Object;

    fn add(self, other: &Object) -> Object {
        self.call("+", &[other])
    }
}

impl std::ops::Add<i64> for &Object {
    type Output = Object;

    fn add(self, other: i64) -> Object {
        self.call("+", &[&Object::value(other)])
    }
}
