//! The standard semantics, figures 4 and 7, and the redefined primitives of figures 6 and 9.
//!
//! Nothing here steps a symbolic value: `sym?` tells it apart, `Exp` is a constructor, and a symbolic value that reaches
//! a standard rule is stuck.

use super::term::{Cond, Name, Term, atom};
use std::rc::Rc;

const MOST: usize = 200_000;

#[derive(Default)]
pub struct Machine {
    pub store: Vec<Term>,
    /// The global `pc`.
    pub condition: Cond,
}

fn new(it: Term) -> Rc<Term> {
    Rc::new(it)
}

/// θ: the program with its primitives redefined. Names of ours begin with a sign that programs do not have.
pub fn redefined(term: &Term) -> Term {
    redefine(term, 0)
}

fn redefine(term: &Term, depth: u32) -> Term {
    let sub = |it: &Term| new(redefine(it, depth + 1));
    let name = |of: &str| -> Name { format!("%{of}{depth}").into() };
    let var = |of: &str| new(Term::Var(name(of)));
    let primitive = |op: &'static str, it: &Rc<Term>, standard: fn(Rc<Term>) -> Term| {
        // λv. if sym? v then Exp(op, v) else op v
        let body = Term::If(
            new(Term::IsSym(var("v"))),
            new(Term::Make(op, vec![(*var("v")).clone()])),
            new(standard(var("v"))),
        );
        Term::Let(name("v"), sub(it), new(body))
    };
    match term {
        // A numeral is a value, and so is what was computed.
        it if it.is_numeral() => it.clone(),
        Term::Succ(it) => primitive("succ", it, Term::Succ),
        Term::Pred(it) => primitive("pred", it, Term::Pred),
        Term::IsZero(it) => primitive("iszero", it, Term::IsZero),
        Term::If(c, t, e) => {
            // The sides are called by name. pc := old ∧ c; let v1 = t.call in pc := old ∧ ¬c; let v2 = e.call in ..
            let both = Term::Let(
                name("v"),
                new(Term::Under(true, var("c"), sub(t))),
                new(Term::Let(
                    name("w"),
                    new(Term::Under(false, var("c"), sub(e))),
                    new(Term::Make("if", vec![(*var("c")).clone(), (*var("v")).clone(), (*var("w")).clone()])),
                )),
            );
            let body = Term::If(new(Term::IsSym(var("c"))), new(both), new(Term::If(var("c"), sub(t), sub(e))));
            Term::Let(name("c"), sub(c), new(body))
        }
        Term::Assign(a, b) => {
            let before = || new(Term::Deref(var("a")));
            let plain = Term::If(
                new(Term::Unconditional),
                new(Term::Assign(var("a"), var("b"))),
                new(Term::Assign(var("a"), new(Term::Split(before(), var("b"))))),
            );
            // An input has no values to duplicate: `sym?` of a structure.
            let body = Term::If(
                new(Term::IsSym(new(Term::Duplicate(before(), new(Term::Unit))))),
                new(Term::Assign(var("a"), new(Term::Duplicate(before(), var("b"))))),
                new(plain),
            );
            Term::Let(name("a"), sub(a), new(Term::Let(name("b"), sub(b), new(body))))
        }
        _ => term.map(&mut |it| redefine(it, depth + 1)),
    }
}

impl Machine {
    pub fn run(&mut self, term: &Term) -> Option<Term> {
        let mut term = term.clone();
        for _ in 0..MOST {
            if term.is_value() {
                return Some(term);
            }
            let Some(next) = self.step(&term) else {
                self.condition = Cond::True;
                return None;
            };
            term = next;
        }
        panic!("a term without recursion goes on")
    }

