//! The local core: what follows from assumptions without a solver.
//!
//! Knows: equality and congruence, disequalities, injections, freshness, truth values through connectives, bounds of
//! numbers, and as the last step linear arithmetic. Never: search (that is a solver's), processes, the terminal.
//! Sources: Nelson, Oppen 1980 (congruence closure); Nieuwenhuis, Oliveras 2007 (the larger class keeps its name).
//!
//! Everything that is claimed follows; that nothing is claimed means nothing. Every change is written down, and taken
//! back when its scope is closed. What may take long is bounded by steps: then less is claimed.

mod add;
mod bounds;
mod classes;
mod countermodel;
mod decide;
mod difference;
mod linear;
mod merge;
mod question;
mod rewrite;

use crate::theories::linear::Refuter;
use bounds::Bounds;
use classes::{Change, Classes, Id};
use effigy_term::{FunctionSymbol, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// The step limit for one assumption or goal; the remaining tasks are dropped at the limit.
const MOST_STEPS: u64 = 100_000;

/// What is left to do.
#[derive(Clone, Copy, Debug)]
enum Task {
    /// Merge the two congruence classes.
    Merge(Id, Id),
    /// The first is the second, which is made of what stands for its arguments.
    Replace(Id, Id),
    /// This formula has this truth.
    Decide(Id, bool),
    /// Something is known of an argument: the term may be simpler.
    Renew(Id),
}

/// What is assumed, closed under what the core knows.
#[derive(Default)]
pub(crate) struct Local {
    classes: Classes,
    tasks: Vec<Task>,
    /// What the current assumption or question may still spend.
    fuel: u64,
    /// Steps of all times: to measure.
    work: u64,
    /// The lengths of the trail at which scopes were opened.
    scopes: Vec<usize>,
    /// What holds in all scopes; so many of it are assumed in the current one.
    axioms: Vec<Term>,
    axioms_done: usize,
    /// Functions whose arguments can be taken out, with those that do it.
    injections: FxHashMap<FunctionSymbol, Box<[FunctionSymbol]>>,
    /// What a function takes out: the injection and the position.
    projections: FxHashMap<FunctionSymbol, Vec<(FunctionSymbol, usize)>>,
    /// Comparisons and equations of numbers that have a truth.
    arithmetic: Vec<(Term, bool)>,
    inconsistent: bool,
    /// Goals that could not be proved since the last change.
    open: FxHashSet<Term>,
    /// What decides about whole numbers.
    refuter: Refuter,
}

impl Local {
    /// The number of steps since the core was made.
    pub(crate) fn work(&self) -> u64 {
        self.work
    }

    /// Whether the assumptions contradict each other, as far as is known here.
    pub(crate) fn is_inconsistent(&self) -> bool {
        self.inconsistent
    }

    pub(crate) fn push(&mut self) {
        self.scopes.push(self.classes.trail.len());
    }

    /// What holds in all scopes is assumed again when it is next asked for.
    pub(crate) fn pop(&mut self) {
        if let Some(length) = self.scopes.pop() {
            self.undo_to(length);
            self.open.clear();
        }
    }

    fn undo_to(&mut self, length: usize) {
        self.tasks.clear();
        while self.classes.trail.len() > length {
            match self.classes.undo() {
                Some(Change::Inconsistent) => self.inconsistent = false,
                Some(Change::Arithmetic) => {
                    self.arithmetic.pop();
                }
                Some(Change::Axiom) => self.axioms_done -= 1,
                _ => {}
            }
        }
    }

    /// Something that holds in all scopes.
    pub(crate) fn axiom(&mut self, terms: &Terms, fact: Term) {
        self.open.clear();
        self.axioms.push(fact);
        self.assume_axioms(terms);
    }

    /// What a scope took away with it is assumed again.
    pub(crate) fn assume_axioms(&mut self, terms: &Terms) {
        while let Some(&axiom) = self.axioms.get(self.axioms_done) {
            self.axioms_done += 1;
            self.classes.trail.push(Change::Axiom);
            self.assume_quietly(terms, axiom);
        }
    }

    pub(crate) fn assume(&mut self, terms: &Terms, fact: Term) {
        self.open.clear();
        self.assume_axioms(terms);
        self.assume_quietly(terms, fact);
    }

    fn assume_quietly(&mut self, terms: &Terms, fact: Term) {
        if self.inconsistent {
            return;
        }
        self.fuel = MOST_STEPS;
        let fact = self.add(terms, fact);
        let holds = self.add(terms, terms.bool(true));
        self.tasks.push(Task::Merge(fact, holds));
        self.settle(terms);
    }

    /// Declares that `inverses[i]` takes out argument `i`; false when that is known.
    pub(crate) fn injection(&mut self, terms: &Terms, injection: FunctionSymbol, inverses: &[FunctionSymbol]) -> bool {
        if self.injections.get(&injection).is_some_and(|it| **it == *inverses) {
            return false;
        }
        self.open.clear();
        self.injections.insert(injection, inverses.into());
        for (at, &inverse) in inverses.iter().enumerate() {
            self.projections.entry(inverse).or_default().push((injection, at));
        }
        self.fuel = MOST_STEPS;
        self.declare_built(terms, injection);
        self.settle(terms);
        true
    }

    /// An object with the number of its birth.
    pub(crate) fn born(&mut self, terms: &Terms, object: Term, number: u64) {
        self.note(terms, object, |it| {
            // Born twice: it is two things that differ.
            let twice = it.birth.is_some_and(|known| known != number);
            it.birth.get_or_insert(number);
            !twice
        });
    }

    /// A reference that existed before the birth of this number.
    pub(crate) fn known(&mut self, terms: &Terms, reference: Term, next: u64) {
        self.note(terms, reference, |it| {
            it.known = Some(it.known.map_or(next, |known| known.min(next)));
            true
        });
    }

    fn note(&mut self, terms: &Terms, term: Term, change: impl FnOnce(&mut classes::Traits) -> bool) {
        self.assume_axioms(terms);
        if self.inconsistent {
            return;
        }
        self.open.clear();
        self.fuel = MOST_STEPS;
        let id = self.add(terms, term);
        self.settle(terms);
        let class = self.classes.of(id);
        let before = self.classes.traits(class).clone();
        let mut after = before.clone();
        let possible = change(&mut after) && after.is_possible();
        if after != before {
            self.classes.set_traits(class, after);
            // Equations may have become false.
            for at in 0..self.classes.class(class).uses.len() {
                self.tasks.push(Task::Renew(self.classes.class(class).uses[at]));
            }
        }
        if !possible {
            self.contradict();
        }
        self.settle(terms);
    }

    /// The member that stands for the class of a term.
    pub(crate) fn representative(&mut self, terms: &Terms, term: Term) -> Term {
        self.assume_axioms(terms);
        let id = self.added(terms, term);
        self.classes.canonical(id)
    }

    /// The members of the class of a term, in an order that is the same for each of them.
    pub(crate) fn equals(&mut self, terms: &Terms, term: Term) -> Vec<Term> {
        self.assume_axioms(terms);
        let id = self.added(terms, term);
        self.classes.members(self.classes.of(id)).into_iter().map(|it| self.classes.term(it)).collect()
    }

    /// A term with all that follows from its being there.
    fn added(&mut self, terms: &Terms, term: Term) -> Id {
        if let Some(id) = self.classes.find(term) {
            return id;
        }
        self.fuel = self.fuel.max(MOST_STEPS / 10);
        let id = self.add(terms, term);
        self.settle(terms);
        id
    }

    /// Does what is left to do.
    fn settle(&mut self, terms: &Terms) {
        while let Some(task) = self.tasks.pop() {
            if self.inconsistent || !self.spend(1) {
                self.tasks.clear();
                return;
            }
            match task {
                Task::Merge(a, b) => self.merge(terms, a, b),
                Task::Replace(outdated, simpler) => self.replace(terms, outdated, simpler),
                Task::Decide(id, truth) => self.decide(terms, id, truth),
                Task::Renew(id) => self.rewrite(terms, id),
            }
        }
    }

    fn spend(&mut self, steps: u64) -> bool {
        self.work += steps;
        let enough = self.fuel >= steps;
        self.fuel = self.fuel.saturating_sub(steps);
        enough
    }

    fn contradict(&mut self) {
        if !self.inconsistent {
            self.inconsistent = true;
            self.classes.trail.push(Change::Inconsistent);
        }
        self.tasks.clear();
    }

    /// The bounds of a class changed, or began.
    fn narrow(&mut self, terms: &Terms, class: Id, bounds: &Bounds) {
        let mut traits = self.classes.traits(class).clone();
        let narrowed = traits.bounds.intersected(bounds);
        if narrowed == traits.bounds {
            return;
        }
        let point = narrowed.point().cloned();
        let empty = narrowed.is_empty();
        traits.bounds = narrowed;
        self.classes.set_traits(class, traits);
        if empty {
            return self.contradict();
        }
        for at in 0..self.classes.class(class).uses.len() {
            self.tasks.push(Task::Renew(self.classes.class(class).uses[at]));
        }
        if let Some(value) = point
            && let Some(constant) = bounds::constant(terms, terms.sort(self.classes.term(class)), &value)
        {
            let constant = self.add(terms, constant);
            self.tasks.push(Task::Merge(class, constant));
        }
    }
}

#[cfg(test)]
mod tests;
