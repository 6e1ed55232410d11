//! Merging: paths that stand at one place become one.
//!
//! Knows: in which order paths go on so that those that can meet do; guards; what a path was before it was merged.
//! Never: what a state is made of, which questions are asked of whom.
//! Source: Kuznetsov, Kinder, Bucur, Candea, "Efficient state merging in symbolic execution", PLDI 2012, section 3;
//! the order is that of bounded model checkers, by topology.

#[cfg(test)]
mod tests;

use crate::context::Context;
use crate::language::Language;
use crate::outcome::Place;
use effigy_term::eval::{Evaluator, default_value};
use effigy_term::{Model, PersistentList, Symbol, Term, Terms, Value};
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

/// A language of which states that stand at the same place can become one.
///
/// In a context that merges ([`Context::common`]), a step ends with [`crate::Step::Next`] before the fuel is used up
/// where paths can meet: where ways of control come together, after a return, after an instruction that has asked.
pub trait Merge: Language {
    /// The place where a state stands, as merging compares it.
    fn meeting(&self, state: &Self::State) -> Meeting;

    /// The order of where two states stand: that of their [`Merge::meeting`]s, which are long in a deep recursion.
    fn order(&self, a: &Self::State, b: &Self::State) -> Ordering {
        self.meeting(a).cmp(&self.meeting(b))
    }

    /// The iteration that begins where the state stands; `None` where none does.
    fn round(&self, state: &Self::State) -> Option<Round>;

    /// The loop or recursive function `id`, as reports name it.
    fn turning(&self, id: TurnId) -> Turning;

    /// One state for two that stand at the same place: `then` where `cond` holds, `other` where it does not. Costs what
    /// differs. What is never read again need not be kept.
    ///
    /// # Errors The reason why the two cannot be merged; a language that knows of no other joins than
    /// [`crate::Joins::Always`] heeds none.
    fn merge(
        &self,
        ctx: &mut Context<'_>,
        cond: Term,
        then: &Self::State,
        other: &Self::State,
    ) -> Result<Self::State, Apart>;

    /// The content of a state under a model: that of a merged state is that of the state of the one path which the
    /// model takes. It is not told of what is never read again, and of what only tells of a path (its inputs, its
    /// output).
    fn content(&self, state: &Self::State, evaluator: &mut Evaluator<'_>) -> Content;
}

/// The content of a state under a model: all that may still be read, by names that do not depend on the path.
pub type Content = BTreeMap<String, Thing>;

/// The content of one thing under a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Thing {
    /// The thing holds no value.
    Nothing,
    /// A value that depends on uninitialised memory: this one, if that memory holds what the model says.
    Any(String),
    /// The thing holds this value, in the language's notation.
    Value(String),
}

impl Thing {
    /// Whether a merged state may hold this where the one path holds `alone`.
    pub fn stands_for(&self, alone: &Thing) -> bool {
        match (self, alone) {
            (_, Thing::Any(_)) | (Thing::Nothing | Thing::Any(_), Thing::Nothing) => true,
            (Thing::Any(mine) | Thing::Value(mine), Thing::Value(alone)) => mine == alone,
            (Thing::Value(_), Thing::Nothing) | (Thing::Nothing, Thing::Value(_)) => false,
        }
    }
}

/// A language that can replace what iterations of a loop change by unknown values.
pub trait Havoc: Merge {
    /// A set of things, such as variables, that iterations of a loop change.
    type Changes: Clone + PartialEq + Default;

