//! Instructions.
//!
//! Knows: the grammar of each. Never: execution.

use super::function::{Scope, debug_number};
use super::{Reader, Result};
use crate::ir::{
    Argument, BinaryOp, BlockId, Call, Callee, CastOp, FloatPredicate, Instruction, IntPredicate, Op, Operand, RmwOp,
    Type, TypeId,
};

/// Whether a word begins a value (and is no attribute).
pub(super) fn starts_value(word: &[u8]) -> bool {
    matches!(
        word,
        b"null"
            | b"undef"
            | b"poison"
            | b"true"
            | b"false"
            | b"zeroinitializer"
            | b"none"
            | b"getelementptr"
            | b"icmp"
            | b"fcmp"
            | b"select"
            | b"blockaddress"
            | b"splat"
            | b"asm"
            | b"dso_local_equivalent"
            | b"no_cfi"
            | b"ptrauth"
            | b"extractelement"
            | b"insertelement"
            | b"shufflevector"
            | b"extractvalue"
            | b"insertvalue"
    ) || cast_op(word).is_some()
        || binary_op(word).is_some()
}

pub(super) fn cast_op(word: &[u8]) -> Option<CastOp> {
    Some(match word {
        b"trunc" => CastOp::Trunc,
        b"zext" => CastOp::ZExt,
        b"sext" => CastOp::SExt,
        b"fptrunc" => CastOp::FpTrunc,
        b"fpext" => CastOp::FpExt,
        b"fptoui" => CastOp::FpToUi,
        b"fptosi" => CastOp::FpToSi,
        b"uitofp" => CastOp::UiToFp,
        b"sitofp" => CastOp::SiToFp,
        b"ptrtoint" | b"ptrtoaddr" => CastOp::PtrToInt,
        b"inttoptr" => CastOp::IntToPtr,
        b"bitcast" | b"addrspacecast" => CastOp::BitCast,
        _ => return None,
    })
}

pub(super) fn binary_op(word: &[u8]) -> Option<BinaryOp> {
    Some(match word {
        b"add" => BinaryOp::Add,
        b"sub" => BinaryOp::Sub,
        b"mul" => BinaryOp::Mul,
        b"udiv" => BinaryOp::UDiv,
        b"sdiv" => BinaryOp::SDiv,
        b"urem" => BinaryOp::URem,
        b"srem" => BinaryOp::SRem,
        b"shl" => BinaryOp::Shl,
        b"lshr" => BinaryOp::LShr,
        b"ashr" => BinaryOp::AShr,
        b"and" => BinaryOp::And,
        b"or" => BinaryOp::Or,
        b"xor" => BinaryOp::Xor,
        b"fadd" => BinaryOp::FAdd,
        b"fsub" => BinaryOp::FSub,
        b"fmul" => BinaryOp::FMul,
        b"fdiv" => BinaryOp::FDiv,
        b"frem" => BinaryOp::FRem,
        _ => return None,
    })
}

pub(super) fn int_predicate(word: &[u8]) -> Option<IntPredicate> {
    Some(match word {
        b"eq" => IntPredicate::Eq,
        b"ne" => IntPredicate::Ne,
        b"ugt" => IntPredicate::Ugt,
        b"uge" => IntPredicate::Uge,
        b"ult" => IntPredicate::Ult,
        b"ule" => IntPredicate::Ule,
        b"sgt" => IntPredicate::Sgt,
        b"sge" => IntPredicate::Sge,
        b"slt" => IntPredicate::Slt,
        b"sle" => IntPredicate::Sle,
        _ => return None,
    })
}

/// Bits: unordered 8, less 4, greater 2, equal 1.
fn float_predicate(word: &[u8]) -> Option<FloatPredicate> {
    Some(FloatPredicate(match word {
        b"false" => 0,
        b"oeq" => 1,
        b"ogt" => 2,
        b"oge" => 3,
        b"olt" => 4,
        b"ole" => 5,
        b"one" => 6,
        b"ord" => 7,
        b"uno" => 8,
        b"ueq" => 9,
        b"ugt" => 10,
        b"uge" => 11,
        b"ult" => 12,
        b"ule" => 13,
        b"une" => 14,
        b"true" => 15,
        _ => return None,
    }))
}

