//! Inputs: memory and numbers that the program is to be explored for all values of.
//!
//! Knows: how inputs are named and recorded. Never: which values they get.

use super::access::{Access, Offset, Spot};
use crate::code::SourceKind;
use crate::machine::{Flow, Machine};
use crate::memory::{ObjectId, ObjectKind};
use crate::state::InputRecord;
use crate::value::Val;
use effigy_term::{Sort, SymbolKind, Term, Width};
use std::ops::Bound;
use std::rc::Rc;
use std::sync::Arc;

/// The largest object that can be made symbolic, in bytes.
const MOST_BYTES: u64 = 1 << 20;

impl Machine<'_, '_> {
    /// The name under which an input is recorded: the user's, numbered where another input has that name or a piece of
    /// that name.
    fn input_name(&mut self, name: &str) -> Arc<str> {
        let (unique, count) = self.next_name(name);
        let names = Rc::make_mut(&mut self.state.input_names);
        names.insert(name.into(), count);
        names.entry(Arc::clone(&unique)).or_insert(1);
        unique
    }

    /// The name that the next input would get that is called so, and how often the name will have been asked for.
    fn next_name(&self, name: &str) -> (Arc<str>, u32) {
        let names = &self.state.input_names;
        let is_taken = |it: &str| {
            let is_piece = it.ends_with(']') && it.rfind('[').is_some_and(|at| names.contains_key(&it[..at]));
            let pieces = format!("{it}[");
            let mut after = names.range::<str, _>((Bound::Included(&*pieces), Bound::Unbounded));
            names.contains_key(it) || is_piece || after.next().is_some_and(|other| other.0.starts_with(&pieces))
        };
        let mut count = names.get(name).copied().unwrap_or(0);
        loop {
            count += 1;
            let unique = if count == 1 { name.to_owned() } else { format!("{name}#{count}") };
            if !is_taken(&unique) {
                return (unique.into(), count);
            }
        }
    }

    fn record(&mut self, name: Arc<str>, (element, signed): (u32, bool), ty: Option<Arc<str>>, pieces: Vec<Term>) {
        Rc::make_mut(&mut self.state.inputs).push(InputRecord { name, element, signed, ty, pieces });
    }

    /// A number of this width (a multiple of 8) as input.
    pub(crate) fn input_number(&mut self, name: &str, width: Width, signed: bool) -> Term {
        self.input_number_of_type(name, width, signed, None)
    }

    /// The same for a number whose type is known, as reports call it.
    pub(crate) fn input_number_of_type(&mut self, name: &str, width: Width, signed: bool, ty: Option<&str>) -> Term {
        let name = self.input_name(name);
        let sort = if self.is_ideal(width.bits()) { Sort::Int } else { Sort::BitVec(width) };
        let term = self.ctx.input(&name, sort, SymbolKind::Input);
        if !signed {
            self.ctx.terms.set_unsigned_term(term);
        }
        self.record(name, (width.bits() / 8, signed), ty.map(Into::into), vec![term]);
        term
    }

    /// Makes `size` bytes at `ptr` an input.
    pub(crate) fn input_memory(&mut self, ptr: &Val, size: u64, name: &str) -> Flow<()> {
        let source = self.source_of_input(name);
        let known = source.and_then(|it| self.numbers_in(it));
        let float = source.and_then(|it| self.floats_in(it, size));
        self.input_of_numbers(ptr, size, name, (known, float.map(Into::into)))
    }

