//! Evaluation of constants and constant expressions.
//!
//! Knows: addresses of globals. Never: run-time state.

use super::{Linker, shape};
use crate::code::Shape;
use crate::ir::distance::Distance;
use crate::ir::{CastOp, ConstExpr, ConstId, Constant, GlobalId, GlobalKind, Module, Type, TypeId};
use crate::memory::bytes::Bytes;
use crate::step::arithmetic;
use crate::value::{Val, signed, truncate};
use effigy_term::{BvValue, Width};
use std::sync::Arc;

/// What is not supported, by name.
type Result<T> = std::result::Result<T, String>;

/// Constant expressions nest at most this deep; the reader's bound is lower.
pub(super) const DEPTH: u32 = 400;

impl Linker<'_> {
    /// The value of a scalar constant of `width` bits.
    pub(super) fn constant_bits(&self, at: usize, id: ConstId, width: u32) -> Result<Val> {
        self.bits_at(at, id, width, DEPTH)
    }

    fn bits_at(&self, at: usize, id: ConstId, width: u32, depth: u32) -> Result<Val> {
        let depth = depth.checked_sub(1).ok_or_else(|| "a constant that refers to itself".to_owned())?;
        match self.modules[at].constant(id) {
            Constant::Bits(value) => Ok(Val::of_bv(value.clone())),
            Constant::Zero(_) => Ok(zero(width)),
            Constant::Undef(_) => Ok(Val::Undef),
            Constant::Global(global) => match self.addresses[at][global.index()] {
                Some(address) => Ok(Val::Int(address)),
                None => match &self.modules[at].globals[global.index()].kind {
                    GlobalKind::Alias(target) => self.bits_at(at, *target, width, depth),
                    _ => Err(format!("the undefined global @{}", self.modules[at].globals[global.index()].name)),
                },
            },
            Constant::Label(function, label) => self.label(at, *function, label),
            Constant::Expr(expr) => self.expression(at, expr, width, depth),
            Constant::Unsupported(what) => Err(what.to_string()),
            Constant::Aggregate(..) | Constant::Bytes(_) => Err("an aggregate where a number is needed".to_owned()),
        }
    }

    /// The address of a label: that of an object of its own, which holds nothing.
    fn label(&self, at: usize, function: GlobalId, label: &Arc<str>) -> Result<Val> {
        let (home, function) = self.definition(at, function);
        let address = self.labels.get(&(home, function, Arc::clone(label)));
        address.map(|it| Val::Int(*it)).ok_or_else(|| format!("the label {label}, which is not there"))
    }

    fn expression(&self, at: usize, expr: &ConstExpr, width: u32, depth: u32) -> Result<Val> {
        let module = &self.modules[at];
        let bits_of = |ty: TypeId| module.bits(ty).ok_or_else(|| "a constant expression on aggregates".to_owned());
        match expr {
            ConstExpr::Cast { op, from, value, to } => {
                let (from, to) = (bits_of(*from)?, bits_of(*to)?);
                let value = self.bits_at(at, *value, from, depth)?;
                match (op, value) {
                    (
                        CastOp::BitCast | CastOp::PtrToInt | CastOp::IntToPtr | CastOp::Trunc | CastOp::ZExt,
                        Val::Int(it),
                    ) => Ok(Val::Int(truncate(it, to))),
                    (CastOp::SExt, Val::Int(it)) => Ok(Val::Int(truncate(signed(it, from) as u64, to))),
                    (_, Val::Undef) => Ok(Val::Undef),
                    _ => Err("a constant conversion of this kind".to_owned()),
                }
            }
            ConstExpr::Gep { source, base, indices, distance } => {
                let Val::Int(start) = self.bits_at(at, *base, 64, depth)? else {
                    return Err("a constant address".to_owned());
                };
                let distance = self.constant_distance(at, (*source, indices, *distance), depth)?;
                let distance = distance.ok_or("a constant address that wraps around in 64 bits")?;
                let address = start.wrapping_add(distance as u64);
                self.strays.borrow_mut().moved(start, address);
                Ok(Val::Int(address))
            }
            ConstExpr::Binary { op, ty, a, b } => {
                let width = bits_of(*ty)?;
                match (self.bits_at(at, *a, width, depth)?, self.bits_at(at, *b, width, depth)?) {
                    (Val::Int(a), Val::Int(b)) => arithmetic::concrete(*op, width, a, b)
                        .map(Val::Int)
                        .ok_or_else(|| "this constant operation".to_owned()),
                    _ => Err("a constant operation on wide or undefined values".to_owned()),
                }
            }
            ConstExpr::Icmp { pred, ty, a, b } => {
                let width = bits_of(*ty)?;
                match (self.bits_at(at, *a, width, depth)?, self.bits_at(at, *b, width, depth)?) {
                    (Val::Int(a), Val::Int(b)) => Ok(Val::Int(u64::from(arithmetic::compare(*pred, width, a, b)))),
                    _ => Err("a constant comparison of wide or undefined values".to_owned()),
                }
            }
            ConstExpr::Select { cond, a, b } => match self.bits_at(at, *cond, 1, depth)? {
                Val::Int(cond) => self.bits_at(at, if cond & 1 == 1 { *a } else { *b }, width, depth),
                _ => Err("a constant choice".to_owned()),
            },
        }
    }

    /// The bytes between the base and the element of a constant `getelementptr`; `None` where they are not allowed.
    pub(super) fn constant_distance(
        &self,
        at: usize,
        (source, indices, distance): (TypeId, &[(TypeId, ConstId)], Distance),
        depth: u32,
    ) -> Result<Option<i64>> {
        let module = &self.modules[at];
        let mut sum = 0i64;
        let mut ty = source;
        for (position, (index_ty, index)) in indices.iter().enumerate() {
            let width = module.bits(*index_ty).ok_or("a constant expression on aggregates")?;
            let Val::Int(index) = self.bits_at(at, *index, width, depth)? else {
                return Err("a constant index".to_owned());
            };
            let index = signed(index, width);
            let offset = if position == 0 {
                let size = module.layout(ty).ok_or("an index into a type without size")?.size;
                distance.bytes(index, size as i64)
            } else {
                let offset = element_offset(module, ty, index, distance);
                ty = module.element(ty, index as u64).ok_or("an index that does not exist")?;
                offset.ok_or("an index into a type without size")?
            };
            let sum_with =
                |it: i64| if distance.is_signed() { sum.checked_add(it) } else { Some(sum.wrapping_add(it)) };
            match offset.and_then(sum_with) {
                Some(it) => sum = it,
                None => return Ok(None),
            }
        }
        Ok(Some(sum))
    }

    /// The first-class value of a constant.
    pub(super) fn constant_value(&self, at: usize, id: ConstId, ty: TypeId) -> Result<Val> {
        let module = &self.modules[at];
        let shape = shape(module, ty)?;
        self.value_of_shape(at, id, ty, &shape)
    }

    fn value_of_shape(&self, at: usize, id: ConstId, ty: TypeId, shape: &Shape) -> Result<Val> {
        let module = &self.modules[at];
        let Shape::Aggregate(elements) = shape else {
            let width = module.bits(ty).ok_or("a constant without a size")?;
            return self.constant_bits(at, id, width);
        };
        match module.constant(id) {
            Constant::Zero(_) => Ok(zero_of(shape)),
            Constant::Undef(_) => Ok(Val::Undef),
            Constant::Bytes(bytes) => Ok(Val::Agg(bytes.iter().map(|&it| Val::Int(u64::from(it))).collect())),
            Constant::Aggregate(_, constants) => {
                let mut values = Vec::with_capacity(constants.len());
                for (index, (constant, (_, shape))) in constants.iter().zip(elements.iter()).enumerate() {
                    let element = module.element(ty, index as u64).ok_or("an element that does not exist")?;
                    values.push(self.value_of_shape(at, *constant, element, shape)?);
                }
                Ok(Val::Agg(values.into()))
            }
            Constant::Unsupported(what) => Err(what.to_string()),
            _ => Err("a constant aggregate of this form".to_owned()),
        }
    }

    /// Writes a constant of type `ty` at `offset`.
    pub(super) fn write_constant(
        &self,
        at: usize,
        id: ConstId,
        ty: TypeId,
        into: &mut Bytes,
        offset: u64,
    ) -> Result<()> {
        let module = &self.modules[at];
        let terms = effigy_term::Terms::new();
        let size = module.layout(ty).ok_or("a constant without a size")?.size as usize;
        let start = offset as usize;
        match module.constant(id) {
            Constant::Zero(_) => Ok(()),
            Constant::Undef(_) => {
                into.store_undefined(&terms, &mut 0, start, size);
                Ok(())
            }
            Constant::Bytes(bytes) => {
                if bytes.len() > size {
                    return Err("a string longer than its type".to_owned());
                }
                into.store_slice(&terms, start, bytes);
                Ok(())
            }
            Constant::Aggregate(_, constants) => {
                for (index, &constant) in constants.iter().enumerate() {
                    let element = module.element(ty, index as u64).ok_or("an element that does not exist")?;
                    let inner = module.element_offset(ty, index as u64).ok_or("an element without a place")?;
                    self.write_constant(at, constant, element, into, offset + inner)?;
                }
                Ok(())
            }
            _ => {
                let width = module.bits(ty).ok_or("a constant of this type")?;
                match self.constant_bits(at, id, width)? {
                    Val::Int(bits) => {
                        into.store_slice(&terms, start, &bits.to_le_bytes()[..(width.div_ceil(8) as usize).min(8)])
                    }
                    Val::Wide(value) => {
                        let bytes = value.to_biguint().to_bytes_le();
                        into.store_slice(&terms, start, &bytes[..bytes.len().min(size)]);
                    }
                    _ => into.store_undefined(&terms, &mut 0, start, width.div_ceil(8) as usize),
                }
                Ok(())
            }
        }
    }
}

/// The offset of element `index`, which for arrays may lie outside of it: then the inner `None` says that it is not
/// allowed. The outer one says that the type has no elements.
fn element_offset(module: &Module, ty: TypeId, index: i64, distance: Distance) -> Option<Option<i64>> {
    match module.ty(ty) {
        Type::Struct { .. } => module.field_offset(ty, index as u64).map(|it| Some(it as i64)),
        _ => Some(distance.bytes(index, module.layout(module.element(ty, 0)?)?.size as i64)),
    }
}

/// Zero of a width.
pub(super) fn zero(width: u32) -> Val {
    if width <= 64 { Val::Int(0) } else { Val::of_bv(BvValue::zero(Width::of(width))) }
}

/// Zero of a shape.
pub(super) fn zero_of(shape: &Shape) -> Val {
    match shape {
        Shape::Scalar { width, .. } => zero(*width),
        Shape::Aggregate(elements) => Val::Agg(elements.iter().map(|(_, it)| zero_of(it)).collect()),
    }
}