impl<'a> Reader<'a> {
    /// One instruction with the rest of its line; `None` for one that execution does not need.
    pub(super) fn instruction(&mut self, scope: &mut Scope<'a>) -> Result<Option<Instruction>> {
        let start = self.cursor.position();
        let name = if self.cursor.peek() == Some(b'%') {
            self.cursor.expect(b"%")?;
            let name = self.cursor.name()?;
            self.cursor.expect(b"=")?;
            Some(name)
        } else {
            None
        };
        let word = self.cursor.word();
        let Some((op, ty)) = self.operation(scope, word)? else {
            self.cursor.skip_line();
            return Ok(None);
        };
        let void = matches!(self.module.ty(ty), Type::Void);
        let result = match name {
            Some(_) if void => {
                return Err(self.cursor.error_at(start, "an instruction without a result is given a name".to_owned()));
            }
            Some(name) => Some(self.define_local(scope, name, ty)?),
            None => None,
        };
        let rest = self.cursor.position();
        self.cursor.skip_line();
        let debug = debug_number(self.cursor.since(rest)).unwrap_or(u32::MAX);
        Ok(Some(Instruction { result, op, debug }))
    }

    fn void(&mut self) -> TypeId {
        self.type_id(Type::Void)
    }

    /// What the instruction does and the type of its result.
    fn operation(&mut self, scope: &mut Scope<'a>, word: &'a [u8]) -> Result<Option<(Op, TypeId)>> {
        if let Some(op) = binary_op(word) {
            return self.binary(scope, op).map(Some);
        }
        if let Some(op) = cast_op(word) {
            return self.cast(scope, op).map(Some);
        }
        Ok(Some(match word {
            b"ret" => self.ret(scope)?,
            b"br" => self.br(scope)?,
            b"switch" => self.switch(scope)?,
            b"unreachable" => (Op::Unreachable, self.void()),
            b"fneg" => {
                let (ty, a) = self.flagged_value(scope)?;
                (Op::FNeg { ty, a }, ty)
            }
            b"icmp" => self.icmp(scope)?,
            b"fcmp" => self.fcmp(scope)?,
            b"phi" => self.phi(scope)?,
            b"select" => {
                let (cond_ty, cond) = self.flagged_value(scope)?;
                self.cursor.expect(b",")?;
                let (ty, a) = self.typed_operand(scope)?;
                self.cursor.expect(b",")?;
                let (_, b) = self.typed_operand(scope)?;
                (Op::Select { cond_ty, cond, ty, a, b }, ty)
            }
            b"freeze" => {
                let (ty, a) = self.typed_operand(scope)?;
                (Op::Freeze { ty, a }, ty)
            }
            b"alloca" => self.alloca(scope)?,
            b"load" => {
                self.skip_flag_words();
                let ty = self.ty()?;
                self.cursor.expect(b",")?;
                let (_, ptr) = self.typed_operand(scope)?;
                (Op::Load { ty, ptr }, ty)
            }
            b"store" => {
                self.skip_flag_words();
                let (ty, value) = self.typed_operand(scope)?;
                self.cursor.expect(b",")?;
                let (_, ptr) = self.typed_operand(scope)?;
                (Op::Store { ty, value, ptr }, self.void())
            }
            b"getelementptr" => self.gep(scope)?,
            b"extractvalue" => self.extract_value(scope)?,
            b"insertvalue" => {
                let (ty, a) = self.typed_operand(scope)?;
                self.cursor.expect(b",")?;
                let (value_ty, value) = self.typed_operand(scope)?;
                let path = self.path()?;
                (Op::InsertValue { ty, a, value_ty, value, path }, ty)
            }
            b"extractelement" => {
                let (ty, a) = self.typed_operand(scope)?;
                self.cursor.expect(b",")?;
                let (index_ty, index) = self.typed_operand(scope)?;
                let Type::Vector(_, element) = *self.module.ty(ty) else { return Err(self.cursor.error("a vector")) };
                (Op::ExtractElement { ty, a, index_ty, index }, element)
            }
            b"insertelement" => {
                let (ty, a) = self.typed_operand(scope)?;
                self.cursor.expect(b",")?;
                let (_, value) = self.typed_operand(scope)?;
                self.cursor.expect(b",")?;
                let (index_ty, index) = self.typed_operand(scope)?;
                (Op::InsertElement { ty, a, value, index_ty, index }, ty)
            }
            b"shufflevector" => self.shuffle(scope)?,
            b"call" => return self.call(scope),
            b"tail" | b"musttail" | b"notail" => {
                if !self.cursor.take_word(b"call") {
                    return Err(self.cursor.error("`call`"));
                }
                return self.call(scope);
            }
            b"invoke" => return self.invoke(scope),
            b"atomicrmw" => self.atomic_rmw(scope)?,
            b"cmpxchg" => self.cmpxchg(scope)?,
            b"fence" => (Op::Fence, self.void()),
            b"va_arg" => {
                let (_, list) = self.typed_operand(scope)?;
                self.cursor.expect(b",")?;
                let ty = self.ty()?;
                (Op::VaArg { list, ty }, ty)
            }
            b"landingpad" => {
                let ty = self.ty()?;
                loop {
                    let start = self.cursor.position();
                    self.cursor.skip_line();
                    if !matches!(self.cursor.peek_word(), b"cleanup" | b"catch" | b"filter") {
                        self.cursor.rewind(start);
                        break;
                    }
                }
                (Op::Unsupported("landingpad".into()), ty)
            }
            b"resume" | b"indirectbr" | b"callbr" | b"catchswitch" | b"catchpad" | b"cleanuppad" | b"catchret"
            | b"cleanupret" => {
                let ty =
                    if word.ends_with(b"pad") || word == b"catchswitch" { self.opaque("token") } else { self.void() };
                (Op::Unsupported(String::from_utf8_lossy(word).into()), ty)
            }
            _ => return Err(self.cursor.error_here(format!("`{}` is no instruction", String::from_utf8_lossy(word)))),
        }))
    }

