//! What a state is under a model, by names that no path gives: for tests of merging.
//!
//! Knows: live registers, and the objects that they and globals lead to. Never: how states are merged.
//!
//! Objects have other numbers on other paths: each is named by the first way that leads to it, and a pointer by the
//! object's name and the offset.

use crate::code::Shape;
use crate::memory::bytes::Undefined;
use crate::memory::{Ended, Life, Lookup, Object, ObjectId, ObjectKind};
use crate::program::Program;
use crate::state::State;
use crate::value::Val;
use effigy_engine::{Content, Thing};
use effigy_term::eval::Evaluator;
use effigy_term::{Term, Value, Width};
use std::collections::BTreeMap;

/// So many bytes of an object are told.
const MOST_BYTES: usize = 64;

pub(crate) fn content(program: &Program, state: &State, evaluator: &mut Evaluator<'_>) -> Content {
    let mut telling = Telling { state, evaluator, names: BTreeMap::new(), found: Vec::new(), told: Content::new() };
    for (id, object) in state.memory.objects() {
        if object.kind == ObjectKind::Global {
            telling.names.insert(id, format!("global {}", id.0));
            telling.found.push(id);
        }
    }
    let code = &program.executable.code;
    for (depth, frame) in state.frames.iter().enumerate() {
        let flow = program.executable.flows.of(code, frame.function);
        let live = flow.live_at(code, frame.function, frame.pc);
        let result = if depth + 1 == state.frames.len() { None } else { frame.called_for(code) };
        let shapes = &code.functions[frame.function as usize].shapes;
        for (at, value) in frame.registers.iter().enumerate() {
            if live.contains(at)
                && result != Some(at as u32)
                && let Some(Some(shape)) = shapes.get(at)
            {
                telling.value(&format!("call {depth} register {at}"), value, shape);
            }
        }
    }
    if let Some(exit) = &state.exit {
        telling.scalar("exit", exit, 32);
    }
    while let Some(id) = telling.found.pop() {
        let Some(name) = telling.names.get(&id).cloned() else { continue };
        match state.memory.lookup(id) {
            Lookup::Object(object) if object.ended.is_none_or(|it| telling.truth(it.when) == Some(false)) => {
                telling.told.insert(format!("life of {name}"), Thing::Value(format!("{:?}", Life::Live)));
                telling.object(&name, object);
            }
            Lookup::Object(&Object { ended: Some(Ended { how: life, .. }), .. }) | Lookup::Dead(life) => {
                telling.told.insert(format!("life of {name}"), Thing::Value(format!("{life:?}")));
            }
            _ => {}
        }
    }
    telling.told
}

struct Telling<'a, 'e> {
    state: &'a State,
    evaluator: &'a mut Evaluator<'e>,
    names: BTreeMap<ObjectId, String>,
    found: Vec<ObjectId>,
    told: Content,
}

impl Telling<'_, '_> {
    fn value(&mut self, name: &str, value: &Val, shape: &Shape) {
        match (shape, value) {
            (Shape::Scalar { width, .. }, value) => self.scalar(name, value, *width),
            (Shape::Aggregate(shapes), Val::Agg(elements)) => {
                for (at, (element, (_, shape))) in elements.iter().zip(shapes.iter()).enumerate() {
                    self.value(&format!("{name}.{at}"), element, shape);
                }
            }
            (Shape::Aggregate(_), _) => {
                self.told.insert(name.to_owned(), Thing::Nothing);
            }
        }
    }

    fn scalar(&mut self, name: &str, value: &Val, width: u32) {
        let terms = self.evaluator.terms();
        let held = match value.to_term(terms, Width::of(width)) {
            None => Thing::Nothing,
            Some(term) => self.number(term).map_or(Thing::Nothing, |(number, is_any)| {
                let text = if width == 64 { self.word(name, number) } else { number.to_string() };
                if is_any { Thing::Any(text) } else { Thing::Value(text) }
            }),
        };
        self.told.insert(name.to_owned(), held);
    }

    fn truth(&mut self, cond: Term) -> Option<bool> {
        self.evaluator.truth(cond)
    }

    /// The value of a term, and whether it rests on storage that was never written.
    fn number(&mut self, term: Term) -> Option<(u64, bool)> {
        let number = match self.evaluator.value(term)? {
            Value::Bool(it) => u64::from(it),
            Value::BitVec(it) => it.to_u64()?,
            _ => return None,
        };
        Some((number, self.evaluator.terms().is_undefined(term)))
    }

    /// A number, or the object that it is an address of.
    fn word(&mut self, name: &str, number: u64) -> String {
        match self.address(number) {
            Some((id, offset)) => {
                let known = self.names.entry(id).or_insert_with(|| {
                    self.found.push(id);
                    format!("what {name} points to")
                });
                format!("{known} + {offset}")
            }
            None => number.to_string(),
        }
    }

    fn address(&self, number: u64) -> Option<(ObjectId, i64)> {
        let (id, offset) = ObjectId::of_address(number);
        match self.state.memory.lookup(id) {
            Lookup::Object(object) if (0..=object.size.most() as i64).contains(&offset) => Some((id, offset)),
            Lookup::Dead(_) => Some((id, offset)),
            _ => None,
        }
    }

    fn object(&mut self, name: &str, object: &Object) {
        let terms = self.evaluator.terms();
        let size = match object.size {
            crate::memory::Size::Known(size) => Some(size),
            crate::memory::Size::Symbolic { term, .. } => self.number(term).map(|it| it.0),
        };
        let shown = size.map_or(Thing::Nothing, |it| Thing::Value(it.to_string()));
        self.told.insert(format!("size of {name}"), shown);
        let count = size.map_or(0, |it| it as usize).min(MOST_BYTES);
        let mut bytes: Vec<Option<(u64, bool)>> = Vec::with_capacity(count);
        // What nobody has written gets names that are not counted.
        let mut none = u32::MAX / 2;
        for at in 0..count {
            // Of an object of symbolic size only what was used is there.
            if at >= object.bytes.len() {
                bytes.push(None);
                continue;
            }
            let mut undefined = Undefined { terms, count: &mut none };
            let value = object.bytes.load(&mut undefined, at, 1, 8);
            bytes.push(value.to_term(terms, Width::W8).and_then(|it| self.number(it)));
        }
        for (word, bytes) in bytes.chunks(8).enumerate() {
            let at = word * 8;
            let known: Option<Vec<(u64, bool)>> = bytes.iter().copied().collect();
            let number = known.filter(|it| it.len() == 8 && it.iter().all(|it| !it.1));
            let number = number.map(|it| it.iter().rev().fold(0, |res, it| res << 8 | it.0));
            if let Some(number) = number.filter(|it| self.address(*it).is_some()) {
                let text = self.word(&format!("{name}[{at}]"), number);
                self.told.insert(format!("{name}[{at}]"), Thing::Value(text));
                continue;
            }
            for (offset, byte) in bytes.iter().enumerate() {
                let held = match byte {
                    None => Thing::Nothing,
                    Some((byte, true)) => Thing::Any(byte.to_string()),
                    Some((byte, false)) => Thing::Value(byte.to_string()),
                };
                self.told.insert(format!("{name}[{}]", at + offset), held);
            }
        }
    }
}