    /// What reports call the type of `float`s and `double`s, of which a type consists or to which it points.
    fn floats_in(&self, mut ty: u32, size: u64) -> Option<&'static str> {
        for _ in 0..8 {
            let source = self.program.code.source_types.get(ty as usize)?;
            match source.kind {
                SourceKind::Float => {
                    return match (source.size, size == source.size) {
                        (4, true) => Some("f32"),
                        (4, false) => Some("[f32]"),
                        (8, true) => Some("f64"),
                        (8, false) => Some("[f64]"),
                        _ => None,
                    };
                }
                SourceKind::Pointer { to } => ty = to,
                SourceKind::Array { element, .. } => ty = element,
                _ => return None,
            }
        }
        None
    }

    /// The same for memory that holds numbers of so many bytes, with a sign or without; `ty` is the type as the program
    /// calls it.
    pub(crate) fn input_of_numbers(
        &mut self,
        ptr: &Val,
        size: u64,
        name: &str,
        (known, ty): (Option<(u32, bool)>, Option<Arc<str>>),
    ) -> Flow<()> {
        if size == 0 {
            return Ok(());
        }
        if size > MOST_BYTES {
            return Err(self.unsupported("an input of more than 1 MiB"));
        }
        let spot = self.resolve(ptr, size, Access::Write)?;
        let element = self.state.memory.get(spot.object).map_or(1, |it| it.element);
        let start = match spot.offset {
            Offset::Known(offset) => offset,
            Offset::Symbolic(_) => return Err(self.unsupported("an input at a symbolic address")),
        };
        let (element, signed) = match known {
            Some((bytes, signed)) if element == 1 || element == bytes => (bytes, signed),
            _ => (element, true),
        };
        self.name_made_up(spot.object, name);
        let fits =
            element > 0 && (start as u64).is_multiple_of(u64::from(element)) && size.is_multiple_of(u64::from(element));
        let element = if fits { element } else { 1 };
        let name = self.input_name(name);
        let count = size / u64::from(element);
        let width = element * 8;
        let mut pieces = Vec::with_capacity(count as usize);
        for index in 0..count {
            let piece = if count == 1 { name.to_string() } else { format!("{name}[{index}]") };
            let term = self.ctx.input(&piece, Sort::BitVec(Width::of(width)), SymbolKind::Input);
            if !signed {
                self.ctx.terms.set_unsigned_term(term);
            }
            pieces.push(term);
            let at = Spot { object: spot.object, offset: Offset::Known(start + index as usize * element as usize) };
            let value = Val::of_term(self.ctx.terms, term);
            self.write(at, &value, element as usize, width);
        }
        self.record(name, (element, signed), ty, pieces);
        Ok(())
    }

    /// The type of what an input is called, where that is a variable of the function that asks, or a part of one:
    /// `n`, `p->next`, `point.x`, `rows[0]`.
    fn source_of_input(&self, name: &str) -> Option<u32> {
        let frame = self.state.frames.last()?;
        let code = &self.program.code;
        let kind = |ty: u32| code.source_types.get(ty as usize).map(|it| &it.kind);
        let variables = &code.functions[frame.function as usize].variables;
        let after_root = name.find(['-', '.', '[']).unwrap_or(name.len());
        let (root, mut rest) = name.split_at(after_root);
        let mut ty = variables.iter().find(|it| &*it.name == root)?.ty;
        while !rest.is_empty() {
            if let Some(index) = rest.strip_prefix('[') {
                ty = match kind(ty)? {
                    SourceKind::Pointer { to } => *to,
                    SourceKind::Array { element, .. } => *element,
                    _ => return None,
                };
                rest = index.split_once(']')?.1;
                continue;
            }
            let part = match rest.strip_prefix("->") {
                Some(part) => {
                    let SourceKind::Pointer { to } = kind(ty)? else { return None };
                    ty = *to;
                    part
                }
                None => rest.strip_prefix('.')?,
            };
            let SourceKind::Structure { members } = kind(ty)? else { return None };
            let (member, after) = part.split_at(part.find(['-', '.', '[']).unwrap_or(part.len()));
            ty = members.iter().find(|it| &*it.name == member)?.ty;
            rest = after;
        }
        Some(ty)
    }

    /// The size and the sign of the numbers that a type consists of, or that it points to.
    fn numbers_in(&self, mut ty: u32) -> Option<(u32, bool)> {
        for _ in 0..8 {
            let source = self.program.code.source_types.get(ty as usize)?;
            match source.kind {
                SourceKind::Integer { signed, .. } => return Some((source.size as u32, signed)),
                SourceKind::Pointer { to } => ty = to,
                SourceKind::Array { element, .. } => ty = element,
                _ => return None,
            }
        }
        None
    }

    /// Whether the arguments of an entry are being made up.
    pub(crate) fn is_making_up(&self) -> bool {
        self.state.frames.only().is_some_and(|it| self.program.code.functions[it.function as usize].library)
    }

    /// An object that was made up for an input is called as that.
    fn name_made_up(&mut self, object: ObjectId, input: &str) {
        let Some(known) = self.state.memory.get(object) else { return };
        if self.is_making_up() && known.kind == ObjectKind::Heap && known.name.contains(' ') {
            let code = &self.program.code;
            let source = self.source_of_input(input).and_then(|it| code.source_types.get(it as usize));
            // A pointer leads to the object; everything else is a part of it.
            let owner = match source.map(|it| &it.kind) {
                Some(SourceKind::Pointer { .. }) => input,
                _ => {
                    let owner = input.rfind("->").map_or(input, |at| &input[..at]);
                    owner.split(['.', '[']).next().unwrap_or(owner)
                }
            };
            let owner = owner.into();
            if let Some(object) = self.state.memory.object_mut(object) {
                object.name = owner;
            }
        }
    }
}

impl Machine<'_, '_> {
    /// The number that [`Machine::input_number`] would return next for this name, not recorded yet.
    pub(crate) fn peek_input(&mut self, name: &str, width: Width) -> Term {
        let (name, _) = self.next_name(name);
        self.ctx.input(&name, Sort::BitVec(width), SymbolKind::Input)
    }
}

impl Machine<'_, '_> {
    /// What a function returns that is an input.
    pub(super) fn nondet_input(&mut self, name: &str, width: u32, signed: bool) -> Val {
        let term = self.input_number(name, Width::of(width.max(8)), signed);
        let terms = self.ctx.terms;
        let term = match width {
            1 => terms.eq(terms.bv_extract(0, 0, term), terms.bv_u64(Width::W1, 1)),
            _ => term,
        };
        Val::of_term(terms, term)
    }
}
