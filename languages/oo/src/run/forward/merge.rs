//! Two states of the forward model as one, and what a state is under a model.
//!
//! Knows: variables, updates of fields and arrays. Never: control, guards.
//!
//! What either has updated since they were one becomes updates with conditional values: the field of an object is that of
//! one side, or of the other. Objects that were made on one side only have the numbers that the other side gave to its
//! own: on no path are both.

use super::{Array, Forward, Update};
use crate::run::memory::{At, Holders};
use crate::run::program::{ClassId, Type, VarId};
use crate::run::vocabulary::{Family, Instance, Key, Translation};
use effigy_engine::{Apart, Content, Thing};
use effigy_term::eval::Evaluator;
use effigy_term::{Node, Term, Value};
use std::collections::{BTreeMap, BTreeSet};

const ASKED_OF: Apart = Apart("values that are soon asked of");

pub(super) fn merge(
    then: &Forward,
    other: &Forward,
    cond: Term,
    asked: &Holders,
    with: Translation<'_>,
) -> Result<Forward, Apart> {
    let terms = with.terms;
    let either = |a: Term, b: Term| terms.either(cond, a, b);
    let mut res = then.clone();
    let variables: BTreeSet<(VarId, Instance)> = then.variables.keys().chain(other.variables.keys()).copied().collect();
    for (id, instance) in variables {
        let at = At { translation: with, instance };
        let (a, b) = (then.variable(at, id), other.variable(at, id));
        if asked.variables.contains(&(id, instance)) && are_two_values(with, a, b) {
            return Err(ASKED_OF);
        }
        let value = either(a, b);
        res.variables.insert_mut((id, instance), value);
    }
    if then.results.size() != other.results.size() {
        return Err(Apart("a call that only one of them returns from"));
    }
    for (call, value) in other.results.iter() {
        let Some(mine) = then.results.get(call) else { return Err(Apart("calls")) };
        res.results.insert_mut(*call, either(*mine, *value));
    }
    res.created = then.created.max(other.created);
    let families: BTreeSet<Family> = then.families.keys().chain(other.families.keys()).copied().collect();
    for family in families {
        let asked = asked.families.contains(&family);
        merge_family(&mut res, (then, other), family, asked, cond, with)?;
    }
    Ok(res)
}

/// Whether they are two known values: numbers, truth values, `nil`, objects that the program has made.
fn are_two_values(with: Translation<'_>, a: Term, b: Term) -> bool {
    let Translation { terms, words, .. } = with;
    let is_known = |it: Term| {
        terms.as_int(it).is_some() || terms.as_bool(it).is_some() || it == words.nil || words.is_new(terms, it)
    };
    a != b && is_known(a) && is_known(b)
}

fn merge_family(
    res: &mut Forward,
    (then, other): (&Forward, &Forward),
    family: Family,
    asked: bool,
    cond: Term,
    with: Translation<'_>,
) -> Result<(), Apart> {
    let is_apart = |a: Term, b: Term| asked && are_two_values(with, a, b);
    let begun = |of: &Forward| of.families.get(&family).and_then(|it| it.begun.clone());
    let start = begun(then);
    if start != begun(other) {
        return Err(Apart("an array of which only one of them has forgotten what it holds"));
    }
    let updates = |of: &Forward| -> Vec<Update> {
        let list = of.families.get(&family).map(|it| it.updates.iter().copied().collect());
        let mut res: Vec<Update> = list.unwrap_or_default();
        res.reverse();
        res
    };
    let (mine, theirs) = (updates(then), updates(other));
    if mine == theirs {
        return Ok(());
    }
    let shared = mine.iter().zip(&theirs).take_while(|(a, b)| a == b).count();
    // What they were when they were one.
    res.families.remove_mut(&family);
    if let Some(begun) = start {
        res.families.insert_mut(family, Array::begun(family, begun));
    }
    for it in &mine[..shared] {
        res.update(with, family, it.key, it.value);
    }
    // At one key, the last update of either side counts, if no other key can be the same.
    let keys = |of: &[Update]| -> Vec<Key> { of.iter().map(|it| it.key).collect() };
    let is_same = |a: Key, b: Key| with.terms.as_bool(super::same_key(with.words, with.terms, a, b));
    let all: Vec<Key> = keys(&mine[shared..]).into_iter().chain(keys(&theirs[shared..])).collect();
    let are_known = all.iter().enumerate().all(|(at, a)| all[at + 1..].iter().all(|b| is_same(*a, *b).is_some()));
    if are_known {
        let last =
            |of: &[Update], key: Key| of.iter().rev().find(|it| is_same(it.key, key) == Some(true)).map(|it| it.value);
        let mut done: Vec<Key> = Vec::new();
        for key in all {
            if done.iter().any(|it| is_same(*it, key) == Some(true)) {
                continue;
            }
            done.push(key);
            let before = res.read(with, family, key);
            let a = last(&mine[shared..], key).unwrap_or(before);
            let b = last(&theirs[shared..], key).unwrap_or(before);
            if is_apart(a, b) {
                return Err(ASKED_OF);
            }
            res.write(with, family, key, with.terms.either(cond, a, b));
        }
        return Ok(());
    }
    for it in &mine[shared..] {
        let before = res.read(with, family, it.key);
        if is_apart(it.value, before) {
            return Err(ASKED_OF);
        }
        res.write(with, family, it.key, with.terms.either(cond, it.value, before));
    }
    for it in &theirs[shared..] {
        let before = res.read(with, family, it.key);
        if is_apart(before, it.value) {
            return Err(ASKED_OF);
        }
        res.write(with, family, it.key, with.terms.either(cond, before, it.value));
    }
    Ok(())
}

