//! Instructions that end blocks or begin them.
//!
//! Knows: their grammar. Never: execution.

use super::super::scope::Scope;
use super::super::{Reader, Result, VOID};
use crate::ir::{BlockId, Clause, Constant, Op, TypeId};

impl<'a> Reader<'a> {
    pub(super) fn ret(&mut self, scope: &mut Scope<'a>) -> Result<(Op, TypeId)> {
        let ty = self.ty()?;
        if ty != scope.result {
            let (actual, wanted) = (self.type_text(ty), self.type_text(scope.result));
            return Err(self.cursor.error_here(format!("the function's result is of type {wanted}, not {actual}")));
        }
        if ty == VOID {
            return Ok((Op::Ret(None), VOID));
        }
        let value = self.operand(scope, ty)?;
        Ok((Op::Ret(Some((ty, value))), VOID))
    }

    /// `label %name`
    pub(super) fn block(&mut self, scope: &mut Scope<'a>) -> Result<BlockId> {
        self.cursor.expect_word(b"label")?;
        self.block_name(scope)
    }

    fn block_name(&mut self, scope: &mut Scope<'a>) -> Result<BlockId> {
        self.cursor.skip_space();
        let at = self.cursor.position();
        self.cursor.expect(b"%")?;
        let name = self.cursor.name()?;
        Ok(scope.block(name, at))
    }

    pub(super) fn br(&mut self, scope: &mut Scope<'a>) -> Result<(Op, TypeId)> {
        if self.cursor.peek_word() == b"label" {
            return Ok((Op::Br(self.block(scope)?), VOID));
        }
        let (ty, cond) = self.typed_operand(scope)?;
        self.check_bit(ty)?;
        self.cursor.expect(b",")?;
        let then = self.block(scope)?;
        self.cursor.expect(b",")?;
        let other = self.block(scope)?;
        Ok((Op::CondBr { cond, then, other }, VOID))
    }

    pub(super) fn switch(&mut self, scope: &mut Scope<'a>) -> Result<(Op, TypeId)> {
        let (ty, value) = self.typed_operand(scope)?;
        self.check_int(ty)?;
        self.cursor.expect(b",")?;
        let default = self.block(scope)?;
        self.cursor.expect(b"[")?;
        let mut cases = Vec::new();
        while !self.cursor.take(b"]") {
            let case_ty = self.ty()?;
            self.check_same(case_ty, ty)?;
            let case = self.constant(case_ty)?;
            if !matches!(self.module.constant(case), Constant::Bits(_) | Constant::Unsupported(_)) {
                return Err(self.cursor.error_here("the value of a case is a number".to_owned()));
            }
            self.cursor.expect(b",")?;
            cases.push((case, self.block(scope)?));
        }
        Ok((Op::Switch { ty, value, default, cases }, VOID))
    }

    pub(super) fn phi(&mut self, scope: &mut Scope<'a>) -> Result<(Op, TypeId)> {
        self.flags(scope);
        let ty = self.value_type()?;
        let mut incoming = Vec::new();
        loop {
            self.cursor.expect(b"[")?;
            let value = self.operand(scope, ty)?;
            self.cursor.expect(b",")?;
            let block = self.block_name(scope)?;
            self.cursor.expect(b"]")?;
            incoming.push((value, block));
            let start = self.cursor.position();
            if !self.cursor.take(b",") || self.cursor.peek_token() != Some(b'[') {
                self.cursor.rewind(start);
                return Ok((Op::Phi { ty, incoming }, ty));
            }
        }
    }

    /// `resume { ptr, i32 } %x`
    pub(super) fn resume(&mut self, scope: &mut Scope<'a>) -> Result<(Op, TypeId)> {
        let (ty, value) = self.typed_operand(scope)?;
        Ok((Op::Resume { ty, value }, VOID))
    }

    /// `landingpad { ptr, i32 } cleanup catch ptr @x filter [0 x ptr] zeroinitializer`
    pub(super) fn landingpad(&mut self, scope: &mut Scope<'a>) -> Result<(Op, TypeId)> {
        let ty = self.value_type()?;
        let (mut cleanup, mut clauses) = (false, Vec::new());
        loop {
            let word = self.cursor.peek_word();
            match word {
                b"cleanup" => {
                    self.cursor.word();
                    cleanup = true;
                }
                b"catch" | b"filter" => {
                    self.cursor.word();
                    let (ty, value) = self.typed_operand(scope)?;
                    clauses.push(Clause { catches: word == b"catch", ty, value });
                }
                _ => return Ok((Op::LandingPad { ty, cleanup, clauses }, ty)),
            }
        }
    }

    /// `indirectbr ptr %x, [label %a, label %b]`: to the block whose address it is, which must be one of these.
    pub(super) fn indirectbr(&mut self, scope: &mut Scope<'a>) -> Result<(Op, TypeId)> {
        let at = self.cursor.position();
        let (ty, value) = self.typed_operand(scope)?;
        self.check_pointer(ty)?;
        self.cursor.expect(b",")?;
        self.cursor.expect(b"[")?;
        let mut cases = Vec::new();
        while !self.cursor.take(b"]") {
            self.cursor.expect_word(b"label")?;
            let start = self.cursor.position();
            let block = self.block_name(scope)?;
            self.cursor.rewind(start);
            self.cursor.expect(b"%")?;
            let label = self.cursor.name()?.key();
            cases.push((self.add_constant(Constant::Label(scope.function, label)), block));
            self.cursor.take(b",");
        }
        let default = scope.unreachable(at);
        Ok((Op::Switch { ty, value, default, cases }, VOID))
    }

    /// `[label %a, label %b]`
    pub(super) fn block_list(&mut self, scope: &mut Scope<'a>) -> Result<()> {
        self.cursor.expect(b"[")?;
        if self.cursor.take(b"]") {
            return Ok(());
        }
        loop {
            self.block(scope)?;
            if !self.cursor.take(b",") {
                return self.cursor.expect(b"]");
            }
        }
    }

    /// Exceptions of Windows: `catchswitch within none [label %a] unwind to caller` and the like, on one line.
    pub(super) fn funclet(&mut self, scope: &mut Scope<'a>, word: &[u8]) -> Result<(Op, TypeId)> {
        let is_value = !word.ends_with(b"ret");
        while !self.cursor.at_line_end() {
            match self.cursor.peek() {
                Some(b',' | b'}') => break,
                Some(b'[' | b'(') => self.cursor.skip_group()?,
                Some(b'%') if self.cursor.since(0).trim_ascii_end().ends_with(b"label") => {
                    self.block_name(scope)?;
                }
                Some(b'%') => {
                    self.cursor.advance(1);
                    self.cursor.name()?;
                }
                _ if self.cursor.word().is_empty() => return Err(self.cursor.error("an operand")),
                _ => {}
            }
        }
        let name = String::from_utf8_lossy(word);
        let result = if is_value { self.other_type("token") } else { VOID };
        Ok((Op::Unsupported(name.into()), result))
    }
}
