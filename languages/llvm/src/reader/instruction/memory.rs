//! Instructions on memory.
//!
//! Knows: their grammar. Never: what memory holds.

use super::super::opcodes::rmw_op;
use super::super::scope::Scope;
use super::super::types::Lanes;
use super::super::{BIT, PTR, Reader, Result, VOID};
use crate::ir::{Op, Type, TypeId};

impl<'a> Reader<'a> {
    pub(super) fn alloca(&mut self, scope: &mut Scope<'a>) -> Result<(Op, TypeId)> {
        self.flags(scope);
        let ty = self.value_type()?;
        let count = if self.comma_before_type() {
            let count = self.typed_operand(scope)?;
            self.check_int(count.0)?;
            Some(count)
        } else {
            None
        };
        Ok((Op::Alloca { ty, count }, PTR))
    }

    pub(super) fn load(&mut self, scope: &mut Scope<'a>) -> Result<(Op, TypeId)> {
        self.flags(scope);
        let ty = self.value_type()?;
        self.cursor.expect(b",")?;
        let ptr = self.pointer_operand(scope)?;
        self.ordering(scope)?;
        Ok((Op::Load { ty, ptr }, ty))
    }

    pub(super) fn store(&mut self, scope: &mut Scope<'a>) -> Result<(Op, TypeId)> {
        self.flags(scope);
        let (ty, value) = self.typed_operand(scope)?;
        self.cursor.expect(b",")?;
        let ptr = self.pointer_operand(scope)?;
        self.ordering(scope)?;
        Ok((Op::Store { ty, value, ptr }, VOID))
    }

    pub(super) fn gep(&mut self, scope: &mut Scope<'a>) -> Result<(Op, TypeId)> {
        self.flags(scope);
        let source = self.value_type()?;
        self.cursor.expect(b",")?;
        let (base_ty, base) = self.typed_operand(scope)?;
        self.check_address(base_ty)?;
        let mut lanes = self.lanes(base_ty);
        let mut indices = Vec::new();
        while self.comma_before_type() {
            let (ty, index) = self.typed_operand(scope)?;
            self.check_index(ty)?;
            lanes = lanes.or(self.lanes(ty));
            indices.push((ty, index));
        }
        let result = lanes.map_or(PTR, |it| self.vector_of(Lanes { element: PTR, ..it }));
        Ok((Op::Gep { source, base_ty, base, indices }, result))
    }

    pub(super) fn atomic_rmw(&mut self, scope: &mut Scope<'a>) -> Result<(Op, TypeId)> {
        if self.cursor.peek_word() == b"volatile" {
            self.flag(scope);
        }
        let word = self.cursor.word();
        let ptr = self.pointer_operand(scope)?;
        self.cursor.expect(b",")?;
        let (ty, value) = self.typed_operand(scope)?;
        self.ordering(scope)?;
        Ok(match rmw_op(word) {
            Some(op) => (Op::AtomicRmw { op, ty, ptr, value }, ty),
            None => (Op::Unsupported(format!("atomicrmw {}", String::from_utf8_lossy(word)).into()), ty),
        })
    }

    pub(super) fn cmpxchg(&mut self, scope: &mut Scope<'a>) -> Result<(Op, TypeId)> {
        self.flags(scope);
        let ptr = self.pointer_operand(scope)?;
        self.cursor.expect(b",")?;
        let (ty, expected) = self.typed_operand(scope)?;
        let new = self.same_operand(scope, ty)?;
        self.ordering(scope)?;
        let result = self.type_id(Type::Struct { fields: [ty, BIT].into(), packed: false });
        Ok((Op::CmpXchg { ty, ptr, expected, new }, result))
    }

    pub(super) fn va_arg(&mut self, scope: &mut Scope<'a>) -> Result<(Op, TypeId)> {
        let list = self.pointer_operand(scope)?;
        self.cursor.expect(b",")?;
        let ty = self.value_type()?;
        Ok((Op::VaArg { list, ty }, ty))
    }

    /// A type of values.
    pub(super) fn value_type(&mut self) -> Result<TypeId> {
        let ty = self.ty()?;
        if self.is_value_type(ty) {
            return Ok(ty);
        }
        Err(self.cursor.error_here(format!("there is no value of type {}", self.type_text(ty))))
    }

    /// Takes `,` if a type follows it, and not an alignment or metadata.
    fn comma_before_type(&mut self) -> bool {
        let start = self.cursor.position();
        if self.cursor.take(b",") && self.at_type() {
            return true;
        }
        self.cursor.rewind(start);
        false
    }
}
