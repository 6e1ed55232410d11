//! Instructions: dispatch, what all have in common, and arithmetic.
//!
//! Knows: the grammar of each. Never: execution.

mod aggregate;
mod call;
mod control;
mod memory;

use super::attributes::Attachment;
use super::opcodes::{binary_op, cast_op, float_predicate, int_predicate};
use super::scope::{Extra, Scope};
use super::{Reader, Result, VOID};
use crate::ir::attributes::{InstructionFlags, Ordering};
use crate::ir::{BinaryOp, CastOp, Instruction, Op, Operand, TypeId};

impl<'a> Reader<'a> {
    /// One instruction; `None` for one that execution does not need.
    pub(super) fn instruction(&mut self, scope: &mut Scope<'a>) -> Result<Option<Instruction>> {
        let start = self.cursor.position();
        let name = if self.cursor.take(b"%") {
            let name = self.cursor.name()?;
            self.cursor.expect(b"=")?;
            Some(name)
        } else {
            None
        };
        self.cursor.skip_space();
        let operation = self.cursor.position();
        let word = self.cursor.word();
        scope.extra = Extra::default();
        let Some((op, ty)) = self.operation(scope, word, operation)? else {
            return Ok(None);
        };
        self.suffix(scope)?;
        let result = match name {
            Some(_) if ty == VOID => {
                return Err(self.cursor.error_at(start, "an instruction without a result is given a name".to_owned()));
            }
            Some(name) => Some(self.define_local(scope, name, ty, start)?),
            None if ty == VOID => None,
            None => {
                let name = scope.unnamed();
                Some(self.define_local(scope, name, ty, start)?)
            }
        };
        let Extra { flags, ordering, align, debug, range } = scope.extra;
        let (debug, range) = (debug.unwrap_or(u32::MAX), range.unwrap_or(u32::MAX));
        Ok(Some(Instruction { result, op, debug, flags, ordering, align, range }))
    }

    /// What the instruction does and the type of its result.
    fn operation(&mut self, scope: &mut Scope<'a>, word: &'a [u8], at: usize) -> Result<Option<(Op, TypeId)>> {
        if let Some(op) = binary_op(word) {
            return self.binary(scope, op).map(Some);
        }
        if let Some(op) = cast_op(word) {
            return self.cast(scope, op).map(Some);
        }
        Ok(Some(match word {
            b"call" | b"tail" | b"musttail" | b"notail" => {
                return self.call_instruction(scope, word);
            }
            b"load" => self.load(scope)?,
            b"store" => self.store(scope)?,
            b"getelementptr" => self.gep(scope)?,
            b"br" => self.br(scope)?,
            b"icmp" => self.icmp(scope)?,
            b"phi" => self.phi(scope)?,
            b"select" => self.select(scope)?,
            b"ret" => self.ret(scope)?,
            b"unreachable" => (Op::Unreachable, VOID),
            b"alloca" => self.alloca(scope)?,
            b"switch" => self.switch(scope)?,
            b"extractvalue" => self.extract_value(scope)?,
            b"insertvalue" => self.insert_value(scope)?,
            b"invoke" => self.invoke(scope)?,
            b"fcmp" => self.fcmp(scope)?,
            b"fneg" => {
                self.flags(scope);
                let (ty, a) = self.typed_operand(scope)?;
                self.check_float(ty)?;
                (Op::FNeg { ty, a }, ty)
            }
            b"freeze" => {
                let (ty, a) = self.typed_operand(scope)?;
                (Op::Freeze { ty, a }, ty)
            }
            b"extractelement" => self.extract_element(scope)?,
            b"insertelement" => self.insert_element(scope)?,
            b"shufflevector" => self.shuffle(scope)?,
            b"atomicrmw" => self.atomic_rmw(scope)?,
            b"cmpxchg" => self.cmpxchg(scope)?,
            b"fence" => {
                self.ordering(scope)?;
                (Op::Fence, VOID)
            }
            b"va_arg" => self.va_arg(scope)?,
            b"landingpad" => self.landingpad(scope)?,
            b"resume" => self.resume(scope)?,
            b"indirectbr" => self.indirectbr(scope)?,
            b"callbr" => self.callbr(scope)?,
            b"catchswitch" | b"catchpad" | b"cleanuppad" | b"catchret" | b"cleanupret" => self.funclet(scope, word)?,
            _ => {
                let message = format!("`{}` is no instruction", String::from_utf8_lossy(word));
                return Err(self.cursor.error_at(at, message));
            }
        }))
    }

    /// `, align 4, !dbg !5, !tbaa !7` after the operands.
    fn suffix(&mut self, scope: &mut Scope<'a>) -> Result<()> {
        while self.cursor.take(b",") {
            match self.cursor.peek_token() {
                Some(b'!') => match self.attachment()? {
                    Attachment::Debug(number) => scope.extra.debug = Some(number),
                    Attachment::Range(number) => scope.extra.range = Some(number),
                    Attachment::Defined => scope.extra.flags = scope.extra.flags | InstructionFlags::NOUNDEF,
                    Attachment::Other => {}
                },
                _ if self.cursor.take_word(b"align") => scope.extra.align = self.cursor.number_u32()?,
                _ if self.cursor.take_word(b"addrspace") => self.cursor.skip_parentheses()?,
                _ => return Err(self.cursor.error("an alignment or metadata")),
            }
        }
        Ok(())
    }

    /// Words before a type: `nsw`, `fast`, `volatile`, `inbounds`. Those that are not known promise more than we use.
    fn flags(&mut self, scope: &mut Scope<'a>) {
        while !self.at_type() {
            let word = self.cursor.peek_word();
            if word.is_empty() {
                break;
            }
            self.flag(scope);
            if self.cursor.peek() == Some(b'(') && self.cursor.skip_group().is_err() {
                break;
            }
        }
    }

