//! What must hold: collected on the walk, asked of the solver together.
//!
//! Knows: obligations, and what was found out of them. Never: paths that wait.

use crate::account::{Found, Property, Verdict};
use effigy_engine::{BugKind, Guard, Origin, Place, Violation};
use effigy_term::eval::Evaluator;
use effigy_term::{Model, Term, Terms};

/// What must not happen on a path.
pub(crate) struct Obligation {
    /// The number of its property.
    pub(crate) property: usize,
    /// The path.
    pub(crate) guard: Guard,
    /// When it happens there.
    pub(crate) happens: Term,
    /// Both.
    pub(crate) fails: Term,
    pub(crate) origin: Origin,
}

/// All that must hold.
#[derive(Default)]
pub(crate) struct Obligations {
    /// In the order in which a run comes to them.
    open: Vec<Obligation>,
    properties: Vec<Property>,
    /// Whether what is known of each property rests on more than what is open.
    unknown: Vec<bool>,
    /// The bugs that are known do not happen: what is asked next is asked of the other runs.
    pub(crate) facts: Vec<Term>,
}

impl Obligations {
    /// `violation` must not happen where the guard and `happens` hold.
    pub(crate) fn add(&mut self, terms: &Terms, guard: &Guard, happens: Term, violation: Violation, origin: &Origin) {
        let property = self.property(violation);
        let fails = terms.and(guard.term(terms), happens);
        if terms.as_bool(fails) == Some(false) {
            return;
        }
        match self.properties[property].verdict {
            // It is known already; the runs on which it happens have no future.
            Verdict::Bug(_) => self.facts.push(terms.not(fails)),
            _ => self.open.push(Obligation { property, guard: guard.clone(), happens, fails, origin: origin.clone() }),
        }
    }

    fn property(&mut self, violation: Violation) -> usize {
        if let Some(at) = self.find(violation.kind, &violation.place) {
            return at;
        }
        let Violation { kind, message, place, .. } = violation;
        self.properties.push(Property { kind, message, place, verdict: Verdict::Correct });
        self.unknown.push(false);
        self.properties.len() - 1
    }

    fn find(&self, kind: BugKind, place: &Place) -> Option<usize> {
        self.properties.iter().position(|it| it.kind == kind && it.place == *place)
    }

    /// Whether one of those that are open does not hold.
    pub(crate) fn some_fails(&self, terms: &Terms) -> Term {
        terms.or_all(self.open.iter().map(|it| it.fails))
    }

    /// How many are open.
    pub(crate) fn len(&self) -> usize {
        self.open.len()
    }

    /// The only one that is open.
    pub(crate) fn only(&self) -> Option<&Obligation> {
        if let [only] = &self.open[..] { Some(only) } else { None }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// The first that does not hold in a model: what the run comes to first.
    pub(crate) fn first(&self, terms: &Terms, model: &Model) -> Option<usize> {
        let mut evaluator = Evaluator::new(terms, model);
        self.open.iter().position(|it| evaluator.truth(it.fails) == Some(true))
    }

    pub(crate) fn get(&self, at: usize) -> &Obligation {
        &self.open[at]
    }

    /// All that are open hold.
    pub(crate) fn hold(&mut self) {
        self.open.clear();
    }

    /// Half of those that are open, to be asked apart.
    pub(crate) fn split(&mut self) -> Vec<Obligation> {
        self.open.split_off(self.open.len() / 2)
    }

    pub(crate) fn put_back(&mut self, obligations: Vec<Obligation>) {
        self.open.extend(obligations);
    }

    /// Nothing is known of one of those that are open.
    pub(crate) fn unknown(&mut self, at: usize) {
        let obligation = self.open.remove(at);
        self.unknown[obligation.property] = true;
    }

    /// Nothing is known of those that are open.
    pub(crate) fn give_up(&mut self) {
        while !self.open.is_empty() {
            self.unknown(0);
        }
    }

    /// A run into a bug was made: its property is decided, and what is open of it does not happen from now on.
    pub(crate) fn found(&mut self, terms: &Terms, found: Found) {
        let property = self.property(found.violation.clone());
        if !matches!(self.properties[property].verdict, Verdict::Bug(_)) {
            self.properties[property].verdict = Verdict::Bug(Box::new(found));
        }
        let (of_it, others) = std::mem::take(&mut self.open).into_iter().partition(|it| it.property == property);
        self.open = others;
        let of_it: Vec<Obligation> = of_it;
        self.facts.extend(of_it.iter().map(|it| terms.not(it.fails)));
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
