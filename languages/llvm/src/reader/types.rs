//! Types: read, interned, pointers erased.
//!
//! Knows: the grammar of types. Never: layouts.

use super::names::{Name, printable};
use super::{PTR, Reader, Result};
use crate::ir::{FloatKind, Type, TypeId};
use std::sync::Arc;

/// The widest integer that LLVM allows.
const MAX_INT_BITS: u32 = 1 << 23;

/// The lanes of a vector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Lanes {
    pub count: u32,
    /// Times a number that only the target knows.
    pub scalable: bool,
    pub element: TypeId,
}

impl<'a> Reader<'a> {
    pub(super) fn type_id(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.type_ids.get(&ty) {
            return id;
        }
        let id = TypeId(self.module.types.len() as u32);
        self.module.types.push(ty.clone());
        self.type_ids.insert(ty, id);
        id
    }

    /// A type that has no layout or that is not executed, by name.
    pub(super) fn other_type(&mut self, name: &str) -> TypeId {
        self.type_id(Type::Other(name.into()))
    }

    /// `%name = type ...`
    pub(super) fn type_definition(&mut self) -> Result<()> {
        let start = self.cursor.position();
        self.cursor.expect(b"%")?;
        let name = self.cursor.name()?;
        self.cursor.expect(b"=")?;
        self.cursor.expect_word(b"type")?;
        let known = self.named_types.get(&name).copied();
        if known.is_some_and(|it| self.type_places.contains_key(&it)) {
            return Err(self.cursor.error_at(start, format!("the type %{name} is defined twice")));
        }
        let definition = self.cursor.position();
        if self.cursor.take_word(b"opaque") {
            let id = self.type_named(name);
            self.type_places.insert(id, start);
            return Ok(());
        }
        let is_structure = matches!(self.cursor.peek_token(), Some(b'{')) || self.cursor.starts_with(b"<{");
        if !is_structure {
            // As in LLVM, such a name is another name of the type and must not be used before.
            if known.is_some() {
                let message = format!("a structure was expected, because %{name} is used before");
                return Err(self.cursor.error_at(definition, message));
            }
            let id = self.ty()?;
            self.named_types.entry(name).or_insert(id);
            return Ok(());
        }
        let id = self.type_named(name);
        self.type_places.insert(id, start);
        let defined = self.ty()?;
        let Type::Struct { .. } = self.module.ty(defined) else {
            return Err(self.cursor.error_at(definition, "a structure was expected".to_owned()));
        };
        let structure = self.module.ty(defined).clone();
        if let Some(ty) = self.module.types.get_mut(id.index()) {
            *ty = structure;
        }
        Ok(())
    }

    fn named_type(&mut self) -> Result<TypeId> {
        self.cursor.expect(b"%")?;
        let name = self.cursor.name()?;
        Ok(self.type_named(name))
    }

    /// The type of this name, perhaps not defined yet: until then it has no layout.
    fn type_named(&mut self, name: Name<'a>) -> TypeId {
        if let Some(&id) = self.named_types.get(&name) {
            return id;
        }
        let id = TypeId(self.module.types.len() as u32);
        let text = name.text().unwrap_or_else(|| name.to_string().into());
        self.module.types.push(Type::Other(Arc::clone(&text)));
        self.module.type_names.insert(id, text);
        self.named_types.insert(name, id);
        id
    }

    /// Whether a type starts here.
    pub(super) fn at_type(&mut self) -> bool {
        match self.cursor.peek_token() {
            Some(b'%' | b'[' | b'{' | b'<') => true,
            Some(b'a'..=b'z') => is_type_word(self.cursor.peek_word()),
            _ => false,
        }
    }

