//! Random valuations, and how they correspond to models of terms.
//!
//! Knows: the symbols of a program at the start. Never: what a program does.
//! Object k is element k + 1 of the sort of references, nil is element 0.

use super::numbers::Numbers;
use effigy_oo::run::concrete::{MapValue, Object, ObjectId, Valuation, Value};
use effigy_oo::run::program::*;
use effigy_oo::run::vocabulary::ProgramSymbols;
use effigy_term::eval::Evaluator;
use effigy_term::value::ArrayValue;
use effigy_term::{Model, Node, Term, Terms, Value as TermValue};
use num_bigint::BigInt;
use num_traits::{Signed, Zero};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Few objects, so that variables and fields often refer to the same one.
const MOST_OBJECTS: usize = 3;

/// A random valuation: heaps with aliases and cycles, short arrays, nil.
pub fn valuation(program: &Program, seed: u64) -> Valuation {
    let mut random = Random { program, numbers: Numbers::new(seed), objects: Vec::new() };
    let mut res = Valuation::default();
    for class in (0..program.classes.len() as u32).map(ClassId) {
        let none = random.numbers.once_in(8);
        for _ in 0..if none { 0 } else { 1 + random.numbers.below(MOST_OBJECTS) } {
            random.objects.push((res.heap.create(class), class));
        }
    }
    for (id, class) in random.objects.clone() {
        let mut object = Object { class, fields: BTreeMap::new(), items: BTreeMap::new() };
        for field in &program.class(class).fields {
            let typ = &program.field(*field).typ;
            let is_length = program.class(class).element.is_some();
            let value =
                if is_length { Value::int(3 - random.numbers.below(7).min(3) as i64) } else { random.value(typ) };
            object.fields.insert(*field, value);
        }
        if let Some(element) = &program.class(class).element {
            // One behind the last belongs to the array in the paper.
            object.items = (0..4).map(|at| (BigInt::from(at), random.value(element))).collect();
        }
        res.heap.objects.insert(id, object);
    }
    for (id, variable) in (0..).map(VarId).zip(&program.variables) {
        if !variable.global {
            continue;
        }
        match &variable.typ {
            Type::Map(map) => {
                let entries = (0..3).map(|_| (random.value(&map.index), random.value(&map.element)));
                let exceptions = entries.collect();
                let length = BigInt::from(random.numbers.below(5));
                let default = random.value(&map.element);
                res.maps.insert(id, MapValue { default: default_at(map, default), exceptions, length });
            }
            typ => {
                res.globals.insert(id, random.value(typ));
            }
        }
    }
    res
}

/// The same valuation but for one or two places.
pub fn changed(program: &Program, valuation: &Valuation, seed: u64) -> Valuation {
    let objects = valuation.heap.objects.iter().map(|(id, it)| (*id, it.class)).collect();
    let mut random = Random { program, numbers: Numbers::new(seed), objects };
    let mut res = valuation.clone();
    for _ in 0..1 + random.numbers.below(2) {
        let objects: Vec<(ObjectId, ClassId)> = random.objects.clone();
        let globals: Vec<VarId> = res.globals.keys().copied().collect();
        let maps: Vec<VarId> = res.maps.keys().copied().collect();
        match (random.numbers.below(3), random.numbers.one_of(&objects), random.numbers.one_of(&maps)) {
            (0, Some((id, class)), _) => random.change_object(&mut res, *id, *class),
            (1, _, Some(map)) => random.change_map(&mut res, *map),
            _ => {
                if let Some(var) = random.numbers.one_of(&globals) {
                    let value = random.value(&program.variable(*var).typ);
                    res.globals.insert(*var, value);
                }
            }
        }
    }
    res
}

impl Random<'_> {
    fn change_object(&mut self, valuation: &mut Valuation, id: ObjectId, class: ClassId) {
        let Some(object) = valuation.heap.objects.get_mut(&id) else { return };
        match (&self.program.class(class).element, self.numbers.one_of(&self.program.class(class).fields)) {
            (Some(element), _) if !self.numbers.once_in(3) => {
                let value = self.value(element);
                object.items.insert(self.numbers.below(3).into(), value);
            }
            (Some(_), Some(length)) => {
                object.fields.insert(*length, Value::int(self.numbers.below(4) as i64));
            }
            (None, Some(field)) => {
                let value = self.value(&self.program.field(*field).typ);
                object.fields.insert(*field, value);
            }
            (_, None) => {}
        }
    }

    fn change_map(&mut self, valuation: &mut Valuation, var: VarId) {
        let (Type::Map(typ), Some(map)) = (&self.program.variable(var).typ, valuation.maps.get_mut(&var)) else {
            return;
        };
        if self.numbers.once_in(4) {
            map.length = self.numbers.below(5).into();
        } else {
            let index = self.value(&typ.index);
            map.exceptions.insert(index, self.value(&typ.element));
        }
    }
}

