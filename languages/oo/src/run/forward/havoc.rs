//! What a round of a loop changes of a state of the forward model, and the state with anything for it.
//!
//! Knows: variables, fields and arrays as wholes. Never: control, whether what follows from such a state is a proof.
//!
//! Where the program has made no object, each reference is `nil` or an object of the start, and a symbol stands for all
//! of them. Where it has, a reference that changes could be one of its own objects, of which no symbol can be: such a
//! change is refused, as is a round that makes objects.

use super::{Array, Begun, Forward};
use crate::run::memory::{At, Holders};
use crate::run::program::{ClassId, Program, Type, VarId};
use crate::run::vocabulary::{Family, Instance, Translation, sort_of};
use effigy_engine::Apart;
use effigy_term::{Sort, Symbol, SymbolKind, Term};
use std::collections::BTreeSet;
use std::rc::Rc;

/// So many elements of a field or an array are named.
const MOST_ELEMENTS: usize = 8;

const OWN_OBJECTS: Apart = Apart("a reference, where the program has made objects");

pub(super) fn changes(before: &Forward, after: &Forward, with: Translation<'_>) -> Result<Holders, Apart> {
    if before.created != after.created {
        return Err(Apart("objects that it makes"));
    }
    if before.results != after.results {
        return Err(Apart("what a call returns"));
    }
    let mut res = Holders::default();
    let all: BTreeSet<(VarId, Instance)> = before.variables.keys().chain(after.variables.keys()).copied().collect();
    for (id, instance) in all {
        let at = At { translation: with, instance };
        if before.variable(at, id) != after.variable(at, id) {
            res.variables.insert((id, instance));
        }
    }
    let families: BTreeSet<Family> = before.families.keys().chain(after.families.keys()).copied().collect();
    res.families.extend(families.into_iter().filter(|it| !is_same(before.families.get(it), after.families.get(it))));
    for family in &res.families {
        let keys = after.families.get(family).into_iter().flat_map(|it| it.updates.iter()).map(|it| it.key);
        let kept = keys.filter(|it| stays(with, it.first) && it.second.is_none_or(|it| stays(with, it)));
        res.elements.extend(kept.take(MOST_ELEMENTS).map(|it| (*family, it)));
    }
    let is_reference = res.variables.iter().any(|it| class_of(&with.program.variable(it.0).typ).is_some())
        || res.families.iter().filter_map(|it| held(with.program, *it)).any(|it| class_of(it).is_some());
    if is_reference && after.created > 0 {
        return Err(OWN_OBJECTS);
    }
    Ok(res)
}

/// Whether a key is the same in every round: the program's inputs, its own objects, numbers.
fn stays(with: Translation<'_>, key: Term) -> bool {
    let terms = with.terms;
    let is_input = |it: &Symbol| terms.symbol_info(*it).kind == SymbolKind::Input;
    with.words.is_new(terms, key) || terms.symbols(key).iter().all(is_input)
}

/// Whether nothing was written: updates are only added.
fn is_same(before: Option<&Array>, after: Option<&Array>) -> bool {
    let parts = |it: Option<&Array>| it.map(|it| (it.updates.clone(), it.begun.clone())).unwrap_or_default();
    parts(before) == parts(after)
}

fn class_of(typ: &Type) -> Option<ClassId> {
    match typ {
        Type::Object(class) => Some(*class),
        _ => None,
    }
}

/// The type of what a family holds.
fn held(program: &Program, family: Family) -> Option<&Type> {
    match family {
        Family::Field(field) => Some(&program.field(field).typ),
        Family::Items(class) => program.class(class).element.as_ref(),
        Family::Map(map) => match &program.variable(map).typ {
            Type::Map(map) => Some(&map.element),
            _ => None,
        },
    }
}

pub(super) fn havoc(
    of: &Forward,
    changes: &Holders,
    with: Translation<'_>,
    any: &mut dyn FnMut(Sort) -> Term,
) -> Forward {
    let Translation { terms, program, words, .. } = with;
    let mut res = of.clone();
    for (id, instance) in &changes.variables {
        let sort = sort_of(terms, words.object, &program.variable(*id).typ);
        res.variables.insert_mut((*id, *instance), any(sort));
    }
    for family in &changes.families {
        let Some(sort) = words.base(*family).map(|it| terms.sort(it)) else { continue };
        let Sort::Array(parts) = sort else { continue };
        let class = match *family {
            Family::Field(field) => Some(program.field(field).class),
            Family::Items(class) => Some(class),
            Family::Map(map) => match &program.variable(map).typ {
                Type::Map(map) => class_of(&map.index),
                _ => None,
            },
        };
        let own = class.into_iter().flat_map(|class| (1..=of.created).map(move |number| (class, number)));
        let of_one = terms.array_parts(parts).1;
        let new = own
            .map(|(class, number)| (terms.of_symbol(words.new_object(terms, program, class, number)), any(of_one)))
            .collect();
        let begun = Rc::new(Begun { base: any(sort), new });
        res.families.insert_mut(*family, Array::begun(*family, begun));
    }
    res
}
