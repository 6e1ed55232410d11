//! Checks of types: what later stages may rely on.
//!
//! Knows: which types operators and conversions take. Never: values, text.
//! A type without layout (`token`, a scalable vector) passes every check: what computes with it is refused later.

use super::types::Lanes;
use super::{BIT, PTR, Reader, Result};
use crate::ir::{BinaryOp, CastOp, FloatKind, Type, TypeId};

/// What operators distinguish.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Int(u32),
    Float(FloatKind),
    Ptr,
    Aggregate,
    /// Nothing is known of it.
    Other,
}

impl Reader<'_> {
    /// The lanes of a vector and the class of one of them, or of the scalar.
    fn class(&self, ty: TypeId) -> (Option<Lanes>, Class) {
        let lanes = self.lanes(ty);
        let class = match *self.module.ty(lanes.map_or(ty, |it| it.element)) {
            Type::Int(bits) => Class::Int(bits),
            Type::Float(kind) => Class::Float(kind),
            Type::Ptr => Class::Ptr,
            Type::Other(_) => Class::Other,
            Type::Void | Type::Function { .. } | Type::Array(..) | Type::Struct { .. } | Type::Vector(..) => {
                Class::Aggregate
            }
        };
        (lanes, class)
    }

    /// Whether values have this type.
    pub(super) fn is_value_type(&self, ty: TypeId) -> bool {
        !matches!(self.module.ty(ty), Type::Void | Type::Function { .. })
    }

    fn is_other(&self, ty: TypeId) -> bool {
        matches!(self.module.ty(ty), Type::Other(_))
    }

    fn wrong(&self, ty: TypeId, wanted: &str) -> super::ReadError {
        self.cursor.error_here(format!("{wanted} was expected, not one of type {}", self.type_text(ty)))
    }

    /// `actual` is written where a value of type `wanted` belongs.
    pub(super) fn check_same(&self, actual: TypeId, wanted: TypeId) -> Result<()> {
        if actual == wanted || (self.is_other(actual) && self.is_other(wanted)) {
            return Ok(());
        }
        Err(self.wrong(actual, &format!("a value of type {}", self.type_text(wanted))))
    }

    pub(super) fn check_pointer(&self, ty: TypeId) -> Result<()> {
        if ty == PTR || self.is_other(ty) { Ok(()) } else { Err(self.wrong(ty, "a pointer")) }
    }

    pub(super) fn check_int(&self, ty: TypeId) -> Result<()> {
        match self.module.ty(ty) {
            Type::Int(_) | Type::Other(_) => Ok(()),
            _ => Err(self.wrong(ty, "an integer")),
        }
    }

    /// An `i1`.
    pub(super) fn check_bit(&self, ty: TypeId) -> Result<()> {
        if ty == BIT { Ok(()) } else { Err(self.wrong(ty, "a value of type i1")) }
    }

    /// An integer or a vector of them.
    pub(super) fn check_index(&self, ty: TypeId) -> Result<()> {
        match self.class(ty).1 {
            Class::Int(_) | Class::Other => Ok(()),
            _ => Err(self.wrong(ty, "an index")),
        }
    }

    pub(super) fn check_address(&self, ty: TypeId) -> Result<()> {
        match self.class(ty).1 {
            Class::Ptr | Class::Other => Ok(()),
            _ => Err(self.wrong(ty, "a pointer")),
        }
    }

    pub(super) fn check_float(&self, ty: TypeId) -> Result<()> {
        match self.class(ty).1 {
            Class::Float(_) | Class::Other => Ok(()),
            _ => Err(self.wrong(ty, "a floating-point number")),
        }
    }

    pub(super) fn check_binary(&self, op: BinaryOp, ty: TypeId) -> Result<()> {
        if super::opcodes::is_float_op(op) { self.check_float(ty) } else { self.check_index(ty) }
    }

    /// The operands of `icmp`.
    pub(super) fn check_comparable(&self, ty: TypeId) -> Result<()> {
        match self.class(ty).1 {
            Class::Int(_) | Class::Ptr | Class::Other => Ok(()),
            _ => Err(self.wrong(ty, "an integer or a pointer")),
        }
    }

    /// The condition of a `select` between values of type `ty`.
    pub(super) fn check_choice(&self, cond: TypeId, ty: TypeId) -> Result<()> {
        match self.class(cond) {
            (None, Class::Int(1)) | (_, Class::Other) => Ok(()),
            (Some(a), Class::Int(1)) if self.lanes(ty).is_some_and(|b| same_count(a, b)) => Ok(()),
            _ => Err(self.wrong(cond, "an i1 or a vector of them")),
        }
    }

    pub(super) fn check_cast(&self, op: CastOp, from: TypeId, to: TypeId) -> Result<()> {
        let ((from_lanes, a), (to_lanes, b)) = (self.class(from), self.class(to));
        let same_lanes = match (from_lanes, to_lanes) {
            (None, None) => true,
            (Some(a), Some(b)) => same_count(a, b),
            _ => false,
        };
        let possible = match (op, a, b) {
            (_, Class::Other, _) | (_, _, Class::Other) => true,
            (CastOp::BitCast, Class::Ptr, Class::Ptr) => same_lanes,
            (CastOp::BitCast, Class::Int(_) | Class::Float(_), Class::Int(_) | Class::Float(_)) => {
                // Scalable lanes of both sides are multiplied by the same number.
                from_lanes.is_some_and(|it| it.scalable) == to_lanes.is_some_and(|it| it.scalable)
                    && total_bits(from_lanes, a) == total_bits(to_lanes, b)
            }
            (CastOp::Trunc, Class::Int(a), Class::Int(b)) => same_lanes && a > b,
            (CastOp::ZExt | CastOp::SExt, Class::Int(a), Class::Int(b)) => same_lanes && a < b,
            (CastOp::FpTrunc, Class::Float(a), Class::Float(b)) => same_lanes && a.bits() > b.bits(),
            (CastOp::FpExt, Class::Float(a), Class::Float(b)) => same_lanes && a.bits() < b.bits(),
            (CastOp::FpToUi | CastOp::FpToSi, Class::Float(_), Class::Int(_))
            | (CastOp::UiToFp | CastOp::SiToFp, Class::Int(_), Class::Float(_))
            | (CastOp::PtrToInt, Class::Ptr, Class::Int(_))
            | (CastOp::IntToPtr, Class::Int(_), Class::Ptr) => same_lanes,
            _ => false,
        };
        if possible {
            return Ok(());
        }
        let (from, to) = (self.type_text(from), self.type_text(to));
        Err(self.cursor.error_here(format!("this conversion does not lead from {from} to {to}")))
    }

    /// The type of the element at `path` of an aggregate.
    pub(super) fn element_at(&self, ty: TypeId, path: &[u32]) -> Result<TypeId> {
        let mut res = ty;
        for &index in path {
            let inside = match self.module.ty(res) {
                Type::Array(count, _) => u64::from(index) < *count,
                Type::Struct { .. } => true,
                _ => false,
            };
            res = match self.module.element(res, u64::from(index)).filter(|_| inside) {
                Some(it) => it,
                None => {
                    return Err(self.cursor.error_here(format!("{} has no such element", self.type_text(ty))));
                }
            };
        }
        if path.is_empty() {
            return Err(self.cursor.error_here("an index into the aggregate was expected".to_owned()));
        }
        Ok(res)
    }
}

fn same_count(a: Lanes, b: Lanes) -> bool {
    (a.count, a.scalable) == (b.count, b.scalable)
}

fn total_bits(lanes: Option<Lanes>, class: Class) -> u64 {
    let bits = match class {
        Class::Int(bits) => bits,
        Class::Float(kind) => kind.bits(),
        Class::Ptr | Class::Aggregate | Class::Other => 0,
    };
    u64::from(bits) * u64::from(lanes.map_or(1, |it| it.count))
}