/// The default of a map: objects that do not exist find the one of the type.
fn default_at(map: &MapType, default: Value) -> Value {
    match map.index {
        Type::Object(_) => Value::default_of(&map.element).unwrap_or(Value::Nil),
        _ => default,
    }
}

struct Random<'a> {
    program: &'a Program,
    numbers: Numbers,
    objects: Vec<(ObjectId, ClassId)>,
}

impl Random<'_> {
    fn value(&mut self, typ: &Type) -> Value {
        match typ {
            Type::Int => Value::int(self.numbers.small()),
            Type::Bool => Value::Bool(self.numbers.once_in(2)),
            Type::Object(class) if !self.numbers.once_in(9) => {
                let of_class: Vec<ObjectId> = self.objects.iter().filter(|it| it.1 == *class).map(|it| it.0).collect();
                self.numbers.one_of(&of_class).map_or(Value::Nil, |it| Value::Object(*it))
            }
            Type::Object(_) | Type::Map(_) => Value::Nil,
        }
    }
}

/// A value as a term's.
pub fn term_value(value: &Value) -> TermValue {
    match value {
        Value::Int(it) => TermValue::Int(it.clone()),
        Value::Bool(it) => TermValue::Bool(*it),
        Value::Nil => TermValue::Element(0),
        Value::Object(it) => TermValue::Element(u64::from(it.0) + 1),
    }
}

/// What fields of nil, and items outside of all bounds, are in a model: nobody may see it.
fn junk(typ: &Type) -> TermValue {
    match typ {
        Type::Int => TermValue::Int(1000.into()),
        Type::Bool => TermValue::Bool(true),
        Type::Object(_) | Type::Map(_) => TermValue::Element(900),
    }
}

fn array(default: TermValue, entries: impl IntoIterator<Item = (TermValue, TermValue)>) -> TermValue {
    let entries = entries.into_iter().filter(|it| it.1 != default).collect();
    TermValue::Array(Arc::new(ArrayValue { default, entries }))
}

fn set(terms: &Terms, model: &mut Model, term: Option<Term>, value: TermValue) {
    if let Some(term) = term
        && let Node::Symbol(symbol) = *terms.node(term)
    {
        model.set(symbol, value);
    }
}

/// The model that is this valuation; the next `created` new objects along a path are those that `Heap::create` makes.
pub fn model_of(
    terms: &Terms,
    program: &Program,
    words: &ProgramSymbols,
    valuation: &Valuation,
    created: usize,
) -> Model {
    let mut model = Model::new();
    set(terms, &mut model, Some(words.nil), TermValue::Element(0));
    for (index, variable) in program.variables.iter().enumerate().filter(|it| it.1.global) {
        let id = VarId(index as u32);
        let value = match &variable.typ {
            Type::Map(_) => {
                let map = valuation.map(program, id).expect("it is a map");
                set(terms, &mut model, words.lengths[index], TermValue::Int(map.length.clone()));
                let entries = map.exceptions.iter().map(|(at, it)| (term_value(at), term_value(it)));
                match &variable.typ {
                    Type::Map(typ) if matches!(typ.index, Type::Object(_)) => {
                        let objects = valuation.heap.objects.keys().map(|it| Value::Object(*it));
                        let all = objects.chain([Value::Nil]).map(|it| (term_value(&it), term_value(map.get(&it))));
                        array(junk(&typ.element), all)
                    }
                    _ => array(term_value(&map.default), entries),
                }
            }
            _ => term_value(&valuation.global(program, id).expect("it is no map")),
        };
        set(terms, &mut model, words.globals[index], value);
    }
    for (index, field) in program.fields.iter().enumerate() {
        let of_class = valuation.heap.objects.iter().filter(|it| it.1.class == field.class);
        let entries = of_class.map(|(id, _)| {
            let value = valuation.heap.field(program, *id, FieldId(index as u32)).expect("it has the field");
            (term_value(&Value::Object(*id)), term_value(&value))
        });
        set(terms, &mut model, Some(words.fields[index]), array(junk(&field.typ), entries));
    }
    for (index, class) in program.classes.iter().enumerate() {
        let Some(element) = &class.element else { continue };
        let row = |items: &BTreeMap<BigInt, Value>| {
            let entries = items.iter().map(|(at, it)| (TermValue::Int(at.clone()), term_value(it)));
            array(junk(element), entries)
        };
        let of_class = valuation.heap.objects.iter().filter(|it| it.1.class.index() == index);
        let entries = of_class.map(|(id, object)| (term_value(&Value::Object(*id)), row(&object.items)));
        set(terms, &mut model, words.items[index], array(row(&BTreeMap::new()), entries));
    }
    let next = valuation.heap.objects.last_key_value().map_or(0, |it| it.0.0 + 1);
    for number in 1..=created as u32 {
        for class in (0..program.classes.len() as u32).map(ClassId) {
            let symbol = words.new_object(terms, program, class, number);
            model.set(symbol, term_value(&Value::Object(ObjectId(next + number - 1))));
        }
    }
    model
}