    fn flag(&mut self, scope: &mut Scope<'a>) {
        let flag = InstructionFlags::of_word(self.cursor.word());
        scope.extra.flags = scope.extra.flags | flag.unwrap_or_default();
    }

    /// `syncscope("agent") acq_rel monotonic` after the operands of an atomic access.
    fn ordering(&mut self, scope: &mut Scope<'a>) -> Result<()> {
        loop {
            match self.cursor.peek_word() {
                b"syncscope" => {
                    self.cursor.word();
                    self.cursor.skip_parentheses()?;
                }
                word => match Ordering::of_word(word).filter(|it| *it != Ordering::NotAtomic) {
                    Some(ordering) => {
                        self.cursor.word();
                        // Of the two of a `cmpxchg`, the first is that of its success.
                        if scope.extra.ordering == Ordering::NotAtomic {
                            scope.extra.ordering = ordering;
                        }
                    }
                    None => return Ok(()),
                },
            }
        }
    }

    fn typed_operand(&mut self, scope: &mut Scope<'a>) -> Result<(TypeId, Operand)> {
        let ty = self.ty()?;
        if !self.is_value_type(ty) {
            return Err(self.cursor.error_here(format!("there is no value of type {}", self.type_text(ty))));
        }
        Ok((ty, self.operand(scope, ty)?))
    }

    /// `, type value` of the type of an earlier operand.
    fn same_operand(&mut self, scope: &mut Scope<'a>, ty: TypeId) -> Result<Operand> {
        self.cursor.expect(b",")?;
        let (actual, res) = self.typed_operand(scope)?;
        self.check_same(actual, ty)?;
        Ok(res)
    }

    fn pointer_operand(&mut self, scope: &mut Scope<'a>) -> Result<Operand> {
        let (ty, res) = self.typed_operand(scope)?;
        self.check_pointer(ty)?;
        Ok(res)
    }

    fn operand(&mut self, scope: &mut Scope<'a>, ty: TypeId) -> Result<Operand> {
        if self.cursor.peek_token() != Some(b'%') {
            return Ok(Operand::Const(self.constant(ty)?));
        }
        let at = self.cursor.position();
        self.cursor.advance(1);
        let name = self.cursor.name()?;
        let id = scope.local(name, ty, at);
        match scope.locals.get(id.index()) {
            Some(local) if local.ty != ty => {
                let (used, known) = (self.type_text(ty), self.type_text(local.ty));
                let message = format!("this local is used with type {used}, but has type {known}");
                Err(self.cursor.error_at(at, message))
            }
            _ => Ok(Operand::Local(id)),
        }
    }

    /// `type a, b`
    fn pair(&mut self, scope: &mut Scope<'a>) -> Result<(TypeId, Operand, Operand)> {
        let (ty, a) = self.typed_operand(scope)?;
        self.cursor.expect(b",")?;
        let b = self.operand(scope, ty)?;
        Ok((ty, a, b))
    }

    fn binary(&mut self, scope: &mut Scope<'a>, op: BinaryOp) -> Result<(Op, TypeId)> {
        self.flags(scope);
        let (ty, a, b) = self.pair(scope)?;
        self.check_binary(op, ty)?;
        let (nuw, nsw) = (scope.extra.flags.has(InstructionFlags::NUW), scope.extra.flags.has(InstructionFlags::NSW));
        Ok((Op::Binary { op, ty, a, b, nuw, nsw }, ty))
    }

    fn cast(&mut self, scope: &mut Scope<'a>, op: CastOp) -> Result<(Op, TypeId)> {
        self.flags(scope);
        let (from, value) = self.typed_operand(scope)?;
        self.cursor.expect_word(b"to")?;
        let to = self.ty()?;
        self.check_cast(op, from, to)?;
        Ok((Op::Cast { op, from, value, to }, to))
    }

    fn icmp(&mut self, scope: &mut Scope<'a>) -> Result<(Op, TypeId)> {
        if self.cursor.peek_word() == b"samesign" {
            self.flag(scope);
        }
        let Some(pred) = int_predicate(self.cursor.peek_word()) else {
            return Err(self.cursor.error("a predicate"));
        };
        self.cursor.word();
        let (ty, a, b) = self.pair(scope)?;
        self.check_comparable(ty)?;
        Ok((Op::Icmp { pred, ty, a, b }, self.comparison_type(ty)))
    }

    fn fcmp(&mut self, scope: &mut Scope<'a>) -> Result<(Op, TypeId)> {
        let pred = loop {
            match (float_predicate(self.cursor.peek_word()), self.cursor.peek()) {
                (Some(pred), _) => break pred,
                (None, Some(b'a'..=b'z')) => self.flag(scope),
                _ => return Err(self.cursor.error("a predicate")),
            }
        };
        self.cursor.word();
        let (ty, a, b) = self.pair(scope)?;
        self.check_float(ty)?;
        Ok((Op::Fcmp { pred, ty, a, b }, self.comparison_type(ty)))
    }

    fn select(&mut self, scope: &mut Scope<'a>) -> Result<(Op, TypeId)> {
        self.flags(scope);
        let (cond_ty, cond) = self.typed_operand(scope)?;
        self.cursor.expect(b",")?;
        let (ty, a) = self.typed_operand(scope)?;
        let b = self.same_operand(scope, ty)?;
        self.check_choice(cond_ty, ty)?;
        Ok((Op::Select { cond_ty, cond, ty, a, b }, ty))
    }
}