    /// Skips flags: words before a type (`nsw`, `fast`, `volatile`, `inbounds`).
    fn skip_flag_words(&mut self) -> (bool, bool) {
        let (mut nuw, mut nsw) = (false, false);
        while !self.at_type() {
            let start = self.cursor.position();
            match self.cursor.word() {
                b"nuw" => nuw = true,
                b"nsw" => nsw = true,
                b"" => break,
                word if starts_value(word) => {
                    self.cursor.rewind(start);
                    break;
                }
                _ => {
                    if self.cursor.peek() == Some(b'(') && self.cursor.skip_group().is_err() {
                        break;
                    }
                }
            }
        }
        (nuw, nsw)
    }

    fn flagged_value(&mut self, scope: &mut Scope<'a>) -> Result<(TypeId, Operand)> {
        self.skip_flag_words();
        self.typed_operand(scope)
    }

    fn typed_operand(&mut self, scope: &mut Scope<'a>) -> Result<(TypeId, Operand)> {
        let ty = self.ty()?;
        Ok((ty, self.operand(scope, ty)?))
    }

    fn operand(&mut self, scope: &mut Scope<'a>, ty: TypeId) -> Result<Operand> {
        self.cursor.skip_space();
        if self.cursor.peek() == Some(b'%') {
            self.cursor.expect(b"%")?;
            let name = self.cursor.name()?;
            return Ok(Operand::Local(scope.local(name)));
        }
        Ok(Operand::Const(self.constant(ty)?))
    }

    fn block(&mut self, scope: &mut Scope<'a>) -> Result<BlockId> {
        if !self.cursor.take_word(b"label") {
            return Err(self.cursor.error("`label`"));
        }
        self.block_name(scope)
    }

    fn block_name(&mut self, scope: &mut Scope<'a>) -> Result<BlockId> {
        self.cursor.expect(b"%")?;
        let name = self.cursor.name()?;
        Ok(scope.block(name))
    }

    fn binary(&mut self, scope: &mut Scope<'a>, op: BinaryOp) -> Result<(Op, TypeId)> {
        let (nuw, nsw) = self.skip_flag_words();
        let (ty, a) = self.typed_operand(scope)?;
        self.cursor.expect(b",")?;
        let b = self.operand(scope, ty)?;
        Ok((Op::Binary { op, ty, a, b, nuw, nsw }, ty))
    }

    fn cast(&mut self, scope: &mut Scope<'a>, op: CastOp) -> Result<(Op, TypeId)> {
        let (from, value) = self.flagged_value(scope)?;
        if !self.cursor.take_word(b"to") {
            return Err(self.cursor.error("`to`"));
        }
        let to = self.ty()?;
        Ok((Op::Cast { op, from, value, to }, to))
    }

