//! Calls.
//!
//! Knows: the grammar of `call`, `invoke` and `callbr`. Never: what is called.

use super::super::attributes::ValueAttributes;
use super::super::scope::Scope;
use super::super::{PTR, Reader, Result, VOID, printable};
use crate::ir::attributes::{InstructionFlags, Tail};
use crate::ir::{Argument, Attributes, Bundle, Call, Callee, Op, Type, TypeId};

impl<'a> Reader<'a> {
    /// A call whose first word is taken; `None` for the debug intrinsics.
    pub(super) fn call_instruction(&mut self, scope: &mut Scope<'a>, word: &[u8]) -> Result<Option<(Op, TypeId)>> {
        let tail = Tail::of_word(word).unwrap_or_default();
        if word != b"call" {
            self.cursor.expect_word(b"call")?;
        }
        let (result, result_flags) = self.call_head(scope)?;
        if self.at_debug_intrinsic() {
            self.debug_call(scope)?;
            return Ok(None);
        }
        let mut call = self.call(scope, result)?;
        call.tail = tail;
        call.result_flags = result_flags.flags;
        Ok(Some((Op::Call(Box::new(call)), result)))
    }

    /// What stands before the callee: flags, calling convention, attributes, the type of the result.
    fn call_head(&mut self, scope: &mut Scope<'a>) -> Result<(TypeId, ValueAttributes)> {
        let mut attributes = ValueAttributes::default();
        while !self.at_type() {
            match self.cursor.peek_word() {
                b"" if self.cursor.peek() == Some(b'"') => self.string_attribute()?,
                b"" => return Err(self.cursor.error("a result type")),
                word => {
                    self.cursor.word();
                    let flag = InstructionFlags::of_word(word);
                    scope.extra.flags = scope.extra.flags | flag.unwrap_or_default();
                    self.value_attribute(word, &mut attributes)?;
                }
            }
        }
        let ty = self.ty()?;
        Ok(match *self.module.ty(ty) {
            Type::Function { result, .. } => (result, attributes),
            _ => (ty, attributes),
        })
    }

    fn at_debug_intrinsic(&mut self) -> bool {
        self.cursor.skip_space();
        self.cursor.starts_with(b"@llvm.dbg.")
    }

    /// `call void @llvm.dbg.declare(...)`, from the callee on: dropped, but for the name of the variable.
    fn debug_call(&mut self, scope: &mut Scope<'a>) -> Result<()> {
        self.cursor.advance(1);
        let start = self.cursor.position();
        self.cursor.word();
        if self.cursor.since(start) == b"llvm.dbg.declare" {
            self.debug_declaration(scope)?;
        }
        self.cursor.skip_line();
        Ok(())
    }

    /// The callee, its arguments and what follows them.
    fn call(&mut self, scope: &mut Scope<'a>, result: TypeId) -> Result<Call> {
        let callee =
            if self.cursor.take_word(b"asm") { self.assembly()? } else { Callee::Operand(self.operand(scope, PTR)?) };
        let arguments = self.arguments(scope)?;
        let mut call = Call {
            result,
            callee,
            arguments,
            normal: None,
            unwind: None,
            tail: Tail::No,
            attributes: Attributes::default(),
            result_flags: Default::default(),
            bundles: Vec::new(),
        };
        self.call_suffix(scope, &mut call)?;
        Ok(call)
    }

    /// `sideeffect alignstack "text", "constraints"`
    fn assembly(&mut self) -> Result<Callee> {
        while self.cursor.peek_token() != Some(b'"') {
            if self.cursor.word().is_empty() {
                return Err(self.cursor.error("an assembly string"));
            }
        }
        let text = printable(&self.cursor.string()?);
        self.cursor.expect(b",")?;
        self.cursor.string()?;
        Ok(Callee::Assembly(text))
    }

    fn arguments(&mut self, scope: &mut Scope<'a>) -> Result<Vec<Argument>> {
        self.cursor.expect(b"(")?;
        let mut arguments = Vec::new();
        if self.cursor.take(b")") {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.argument(scope)?);
            if !self.cursor.take(b",") {
                self.cursor.expect(b")")?;
                return Ok(arguments);
            }
        }
    }

    fn argument(&mut self, scope: &mut Scope<'a>) -> Result<Argument> {
        let ty = self.value_type()?;
        if matches!(self.module.ty(ty), Type::Other(name) if &**name == "metadata") {
            self.skip_metadata_value()?;
            return Ok(Argument { ty, value: None, byval: None, flags: Default::default(), align: 0 });
        }
        let ValueAttributes { flags, byval, align } = self.value_attributes()?;
        let value = Some(self.operand(scope, ty)?);
        Ok(Argument { ty, value, byval, flags, align })
    }

    /// Skips to the `,` or `)` that ends a metadata argument.
    fn skip_metadata_value(&mut self) -> Result<()> {
        loop {
            match self.cursor.peek_token() {
                Some(b',' | b')') => return Ok(()),
                Some(b'(' | b'{' | b'[') => self.cursor.skip_group()?,
                Some(b'"') => {
                    self.cursor.string()?;
                }
                Some(_) => self.cursor.advance(1),
                None => return Err(self.cursor.error("`)`")),
            }
        }
    }

    /// Attributes and bundles, on the line of the call.
    fn call_suffix(&mut self, scope: &mut Scope<'a>, call: &mut Call) -> Result<()> {
        while !self.cursor.at_line_end() {
            match self.cursor.peek() {
                Some(b'#') => {
                    self.cursor.advance(1);
                    call.attributes.groups.push(self.cursor.number_u32()?);
                }
                Some(b'[') => self.bundles(scope, call)?,
                Some(b'a'..=b'z') if self.cursor.peek_word() == b"to" => return Ok(()),
                Some(b'"' | b'a'..=b'z') => call.attributes.own = call.attributes.own | self.function_attribute()?,
                _ => return Ok(()),
            }
        }
        Ok(())
    }

    /// `[ "deopt"(i32 1), "align"(ptr %p, i64 16) ]`
    fn bundles(&mut self, scope: &mut Scope<'a>, call: &mut Call) -> Result<()> {
        self.cursor.expect(b"[")?;
        loop {
            let tag = printable(&self.cursor.string()?);
            let arguments = self.arguments(scope)?;
            call.bundles.push(Bundle { tag, arguments });
            if !self.cursor.take(b",") {
                return self.cursor.expect(b"]");
            }
        }
    }

    pub(super) fn invoke(&mut self, scope: &mut Scope<'a>) -> Result<(Op, TypeId)> {
        let (result, result_flags) = self.call_head(scope)?;
        let mut call = self.call(scope, result)?;
        call.result_flags = result_flags.flags;
        self.cursor.expect_word(b"to")?;
        call.normal = Some(self.block(scope)?);
        self.cursor.expect_word(b"unwind")?;
        call.unwind = Some(self.block(scope)?);
        Ok((Op::Call(Box::new(call)), result))
    }

    /// `callbr void asm "...", "..."() to label %a [label %b]`
    pub(super) fn callbr(&mut self, scope: &mut Scope<'a>) -> Result<(Op, TypeId)> {
        let (result, _) = self.call_head(scope)?;
        self.call(scope, result)?;
        self.cursor.expect_word(b"to")?;
        self.block(scope)?;
        self.block_list(scope)?;
        Ok((Op::Unsupported("callbr".into()), if self.is_value_type(result) { result } else { VOID }))
    }
}
