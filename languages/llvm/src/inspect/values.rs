//! Values of variables: read from registers and memory, and shown as a C programmer writes them.
//!
//! Knows: slots and source types. Never: the syntax of expressions.

use crate::code::{SourceKind, SourceType};
use crate::memory::bytes::Undefined;
use crate::memory::{Lookup, ObjectId, ObjectKind};
use crate::program::Program;
use crate::state::State;
use crate::value::{Val, signed};
use effigy_engine::{ValuePart, VariableValue};
use effigy_term::{Term, Terms, Width};
use std::rc::Rc;
use std::sync::Arc;

/// So many elements of an array are shown.
const ELEMENTS: u64 = 16;

/// So many members of a structure are shown.
const MEMBERS: usize = 32;

/// Structures in structures are shown so deep.
const DEPTH: u32 = 3;

/// A symbolic index is followed over at most so many elements.
const CASES: u64 = 1024;

/// What stands for a value that is not initialised.
const UNKNOWN: &str = "?";

/// The parts of a value that is being written.
#[derive(Default)]
struct Parts(Vec<ValuePart>);

impl Parts {
    fn text(&mut self, text: &str) {
        self.0.push(ValuePart::Text(text.to_owned()));
    }

    fn is_unknown(&self) -> bool {
        matches!(&self.0[..], [ValuePart::Text(text)] if text == UNKNOWN)
    }
}

/// Where a value is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Slot {
    /// In a register of the innermost frame.
    Register { register: u32, bits: u32 },
    /// In memory.
    Memory { object: ObjectId, offset: i64 },
    /// One of `count` elements of `stride` bytes from `offset` on.
    Element { object: ObjectId, offset: i64, index: Term, stride: u64, count: u64 },
}

impl Slot {
    pub(super) fn at(address: u64) -> Slot {
        let (object, offset) = ObjectId::of_address(address);
        Slot::Memory { object, offset }
    }
}

/// The state that is read.
#[derive(Clone, Copy)]
pub(super) struct Access<'a> {
    pub(super) program: &'a Program,
    pub(super) terms: &'a Terms,
    pub(super) state: &'a State,
}

