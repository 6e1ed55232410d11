//! Layout of types in memory, by the data layout of the module.
//!
//! Knows: sizes, alignments, offsets. Never: text, values.
//!
//! All types are measured once, when all are known: a type that mentions another twice is still measured once,
//! so that no module makes this slow.

use crate::ir::{Module, Type, TypeId};

/// How deep types may nest by value.
pub const MAX_DEPTH: u32 = 256;

/// The layout of a type in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Layout {
    /// The distance from one to the next in an array.
    pub size: u64,
    /// The alignment.
    pub align: u64,
}

/// What is known of one type.
#[derive(Clone, Default, Debug)]
pub(super) struct Measure {
    layout: Option<Layout>,
    /// Offsets of a structure's fields.
    offsets: Box<[u64]>,
    scalars: u64,
    depth: u32,
}

/// Types that cannot be measured.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MeasureError {
    /// Each contains the next, the last the first.
    Cycle(Vec<TypeId>),
    /// It nests more than [`MAX_DEPTH`] deep.
    Depth(TypeId),
}

/// How far measuring has come with a type.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    New,
    Open,
    Done,
}

impl Module {
    /// The layout of a type; `None` when it has none or is too large.
    pub fn layout(&self, ty: TypeId) -> Option<Layout> {
        self.measures.get(ty.index())?.layout
    }

    /// The number of scalars in a value of this type, all nested aggregates unfolded; saturates.
    pub fn scalars(&self, ty: TypeId) -> u64 {
        self.measures.get(ty.index()).map_or(0, |it| it.scalars)
    }

    /// The number of bits of a scalar type.
    pub fn bits(&self, ty: TypeId) -> Option<u32> {
        match self.ty(ty) {
            Type::Int(bits) => Some(*bits),
            Type::Float(kind) => Some(kind.bits()),
            Type::Ptr => Some(self.target.pointer_bits),
            _ => None,
        }
    }

    /// The offset of a structure's field.
    pub fn field_offset(&self, ty: TypeId, index: u64) -> Option<u64> {
        self.measures.get(ty.index())?.offsets.get(usize::try_from(index).ok()?).copied()
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

    /// Measures all types, each after those that it contains.
    ///
    /// # Errors
    /// When a type contains itself, or nests too deep.
    pub fn measure(&mut self) -> Result<(), MeasureError> {
        self.measures = vec![Measure::default(); self.types.len()];
        let mut progress = vec![Progress::New; self.types.len()];
        // The types that are open, with the index of the element to visit next.
        let mut open: Vec<(TypeId, usize)> = Vec::new();
        for root in 0..self.types.len() {
            if progress[root] == Progress::New {
                progress[root] = Progress::Open;
                open.push((TypeId(root as u32), 0));
            }
            while let Some((ty, next)) = open.last_mut() {
                let ty = *ty;
                let Some(child) = contained(self.ty(ty), *next) else {
                    self.measure_one(ty)?;
                    progress[ty.index()] = Progress::Done;
                    open.pop();
                    continue;
                };
                *next += 1;
                match progress[child.index()] {
                    Progress::Done => {}
                    Progress::New => {
                        progress[child.index()] = Progress::Open;
                        open.push((child, 0));
                    }
                    Progress::Open => {
                        let cycle = open.iter().map(|it| it.0).skip_while(|it| *it != child);
                        return Err(MeasureError::Cycle(cycle.collect()));
                    }
                }
            }
        }
        Ok(())
    }

    /// Measures a type whose elements are measured.
    fn measure_one(&mut self, ty: TypeId) -> Result<(), MeasureError> {
        let mut res = Measure { layout: None, offsets: Box::default(), scalars: 1, depth: 0 };
        let inner = |it: &TypeId| &self.measures[it.index()];
        match self.ty(ty) {
            Type::Int(bits) => res.layout = scalar(u64::from(*bits), self.target.integer_align(*bits)),
            Type::Float(kind) => res.layout = scalar(u64::from(kind.bits()), self.target.float_align(kind.bits())),
            Type::Ptr => res.layout = scalar(u64::from(self.target.pointer_bits), self.target.pointer_align),
            Type::Array(count, element) => {
                res.layout = array(inner(element).layout, *count);
                res.scalars = inner(element).scalars.saturating_mul(*count);
                res.depth = inner(element).depth + 1;
            }
            Type::Vector(count, element) => {
                let bits = self.bits(*element).map(|it| u64::from(it) * u64::from(*count));
                res.layout = bits.and_then(|bits| scalar(bits, self.target.vector_align(bits)?));
                res.scalars = u64::from(*count);
                res.depth = inner(element).depth + 1;
            }
            Type::Struct { fields, packed } => {
                let layouts = fields.iter().map(|it| inner(it).layout);
                if let Some((layout, offsets)) = structure(layouts, *packed, self.target.aggregate_align) {
                    (res.layout, res.offsets) = (Some(layout), offsets);
                }
                res.scalars = fields.iter().fold(0, |all: u64, it| all.saturating_add(inner(it).scalars));
                res.depth = 1 + fields.iter().map(|it| inner(it).depth).max().unwrap_or(0);
            }
            Type::Void | Type::Function { .. } | Type::Other(_) => {}
        }
        if res.depth > MAX_DEPTH {
            return Err(MeasureError::Depth(ty));
        }
        self.measures[ty.index()] = res;
        Ok(())
    }
}

/// The type that `ty` contains by value at `index`.
fn contained(ty: &Type, index: usize) -> Option<TypeId> {
    match ty {
        Type::Struct { fields, .. } => fields.get(index).copied(),
        Type::Array(_, element) | Type::Vector(_, element) => (index == 0).then_some(*element),
        _ => None,
    }
}

fn sized(size: u64, align: u64) -> Option<Layout> {
    let size = size.checked_next_multiple_of(align).filter(|&it| it <= i64::MAX as u64)?;
    Some(Layout { size, align })
}

fn scalar(bits: u64, align: u64) -> Option<Layout> {
    sized(bits.div_ceil(8), align)
}

fn array(element: Option<Layout>, count: u64) -> Option<Layout> {
    let element = element?;
    sized(element.size.checked_mul(count)?, element.align)
}

/// The layout of a structure and the offsets of its fields.
fn structure(
    fields: impl Iterator<Item = Option<Layout>>,
    packed: bool,
    least_align: u64,
) -> Option<(Layout, Box<[u64]>)> {
    let (mut size, mut align) = (0u64, if packed { 1 } else { least_align });
    let mut offsets = Vec::new();
    for field in fields {
        let field = field?;
        if !packed {
            size = size.checked_next_multiple_of(field.align)?;
            align = align.max(field.align);
        }
        offsets.push(size);
        size = size.checked_add(field.size).filter(|&it| it <= i64::MAX as u64)?;
    }
    Some((sized(size, align)?, offsets.into()))
}