    fn ret(&mut self, scope: &mut Scope<'a>) -> Result<(Op, TypeId)> {
        let void = self.void();
        if self.cursor.take_word(b"void") {
            return Ok((Op::Ret(None), void));
        }
        Ok((Op::Ret(Some(self.typed_operand(scope)?)), void))
    }

    fn br(&mut self, scope: &mut Scope<'a>) -> Result<(Op, TypeId)> {
        let void = self.void();
        if self.cursor.peek_word() == b"label" {
            return Ok((Op::Br(self.block(scope)?), void));
        }
        let (_, cond) = self.typed_operand(scope)?;
        self.cursor.expect(b",")?;
        let then = self.block(scope)?;
        self.cursor.expect(b",")?;
        let other = self.block(scope)?;
        Ok((Op::CondBr { cond, then, other }, void))
    }

    fn switch(&mut self, scope: &mut Scope<'a>) -> Result<(Op, TypeId)> {
        let (ty, value) = self.typed_operand(scope)?;
        self.cursor.expect(b",")?;
        let default = self.block(scope)?;
        self.cursor.expect(b"[")?;
        let mut cases = Vec::new();
        while !self.cursor.take(b"]") {
            let case_ty = self.ty()?;
            let case = self.constant(case_ty)?;
            self.cursor.expect(b",")?;
            cases.push((case, self.block(scope)?));
        }
        Ok((Op::Switch { ty, value, default, cases }, self.void()))
    }

    /// The type of a comparison's result: `i1`, or a vector of them.
    fn comparison_type(&mut self, ty: TypeId) -> TypeId {
        let bit = self.type_id(Type::Int(1));
        match *self.module.ty(ty) {
            Type::Vector(count, _) => self.type_id(Type::Vector(count, bit)),
            _ => bit,
        }
    }

    fn icmp(&mut self, scope: &mut Scope<'a>) -> Result<(Op, TypeId)> {
        self.cursor.take_word(b"samesign");
        let word = self.cursor.word();
        let Some(pred) = int_predicate(word) else { return Err(self.cursor.error("a predicate")) };
        let (ty, a) = self.typed_operand(scope)?;
        self.cursor.expect(b",")?;
        let b = self.operand(scope, ty)?;
        Ok((Op::Icmp { pred, ty, a, b }, self.comparison_type(ty)))
    }

    fn fcmp(&mut self, scope: &mut Scope<'a>) -> Result<(Op, TypeId)> {
        let pred = loop {
            let word = self.cursor.word();
            match float_predicate(word) {
                Some(pred) => break pred,
                None if word.is_empty() => return Err(self.cursor.error("a predicate")),
                None => {}
            }
        };
        let (ty, a) = self.typed_operand(scope)?;
        self.cursor.expect(b",")?;
        let b = self.operand(scope, ty)?;
        Ok((Op::Fcmp { pred, ty, a, b }, self.comparison_type(ty)))
    }

    fn phi(&mut self, scope: &mut Scope<'a>) -> Result<(Op, TypeId)> {
        self.skip_flag_words();
        let ty = self.ty()?;
        let mut incoming = Vec::new();
        loop {
            self.cursor.expect(b"[")?;
            let value = self.operand(scope, ty)?;
            self.cursor.expect(b",")?;
            let block = self.block_name(scope)?;
            self.cursor.expect(b"]")?;
            incoming.push((value, block));
            let start = self.cursor.position();
            if !self.cursor.take(b",") {
                break;
            }
            self.cursor.skip_space();
            if self.cursor.peek() != Some(b'[') {
                self.cursor.rewind(start);
                break;
            }
        }
        Ok((Op::Phi { ty, incoming }, ty))
    }

    fn alloca(&mut self, scope: &mut Scope<'a>) -> Result<(Op, TypeId)> {
        self.skip_flag_words();
        let ty = self.ty()?;
        let start = self.cursor.position();
        let mut count = None;
        if self.cursor.take(b",") {
            if self.at_type() {
                count = Some(self.typed_operand(scope)?);
            } else {
                self.cursor.rewind(start);
            }
        }
        Ok((Op::Alloca { ty, count }, self.type_id(Type::Ptr)))
    }