impl<'a> Access<'a> {
    pub(super) fn source_type(&self, ty: u32) -> &'a SourceType {
        &self.program.executable.code.source_types[ty as usize]
    }

    /// A value of `size` bytes; `None` when it is not initialised, or not there.
    pub(super) fn read(&self, slot: &Slot, size: u64) -> Option<Term> {
        let terms = self.terms;
        let term = match slot {
            Slot::Register { register, bits } => {
                let frame = self.state.frames.last()?;
                frame.registers.get(*register as usize)?.to_term(terms, Width::new(*bits)?)?
            }
            Slot::Memory { object, offset } => self.read_memory(*object, *offset, size)?,
            Slot::Element { object, offset, index, stride, count } => {
                let mut res = None;
                for at in (0..(*count).min(CASES)).rev() {
                    let element = self.read_memory(*object, offset.checked_add((at * stride) as i64)?, size)?;
                    let here = terms.eq(*index, terms.bv_u64(terms.width(*index), at));
                    res = Some(res.map_or(element, |it| terms.ite(here, element, it)));
                }
                res?
            }
        };
        (!terms.is_undefined(term)).then_some(term)
    }

    fn read_memory(&self, object: ObjectId, offset: i64, size: u64) -> Option<Term> {
        let Lookup::Object(object) = self.state.memory.lookup(object) else { return None };
        let offset = usize::try_from(offset).ok()?;
        let size = usize::try_from(size).ok().filter(|it| (1..=16).contains(it))?;
        if offset.checked_add(size)? > object.bytes.len() {
            return None;
        }
        let mut count = self.state.undefined;
        let mut undefined = Undefined { terms: self.terms, count: &mut count };
        let width = Width::of(size as u32 * 8);
        object.bytes.load(&mut undefined, offset, size, width.bits()).to_term(self.terms, width)
    }

    /// A variable's value for a person.
    pub(super) fn shown(&self, slot: &Slot, ty: u32) -> VariableValue {
        let source = self.source_type(ty);
        if matches!(source.kind, SourceKind::Integer { .. }) && self.read(slot, source.size).is_none() {
            return VariableValue::Uninitialised;
        }
        let mut parts = Parts::default();
        self.write_value(slot, ty, 0, &mut parts);
        match &parts.0[..] {
            [ValuePart::Text(text)] if text == UNKNOWN => VariableValue::Uninitialised,
            _ => VariableValue::composite(parts.0),
        }
    }

    /// Writes a value; `?` where it is not initialised.
    fn write_value(&self, slot: &Slot, ty: u32, depth: u32, into: &mut Parts) {
        let source = self.source_type(ty);
        let within = |offset: u64| match slot {
            Slot::Memory { object, offset: from } => {
                Some(Slot::Memory { object: *object, offset: from.checked_add(offset as i64)? })
            }
            _ => None,
        };
        let item = |at: Option<Slot>, ty: u32, into: &mut Parts| match at {
            Some(at) => self.write_value(&at, ty, depth + 1, into),
            None => into.text(UNKNOWN),
        };
        match &source.kind {
            SourceKind::Structure { .. } | SourceKind::Array { .. } if depth >= DEPTH => into.text("{…}"),
            SourceKind::Structure { members } => {
                into.text("{");
                for (at, member) in members.iter().take(MEMBERS).enumerate() {
                    into.text(if at > 0 { ", " } else { "" });
                    if !member.name.is_empty() {
                        into.text(&format!("{} = ", member.name));
                    }
                    item(within(member.offset), member.ty, into);
                }
                into.text(if members.len() > MEMBERS { ", …}" } else { "}" });
            }
            SourceKind::Array { element, count } => {
                if let Some(text) = self.string(slot, *element, *count) {
                    return into.text(&text);
                }
                let size = self.source_type(*element).size;
                let mut items = Vec::new();
                for at in 0..(*count).min(ELEMENTS) {
                    let mut parts = Parts::default();
                    item(within(at.saturating_mul(size)), *element, &mut parts);
                    items.push(parts);
                }
                if items.iter().all(Parts::is_unknown) {
                    return into.text(UNKNOWN);
                }
                into.text("{");
                for (at, parts) in items.into_iter().enumerate() {
                    into.text(if at > 0 { ", " } else { "" });
                    into.0.extend(parts.0);
                }
                into.text(if *count > ELEMENTS { ", …}" } else { "}" });
            }
            SourceKind::Pointer { to } => match self.read(slot, source.size) {
                Some(term) => match self.initial(slot, source.size) {
                    Some(bytes) => into.text(&bytes),
                    None => {
                        into.0.push(self.pointer(term));
                        self.write_target(term, *to, depth, into);
                    }
                },
                None => into.text(UNKNOWN),
            },
            SourceKind::Integer { signed: false, .. } => match self.read(slot, source.size) {
                Some(term) => match (self.terms.as_bv(term), self.initial(slot, source.size)) {
                    (Some(value), _) => into.text(&value.to_biguint().to_string()),
                    (None, Some(bytes)) => into.text(&bytes),
                    (None, None) => into.0.push(ValuePart::Term(term)),
                },
                None => into.text(UNKNOWN),
            },
            SourceKind::Float => match self.read(slot, source.size).map(|it| self.terms.as_bv(it).cloned()) {
                Some(Some(value)) => into.text(&match value.to_u64() {
                    Some(bits) if source.size == 4 => f32::from_bits(bits as u32).to_string(),
                    Some(bits) if source.size == 8 => f64::from_bits(bits).to_string(),
                    _ => "a number".to_owned(),
                }),
                Some(None) => into.text("a symbolic number"),
                None => into.text(UNKNOWN),
            },
            SourceKind::Integer { .. } | SourceKind::Other => match self.read(slot, source.size) {
                Some(term) => match self.initial(slot, source.size) {
                    Some(bytes) => into.text(&bytes),
                    None => into.0.push(ValuePart::Term(term)),
                },
                None => into.text(UNKNOWN),
            },
        }
    }

    /// Writes what a pointer leads to, where no variable in scope shows it: ` {1, 2}` of an array, behind its name.
    fn write_target(&self, address: Term, to: u32, depth: u32, into: &mut Parts) {
        let Some(address) = self.terms.as_bv(address).and_then(effigy_term::BvValue::to_u64) else { return };
        let (id, offset) = ObjectId::of_address(address);
        let Lookup::Object(object) = self.state.memory.lookup(id) else { return };
        let is_shown = match object.kind {
            ObjectKind::Heap => false,
            ObjectKind::Stack => self.program.shows(self.state, id),
            _ => true,
        };
        let stride = self.source_type(to).size;
        let room = u64::try_from(offset).ok().and_then(|it| (object.bytes.len() as u64).checked_sub(it));
        let count = match room {
            Some(room) if stride > 0 && !is_shown && depth < DEPTH => room / stride,
            _ => 0,
        };
        if count == 0 {
            return;
        }
        let start = Slot::Memory { object: id, offset };
        if let Some(text) = self.string(&start, to, count) {
            return into.text(&format!(" {text}"));
        }
        let mut items = Vec::new();
        for at in 0..count.min(ELEMENTS) {
            let Some(offset) = offset.checked_add((at * stride) as i64) else { return };
            let mut parts = Parts::default();
            self.write_value(&Slot::Memory { object: id, offset }, to, depth + 1, &mut parts);
            items.push(parts);
        }
        if items.iter().all(Parts::is_unknown) {
            return;
        }
        let is_one_structure = count == 1 && matches!(self.source_type(to).kind, SourceKind::Structure { .. });
        into.text(if is_one_structure { " " } else { " {" });
        for (at, parts) in items.into_iter().enumerate() {
            into.text(if at > 0 { ", " } else { "" });
            into.0.extend(parts.0);
        }
        match is_one_structure {
            true => {}
            false => into.text(if count > ELEMENTS { ", …}" } else { "}" }),
        }
    }

    /// The bytes of an input that are still where they were at the start, where a value is made of several: `a[4…7]`.
    fn initial(&self, slot: &Slot, size: u64) -> Option<String> {
        let Slot::Memory { object, offset } = slot else { return None };
        let (offset, size) = (usize::try_from(*offset).ok()?, usize::try_from(size).ok()?);
        let byte = |at: usize| self.read_memory(*object, i64::try_from(offset + at).ok()?, 1);
        // A constant may be equal to that of another byte.
        let first = byte(0).filter(|it| size > 1 && self.terms.as_bv(*it).is_none())?;
        let second = byte(1)?;
        let follows =
            |pieces: &[Term], at: usize| pieces.get(at) == Some(&first) && pieces.get(at + 1) == Some(&second);
        let inputs = self.state.inputs.iter();
        let (input, at) =
            inputs.filter_map(|it| Some((it, (0..it.pieces.len()).find(|at| follows(&it.pieces, *at))?))).next()?;
        let is_whole =
            (0..size).all(|it| input.pieces.get(at + it).copied().is_some_and(|piece| byte(it) == Some(piece)));
        is_whole.then(|| format!("{}[{at}…{}]", input.name, at + size - 1))
    }

    /// `"ab"`, if this is an array of known characters.
    fn string(&self, slot: &Slot, element: u32, count: u64) -> Option<String> {
        let SourceKind::Integer { character: true, .. } = self.source_type(element).kind else { return None };
        let (Slot::Memory { object, offset }, 1) = (slot, self.source_type(element).size) else { return None };
        let Lookup::Object(object) = self.state.memory.lookup(*object) else { return None };
        let offset = usize::try_from(*offset).ok()?;
        let count = usize::try_from(count).ok()?;
        if offset.checked_add(count)? > object.bytes.len() {
            return None;
        }
        let bytes = object.bytes.slice(offset, count)?;
        let end = bytes.iter().position(|&it| it == 0)?;
        let text: String = bytes[..end].iter().take(60).map(|&it| char::from(it)).collect();
        Some(format!("{text:?}"))
    }

    /// `&buf + 4`, `null`, or a formula.
    pub(super) fn pointer(&self, term: Term) -> ValuePart {
        match self.terms.as_bv(term).and_then(effigy_term::BvValue::to_u64) {
            Some(address) => ValuePart::Text(self.address(address)),
            None => ValuePart::Term(term),
        }
    }

    fn address(&self, address: u64) -> String {
        if address == 0 {
            return "null".to_owned();
        }
        let (id, offset) = ObjectId::of_address(address);
        let object = self.state.memory.get(id);
        let name = object.map_or_else(|| "?".into(), |it| Arc::clone(&it.name));
        let name = match self.state.memory.lookup(id) {
            Lookup::Object(object) if object.kind != ObjectKind::Heap => format!("&{name}"),
            // What the program has allocated has no name, but a number.
            Lookup::Object(_) if name.contains(' ') => format!("heap#{}", id.0),
            Lookup::Object(_) => format!("heap {name}"),
            Lookup::Dead(_) => format!("dead &{name}"),
            Lookup::Null | Lookup::Wild => return format!("{address:#x}"),
        };
        match offset {
            0 => name,
            1.. => format!("{name} + {offset}"),
            _ => format!("{name} - {}", offset.unsigned_abs()),
        }
    }
}

/// Writes a value; `None` when it cannot be written there.
pub(super) fn write(terms: &Terms, state: &mut State, slot: &Slot, term: Term) -> Option<()> {
    match slot {
        Slot::Register { register, .. } => {
            let frame = Rc::make_mut(state.frames.last_mut()?);
            *frame.registers.get_mut(*register as usize)? = Val::of_term(terms, term);
            Some(())
        }
        Slot::Memory { object, offset } => {
            let object = state.memory.object_mut(*object)?;
            let offset = usize::try_from(*offset).ok()?;
            let size = (terms.width(term).bits() / 8) as usize;
            let fits = offset.checked_add(size).is_some_and(|it| it <= object.bytes.len());
            if !fits || matches!(object.kind, ObjectKind::Constant | ObjectKind::Function) {
                return None;
            }
            Rc::make_mut(&mut object.bytes).store_term(terms, offset, size, term);
            Some(())
        }
        Slot::Element { .. } => None,
    }
}

/// The constant of at most 64 bits that a term is, as a signed number.
pub(super) fn constant(terms: &Terms, term: Term) -> Option<i64> {
    let value = terms.as_bv(term)?;
    Some(signed(value.to_u64()?, value.width().bits()))
}
