//! The symbolic semantics: figure 5, and figure 8 with φ, μ and σ. One function is one step.

use super::term::{Cond, Term, atom};
use std::rc::Rc;

/// Steps of one run; random terms without recursion have fewer.
const MOST: usize = 20_000;

#[derive(Default)]
pub struct Machine {
    pub store: Vec<Term>,
    pub sigma: Vec<Vec<(Cond, Term)>>,
    as_printed: bool,
    /// The states have grown beyond what a test can compare: each assignment doubles one.
    pub is_large: bool,
}

const LARGE: usize = 400;

/// γ: variables of the symbolic store are what they stand for.
pub fn gamma(term: &Term, sigma: &[Vec<(Cond, Term)>]) -> Term {
    match term {
        Term::State(at) => {
            let of = |it: &Term| gamma(it, sigma);
            Term::States(sigma[*at].iter().map(|(cond, it)| (cond.map(&mut |it| of(it)), of(it))).collect())
        }
        _ => term.map(&mut |it| gamma(it, sigma)),
    }
}

impl Machine {
    pub fn new(as_printed: bool) -> Machine {
        Machine { as_printed, ..Machine::default() }
    }

    /// true ⊢ t | μ, σ →* v; `None` where it is stuck.
    pub fn run(&mut self, term: &Term) -> Option<Term> {
        let mut term = term.clone();
        for _ in 0..MOST {
            if term.is_value() {
                return Some(term);
            }
            term = self.step(&term, &Cond::True)?;
            if self.is_large {
                return None;
            }
        }
        panic!("a term without recursion goes on")
    }

    /// φ ⊢ t → t'
    fn step(&mut self, term: &Term, phi: &Cond) -> Option<Term> {
        let new = |it: Term| Rc::new(it);
        match term {
            // APP1, APP2, APPABS
            Term::App(a, b) if !a.is_value() => Some(Term::App(new(self.step(a, phi)?), b.clone())),
            Term::App(a, b) if !b.is_value() => Some(Term::App(a.clone(), new(self.step(b, phi)?))),
            Term::App(a, b) => match &**a {
                Term::Lambda(name, body) => Some(body.substitute(name, b)),
                _ => None,
            },
            // IFTRUE, IFFALSE, IF
            Term::If(c, t, e) => match &**c {
                Term::True => Some((**t).clone()),
                Term::False => Some((**e).clone()),
                // IFSYMB1, IFSYMB2, IFSYMB
                sv if sv.is_symbolic() && !t.is_value() => {
                    let t = self.step(t, &phi.and(&atom(sv)))?;
                    Some(Term::If(c.clone(), new(t), e.clone()))
                }
                sv if sv.is_symbolic() && !e.is_value() => {
                    let e = self.step(e, &phi.and(&atom(sv).not()))?;
                    Some(Term::If(c.clone(), t.clone(), new(e)))
                }
                sv if sv.is_symbolic() => Some(Term::Exp("if", vec![sv.clone(), (**t).clone(), (**e).clone()])),
                c if c.is_value() => None,
                c => Some(Term::If(new(self.step(c, phi)?), t.clone(), e.clone())),
            },
            Term::Succ(it) if !it.is_value() => Some(Term::Succ(new(self.step(it, phi)?))),
            Term::Succ(it) if it.is_symbolic() => Some(Term::Exp("succ", vec![(**it).clone()])),
            Term::Pred(it) if !it.is_value() => Some(Term::Pred(new(self.step(it, phi)?))),
            Term::Pred(it) => match &**it {
                Term::Zero => Some(Term::Zero),
                Term::Succ(it) => Some((**it).clone()),
                sv if sv.is_symbolic() => Some(Term::Exp("pred", vec![sv.clone()])),
                _ => None,
            },
            Term::IsZero(it) if !it.is_value() => Some(Term::IsZero(new(self.step(it, phi)?))),
            Term::IsZero(it) => match &**it {
                Term::Zero => Some(Term::True),
                Term::Succ(_) => Some(Term::False),
                sv if sv.is_symbolic() => Some(Term::Exp("iszero", vec![sv.clone()])),
                _ => None,
            },
            // REF, REFV, DEREF, DEREFLOC
            Term::Ref(it) if !it.is_value() => Some(Term::Ref(new(self.step(it, phi)?))),
            Term::Ref(it) => {
                self.store.push((**it).clone());
                Some(Term::Location(self.store.len() - 1))
            }
            Term::Deref(it) if !it.is_value() => Some(Term::Deref(new(self.step(it, phi)?))),
            Term::Deref(it) => match &**it {
                Term::Location(at) => Some(self.store[*at].clone()),
                _ => None,
            },
            // ASSIGN1, ASSIGN2
            Term::Assign(a, b) if !a.is_value() => Some(Term::Assign(new(self.step(a, phi)?), b.clone())),
            Term::Assign(a, b) if !b.is_value() => Some(Term::Assign(a.clone(), new(self.step(b, phi)?))),
            Term::Assign(a, b) => {
                let Term::Location(at) = **a else { return None };
                self.assign(at, b, phi);
                Some(Term::Unit)
            }
            _ => None,
        }
    }

    fn assign(&mut self, at: usize, value: &Term, phi: &Cond) {
        let all = Term::States(vec![(phi.clone(), value.clone()), (Cond::True, gamma(&self.store[at], &self.sigma))]);
        self.is_large |= gamma(&all, &self.sigma).size(LARGE) >= LARGE;
        match (&self.store[at], phi) {
            // ASSIGNSYMB2
            (Term::State(sx), phi) => {
                let known = self.sigma[*sx].clone();
                let taken = known.iter().map(|(cond, _)| (phi.and(cond), value.clone()));
                let other = known.iter().map(|(cond, it)| (phi.not().and(cond), it.clone()));
                let all: Vec<(Cond, Term)> = taken.chain(other).collect();
                if self.as_printed {
                    self.sigma[*sx] = all;
                } else {
                    self.sigma.push(all);
                    self.store[at] = Term::State(self.sigma.len() - 1);
                }
            }
            // ASSIGN
            (_, Cond::True) => self.store[at] = value.clone(),
            // ASSIGNSYMB1
            (before, phi) => {
                self.sigma.push(vec![(phi.clone(), value.clone()), (phi.not(), before.clone())]);
                self.store[at] = Term::State(self.sigma.len() - 1);
            }
        }
    }
}
