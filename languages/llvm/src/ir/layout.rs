//! Layout of types in memory: x86-64 and AArch64 Linux, whose rules are the same for what we execute.
//!
//! Knows: sizes, alignments, offsets. Never: a target string (a module of another layout is refused by the reader).

use crate::ir::{Module, Type, TypeId};

/// Structures nest at most this deep; the reader's own bound is lower.
const DEPTH: u32 = 300;

/// The layout of a type in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    /// The distance from one to the next in an array.
    pub size: u64,
    /// The alignment.
    pub align: u64,
}

impl Module {
    /// The layout of a type; `None` when it has none or is too large.
    pub fn layout(&self, ty: TypeId) -> Option<Layout> {
        self.layout_at(ty, DEPTH)
    }

    fn layout_at(&self, ty: TypeId, depth: u32) -> Option<Layout> {
        let depth = depth.checked_sub(1)?;
        let scalar = |bytes: u64, align: u64| Some(Layout { size: bytes.checked_next_multiple_of(align)?, align });
        match self.ty(ty) {
            Type::Int(bits) => {
                let bytes = u64::from(*bits).div_ceil(8);
                // i128 is aligned to 16 since LLVM 18; before, to 8. Offsets in structures come from the compiler's own
                // padding for C, so the newer rule is used throughout.
                scalar(bytes, bytes.next_power_of_two().min(16))
            }
            Type::Float(kind) => {
                let bytes = u64::from(kind.bits()).div_ceil(8);
                scalar(bytes, bytes.next_power_of_two())
            }
            Type::Ptr => scalar(8, 8),
            Type::Array(count, element) => {
                let element = self.layout_at(*element, depth)?;
                let size = element.size.checked_mul(*count).filter(|&it| it <= i64::MAX as u64)?;
                Some(Layout { size, align: element.align })
            }
            Type::Vector(count, element) => {
                let bytes = (u64::from(self.bits(*element)?) * u64::from(*count)).div_ceil(8);
                scalar(bytes, bytes.checked_next_power_of_two()?)
            }
            Type::Struct { fields, packed } => {
                let (mut size, mut align) = (0u64, 1);
                for &field in fields {
                    let field = self.layout_at(field, depth)?;
                    if !packed {
                        size = size.checked_next_multiple_of(field.align)?;
                        align = align.max(field.align);
                    }
                    size = size.checked_add(field.size).filter(|&it| it <= i64::MAX as u64)?;
                }
                Some(Layout { size: size.checked_next_multiple_of(align)?, align })
            }
            Type::Void | Type::Function { .. } | Type::Other(_) => None,
        }
    }

    /// The number of bits of a scalar type.
    pub fn bits(&self, ty: TypeId) -> Option<u32> {
        match self.ty(ty) {
            Type::Int(bits) => Some(*bits),
            Type::Float(kind) => Some(kind.bits()),
            Type::Ptr => Some(64),
            _ => None,
        }
    }

    /// The offset of a structure's field.
    pub fn field_offset(&self, ty: TypeId, index: u64) -> Option<u64> {
        let Type::Struct { fields, packed } = self.ty(ty) else { return None };
        let mut offset = 0u64;
        for (at, &field) in fields.iter().enumerate() {
            let field = self.layout(field)?;
            if !packed {
                offset = offset.checked_next_multiple_of(field.align)?;
            }
            if at as u64 == index {
                return Some(offset);
            }
            offset = offset.checked_add(field.size)?;
        }
        None
    }

    /// The type of element `index` of an aggregate.
    pub fn element(&self, ty: TypeId, index: u64) -> Option<TypeId> {
        match self.ty(ty) {
            Type::Struct { fields, .. } => fields.get(usize::try_from(index).ok()?).copied(),
            Type::Array(_, element) | Type::Vector(_, element) => Some(*element),
            _ => None,
        }
    }

    /// The number of elements of an aggregate.
    pub fn elements(&self, ty: TypeId) -> Option<u64> {
        match self.ty(ty) {
            Type::Struct { fields, .. } => Some(fields.len() as u64),
            Type::Array(count, _) => Some(*count),
            Type::Vector(count, _) => Some(u64::from(*count)),
            _ => None,
        }
    }

    /// The offset of element `index` of an aggregate.
    pub fn element_offset(&self, ty: TypeId, index: u64) -> Option<u64> {
        match self.ty(ty) {
            Type::Struct { .. } => self.field_offset(ty, index),
            Type::Array(_, element) => self.layout(*element)?.size.checked_mul(index),
            Type::Vector(_, element) => (u64::from(self.bits(*element)?) / 8).checked_mul(index),
            _ => None,
        }
    }
}