    fn gep(&mut self, scope: &mut Scope<'a>) -> Result<(Op, TypeId)> {
        self.skip_flag_words();
        let source = self.ty()?;
        self.cursor.expect(b",")?;
        let (base_ty, base) = self.typed_operand(scope)?;
        let mut indices = Vec::new();
        let mut result = base_ty;
        loop {
            let start = self.cursor.position();
            if !self.cursor.take(b",") {
                break;
            }
            if !self.at_type() {
                self.cursor.rewind(start);
                break;
            }
            let (ty, index) = self.typed_operand(scope)?;
            if matches!(self.module.ty(ty), Type::Vector(..)) {
                result = ty;
            }
            indices.push((ty, index));
        }
        if let Type::Vector(count, _) = *self.module.ty(result) {
            let ptr = self.type_id(Type::Ptr);
            result = self.type_id(Type::Vector(count, ptr));
        }
        Ok((Op::Gep { source, base_ty, base, indices }, result))
    }

    /// `, 0, 1`: indices into an aggregate.
    fn path(&mut self) -> Result<Vec<u32>> {
        let mut path = Vec::new();
        loop {
            let start = self.cursor.position();
            if !self.cursor.take(b",") {
                return Ok(path);
            }
            self.cursor.skip_space();
            if !matches!(self.cursor.peek(), Some(b'0'..=b'9')) {
                self.cursor.rewind(start);
                return Ok(path);
            }
            path.push(self.cursor.number_u32()?);
        }
    }

    fn extract_value(&mut self, scope: &mut Scope<'a>) -> Result<(Op, TypeId)> {
        let (ty, a) = self.typed_operand(scope)?;
        let path = self.path()?;
        let mut result = ty;
        for &index in &path {
            result = match self.module.element(result, u64::from(index)) {
                Some(it) => it,
                None => return Err(self.cursor.error_here("the aggregate has no such element".to_owned())),
            };
        }
        Ok((Op::ExtractValue { ty, a, path }, result))
    }

    fn shuffle(&mut self, scope: &mut Scope<'a>) -> Result<(Op, TypeId)> {
        let (ty, a) = self.typed_operand(scope)?;
        self.cursor.expect(b",")?;
        let (_, b) = self.typed_operand(scope)?;
        self.cursor.expect(b",")?;
        let mask_ty = self.ty()?;
        let mask = self.constant(mask_ty)?;
        let (Type::Vector(count, _), Type::Vector(_, element)) = (self.module.ty(mask_ty), self.module.ty(ty)) else {
            return Err(self.cursor.error("vectors"));
        };
        let (count, element) = (*count, *element);
        let result = self.type_id(Type::Vector(count, element));
        Ok((Op::ShuffleVector { ty, a, b, mask_ty, mask }, result))
    }

    fn atomic_rmw(&mut self, scope: &mut Scope<'a>) -> Result<(Op, TypeId)> {
        self.cursor.take_word(b"volatile");
        let op = match self.cursor.word() {
            b"xchg" => RmwOp::Xchg,
            b"nand" => RmwOp::Nand,
            b"max" => RmwOp::Max,
            b"min" => RmwOp::Min,
            b"umax" => RmwOp::UMax,
            b"umin" => RmwOp::UMin,
            word => match binary_op(word) {
                Some(op) => RmwOp::Binary(op),
                None => {
                    let ptr = self.typed_operand(scope);
                    let ty = ptr.and_then(|_| {
                        self.cursor.expect(b",")?;
                        Ok(self.typed_operand(scope)?.0)
                    })?;
                    let name = format!("atomicrmw {}", String::from_utf8_lossy(word));
                    return Ok((Op::Unsupported(name.into()), ty));
                }
            },
        };
        let (_, ptr) = self.typed_operand(scope)?;
        self.cursor.expect(b",")?;
        let (ty, value) = self.typed_operand(scope)?;
        Ok((Op::AtomicRmw { op, ty, ptr, value }, ty))
    }