    /// The things that differ between two states that stand at one place in different iterations.
    ///
    /// # Errors
    /// A change that [`Havoc::havoc`] cannot make.
    fn changes(&self, ctx: &mut Context<'_>, before: &Self::State, after: &Self::State)
    -> Result<Self::Changes, Apart>;

    /// The union of two sets of changes.
    fn joined(&self, a: &Self::Changes, b: &Self::Changes) -> Self::Changes;

    /// The state with a fresh symbol for each thing in `changes`. Everything else is as it was.
    fn havoc(&self, ctx: &mut Context<'_>, state: &Self::State, changes: &Self::Changes) -> Self::State;

    /// The term of each changed thing in `state`, in a fixed order; `None` for what is not a number.
    fn numbers(&self, ctx: &mut Context<'_>, state: &Self::State, changes: &Self::Changes) -> Vec<Option<Term>>;

    /// The name of each of [`Havoc::numbers`] for people; `None` for what has no name.
    fn names(&self, state: &Self::State, changes: &Self::Changes) -> Vec<Option<String>> {
        let _ = (state, changes);
        Vec::new()
    }

    /// The variables in scope that hold one formula each, with the formula: it names a version of the variable in
    /// formulas that people read.
    fn assigned_values(&self, ctx: &mut Context<'_>, state: &Self::State) -> Vec<(Arc<str>, Term)> {
        let _ = (ctx, state);
        Vec::new()
    }

    /// The variables of the program that these numbers are, where the program could name them in the place where the
    /// state stands; `None` for what is none.
    fn variables(&self, state: &Self::State, changes: &Self::Changes) -> Vec<Option<IntegerVariable>> {
        let _ = (state, changes);
        Vec::new()
    }
}

/// A variable of the program with an integer in it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct IntegerVariable {
    /// The name that the program gives it.
    pub name: String,
    /// The width of its type in bits.
    pub bits: u32,
    /// Whether its type is signed.
    pub signed: bool,
}

/// The place where a state stands, with its call stack and the iterations of its loops. In the order of these, each
/// state that can come to a place has come to it when its turn comes: callees before what follows their calls, rounds
/// before the exit.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Meeting(pub Box<[u32]>);

/// The identity of a loop or of a recursive function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TurnId(pub u64);

/// One iteration of a loop, or one level of a recursion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Round {
    /// The loop or recursive function that it belongs to.
    pub of: TurnId,
    /// The number of iterations before this one that the program did not decide by itself.
    pub count: u32,
    /// The number of all iterations before this one.
    pub made: u32,
}

/// A loop or recursive function, as reports name it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turning {
    /// Its number in its function, from 0, as `--unwindset` names it; `None` for a recursive function.
    pub index: Option<u32>,
    /// The place in the source of the loop or function.
    pub place: Place,
}

/// The reason why two states cannot be merged, for the report.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Apart(pub &'static str);

/// The condition of a path that may be several: a conjunction whose prefixes are shared.
#[derive(Clone, Debug, Default)]
pub struct Guard {
    conjuncts: PersistentList<Conjunct>,
}

#[derive(Clone, Copy, Debug)]
struct Conjunct {
    cond: Term,
    /// The conjunction of all conjuncts up to this one.
    whole: Term,
}

impl Guard {
    /// Adds a conjunct of sort Bool; the constant true is left out.
    pub fn assume(&mut self, terms: &Terms, cond: Term) {
        if terms.as_bool(cond) != Some(true) {
            self.conjuncts.push(Conjunct { cond, whole: terms.and(self.term(terms), cond) });
        }
    }

    /// The conjunction of all conjuncts, of sort Bool.
    pub fn term(&self, terms: &Terms) -> Term {
        self.conjuncts.last().map_or_else(|| terms.bool(true), |it| it.whole)
    }

    /// The conjuncts, the last first.
    pub fn conjuncts(&self) -> impl Iterator<Item = Term> {
        self.conjuncts.iter_back().map(|it| it.cond)
    }

    /// The number of conjuncts, each as it was assumed.
    pub fn len(&self) -> usize {
        self.conjuncts.len()
    }

    /// Whether there are no conjuncts, so that the guard is true.
    pub fn is_empty(&self) -> bool {
        self.conjuncts.is_empty()
    }