/// The valuation that is this model: its objects are those that can be reached from the globals.
pub fn valuation_of(terms: &Terms, program: &Program, words: &ProgramSymbols, model: &Model) -> Option<Valuation> {
    let mut reading = InputReader { program, evaluator: Evaluator::new(terms, model), nil: None, objects: Vec::new() };
    reading.nil = reading.evaluator.value(words.nil);
    let (mut res, mut by_objects) = (Valuation::default(), Vec::new());
    for (index, variable) in program.variables.iter().enumerate().filter(|it| it.1.global) {
        let (id, value) = (VarId(index as u32), reading.evaluator.value(words.globals[index]?)?);
        match &variable.typ {
            Type::Map(map) => {
                let TermValue::Array(array) = value else { return None };
                if let Type::Object(class) = map.index {
                    by_objects.push((id, class, map.clone(), array));
                    continue;
                }
                let mut exceptions = BTreeMap::new();
                for (at, it) in &array.entries {
                    exceptions.insert(reading.value(at, &map.index)?, reading.value(it, &map.element)?);
                }
                let length = match words.lengths[index].and_then(|it| reading.evaluator.value(it)) {
                    Some(TermValue::Int(it)) => it,
                    _ => BigInt::zero(),
                };
                res.maps
                    .insert(id, MapValue { default: reading.value(&array.default, &map.element)?, exceptions, length });
            }
            typ => {
                res.globals.insert(id, reading.value(&value, typ)?);
            }
        }
    }
    for (id, _, map, array) in &by_objects {
        let nil = reading.value(array.select(reading.nil.as_ref()?), &map.element)?;
        let default = Value::default_of(&map.element).ok()?;
        let exceptions = [(Value::Nil, nil)].into();
        res.maps.insert(*id, MapValue { default, exceptions, length: BigInt::zero() });
    }
    let mut at = 0;
    while let Some((element, class)) = reading.objects.get(at).cloned().filter(|_| at < 1000) {
        for (id, _, map, array) in by_objects.iter().filter(|it| it.1 == class) {
            let value = reading.value(array.select(&element), &map.element)?;
            res.maps.get_mut(id)?.exceptions.insert(Value::Object(ObjectId(at as u32)), value);
        }
        let mut object = Object { class, fields: BTreeMap::new(), items: BTreeMap::new() };
        let is_array = program.class(class).element.is_some();
        for field in &program.class(class).fields {
            let value = reading.select(words.fields[field.index()], &element)?;
            let value = match reading.value(&value, &program.field(*field).typ)? {
                Value::Int(it) if is_array && it.is_negative() => Value::int(0),
                it => it,
            };
            object.fields.insert(*field, value);
        }
        if let Some(typ) = &program.class(class).element {
            let TermValue::Array(row) = reading.select(words.items[class.index()]?, &element)? else { return None };
            let Some(Value::Int(length)) = object.fields.values().next() else { return None };
            // The valuation has no other default than that of the type: what can be read is listed.
            let last = i64::try_from(length).ok().filter(|it| *it < 10_000)?;
            for at in 0..=last {
                let item = row.select(&TermValue::Int(at.into())).clone();
                object.items.insert(at.into(), reading.value(&item, typ)?);
            }
        }
        res.heap.objects.insert(ObjectId(at as u32), object);
        at += 1;
    }
    Some(res)
}

struct InputReader<'a> {
    program: &'a Program,
    evaluator: Evaluator<'a>,
    nil: Option<TermValue>,
    /// The objects that were met, by element and class; the place is the identity.
    objects: Vec<(TermValue, ClassId)>,
}

impl InputReader<'_> {
    fn value(&mut self, value: &TermValue, typ: &Type) -> Option<Value> {
        Some(match (value, typ) {
            (TermValue::Int(it), Type::Int) => Value::Int(it.clone()),
            (TermValue::Bool(it), Type::Bool) => Value::Bool(*it),
            (it, Type::Object(_)) if Some(it) == self.nil.as_ref() => Value::Nil,
            // Objects of different classes are different: the sort is one for all classes.
            (it, Type::Object(class)) => {
                debug_assert!(class.index() < self.program.classes.len());
                let known = self.objects.iter().position(|known| known.0 == *it && known.1 == *class);
                let at = known.unwrap_or_else(|| {
                    self.objects.push((it.clone(), *class));
                    self.objects.len() - 1
                });
                Value::Object(ObjectId(at as u32))
            }
            _ => return None,
        })
    }

    fn select(&mut self, array: Term, at: &TermValue) -> Option<TermValue> {
        match self.evaluator.value(array)? {
            TermValue::Array(array) => Some(array.select(at).clone()),
            _ => None,
        }
    }
}
