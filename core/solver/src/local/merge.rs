//! Two classes become one.
//!
//! Knows: what contradicts a union, and what follows from it. Never: why it holds.

use super::bounds::{constant, is_number};
use super::classes::{Id, Traits};
use super::{Local, Task};
use effigy_term::{Node, Term, Terms};

impl Local {
    /// Unites the classes of two members.
    pub(super) fn merge(&mut self, terms: &Terms, a: Id, b: Id) {
        let (a, b) = (self.classes.of(a), self.classes.of(b));
        if a == b {
            return;
        }
        let (left, right) = (self.classes.canonical(a), self.classes.canonical(b));
        let both_constant = terms.is_constant(left) && terms.is_constant(right);
        if both_constant || self.differ_explicitly(a, b) || self.classes.traits(a).excludes(self.classes.traits(b)) {
            return self.contradict();
        }
        if is_number(terms.sort(left)) && !self.solve(terms, left, right) {
            return;
        }
        let (small, large) = if self.classes.weight(a) < self.classes.weight(b) { (a, b) } else { (b, a) };
        self.spend(self.classes.weight(small) as u64);
        self.decide_members(terms, small, large);
        let (before, lost) = (self.classes.traits(large).clone(), self.classes.traits(small).clone());
        let traits = self.united(terms, &before, &lost);
        if !traits.is_possible() {
            return self.contradict();
        }
        self.rebuild(terms, small, large);
        let fewer = self.classes.class(small).uses.clone();
        let more = self.classes.class(large).uses.len();
        // What is known of the large class is news to those who use the small one; and the other way round.
        let renamed = traits.canonical != before.canonical;
        let informed = !self.classes.class(small).different.is_empty()
            || (traits.birth, traits.known) != (before.birth, before.known)
            || traits.bounds != before.bounds;
        let point = traits.bounds.point().filter(|_| traits.bounds != before.bounds).cloned();
        self.classes.unite(small, large, traits);
        for id in fewer {
            match terms.node(self.classes.term(id)) {
                Node::Apply(function, arguments) => self.sign(*function, arguments, id),
                _ => self.tasks.push(Task::Renew(id)),
            }
        }
        if renamed || informed {
            self.spend(more as u64);
            for at in 0..more {
                let id = self.classes.class(large).uses[at];
                let compares =
                    matches!(terms.node(self.classes.term(id)), Node::Eq(..) | Node::IntLe(..) | Node::RealLe(..));
                if renamed || compares {
                    self.tasks.push(Task::Renew(id));
                }
            }
        }
        if let Some(value) = point
            && let Some(constant) = constant(terms, terms.sort(left), &value)
        {
            let constant = self.add(terms, constant);
            self.tasks.push(Task::Merge(large, constant));
        }
    }

    /// A member of a class is as good as `simpler`, a member too: the class is not named by what is out of date.
    pub(super) fn replace(&mut self, terms: &Terms, outdated: Id, simpler: Id) {
        self.merge(terms, outdated, simpler);
        let class = self.classes.of(outdated);
        let mut traits = self.classes.traits(class).clone();
        if self.inconsistent || class != self.classes.of(simpler) || traits.canonical != outdated {
            return;
        }
        traits.canonical = simpler;
        self.classes.set_traits(class, traits);
        for at in 0..self.classes.class(class).uses.len() {
            self.tasks.push(Task::Renew(self.classes.class(class).uses[at]));
        }
    }

    /// What is known of both.
    fn united(&self, terms: &Terms, a: &Traits, b: &Traits) -> Traits {
        let constant = |it: &Traits| terms.is_constant(self.classes.term(it.canonical));
        let canonical = match (constant(a), constant(b)) {
            (true, _) => a.canonical,
            (_, true) => b.canonical,
            _ if a.first < b.first => a.canonical,
            _ => b.canonical,
        };
        Traits {
            canonical,
            first: a.first.min(b.first),
            birth: a.birth.or(b.birth),
            known: match (a.known, b.known) {
                (Some(x), Some(y)) => Some(x.min(y)),
                (x, y) => x.or(y),
            },
            bounds: a.bounds.intersected(&b.bounds),
        }
    }

    /// match: x + 1 = y + 1   result: x = y; false when the difference of both is another constant than zero
    fn solve(&mut self, terms: &Terms, left: Term, right: Term) -> bool {
        let equation = terms.eq(left, right);
        match *terms.node(equation) {
            Node::Bool(false) => {
                self.contradict();
                return false;
            }
            Node::Eq(x, y) if (x, y) != (left, right) && (y, x) != (left, right) => {
                let (x, y) = (self.add(terms, x), self.add(terms, y));
                self.tasks.push(Task::Merge(x, y));
            }
            _ => {}
        }
        true
    }

    /// The formulas that get a truth.
    fn decide_members(&mut self, terms: &Terms, a: Id, b: Id) {
        for (from, to) in [(a, b), (b, a)] {
            if let Some(truth) = terms.as_bool(self.classes.canonical(from)) {
                for id in self.classes.members(to) {
                    self.tasks.push(Task::Decide(id, truth));
                }
            }
        }
    }

    /// What was built in both is equal part by part; what was built in one is taken out of the other.
    fn rebuild(&mut self, terms: &Terms, a: Id, b: Id) {
        for (one, other) in [(a, b), (b, a)] {
            let mut new = false;
            for (injection, application) in self.classes.class(one).built.clone() {
                match self.classes.class(other).built.iter().find(|it| it.0 == injection) {
                    Some(&(_, known)) => self.unify(terms, known, application),
                    None => new = true,
                }
            }
            if new {
                // They are looked at again when the classes are one.
                let uses = self.classes.class(other).uses.iter().copied();
                let taking: Vec<Id> = uses.filter(|it| self.takes_out(terms, *it)).collect();
                self.tasks.extend(taking.into_iter().map(Task::Renew));
            }
        }
    }

    /// Whether a term is an application of an inverse.
    fn takes_out(&self, terms: &Terms, id: Id) -> bool {
        matches!(terms.node(self.classes.term(id)), Node::Apply(function, _) if self.projections.contains_key(function))
    }
}
