//! Instructions on the elements of aggregates and vectors.
//!
//! Knows: their grammar. Never: values.

use super::super::scope::Scope;
use super::super::types::Lanes;
use super::super::{Reader, Result};
use crate::ir::{Op, Type, TypeId};

impl<'a> Reader<'a> {
    pub(super) fn extract_value(&mut self, scope: &mut Scope<'a>) -> Result<(Op, TypeId)> {
        let (ty, a) = self.typed_operand(scope)?;
        let path = self.path()?;
        let element = self.element_at(ty, &path)?;
        Ok((Op::ExtractValue { ty, a, path }, element))
    }

    pub(super) fn insert_value(&mut self, scope: &mut Scope<'a>) -> Result<(Op, TypeId)> {
        let (ty, a) = self.typed_operand(scope)?;
        self.cursor.expect(b",")?;
        let (value_ty, value) = self.typed_operand(scope)?;
        let path = self.path()?;
        let element = self.element_at(ty, &path)?;
        self.check_same(value_ty, element)?;
        Ok((Op::InsertValue { ty, a, value_ty, value, path }, ty))
    }

    /// `, 0, 1`: indices into an aggregate.
    fn path(&mut self) -> Result<Vec<u32>> {
        let mut path = Vec::new();
        loop {
            let start = self.cursor.position();
            if !self.cursor.take(b",") || !matches!(self.cursor.peek_token(), Some(b'0'..=b'9')) {
                self.cursor.rewind(start);
                return Ok(path);
            }
            path.push(self.cursor.number_u32()?);
        }
    }

    pub(super) fn extract_element(&mut self, scope: &mut Scope<'a>) -> Result<(Op, TypeId)> {
        let (ty, a) = self.typed_operand(scope)?;
        let lanes = self.vector_lanes(ty)?;
        self.cursor.expect(b",")?;
        let (index_ty, index) = self.typed_operand(scope)?;
        self.check_int(index_ty)?;
        Ok((Op::ExtractElement { ty, a, index_ty, index }, lanes.element))
    }

    pub(super) fn insert_element(&mut self, scope: &mut Scope<'a>) -> Result<(Op, TypeId)> {
        let (ty, a) = self.typed_operand(scope)?;
        let lanes = self.vector_lanes(ty)?;
        let value = self.same_operand(scope, lanes.element)?;
        self.cursor.expect(b",")?;
        let (index_ty, index) = self.typed_operand(scope)?;
        self.check_int(index_ty)?;
        Ok((Op::InsertElement { ty, a, value, index_ty, index }, ty))
    }

    pub(super) fn shuffle(&mut self, scope: &mut Scope<'a>) -> Result<(Op, TypeId)> {
        let (ty, a) = self.typed_operand(scope)?;
        let lanes = self.vector_lanes(ty)?;
        let b = self.same_operand(scope, ty)?;
        self.cursor.expect(b",")?;
        let mask_ty = self.ty()?;
        let mask_lanes = self.vector_lanes(mask_ty)?;
        if !matches!(self.module.ty(mask_lanes.element), Type::Int(32)) {
            return Err(self.cursor.error("a mask of i32"));
        }
        let mask = self.constant(mask_ty)?;
        let result = self.vector_of(Lanes { element: lanes.element, ..mask_lanes });
        Ok((Op::ShuffleVector { ty, a, b, mask_ty, mask }, result))
    }

    fn vector_lanes(&mut self, ty: TypeId) -> Result<Lanes> {
        match self.lanes(ty) {
            Some(lanes) => Ok(lanes),
            None => Err(self.cursor.error_here(format!("a vector was expected, not {}", self.type_text(ty)))),
        }
    }
}
