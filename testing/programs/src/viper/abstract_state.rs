//! The abstract state that the generator of Viper programs tracks while it writes one.
//!
//! Knows: which objects variables may be, what is held of each, values of integers over parameters and old values.
//! Never: text of statements. It is a guess that is mostly right; nothing rests on it.

use std::collections::BTreeMap;

/// What is held of a location, in sixths.
pub(crate) const FULL: u8 = 6;

/// The resources of an object.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct Held {
    /// Of each field, in sixths.
    pub(crate) fields: BTreeMap<&'static str, u8>,
    /// The predicates of which an instance is held.
    pub(crate) predicates: Vec<&'static str>,
}

impl Held {
    pub(crate) fn of(&self, field: &str) -> u8 {
        self.fields.get(field).copied().unwrap_or(0)
    }
}

/// An object, by the order in which it came up.
pub(crate) type Object = usize;

/// What the generator knows about the state at a point of the program.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct AbstractState {
    /// The object that each reference variable points to.
    pub(crate) refs: BTreeMap<String, Object>,
    /// The permissions that are held of each object.
    pub(crate) held: BTreeMap<Object, Held>,
    /// The values of integer variables, over parameters and `old`.
    pub(crate) ints: BTreeMap<String, Option<String>>,
    /// The values of integer fields, likewise.
    pub(crate) values: BTreeMap<(Object, &'static str), String>,
    next: Object,
}

impl AbstractState {
    pub(crate) fn object(&mut self) -> Object {
        self.next += 1;
        self.next
    }

    pub(crate) fn held(&self, variable: &str) -> Held {
        self.refs.get(variable).and_then(|it| self.held.get(it)).cloned().unwrap_or_default()
    }

    pub(crate) fn held_mut(&mut self, variable: &str) -> &mut Held {
        let object = self.refs.get(variable).copied().unwrap_or(0);
        self.held.entry(object).or_default()
    }

    pub(crate) fn value(&self, variable: &str, field: &'static str) -> Option<&String> {
        self.values.get(&(*self.refs.get(variable)?, field))
    }

    /// The variables of which a field is held at least so much, with the field.
    pub(crate) fn locations(&self, fields: &[&'static str], least: u8) -> Vec<(String, &'static str)> {
        let mut res = Vec::new();
        for (variable, object) in &self.refs {
            let Some(held) = self.held.get(object) else { continue };
            res.extend(fields.iter().filter(|it| held.of(it) >= least).map(|it| (variable.clone(), *it)));
        }
        res
    }

    /// The variables of which some predicate is held, with it.
    pub(crate) fn predicates(&self) -> Vec<(String, &'static str)> {
        let held = |object| self.held.get(object).map(|it| it.predicates.clone()).unwrap_or_default();
        self.refs.iter().flat_map(|(name, object)| held(object).into_iter().map(move |it| (name.clone(), it))).collect()
    }

    /// A field is written: what may be the same location has an unknown value.
    pub(crate) fn write(&mut self, variable: &str, field: &'static str, value: Option<String>) {
        let Some(&object) = self.refs.get(variable) else { return };
        let held = &self.held;
        self.values.retain(|(other, it), _| {
            *it != field || (*other != object && held.get(other).is_some_and(|it| it.of(field) == FULL))
        });
        if let Some(value) = value.filter(|it| it.len() < 40) {
            self.values.insert((object, field), value);
        }
    }

    /// What is known after either of two ways.
    pub(crate) fn either(&self, other: &AbstractState) -> AbstractState {
        let mut res = self.clone();
        res.next = self.next.max(other.next);
        res.refs.retain(|name, it| other.refs.get(name) == Some(it));
        res.values.retain(|at, it| other.values.get(at) == Some(it));
        for (name, it) in &mut res.ints {
            if other.ints.get(name) != Some(it) {
                *it = None;
            }
        }
        for (object, held) in &mut res.held {
            let there = other.held.get(object).cloned().unwrap_or_default();
            held.fields.iter_mut().for_each(|(field, amount)| *amount = (*amount).min(there.of(field)));
            held.predicates.retain(|it| there.predicates.contains(it));
        }
        res
    }
}