    /// A type, with the suffixes of typed pointers and functions.
    pub(super) fn ty(&mut self) -> Result<TypeId> {
        let mut res = self.nested(Self::base_type)?;
        loop {
            let end = self.cursor.position();
            match self.cursor.peek_token() {
                Some(b'*') => {
                    self.cursor.expect(b"*")?;
                    res = PTR;
                }
                Some(b'(') => res = self.function_type(res)?,
                Some(b'a') if self.cursor.starts_with(b"addrspace(") => {
                    let space = self.address_space()?;
                    if !self.cursor.take(b"*") && res != PTR {
                        return Err(self.cursor.error("`*`"));
                    }
                    res = self.pointer_in(space);
                }
                _ => {
                    // The end of a line is still to be seen.
                    self.cursor.rewind(end);
                    return Ok(res);
                }
            }
        }
    }

    /// `addrspace(1)`; `None` for one with a symbolic name, which is that of an ordinary one.
    fn address_space(&mut self) -> Result<Option<u32>> {
        self.cursor.expect(b"addrspace")?;
        self.cursor.expect(b"(")?;
        let space = match self.cursor.peek_token() {
            Some(b'"') => {
                self.cursor.string()?;
                None
            }
            _ => Some(self.cursor.number_u32()?),
        };
        self.cursor.expect(b")")?;
        Ok(space)
    }

    fn pointer_in(&mut self, space: Option<u32>) -> TypeId {
        match space {
            Some(space) if !self.module.target.has_space(space) => self.other_type(&format!("ptr addrspace({space})")),
            _ => PTR,
        }
    }

    fn function_type(&mut self, result: TypeId) -> Result<TypeId> {
        self.cursor.expect(b"(")?;
        let mut varargs = false;
        while !self.cursor.take(b")") {
            if self.cursor.take(b"...") {
                varargs = true;
            } else {
                self.nested(Self::ty)?;
            }
            if !self.cursor.take(b",") {
                self.cursor.expect(b")")?;
                break;
            }
        }
        Ok(self.type_id(Type::Function { result, varargs }))
    }

    fn base_type(&mut self) -> Result<TypeId> {
        match self.cursor.peek_token() {
            Some(b'%') => self.named_type(),
            Some(b'[') => {
                self.cursor.expect(b"[")?;
                let count = self.cursor.number()?;
                self.cursor.expect_word(b"x")?;
                let element = self.ty()?;
                self.cursor.expect(b"]")?;
                Ok(self.type_id(Type::Array(count, element)))
            }
            Some(b'{') => self.structure(false),
            Some(b'<') if self.cursor.starts_with(b"<{") => {
                self.cursor.expect(b"<")?;
                let res = self.structure(true)?;
                self.cursor.expect(b">")?;
                Ok(res)
            }
            Some(b'<') => self.vector(),
            _ => self.word_type(),
        }
    }

    fn vector(&mut self) -> Result<TypeId> {
        self.cursor.expect(b"<")?;
        let scalable = self.cursor.take_word(b"vscale");
        if scalable {
            self.cursor.expect_word(b"x")?;
        }
        let count = self.cursor.number_u32()?;
        self.cursor.expect_word(b"x")?;
        let element = self.ty()?;
        self.cursor.expect(b">")?;
        if !matches!(self.module.ty(element), Type::Int(_) | Type::Float(_) | Type::Ptr | Type::Other(_)) || count == 0
        {
            return Err(self.cursor.error_here("a vector of numbers or pointers was expected".to_owned()));
        }
        Ok(self.vector_of(Lanes { count, scalable, element }))
    }

    pub(super) fn vector_of(&mut self, lanes: Lanes) -> TypeId {
        if !lanes.scalable {
            return self.type_id(Type::Vector(lanes.count, lanes.element));
        }
        let name = format!("<vscale x {} x {}>", lanes.count, self.type_text(lanes.element));
        let id = self.other_type(&name);
        self.scalable.insert(id, lanes);
        id
    }

    /// The lanes of a vector type.
    pub(super) fn lanes(&self, ty: TypeId) -> Option<Lanes> {
        match *self.module.ty(ty) {
            Type::Vector(count, element) => Some(Lanes { count, scalable: false, element }),
            Type::Other(_) => self.scalable.get(&ty).copied(),
            _ => None,
        }
    }

