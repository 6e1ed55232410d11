//! Inputs that take a path: the values of the globals at the start, and the heap that they reach.
//!
//! Knows: how objects of a model are named. Never: φ.

use super::program::{ClassId, Program, Type};
use super::vocabulary::{Family, ProgramSymbols};
use effigy_engine::{Input, InputData, Witness};
use effigy_term::eval::Evaluator;
use effigy_term::{Model, Term, Terms, Value};
use std::collections::VecDeque;

/// So many objects are shown.
const MOST_OBJECTS: usize = 24;

/// So many elements of an array are shown.
const MOST_ELEMENTS: u32 = 16;

struct WitnessWriter<'a> {
    words: &'a ProgramSymbols,
    evaluator: Evaluator<'a>,
    nil: Option<Value>,
    /// Objects with their names, in the order in which they were met, and those that are still to be shown.
    names: Vec<(Value, String)>,
    waiting: VecDeque<(Value, String, ClassId)>,
    program: &'a Program,
}

/// The inputs under a model, in the order of the text; objects by name, their fields behind.
pub(super) fn witness(program: &Program, words: &ProgramSymbols, terms: &Terms, model: &Model) -> Witness {
    let mut evaluator = Evaluator::new(terms, model);
    let nil = evaluator.value(words.nil);
    let mut shown = WitnessWriter { words, evaluator, nil, names: Vec::new(), waiting: VecDeque::new(), program };
    let mut inputs = Vec::new();
    for (index, variable) in program.variables.iter().enumerate() {
        let Some(value) = words.globals[index].filter(|_| !variable.temporary) else { continue };
        match &variable.typ {
            Type::Map(map) => {
                if let Some(length) = words.lengths[index] {
                    let text = shown.text(length, &Type::Int);
                    inputs.push(input(format!("|{}|", variable.name), text.clone()));
                    if map.index == Type::Int
                        && let Ok(length) = text.parse::<u32>()
                    {
                        for at in 0..length.min(MOST_ELEMENTS) {
                            let element = terms.select(value, terms.int(at));
                            let text = shown.text(element, &map.element);
                            inputs.push(input(format!("{}[{at}]", variable.name), text));
                        }
                    }
                } else {
                    inputs.extend(shown.exceptions(&variable.name, value, &map.element));
                }
            }
            typ => {
                let text = shown.text(value, typ);
                inputs.push(input(variable.name.to_string(), text));
            }
        }
    }
    while let Some((object, name, class)) = shown.waiting.pop_front() {
        inputs.extend(shown.object(&object, &name, class));
    }
    Witness { inputs, ..Witness::default() }
}

fn input(name: String, text: String) -> Input {
    Input::new(name, InputData::Scalar(text))
}

impl WitnessWriter<'_> {
    fn text(&mut self, value: Term, typ: &Type) -> String {
        match self.evaluator.value(value) {
            Some(value) => self.value(&value, typ),
            None => "?".to_owned(),
        }
    }

    fn value(&mut self, value: &Value, typ: &Type) -> String {
        match (value, typ) {
            (Value::Int(it), _) => it.to_string(),
            (Value::Bool(it), _) => it.to_string(),
            (it, _) if Some(it) == self.nil.as_ref() => "nil".to_owned(),
            (it, Type::Object(class)) => self.name(it, *class),
            _ => "?".to_owned(),
        }
    }

    fn name(&mut self, object: &Value, class: ClassId) -> String {
        if let Some((_, name)) = self.names.iter().find(|it| it.0 == *object) {
            return name.clone();
        }
        let name = format!("{}{}", self.program.class(class).name.to_lowercase(), self.names.len() + 1);
        self.names.push((object.clone(), name.clone()));
        if self.names.len() <= MOST_OBJECTS {
            self.waiting.push_back((object.clone(), name.clone(), class));
        }
        name
    }

    /// The fields of an object, or the elements of an array.
    fn object(&mut self, object: &Value, name: &str, class: ClassId) -> Vec<Input> {
        let program = self.program;
        let Value::Element(number) = object else { return Vec::new() };
        let mut res = Vec::new();
        for field in &program.class(class).fields {
            let info = program.field(*field);
            let Some(value) = self.element(Family::Field(*field), &Value::Element(*number)) else { continue };
            let value = match (&value, program.class(class).element.is_some()) {
                (Value::Int(length), true) if length.sign() == num_bigint::Sign::Minus => Value::Int(0.into()),
                _ => value,
            };
            let text = self.value(&value, &info.typ);
            res.push(input(format!("{name}.{}", info.name), text));
            if let (Some(element), Value::Int(length)) = (&program.class(class).element, &value) {
                let count = u32::try_from(length).unwrap_or(u32::MAX).min(MOST_ELEMENTS);
                let Some(Value::Array(row)) = self.element(Family::Items(class), &Value::Element(*number)) else {
                    continue;
                };
                for at in 0..count {
                    let text = self.value(&row.select(&Value::Int(at.into())).clone(), element);
                    res.push(input(format!("{name}[{at}]"), text));
                }
            }
        }
        res
    }

    fn element(&mut self, family: Family, at: &Value) -> Option<Value> {
        match self.evaluator.value(self.words.base(family)?)? {
            Value::Array(array) => Some(array.select(at).clone()),
            _ => None,
        }
    }

    /// What a map holds that is not its default.
    fn exceptions(&mut self, name: &str, map: Term, element: &Type) -> Vec<Input> {
        let Some(Value::Array(array)) = self.evaluator.value(map) else { return Vec::new() };
        let mut res: Vec<Input> = Vec::new();
        for (index, value) in array.entries.iter().take(MOST_ELEMENTS as usize) {
            let index = match index {
                Value::Int(it) => it.to_string(),
                Value::Bool(it) => it.to_string(),
                it => self.names.iter().find(|(object, _)| object == it).map_or("?".to_owned(), |it| it.1.clone()),
            };
            let text = self.value(value, element);
            res.push(input(format!("{name}[{index}]"), text));
        }
        let text = self.value(&array.default, element);
        res.push(input(format!("{name}[..]"), text));
        res
    }
}
