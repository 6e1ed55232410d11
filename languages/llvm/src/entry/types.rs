//! Types of C, as debug information has them.
//!
//! Knows: what a type is, how it is written, how large it is. Never: values, the parameters.

use crate::ir::Metadata;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Names of names of types go so far.
const DEPTH: usize = 200;

/// What a type is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// An integer, an enumeration, a floating-point number.
    Scalar,
    /// `_Bool`
    Bool,
    /// A pointer; `None` is one to `void`.
    Pointer(Option<u32>),
    /// An array of so many elements.
    Array(Option<u32>, u64),
    /// An array of arrays.
    Matrix(Option<u32>),
    /// A structure.
    Structure(Vec<Member>),
    /// A union, by its members.
    Union(Vec<Member>),
    /// A function.
    Function,
    /// `FILE`
    Stream,
    /// Something of which nothing is known.
    Opaque,
}

/// A member of a structure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Member {
    /// Its name; empty for a structure in a structure that has none.
    pub(super) name: Arc<str>,
    pub(super) ty: Option<u32>,
    /// It has no address.
    pub(super) bit_field: bool,
}

/// The types of a module.
#[derive(Clone, Copy)]
pub(super) struct Types<'m> {
    metadata: &'m FxHashMap<u32, Metadata>,
}

impl<'m> Types<'m> {
    pub(super) fn new(metadata: &'m FxHashMap<u32, Metadata>) -> Types<'m> {
        Types { metadata }
    }

    fn get(self, number: Option<u32>) -> Option<&'m Metadata> {
        self.metadata.get(&number?)
    }

    /// A type without its names and qualifiers, and whether one of those says `const`.
    pub(super) fn bare(self, mut number: Option<u32>) -> (Option<u32>, bool) {
        let mut constant = false;
        for _ in 0..DEPTH {
            match self.get(number) {
                Some(Metadata::DerivedType { tag, base, .. }) => match &**tag {
                    "DW_TAG_const_type" => {
                        constant = true;
                        number = *base;
                    }
                    "DW_TAG_typedef"
                    | "DW_TAG_volatile_type"
                    | "DW_TAG_restrict_type"
                    | "DW_TAG_atomic_type"
                    | "DW_TAG_member" => number = *base,
                    _ => break,
                },
                _ => break,
            }
        }
        (number, constant)
    }

    pub(super) fn kind(self, number: Option<u32>) -> Kind {
        match self.get(self.bare(number).0) {
            Some(Metadata::BasicType { encoding, .. }) if &**encoding == "DW_ATE_boolean" => Kind::Bool,
            Some(Metadata::BasicType { .. }) => Kind::Scalar,
            Some(Metadata::DerivedType { tag, base, .. }) if &**tag == "DW_TAG_pointer_type" => {
                Kind::Pointer((*base).filter(|_| self.bare(*base).0.is_some()))
            }
            Some(Metadata::Signature { .. }) => Kind::Function,
            Some(Metadata::CompositeType { tag, base, elements, name, bits }) => {
                let elements = match self.get(*elements) {
                    Some(Metadata::List(elements)) => elements,
                    _ => &Box::default(),
                };
                match &**tag {
                    "DW_TAG_enumeration_type" => Kind::Scalar,
                    "DW_TAG_array_type" => self.array(*base, elements),
                    "DW_TAG_structure_type" | "DW_TAG_union_type" if &**name == "_IO_FILE" => Kind::Stream,
                    "DW_TAG_structure_type" | "DW_TAG_union_type" if *bits == 0 || &**name == "__va_list_tag" => {
                        Kind::Opaque
                    }
                    "DW_TAG_structure_type" => Kind::Structure(self.members(elements)),
                    "DW_TAG_union_type" => Kind::Union(self.members(elements)),
                    _ => Kind::Opaque,
                }
            }
            _ => Kind::Opaque,
        }
    }

    fn array(self, base: Option<u32>, ranges: &[u32]) -> Kind {
        let count = |it: &u32| match self.metadata.get(it) {
            Some(Metadata::Subrange { count }) => count.unwrap_or(0),
            _ => 0,
        };
        match ranges {
            [range] => Kind::Array(base, count(range)),
            _ => Kind::Matrix(base),
        }
    }

