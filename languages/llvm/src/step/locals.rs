//! Local variables: where they begin and cease to live.
//!
//! Knows: arrays whose length the program computes, the marks of scopes. Never: what is in a variable (`access`).
//! Source: LLVM Language Reference, "alloca", "llvm.lifetime.start", "llvm.stackrestore"; C17 6.7.6.2.

use crate::checks::ARRAY_LENGTH;
use crate::code::{Alloca, Opnd, Reg};
use crate::machine::{Flow, Machine};
use crate::memory::bytes::Bytes;
use crate::memory::{Life, MAX_SIZE, ObjectId, ObjectKind, Size};
use crate::value::Val;
use effigy_term::{BvValue, Width};
use std::sync::Arc;

/// An array of variable length has at most so many elements.
const MOST_ELEMENTS: u64 = (1 << 31) - 1;

/// A local variable of symbolic size has often at most so many bytes: then it is read at symbolic offsets as one.
const MOST_SYMBOLIC: u64 = 4096;

/// Of a larger object the first content is no input.
const MOST_CONTENT: u64 = 1 << 16;

impl Machine<'_, '_> {
    pub(super) fn alloca(&mut self, dst: Reg, alloca: &Alloca) -> Flow<()> {
        let size = match alloca.count {
            None => Size::Known(alloca.size),
            Some((count, width)) => self.dynamic_size(alloca, count, width)?,
        };
        if size.most() > MAX_SIZE {
            return Err(self.unsupported("a local variable of more than 1 GiB"));
        }
        let len = match size {
            Size::Known(size) => size,
            // The bytes come into being as they are used.
            Size::Symbolic { .. } => 0,
        };
        let bytes = Bytes::uninitialised(len as usize);
        let id = self.allocate(ObjectKind::Stack, size, bytes, alloca.element, &alloca.name);
        self.align(id, alloca.align);
        if let (Some(rows), Some(object)) = (&alloca.rows, self.state.memory.object_mut(id)) {
            object.rows = Some(Arc::clone(rows));
        }
        let is_dynamic = alloca.count.is_some();
        let frame = self.frame_mut();
        if is_dynamic { &mut frame.dynamic } else { &mut frame.allocas }.push(id);
        self.finish(dst, Val::Int(id.base()))
    }

    /// What an object holds that was not written yet is an input.
    pub(crate) fn any_content(&mut self, ptr: &Val) -> Flow<()> {
        let Val::Int(address) = ptr else { return Ok(()) };
        let object = self.state.memory.get(ObjectId::of_address(*address).0);
        let Some((Size::Known(size @ 1..=MOST_CONTENT), name)) = object.map(|it| (it.size, Arc::clone(&it.name)))
        else {
            return Ok(());
        };
        let name = crate::names::in_file(&name, &self.place().file);
        self.input_memory(ptr, size, &name)
    }

    /// The size of an array whose length the program computes: C17 6.7.6.2 wants it to be positive; what `alloca` is
    /// asked for may be 0.
    fn dynamic_size(&mut self, alloca: &Alloca, count: Opnd, width: u32) -> Flow<Size> {
        let count = self.value(count);
        let count = self.term(&count, Width::of(width));
        self.require_defined(count, "the length of an array")?;
        let terms = self.ctx.terms;
        let count =
            if width < 64 { terms.bv_zero_extend(Width::W64, count) } else { terms.bv_truncate(Width::W64, count) };
        if alloca.is_array {
            // A negative `int` arrives here as a large number.
            let one_less = terms.bv_sub(count, terms.bv_u64(Width::W64, 1));
            let fits = terms.bv_ult(one_less, terms.bv_u64(Width::W64, MOST_ELEMENTS));
            self.require(fits, ARRAY_LENGTH, || {
                "an array of variable length can have no length that is positive and has room on a stack".to_owned()
            })?;
        }
        if let Some(count) = terms.as_bv(count).and_then(BvValue::to_u64) {
            return Ok(Size::Known(alloca.size.saturating_mul(count)));
        }
        let term = terms.bv_mul(count, terms.bv_u64(Width::W64, alloca.size));
        let up_to = |bytes: u64| terms.bv_ule(count, terms.bv_u64(Width::W64, bytes / alloca.size.max(1)));
        for most in [MOST_SYMBOLIC, MAX_SIZE] {
            if self.decide_term(up_to(most))? {
                return Ok(Size::Symbolic { term, most });
            }
        }
        Ok(Size::Known(u64::MAX))
    }

    /// `llvm.lifetime.start` and `.end`: a variable lives from its declaration to the end of its block. As natively, it
    /// is the same object each time.
    pub(super) fn variable_lives(&mut self, ptr: &Val, begins: bool) {
        let Val::Int(address) = ptr else { return };
        let (id, offset) = ObjectId::of_address(*address);
        if offset != 0 || self.state.memory.get(id).is_none_or(|it| it.kind != ObjectKind::Stack) {
            return;
        }
        if begins {
            self.state.memory.revive(id);
        } else {
            self.state.memory.kill(id, Life::OutOfScope);
        }
    }

    /// `llvm.stackrestore`: the variables of dynamic size of this call are gone, from this object on.
    pub(crate) fn restore_stack(&mut self, first: ObjectId) {
        let dynamic = &mut self.frame_mut().dynamic;
        let kept = dynamic.iter().take_while(|it| **it < first).count();
        let gone = dynamic.split_off(kept);
        for id in gone {
            self.state.memory.kill(id, Life::OutOfScope);
        }
    }
}