    /// The guard of two paths that exclude one another, and a condition that holds on `self` and not on `other`.
    /// What they share is as it was; a fork of which both sides are here leaves nothing. `None` where one is the beginning
    /// of the other.
    pub fn merge(&self, other: &Guard, terms: &Terms) -> Option<(Guard, Term)> {
        let shared = self.conjuncts.shared_with(&other.conjuncts);
        let (mine, theirs) = (self.after(shared), other.after(shared));
        // Then they do not exclude one another.
        if mine.is_empty() || theirs.is_empty() {
            return None;
        }
        let mut res = Guard { conjuncts: self.conjuncts.first(shared) };
        if let ([first, mine @ ..], [opposite, theirs @ ..]) = (&mine[..], &theirs[..])
            && *opposite == terms.not(*first)
        {
            let implied = |rest: &[Term]| terms.and_all(rest.iter().copied());
            res.assume(terms, terms.implies(*first, implied(mine)));
            res.assume(terms, terms.implies(*opposite, implied(theirs)));
            return Some((res, *first));
        }
        let (here, there) = (terms.and_all(mine.iter().copied()), terms.and_all(theirs.iter().copied()));
        let without = |conds: &[Term], other: Term| {
            let opposite = terms.not(other);
            terms.and_all(conds.iter().copied().filter(|it| *it != opposite))
        };
        res.assume(terms, terms.or(without(&mine, there), without(&theirs, here)));
        match mine.len() <= theirs.len() {
            true => Some((res, here)),
            false => Some((res, terms.not(there))),
        }
    }

    fn after(&self, count: usize) -> Vec<Term> {
        let mut res: Vec<Term> =
            self.conjuncts.iter_back().take(self.conjuncts.len() - count).map(|it| it.cond).collect();
        res.reverse();
        res
    }
}

/// The inputs of a path that may be several, in the order in which each of them asks.
#[derive(Clone, Debug, Default)]
pub struct Origin {
    events: PersistentList<Asked>,
}

#[derive(Clone, Debug)]
enum Asked {
    Input(Symbol),
    Either { cond: Term, then: Rc<[Asked]>, other: Rc<[Asked]> },
}

impl Origin {
    /// Records that the path asks for the input `symbol`.
    pub fn asks(&mut self, symbol: Symbol) {
        self.events.push(Asked::Input(symbol));
    }

    /// The origin of two paths, `self` where `cond` holds.
    pub fn merge(&self, other: &Origin, cond: Term) -> Origin {
        let shared = self.events.shared_with(&other.events);
        let after = |it: &Origin| {
            let mut res: Vec<Asked> = it.events.iter_back().take(it.events.len() - shared).cloned().collect();
            res.reverse();
            Rc::from(res)
        };
        let (then, other): (Rc<[Asked]>, Rc<[Asked]>) = (after(self), after(other));
        let mut events = self.events.first(shared);
        if !(then.is_empty() && other.is_empty()) {
            events.push(Asked::Either { cond, then, other });
        }
        Origin { events }
    }

    /// The inputs that some of the paths ask for, in no particular order.
    pub fn symbols(&self) -> Vec<Symbol> {
        let mut res = Vec::new();
        let events = self.events.to_vec();
        let mut work: Vec<&Asked> = events.iter().collect();
        while let Some(event) = work.pop() {
            match event {
                Asked::Input(symbol) => res.push(*symbol),
                Asked::Either { then, other, .. } => work.extend(then.iter().chain(other.iter())),
            }
        }
        res
    }

    /// The values of the inputs that the path of this model asks for, in its order; `None` where the model does not tell
    /// which path it is.
    pub fn inputs(&self, terms: &Terms, model: &Model) -> Option<Vec<Value>> {
        let mut evaluator = Evaluator::new(terms, model);
        let mut res = Vec::new();
        // An input that has a name of its own is asked for wherever it is named, and is one all the same.
        let mut asked: HashSet<Symbol> = HashSet::new();
        let events = self.events.to_vec();
        // Merged paths were merged of merged ones, as deep as the program is long.
        let mut work: Vec<(&[Asked], usize)> = vec![(&events, 0)];
        while let Some((events, at)) = work.pop() {
            let Some(event) = events.get(at) else { continue };
            work.push((events, at + 1));
            match event {
                Asked::Input(symbol) if !asked.insert(*symbol) => {}
                Asked::Input(symbol) => {
                    let sort = terms.symbol_info(*symbol).sort;
                    res.push(model.get(*symbol).cloned().unwrap_or_else(|| default_value(terms, sort)));
                }
                Asked::Either { cond, then, other } => {
                    let side = if evaluator.truth(*cond)? { then } else { other };
                    work.push((side, 0));
                }
            }
        }
        Some(res)
    }
}