    fn members(self, elements: &[u32]) -> Vec<Member> {
        let member = |it: &u32| match self.metadata.get(it) {
            Some(Metadata::DerivedType { tag, name, base, bit_field, .. }) if &**tag == "DW_TAG_member" => {
                Some(Member { name: Arc::clone(name), ty: *base, bit_field: *bit_field })
            }
            _ => None,
        };
        elements.iter().filter_map(member).collect()
    }

    /// How large a type is, in bytes.
    pub(super) fn size(self, number: Option<u32>) -> u64 {
        match self.get(self.bare(number).0) {
            Some(
                Metadata::BasicType { bits, .. }
                | Metadata::DerivedType { bits, .. }
                | Metadata::CompositeType { bits, .. },
            ) => bits.div_ceil(8),
            _ => 0,
        }
    }

    /// Whether it is a character.
    pub(super) fn is_character(self, number: Option<u32>) -> bool {
        matches!(self.get(self.bare(number).0), Some(Metadata::BasicType { encoding, bits: 8, .. })
            if encoding.ends_with("_char"))
    }

    /// Whether it can have negative values.
    pub(super) fn is_signed(self, number: Option<u32>) -> bool {
        match self.get(self.bare(number).0) {
            Some(Metadata::BasicType { encoding, .. }) => {
                matches!(&**encoding, "DW_ATE_signed" | "DW_ATE_signed_char")
            }
            _ => false,
        }
    }

    /// Whether it is an integer.
    pub(super) fn is_integer(self, number: Option<u32>) -> bool {
        match self.get(self.bare(number).0) {
            Some(Metadata::BasicType { encoding, bits, .. }) => {
                let kinds = ["DW_ATE_signed", "DW_ATE_unsigned", "DW_ATE_signed_char", "DW_ATE_unsigned_char"];
                kinds.contains(&&**encoding) && *bits <= 64
            }
            Some(Metadata::CompositeType { tag, .. }) => &**tag == "DW_TAG_enumeration_type",
            _ => false,
        }
    }

    /// Whether a value of the type holds pointers, or truth values, which not all bytes are.
    pub(super) fn has_parts(self, number: Option<u32>, depth: usize) -> bool {
        match self.kind(number) {
            Kind::Pointer(_) | Kind::Bool => true,
            Kind::Array(element, _) | Kind::Matrix(element) => depth < DEPTH && self.has_parts(element, depth + 1),
            Kind::Structure(members) | Kind::Union(members) => {
                depth < DEPTH && members.iter().any(|it| self.has_parts(it.ty, depth + 1))
            }
            _ => false,
        }
    }

    /// How the type is written, without qualifiers at its outside; `None` where it has no name.
    pub(super) fn spelling(self, number: Option<u32>) -> Option<String> {
        self.spelled(number, 0)
    }

    fn spelled(self, number: Option<u32>, depth: usize) -> Option<String> {
        if depth > DEPTH {
            return None;
        }
        let Some(number) = number else { return Some("void".to_owned()) };
        match self.metadata.get(&number)? {
            Metadata::BasicType { name, .. } => Some(name.to_string()),
            Metadata::DerivedType { tag, name, base, .. } => match &**tag {
                "DW_TAG_typedef" => Some(name.to_string()),
                "DW_TAG_pointer_type" => {
                    let to = self.spelled(*base, depth + 1)?;
                    Some(if to.ends_with('*') { format!("{to}*") } else { format!("{to} *") })
                }
                _ => self.spelled(*base, depth + 1),
            },
            Metadata::CompositeType { tag, name, base, elements, .. } => {
                let word = match &**tag {
                    "DW_TAG_structure_type" => "struct",
                    "DW_TAG_union_type" => "union",
                    "DW_TAG_enumeration_type" => "enum",
                    "DW_TAG_array_type" => {
                        let element = self.spelled(*base, depth + 1)?;
                        let Some(Metadata::List(ranges)) = self.get(*elements) else { return None };
                        let mut extents = String::new();
                        for range in ranges {
                            match self.metadata.get(range) {
                                Some(Metadata::Subrange { count: Some(count) }) => {
                                    extents.push_str(&format!("[{count}]"));
                                }
                                _ => return None,
                            }
                        }
                        return Some(format!("__typeof__({element} {extents})"));
                    }
                    _ => return None,
                };
                // An enumeration without a name has the values of an integer.
                match (word, name.is_empty()) {
                    ("enum", true) => self.spelled(*base, depth + 1),
                    (_, true) => None,
                    _ => Some(format!("{word} {name}")),
                }
            }
            _ => None,
        }
    }
}
