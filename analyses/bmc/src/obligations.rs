//! What must hold: collected on the walk, asked of the solver together.
//!
//! Knows: obligations, and what was found out of them. Never: paths that wait.

use crate::account::{Found, Property, Verdict};
use effigy_engine::{BugKind, Guard, Origin, Place, Violation};
use effigy_term::eval::Evaluator;
use effigy_term::{Model, Term, Terms, Value};
use std::collections::BTreeMap;

/// The number of obligations that are asked about together where all must hold.
const TOGETHER: usize = 16;

/// An event that must not happen on a path.
pub(crate) struct Obligation {
    /// Its place in the order of all: of two that one run comes to, the first has the smaller.
    number: u64,
    /// The number of its property.
    property: usize,
    /// The guard of the path on which it must not happen.
    pub(crate) guard: Guard,
    /// The condition, of sort Bool, under which it happens there.
    pub(crate) happens: Term,
    /// The conjunction of guard and condition: the runs that violate it.
    fails: Term,
    origin: Origin,
    standing: Standing,
}

/// What is known of an obligation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Standing {
    Open,
    /// It holds: it is not asked for any more.
    Holds,
    /// The solver does not know: it is not asked for any more, but a run may come to it.
    Unknown,
    /// It happens on some runs, which end there: what is asked of what comes after it is asked of the others.
    Bug,
}

/// The obligations that were collected on the walk.
#[derive(Default)]
pub(crate) struct Obligations {
    /// In the order in which a run comes to them. Those that hold are removed now and then.
    all: Vec<Obligation>,
    /// The number of obligations that were added so far.
    count: u64,
    properties: Vec<Property>,
    /// The number of each property, by class and place.
    known: BTreeMap<(BugKind, Place), usize>,
    /// For each property whether something was left open.
    unknown: Vec<bool>,
}

impl Obligations {
    /// `violation` must not happen where the guard and `happens` hold.
    pub(crate) fn add(&mut self, terms: &Terms, guard: &Guard, happens: Term, violation: Violation, origin: &Origin) {
        let property = self.property(violation);
        let fails = terms.and(guard.term(terms), happens);
        if terms.as_bool(fails) == Some(false) {
            return;
        }
        let is_bug = matches!(self.properties[property].verdict, Verdict::Bug(_));
        let standing = if is_bug { Standing::Bug } else { Standing::Open };
        let (number, guard, origin) = (self.count, guard.clone(), origin.clone());
        self.count += 1;
        self.all.push(Obligation { number, property, guard, happens, fails, origin, standing });
    }

    fn property(&mut self, violation: Violation) -> usize {
        let Violation { kind, message, place, .. } = violation;
        let next = self.properties.len();
        let at = *self.known.entry((kind, place.clone())).or_insert(next);
        if at == next {
            self.properties.push(Property { kind, message, place, verdict: Verdict::Correct });
            self.unknown.push(false);
        }
        at
    }

    /// The number of obligations so far: the number of the next one.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// The numbers of those that are open.
    pub(crate) fn open(&mut self) -> Vec<u64> {
        self.all.retain(|it| it.standing != Standing::Holds);
        self.all.iter().filter(|it| it.standing == Standing::Open).map(|it| it.number).collect()
    }

    fn at(&self, number: u64) -> Option<&Obligation> {
        let at = self.all.binary_search_by_key(&number, |it| it.number).ok()?;
        Some(&self.all[at])
    }

    fn at_mut(&mut self, number: u64) -> Option<&mut Obligation> {
        let at = self.all.binary_search_by_key(&number, |it| it.number).ok()?;
        Some(&mut self.all[at])
    }

    /// Whether the obligation is still to be asked about.
    pub(crate) fn is_open(&self, number: u64) -> bool {
        self.at(number).is_some_and(|it| it.standing == Standing::Open)
    }

    pub(crate) fn get(&self, number: u64) -> Option<&Obligation> {
        self.at(number)
    }

    /// The runs that have ended in no known bug before the obligation of this number.
    pub(crate) fn alive(&self, terms: &Terms, before: u64) -> Term {
        let bugs = self.all.iter().take_while(|it| it.number < before).filter(|it| it.standing == Standing::Bug);
        bugs.fold(terms.bool(true), |res, it| terms.and(res, terms.not(it.fails)))
    }