    fn cmpxchg(&mut self, scope: &mut Scope<'a>) -> Result<(Op, TypeId)> {
        self.skip_flag_words();
        let (_, ptr) = self.typed_operand(scope)?;
        self.cursor.expect(b",")?;
        let (ty, expected) = self.typed_operand(scope)?;
        self.cursor.expect(b",")?;
        let (_, new) = self.typed_operand(scope)?;
        let bit = self.type_id(Type::Int(1));
        let result = self.type_id(Type::Struct { fields: [ty, bit].into(), packed: false });
        Ok((Op::CmpXchg { ty, ptr, expected, new }, result))
    }

    fn invoke(&mut self, scope: &mut Scope<'a>) -> Result<Option<(Op, TypeId)>> {
        let Some((mut op, ty)) = self.call(scope)? else {
            return Err(self.cursor.error("an executable callee"));
        };
        // Attributes and bundles may stand before `to label %a unwind label %b`.
        while !self.cursor.take_word(b"to") {
            self.cursor.skip_space();
            match self.cursor.peek() {
                Some(b'[') => self.cursor.skip_group()?,
                Some(b'#' | b'a'..=b'z' | b'"') => {
                    self.cursor.take(b"#");
                    if self.cursor.peek() == Some(b'"') {
                        self.cursor.string()?;
                    } else if self.cursor.word().is_empty() {
                        return Err(self.cursor.error("`to`"));
                    }
                }
                _ => return Err(self.cursor.error("`to`")),
            }
        }
        let normal = self.block(scope)?;
        if !self.cursor.take_word(b"unwind") {
            return Err(self.cursor.error("`unwind`"));
        }
        self.block(scope)?;
        if let Op::Call(call) = &mut op {
            call.normal = Some(normal);
        }
        Ok(Some((op, ty)))
    }

    /// A call; `None` for the debug intrinsics.
    fn call(&mut self, scope: &mut Scope<'a>) -> Result<Option<(Op, TypeId)>> {
        while !self.at_type() {
            self.cursor.skip_space();
            if self.cursor.peek() == Some(b'"') {
                self.cursor.string()?;
                continue;
            }
            let word = self.cursor.word();
            if word.is_empty() {
                return Err(self.cursor.error("a result type"));
            }
            self.skip_attribute_argument(word)?;
        }
        let ty = self.ty()?;
        let result = match *self.module.ty(ty) {
            Type::Function { result, .. } => result,
            _ => ty,
        };
        self.cursor.skip_space();
        if self.cursor.starts_with(b"@llvm.dbg.") {
            return Ok(None);
        }
        let callee = if self.cursor.take_word(b"asm") {
            while self.cursor.peek() != Some(b'"') {
                if self.cursor.word().is_empty() {
                    return Err(self.cursor.error("an assembly string"));
                }
                self.cursor.skip_space();
            }
            let text = self.cursor.string()?.into_owned();
            self.cursor.expect(b",")?;
            self.cursor.string()?;
            Callee::Assembly(String::from_utf8_lossy(&text).into())
        } else {
            let ptr = self.type_id(Type::Ptr);
            Callee::Operand(self.operand(scope, ptr)?)
        };
        self.cursor.expect(b"(")?;
        let mut arguments = Vec::new();
        if !self.cursor.take(b")") {
            loop {
                arguments.push(self.argument(scope)?);
                if !self.cursor.take(b",") {
                    break;
                }
            }
            self.cursor.expect(b")")?;
        }
        let call = Call { result, callee, arguments, normal: None };
        Ok(Some((Op::Call(Box::new(call)), result)))
    }

    fn argument(&mut self, scope: &mut Scope<'a>) -> Result<Argument> {
        let ty = self.ty()?;
        if matches!(self.module.ty(ty), Type::Other(name) if &**name == "metadata") {
            self.skip_metadata_value()?;
            return Ok(Argument { ty, value: None, byval: None });
        }
        let byval = self.skip_attributes()?;
        let value = Some(self.operand(scope, ty)?);
        Ok(Argument { ty, value, byval })
    }

    /// Skips to the `,` or `)` that ends a metadata argument.
    fn skip_metadata_value(&mut self) -> Result<()> {
        loop {
            self.cursor.skip_space();
            match self.cursor.peek() {
                Some(b',' | b')') => return Ok(()),
                Some(b'(' | b'{' | b'[') => self.cursor.skip_group()?,
                Some(b'"') => {
                    self.cursor.string()?;
                }
                Some(_) => self.cursor.advance(),
                None => return Err(self.cursor.error("`)`")),
            }
        }
    }
}