/// The indices of arrays that are told.
const INDICES: std::ops::Range<i32> = -1..4;

/// The objects of the start that are told.
const OBJECTS: u32 = 3;

pub(super) fn content(
    of: &Forward,
    with: Translation<'_>,
    calls: &[Instance],
    evaluator: &mut Evaluator<'_>,
) -> Content {
    let mut telling =
        ContentReader { of, with, evaluator, names: BTreeMap::new(), found: Vec::new(), told: Content::new() };
    let mut variables: Vec<((VarId, Instance), Term)> = of.substitution();
    variables.sort_by_key(|it| (it.0.1, it.0.0));
    for ((id, instance), value) in variables {
        let variable = with.program.variable(id);
        let Some(depth) = calls.iter().position(|it| *it == instance) else { continue };
        telling.value(&format!("call {depth} {} {}", variable.name, id.0), value, &variable.typ);
    }
    for (call, value) in calls.iter().filter_map(|it| Some((*it, *of.results.get(it)?))) {
        let depth = calls.iter().position(|it| *it == call).unwrap_or(0);
        telling.number(&format!("result of call {depth}"), value);
    }
    telling.families();
    telling.told
}

struct ContentReader<'a, 'e> {
    of: &'a Forward,
    with: Translation<'a>,
    evaluator: &'a mut Evaluator<'e>,
    /// New objects, by their symbols, with the first way that leads to each.
    names: BTreeMap<Term, String>,
    found: Vec<(Term, ClassId)>,
    told: Content,
}

impl ContentReader<'_, '_> {
    fn value(&mut self, name: &str, value: Term, typ: &Type) {
        match typ {
            Type::Object(class) => self.object(name, value, *class),
            Type::Map(_) => {}
            Type::Int | Type::Bool => self.number(name, value),
        }
    }

    fn number(&mut self, name: &str, value: Term) {
        let thing = match self.evaluator.value(value) {
            Some(Value::Int(it)) => Thing::Value(it.to_string()),
            Some(Value::Bool(it)) => Thing::Value(it.to_string()),
            _ => Thing::Nothing,
        };
        self.told.insert(name.to_owned(), thing);
    }

    /// The object that a reference is: a new one, by its symbol, or one of the start.
    fn object(&mut self, name: &str, mut value: Term, class: ClassId) {
        while let Node::Ite(cond, yes, no) = *self.with.terms.node(value) {
            value = if self.evaluator.truth(cond) == Some(true) { yes } else { no };
        }
        let thing = if self.with.words.is_new(self.with.terms, value) {
            let known = self.names.entry(value).or_insert_with(|| {
                self.found.push((value, class));
                name.to_owned()
            });
            Thing::Value(format!("the object of {known}"))
        } else {
            match self.evaluator.value(value) {
                Some(Value::Element(it)) => Thing::Value(format!("object {it}")),
                _ => Thing::Nothing,
            }
        };
        self.told.insert(name.to_owned(), thing);
    }

    fn families(&mut self) {
        let (terms, program) = (self.with.terms, self.with.program);
        for (index, variable) in program.variables.iter().enumerate() {
            let Type::Map(map) = &variable.typ else { continue };
            if !variable.global || map.index != Type::Int {
                continue;
            }
            for at in INDICES {
                let key = Key { first: terms.int(at), second: None };
                let value = self.of.read(self.with, Family::Map(VarId(index as u32)), key);
                self.value(&format!("{}[{at}]", variable.name), value, &map.element);
            }
        }
        for number in 0..OBJECTS {
            let object = terms.of_value(self.with.words.object, &Value::Element(number.into()));
            for class in 0..program.classes.len() as u32 {
                self.fields(&format!("object {number}"), object, ClassId(class));
            }
        }
        while let Some((object, class)) = self.found.pop() {
            let name = self.names.get(&object).cloned().unwrap_or_default();
            self.fields(&format!("the object of {name}"), object, class);
        }
    }

    fn fields(&mut self, name: &str, object: Term, class: ClassId) {
        let (terms, program) = (self.with.terms, self.with.program);
        let info = program.class(class);
        for field in &info.fields {
            let value = self.of.read(self.with, Family::Field(*field), Key { first: object, second: None });
            let of = program.field(*field);
            self.value(&format!("{name}.{} {}", of.name, field.0), value, &of.typ);
        }
        let Some(element) = &info.element else { return };
        for at in 0..INDICES.end {
            let key = Key { first: object, second: Some(terms.int(at)) };
            let value = self.of.read(self.with, Family::Items(class), key);
            self.value(&format!("{name}[{at}] {}", class.0), value, element);
        }
    }
}
