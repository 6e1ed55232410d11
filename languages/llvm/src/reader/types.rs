//! Types: read, interned, pointers erased.
//!
//! Knows: the grammar of types. Never: layouts.

use super::{Reader, Result};
use crate::ir::{FloatKind, Type, TypeId};

/// The widest integer that LLVM allows.
const MAX_INT_BITS: u64 = 1 << 23;

impl Reader<'_> {
    pub(super) fn type_id(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.type_ids.get(&ty) {
            return id;
        }
        let id = TypeId(self.module.types.len() as u32);
        self.module.types.push(ty.clone());
        self.type_ids.insert(ty, id);
        id
    }

    /// `%name = type ...`
    pub(super) fn type_definition(&mut self) -> Result<()> {
        let id = self.named_type()?;
        self.cursor.expect(b"=")?;
        if !self.cursor.take_word(b"type") {
            return Err(self.cursor.error("`type`"));
        }
        if self.cursor.take_word(b"opaque") {
            return Ok(());
        }
        let defined = self.ty()?;
        if defined == id {
            return Err(self.cursor.error_here("a type is defined as itself".to_owned()));
        }
        self.module.types[id.index()] = self.module.types[defined.index()].clone();
        Ok(())
    }

    /// `%name`, perhaps not defined yet: until then it has no layout.
    fn named_type(&mut self) -> Result<TypeId> {
        self.cursor.expect(b"%")?;
        let name = self.cursor.name()?;
        if let Some(&id) = self.named_types.get(&*name) {
            return Ok(id);
        }
        let id = TypeId(self.module.types.len() as u32);
        self.module.types.push(Type::Other(String::from_utf8_lossy(&name).into()));
        self.named_types.insert(name, id);
        Ok(id)
    }

    /// Whether a type starts here.
    pub(super) fn at_type(&mut self) -> bool {
        self.cursor.skip_space();
        match self.cursor.peek() {
            Some(b'%' | b'[' | b'{' | b'<') => true,
            Some(b'a'..=b'z') => match self.cursor.peek_word() {
                [b'i', digits @ ..] if !digits.is_empty() => digits.iter().all(u8::is_ascii_digit),
                b"void" | b"half" | b"bfloat" | b"float" | b"double" | b"x86_fp80" | b"fp128" | b"ppc_fp128"
                | b"ptr" | b"label" | b"metadata" | b"token" | b"x86_mmx" | b"x86_amx" | b"target" | b"opaque" => true,
                _ => false,
            },
            _ => false,
        }
    }

    /// A type, with the suffixes of typed pointers and functions.
    pub(super) fn ty(&mut self) -> Result<TypeId> {
        let mut res = self.nested(Self::base_type)?;
        loop {
            let end = self.cursor.position();
            self.cursor.skip_space();
            match self.cursor.peek() {
                Some(b'*') => {
                    self.cursor.expect(b"*")?;
                    res = self.type_id(Type::Ptr);
                }
                Some(b'(') => res = self.function_type(res)?,
                Some(b'a') if self.cursor.starts_with(b"addrspace(") => {
                    self.cursor.word();
                    self.cursor.skip_parentheses()?;
                }
                _ => {
                    self.cursor.rewind(end);
                    return Ok(res);
                }
            }
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
        self.cursor.skip_space();
        match self.cursor.peek() {
            Some(b'%') => self.named_type(),
            Some(b'[') => {
                self.cursor.expect(b"[")?;
                let count = self.cursor.number()?;
                self.expect_x()?;
                let element = self.ty()?;
                self.cursor.expect(b"]")?;
                Ok(self.type_id(Type::Array(count, element)))
            }
            Some(b'{') => self.structure(false),
            Some(b'<') => {
                self.cursor.expect(b"<")?;
                if self.cursor.take(b"{") {
                    self.cursor.rewind(self.cursor.position() - 1);
                    let res = self.structure(true)?;
                    self.cursor.expect(b">")?;
                    return Ok(res);
                }
                let scalable = self.cursor.take_word(b"vscale");
                if scalable {
                    self.expect_x()?;
                }
                let count = self.cursor.number_u32()?;
                self.expect_x()?;
                let element = self.ty()?;
                self.cursor.expect(b">")?;
                Ok(self.type_id(if scalable {
                    Type::Other("a scalable vector".into())
                } else {
                    Type::Vector(count, element)
                }))
            }
            _ => self.named_base_type(),
        }
    }

    fn expect_x(&mut self) -> Result<()> {
        if self.cursor.take_word(b"x") { Ok(()) } else { Err(self.cursor.error("`x`")) }
    }

    fn named_base_type(&mut self) -> Result<TypeId> {
        self.cursor.skip_space();
        let start = self.cursor.position();
        let word = self.cursor.word();
        let ty = match word {
            b"void" => Type::Void,
            b"ptr" => Type::Ptr,
            b"half" => Type::Float(FloatKind::Half),
            b"bfloat" => Type::Float(FloatKind::BFloat),
            b"float" => Type::Float(FloatKind::Single),
            b"double" => Type::Float(FloatKind::Double),
            b"x86_fp80" => Type::Float(FloatKind::X86Fp80),
            b"fp128" => Type::Float(FloatKind::Quad),
            b"target" => {
                self.cursor.skip_parentheses()?;
                Type::Other("a target type".into())
            }
            b"label" | b"metadata" | b"token" | b"opaque" | b"x86_mmx" | b"x86_amx" | b"ppc_fp128" => {
                Type::Other(String::from_utf8_lossy(word).into())
            }
            [b'i', digits @ ..] if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) => {
                let bits = std::str::from_utf8(digits).ok().and_then(|it| it.parse::<u64>().ok());
                match bits {
                    Some(bits @ 1..=MAX_INT_BITS) => Type::Int(bits as u32),
                    _ => {
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
}