    /// Whether one of these does not hold, on a run that comes to it.
    pub(crate) fn some_fails(&self, terms: &Terms, numbers: &[u64]) -> Term {
        let mut alive = terms.bool(true);
        let mut res = Vec::with_capacity(numbers.len());
        let mut numbers = numbers.iter().peekable();
        for it in &self.all {
            if numbers.next_if_eq(&&it.number).is_some() {
                res.push(terms.and(alive, it.fails));
            }
            if it.standing == Standing::Bug {
                alive = terms.and(alive, terms.not(it.fails));
            }
        }
        terms.or_all(res)
    }

    /// The condition under which no obligation is violated.
    pub(crate) fn held(&self, terms: &Terms) -> Term {
        terms.and_all(self.all.iter().map(|it| terms.not(it.fails)))
    }

    /// When each of all does not hold, whatever came before.
    pub(crate) fn all_fail(&self, terms: &Terms) -> Vec<Term> {
        self.all.chunks(TOGETHER).map(|it| terms.or_all(it.iter().map(|it| it.fails))).collect()
    }

    /// The first violated obligation in execution order under `model`, without those that are known bugs; `of` says by
    /// number which ones count.
    pub(crate) fn first(&self, terms: &Terms, model: &Model, of: impl Fn(u64) -> bool) -> Option<u64> {
        let mut evaluator = Evaluator::new(terms, model);
        let may_fail = |it: &&Obligation| matches!(it.standing, Standing::Open | Standing::Unknown) && of(it.number);
        let first = self.all.iter().filter(may_fail).find(|it| evaluator.truth(it.fails) == Some(true))?;
        Some(first.number)
    }

    /// Whether runs are known that end in it.
    pub(crate) fn is_bug(&self, number: u64) -> bool {
        self.at(number).is_some_and(|it| it.standing == Standing::Bug)
    }

    /// Whether a run is known into this violation.
    pub(crate) fn knows(&self, violation: &Violation) -> bool {
        let property = self.known.get(&(violation.kind, violation.place.clone()));
        property.is_some_and(|it| matches!(self.properties[*it].verdict, Verdict::Bug(_)))
    }

    /// The inputs of the run of a model that comes to an obligation.
    pub(crate) fn inputs(&self, terms: &Terms, model: &Model, number: u64) -> Option<Vec<Value>> {
        self.at(number)?.origin.inputs(terms, model)
    }

    /// Notes that the obligation of this number holds.
    pub(crate) fn holds(&mut self, number: u64) {
        if let Some(it) = self.at_mut(number) {
            it.standing = Standing::Holds;
        }
    }

    /// Notes that the solver did not decide the obligation of this number.
    pub(crate) fn unknown(&mut self, number: u64) {
        if let Some(it) = self.at_mut(number) {
            it.standing = Standing::Unknown;
            let property = it.property;
            self.unknown[property] = true;
        }
    }

    /// What is open is left: `known` says whether all that counts of it is decided.
    pub(crate) fn leave(&mut self, known: bool) {
        for number in self.open() {
            match known {
                true => self.holds(number),
                false => self.unknown(number),
            }
        }
    }

    /// A run into a bug was made: its property is decided. False if the bug was known.
    pub(crate) fn found(&mut self, found: Found) -> bool {
        let property = self.property(found.violation.clone());
        if matches!(self.properties[property].verdict, Verdict::Bug(_)) {
            return false;
        }
        self.properties[property].verdict = Verdict::Bug(Box::new(found));
        for it in self.all.iter_mut().filter(|it| it.property == property && it.standing != Standing::Holds) {
            it.standing = Standing::Bug;
        }
        true
    }

    /// How many bugs are known.
    pub(crate) fn bugs(&self) -> usize {
        self.properties.iter().filter(|it| matches!(it.verdict, Verdict::Bug(_))).count()
    }

    /// The properties, if what was not walked is reached by no run (`Correct`), by runs of more rounds (`Bounded`), or
    /// nobody knows.
    pub(crate) fn properties(self, rest: &Verdict) -> Vec<Property> {
        let mut res = self.properties;
        for (property, unknown) in res.iter_mut().zip(self.unknown) {
            if matches!(property.verdict, Verdict::Correct) {
                property.verdict = if unknown { Verdict::Unknown } else { rest.clone() };
            }
        }
        res.sort_by(|a, b| (&a.place, a.kind).cmp(&(&b.place, b.kind)));
        res
    }
}
