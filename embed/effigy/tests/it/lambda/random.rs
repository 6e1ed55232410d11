//! Random closed terms, with types so that they come to a value, or without.

use super::term::{Term, app, assign, deref, lambda, reference};
use proptest::prelude::*;
use std::rc::Rc;

#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Kind {
    Nat,
    Bool,
}

/// Symbols 1 and 2 are truth values, 3 and 4 numbers.
fn symbol(kind: Kind) -> BoxedStrategy<Term> {
    match kind {
        Kind::Bool => (1..3u32).prop_map(Term::Sym).boxed(),
        Kind::Nat => (3..5u32).prop_map(Term::Sym).boxed(),
    }
}

/// All values of the symbols that are tried.
pub fn assignments() -> Vec<Vec<(u32, Term)>> {
    let number = |it: u32| (0..it).fold(Term::Zero, |it, _| Term::Succ(Rc::new(it)));
    let truth = |it: bool| if it { Term::True } else { Term::False };
    let mut res = Vec::new();
    for bits in 0..16u32 {
        let bit = |at: u32| bits >> at & 1 == 1;
        let of = |at: u32| number(if bit(at) { 2 } else { 0 });
        res.push(vec![(1, truth(bit(0))), (2, truth(bit(1))), (3, of(2)), (4, of(3))]);
    }
    res
}

/// A term of this kind. With side effects `r0` and `r1` are locations of numbers, `b0` of a truth value.
pub fn term(effects: bool, kind: Kind) -> BoxedStrategy<Term> {
    let body = open(effects, kind, if effects { 3 } else { 4 });
    if !effects {
        return body;
    }
    // The last value of a location is part of the result.
    let end = body.prop_map(|it| {
        app(
            lambda(
                "it",
                Term::If(
                    Rc::new(deref(Term::Var("b0".into()))),
                    Rc::new(Term::Var("it".into())),
                    Rc::new(deref(Term::Var("r0".into()))),
                ),
            ),
            it,
        )
    });
    end.prop_map(|it| {
        let with = |name: &str, value: Term, body: Term| app(lambda(name, body), reference(value));
        let it = with("b0", Term::False, it);
        let it = with("r1", Term::Sym(3), it);
        with("r0", Term::Zero, it)
    })
    .boxed()
}

fn open(effects: bool, kind: Kind, depth: u32) -> BoxedStrategy<Term> {
    let leaf = match kind {
        Kind::Bool => prop_oneof![Just(Term::True), Just(Term::False), symbol(kind), symbol(kind)].boxed(),
        Kind::Nat => prop_oneof![Just(Term::Zero), Just(Term::Succ(Rc::new(Term::Zero))), symbol(kind)].boxed(),
    };
    if depth == 0 {
        return leaf;
    }
    let of = move |kind: Kind| open(effects, kind, depth - 1);
    let conditional =
        (of(Kind::Bool), of(kind), of(kind)).prop_map(|(c, a, b)| Term::If(Rc::new(c), Rc::new(a), Rc::new(b)));
    // (λx. if p then x else t) u
    let applied = (of(Kind::Bool), of(kind), of(kind)).prop_map(|(c, a, b)| {
        let body = Term::If(Rc::new(c), Rc::new(Term::Var("x".into())), Rc::new(a));
        app(lambda("x", body), b)
    });
    let own = match kind {
        Kind::Nat => prop_oneof![
            of(Kind::Nat).prop_map(|it| Term::Succ(Rc::new(it))),
            of(Kind::Nat).prop_map(|it| Term::Pred(Rc::new(it))),
        ]
        .boxed(),
        Kind::Bool => of(Kind::Nat).prop_map(|it| Term::IsZero(Rc::new(it))).boxed(),
    };
    if !effects {
        return prop_oneof![1 => leaf, 3 => conditional, 1 => applied, 2 => own].boxed();
    }
    let name = move || match kind {
        Kind::Nat => prop_oneof![Just("r0"), Just("r1")].boxed(),
        Kind::Bool => Just("b0").boxed(),
    };
    let read = name().prop_map(|it| deref(Term::Var(it.into())));
    let write = |kind: Kind| {
        let names = match kind {
            Kind::Nat => prop_oneof![Just("r0"), Just("r1")].boxed(),
            Kind::Bool => Just("b0").boxed(),
        };
        (names, of(kind)).prop_map(|(name, it)| assign(Term::Var(name.into()), it)).boxed()
    };
    let writes = prop_oneof![write(Kind::Nat), write(Kind::Bool)].boxed();
    let guarded = (of(Kind::Bool), writes.clone(), writes.clone())
        .prop_map(|(c, a, b)| Term::If(Rc::new(c), Rc::new(a), Rc::new(b)));
    let first = prop_oneof![writes, guarded];
    let sequence = (first, of(kind)).prop_map(|(a, b)| app(lambda("_", b), a));
    prop_oneof![1 => leaf, 2 => conditional, 1 => applied, 1 => own, 1 => read, 4 => sequence].boxed()
}

/// Terms of which many are stuck.
pub fn untyped() -> impl Strategy<Value = Term> {
    let leaf = prop_oneof![
        Just(Term::True),
        Just(Term::Zero),
        (1..5u32).prop_map(Term::Sym),
        Just(lambda("x", Term::Var("x".into()))),
    ];
    leaf.prop_recursive(4, 16, 3, |it| {
        prop_oneof![
            (it.clone(), it.clone(), it.clone()).prop_map(|(a, b, c)| Term::If(Rc::new(a), Rc::new(b), Rc::new(c))),
            (it.clone(), it.clone()).prop_map(|(a, b)| app(lambda("x", a), b)),
            (it.clone(), it.clone()).prop_map(|(a, b)| app(a, b)),
            it.clone().prop_map(|it| Term::Succ(Rc::new(it))),
            it.clone().prop_map(|it| Term::Pred(Rc::new(it))),
            it.prop_map(|it| Term::IsZero(Rc::new(it))),
        ]
    })
}