    fn word_type(&mut self) -> Result<TypeId> {
        self.cursor.skip_space();
        let start = self.cursor.position();
        let word = self.cursor.word();
        let ty = match word {
            b"ptr" => return Ok(PTR),
            b"void" => Type::Void,
            b"half" => Type::Float(FloatKind::Half),
            b"bfloat" => Type::Float(FloatKind::BFloat),
            b"float" => Type::Float(FloatKind::Single),
            b"double" => Type::Float(FloatKind::Double),
            b"x86_fp80" => Type::Float(FloatKind::X86Fp80),
            b"fp128" => Type::Float(FloatKind::Quad),
            b"target" => {
                self.cursor.skip_parentheses()?;
                Type::Other(printable(self.cursor.since(start)))
            }
            b"label" | b"metadata" | b"token" | b"x86_mmx" | b"x86_amx" | b"ppc_fp128" => Type::Other(printable(word)),
            [b'i', digits @ ..] if is_type_word(word) => {
                let bits = std::str::from_utf8(digits).ok().and_then(|it| it.parse::<u32>().ok());
                match bits.filter(|it| (1..=MAX_INT_BITS).contains(it)) {
                    Some(bits) => Type::Int(bits),
                    None => {
                        let message = format!("an integer of 1 to {MAX_INT_BITS} bits was expected");
                        return Err(self.cursor.error_at(start, message));
                    }
                }
            }
            _ => {
                self.cursor.rewind(start);
                return Err(self.cursor.error("a type"));
            }
        };
        Ok(self.type_id(ty))
    }

    fn structure(&mut self, packed: bool) -> Result<TypeId> {
        self.cursor.expect(b"{")?;
        let mut fields = Vec::new();
        if !self.cursor.take(b"}") {
            loop {
                fields.push(self.ty()?);
                if !self.cursor.take(b",") {
                    break;
                }
            }
            self.cursor.expect(b"}")?;
        }
        Ok(self.type_id(Type::Struct { fields: fields.into(), packed }))
    }

    /// A type as LLVM writes it, shortened, for messages.
    pub(super) fn type_text(&self, ty: TypeId) -> String {
        self.type_text_at(ty, 3)
    }

    fn type_text_at(&self, ty: TypeId, depth: u32) -> String {
        if let Some(name) = self.module.type_names.get(&ty) {
            return format!("%{name}");
        }
        let inner = |it: TypeId| {
            if depth == 0 { "...".to_owned() } else { self.type_text_at(it, depth - 1) }
        };
        match self.module.ty(ty) {
            Type::Void => "void".to_owned(),
            Type::Int(bits) => format!("i{bits}"),
            Type::Float(kind) => match kind {
                FloatKind::Half => "half",
                FloatKind::BFloat => "bfloat",
                FloatKind::Single => "float",
                FloatKind::Double => "double",
                FloatKind::X86Fp80 => "x86_fp80",
                FloatKind::Quad => "fp128",
            }
            .to_owned(),
            Type::Ptr => "ptr".to_owned(),
            Type::Array(count, element) => format!("[{count} x {}]", inner(*element)),
            Type::Vector(count, element) => format!("<{count} x {}>", inner(*element)),
            Type::Struct { fields, packed } => {
                let mut texts: Vec<String> = fields.iter().take(4).map(|&it| inner(it)).collect();
                if fields.len() > 4 {
                    texts.push("...".to_owned());
                }
                let (open, close) = if *packed { ("<{", "}>") } else { ("{", "}") };
                format!("{open} {} {close}", texts.join(", "))
            }
            Type::Function { result, .. } => format!("{} (...)", inner(*result)),
            Type::Other(name) => name.to_string(),
        }
    }
}

/// Whether a word begins a type.
fn is_type_word(word: &[u8]) -> bool {
    match word {
        [b'i', digits @ ..] => !digits.is_empty() && digits.iter().all(u8::is_ascii_digit),
        b"void" | b"half" | b"bfloat" | b"float" | b"double" | b"x86_fp80" | b"fp128" | b"ppc_fp128" | b"ptr"
        | b"label" | b"metadata" | b"token" | b"x86_mmx" | b"x86_amx" | b"target" => true,
        _ => false,
    }
}