    /// The first operand that is no value makes a step.
    fn step(&mut self, term: &Term) -> Option<Term> {
        match term {
            Term::App(a, b) if !a.is_value() => Some(Term::App(new(self.step(a)?), b.clone())),
            Term::App(a, b) if !b.is_value() => Some(Term::App(a.clone(), new(self.step(b)?))),
            Term::App(a, b) => match &**a {
                Term::Lambda(name, body) => Some(body.substitute(name, b)),
                _ => None,
            },
            Term::If(c, t, e) => match &**c {
                Term::True => Some((**t).clone()),
                Term::False => Some((**e).clone()),
                c if c.is_value() => None,
                c => Some(Term::If(new(self.step(c)?), t.clone(), e.clone())),
            },
            Term::Succ(it) if !it.is_value() => Some(Term::Succ(new(self.step(it)?))),
            Term::Pred(it) if !it.is_value() => Some(Term::Pred(new(self.step(it)?))),
            Term::Pred(it) => match &**it {
                Term::Zero => Some(Term::Zero),
                Term::Succ(it) => Some((**it).clone()),
                _ => None,
            },
            Term::IsZero(it) if !it.is_value() => Some(Term::IsZero(new(self.step(it)?))),
            Term::IsZero(it) => match &**it {
                Term::Zero => Some(Term::True),
                Term::Succ(_) => Some(Term::False),
                _ => None,
            },
            Term::Ref(it) if !it.is_value() => Some(Term::Ref(new(self.step(it)?))),
            Term::Ref(it) => {
                self.store.push((**it).clone());
                Some(Term::Location(self.store.len() - 1))
            }
            Term::Deref(it) if !it.is_value() => Some(Term::Deref(new(self.step(it)?))),
            Term::Deref(it) => match &**it {
                Term::Location(at) => Some(self.store[*at].clone()),
                _ => None,
            },
            Term::Assign(a, b) if !a.is_value() => Some(Term::Assign(new(self.step(a)?), b.clone())),
            Term::Assign(a, b) if !b.is_value() => Some(Term::Assign(a.clone(), new(self.step(b)?))),
            Term::Assign(a, b) => {
                let Term::Location(at) = **a else { return None };
                self.store[at] = (**b).clone();
                Some(Term::Unit)
            }
            Term::Let(name, a, b) if a.is_value() => Some(b.substitute(name, a)),
            Term::Let(name, a, b) => Some(Term::Let(name.clone(), new(self.step(a)?), b.clone())),
            // SYM, NOTSYM, SYM2
            Term::IsSym(it) if !it.is_value() => Some(Term::IsSym(new(self.step(it)?))),
            Term::IsSym(it) => Some(if it.is_symbolic() { Term::True } else { Term::False }),
            Term::Make(op, all) => match all.iter().position(|it| !it.is_value()) {
                None => Some(Term::Exp(op, all.clone())),
                Some(at) => {
                    let mut all = all.clone();
                    all[at] = self.step(&all[at].clone())?;
                    Some(Term::Make(op, all))
                }
            },
            Term::Unconditional => Some(if self.condition == Cond::True { Term::True } else { Term::False }),
            Term::Under(_, _, it) if it.is_value() => Some((**it).clone()),
            Term::Under(holds, c, it) => {
                let old = self.condition.clone();
                let cond = if *holds { atom(c) } else { atom(c).not() };
                self.condition = old.and(&cond);
                let next = self.step(it);
                self.condition = old;
                Some(Term::Under(*holds, c.clone(), new(next?)))
            }
            Term::Duplicate(a, b) if !a.is_value() => Some(Term::Duplicate(new(self.step(a)?), b.clone())),
            Term::Duplicate(a, b) => match &**a {
                Term::States(all) => {
                    let pc = &self.condition;
                    let taken = all.iter().map(|(cond, _)| (pc.and(cond), (**b).clone()));
                    let other = all.iter().map(|(cond, it)| (pc.not().and(cond), it.clone()));
                    Some(Term::States(taken.chain(other).collect()))
                }
                _ => Some(Term::Unit),
            },
            Term::Split(a, b) if !a.is_value() => Some(Term::Split(new(self.step(a)?), b.clone())),
            Term::Split(a, b) => {
                let pc = &self.condition;
                Some(Term::States(vec![(pc.clone(), (**b).clone()), (pc.not(), (**a).clone())]))
            }
            _ => None,
        }
    }
}
