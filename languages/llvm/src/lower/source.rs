//! Variables and types of the source, from debug metadata.
//!
//! Knows: how `!DILocalVariable` and `!DIBasicType` become names, places and layouts. Never: values.

use super::Linker;
use crate::code::{Home, SourceKind, SourceMember, SourceType, SourceVariable};
use crate::ir::{Function, Metadata};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Types nest at most this deep; what is deeper is not shown.
const DEPTH: u32 = 200;

/// A structure shows at most so many members.
const MEMBERS: usize = 1000;

impl Linker<'_> {
    /// The variables of a function of module `at`.
    pub(super) fn source_variables(
        &mut self,
        at: usize,
        function: &Function,
        promoted: &[bool],
    ) -> Vec<SourceVariable> {
        let module = &self.modules[at];
        let mut res = Vec::new();
        for variable in &function.variables {
            let Some(Metadata::Variable { name, scope, parameter, line, ty }) = module.metadata.get(&variable.metadata)
            else {
                continue;
            };
            let register = variable.local.0;
            let ty = self.source_type(at, *ty, 0);
            let home = match promoted.get(variable.local.index()) {
                Some(true) => {
                    // Promoted variables have at most 64 bits; debug information that says otherwise is not believed.
                    let size = self.code.source_types[ty as usize].size;
                    Home::Register(register, if size <= 8 { size as u32 * 8 } else { 0 })
                }
                _ => Home::Behind(register),
            };
            let inner = matches!(module.metadata.get(scope), Some(Metadata::Block { .. }));
            res.push(SourceVariable { name: Arc::clone(name), home, ty, parameter: *parameter, line: *line, inner });
        }
        res
    }

    /// Whether numbers of a source type have a sign: an integer, or a structure that is one integer. `None` where the
    /// type does not say.
    pub(super) fn sign_of(&self, ty: u32) -> Option<bool> {
        let mut ty = self.code.source_types.get(ty as usize)?;
        for _ in 0..DEPTH {
            match &ty.kind {
                SourceKind::Integer { signed, .. } => return Some(*signed),
                SourceKind::Structure { members } => {
                    let [only] = &members[..] else { return None };
                    let inner = self.code.source_types.get(only.ty as usize)?;
                    if inner.size != ty.size {
                        return None;
                    }
                    ty = inner;
                }
                _ => return None,
            }
        }
        None
    }

    /// The global variables of all modules.
    pub(super) fn source_globals(&mut self) {
        let modules = self.modules;
        let mut known = FxHashSet::default();
        for (at, module) in modules.iter().enumerate() {
            let mut numbers: Vec<u32> = module.metadata.keys().copied().collect();
            numbers.sort_unstable();
            for number in numbers {
                let Some(Metadata::GlobalVariable { name, linkage, ty }) = module.metadata.get(&number) else {
                    continue;
                };
                let Some(&address) = self.code.addresses.get(linkage.as_ref().unwrap_or(name)) else { continue };
                let ty = self.source_type(at, *ty, 0);
                let (name, home) = (Arc::clone(name), Home::At(address));
                if known.insert(Arc::clone(&name)) {
                    let global = SourceVariable { name, home, ty, parameter: None, line: 0, inner: false };
                    self.code.source_globals.push(global);
                }
            }
        }
    }

    /// The number of a type; `None` is `void`.
    fn source_type(&mut self, at: usize, number: Option<u32>, depth: u32) -> u32 {
        let other = SourceType { size: 0, kind: SourceKind::Other };
        let key = (at, number.filter(|_| depth < DEPTH).unwrap_or(u32::MAX));
        if let Some(&known) = self.source_types.get(&key) {
            return known;
        }
        // A type can contain a pointer to itself.
        let id = self.code.source_types.len() as u32;
        self.code.source_types.push(other.clone());
        self.source_types.insert(key, id);
        let res = self.source_type_of(at, key.1, depth + 1).unwrap_or(other);
        self.code.source_types[id as usize] = res;
        id
    }

    fn source_type_of(&mut self, at: usize, number: u32, depth: u32) -> Option<SourceType> {
        let metadata = &self.modules[at].metadata;
        match metadata.get(&number)? {
            Metadata::BasicType { bits, encoding, .. } => {
                let size = bits.div_ceil(8);
                let integer = |signed, character| SourceKind::Integer { signed, character };
                let kind = match &**encoding {
                    "DW_ATE_signed" => integer(true, false),
                    "DW_ATE_signed_char" => integer(true, true),
                    "DW_ATE_unsigned" | "DW_ATE_boolean" => integer(false, false),
                    "DW_ATE_unsigned_char" | "DW_ATE_UTF" => integer(false, true),
                    "DW_ATE_float" => SourceKind::Float,
                    _ => SourceKind::Other,
                };
                let known = matches!(size, 1 | 2 | 4 | 8 | 16);
                Some(SourceType { size, kind: if known { kind } else { SourceKind::Other } })
            }
            Metadata::DerivedType { tag, base, .. } => match &**tag {
                "DW_TAG_pointer_type" | "DW_TAG_reference_type" | "DW_TAG_rvalue_reference_type" => {
                    let to = self.source_type(at, *base, depth);
                    Some(SourceType { size: 8, kind: SourceKind::Pointer { to } })
                }
                _ => {
                    let base = self.source_type(at, *base, depth);
                    Some(self.code.source_types[base as usize].clone())
                }
            },
            Metadata::CompositeType { tag, base, bits, elements, .. } => {
                let size = bits.div_ceil(8);
                let elements: &[u32] = match elements.as_ref().and_then(|it| metadata.get(it)) {
                    Some(Metadata::List(elements)) => elements,
                    _ => &[],
                };
                match &**tag {
                    "DW_TAG_enumeration_type" => {
                        let base = base.map(|it| self.source_type(at, Some(it), depth));
                        let base = base.map(|it| self.code.source_types[it as usize].kind.clone());
                        let signed = matches!(base, Some(SourceKind::Integer { signed: true, .. }));
                        Some(SourceType { size, kind: SourceKind::Integer { signed, character: false } })
                    }
                    "DW_TAG_array_type" => {
                        let counts = elements.iter().filter_map(|it| match metadata.get(it) {
                            Some(Metadata::Subrange { count }) => Some(count.unwrap_or(0)),
                            _ => None,
                        });
                        let counts: Vec<u64> = counts.collect();
                        let mut element = self.source_type(at, *base, depth);
                        for (index, &count) in counts.iter().enumerate().rev() {
                            let bytes = self.code.source_types[element as usize].size.checked_mul(count)?;
                            let array = SourceType { size: bytes, kind: SourceKind::Array { element, count } };
                            if index == 0 {
                                return Some(array);
                            }
                            element = self.code.source_types.len() as u32;
                            self.code.source_types.push(array);
                        }
                        None
                    }
                    "DW_TAG_structure_type" | "DW_TAG_class_type" | "DW_TAG_union_type" => {
                        let mut members = Vec::new();
                        for number in elements.iter().take(MEMBERS) {
                            let Some(Metadata::DerivedType { tag, name, base, offset, bit_field, .. }) =
                                metadata.get(number)
                            else {
                                continue;
                            };
                            if &**tag != "DW_TAG_member" {
                                continue;
                            }
                            let ty = self.source_type(at, *base, depth);
                            // Bit-fields are not shown.
                            if !bit_field {
                                members.push(SourceMember { name: Arc::clone(name), offset: offset / 8, ty });
                            }
                        }
                        Some(SourceType { size, kind: SourceKind::Structure { members: members.into() } })
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }
}
