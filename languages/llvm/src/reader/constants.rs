//! Constants and constant expressions.
//!
//! Knows: the grammar of values that are no locals. Never: their evaluation.

use super::opcodes::{binary_op, cast_op, int_predicate};
use super::types::Lanes;
use super::{BIT, PTR, Reader, Result};
use crate::ir::attributes::InstructionFlags;
use crate::ir::distance::Distance;
use crate::ir::{BinaryOp, CastOp, ConstExpr, ConstId, Constant, GlobalId, Type, TypeId};
use effigy_term::{BvValue, Width};
use num_bigint::BigInt;

/// How many elements all `splat`s of a module may stand for, beside one for each byte of its text.
pub(super) const MAX_SPLAT: u64 = 1 << 20;

/// The widest integer constant that is kept. Lowering refuses wider ones, and a short text could ask for much memory.
const MAX_CONSTANT_BITS: u32 = 4096;

/// More digits than a constant of that width has.
const MAX_DIGITS: usize = 1300;

impl Reader<'_> {
    /// A constant of type `ty`.
    pub(super) fn constant(&mut self, ty: TypeId) -> Result<ConstId> {
        match self.cursor.peek_token() {
            Some(b'0'..=b'9' | b'-' | b'+') => self.literal(ty),
            Some(b'@') => {
                let id = self.global_name()?;
                self.check_pointer(ty)?;
                Ok(self.global_constant(id))
            }
            Some(b'[' | b'{' | b'<') => self.nested(|it| it.aggregate(ty)),
            Some(b'c') if self.cursor.starts_with(b"c\"") => self.bytes(ty),
            Some(b'f') if self.cursor.starts_with(b"f0x") => self.literal(ty),
            _ => self.nested(|it| it.word_constant(ty)),
        }
    }

    /// Whether a word begins a constant, and is no attribute.
    pub(super) fn at_constant(&self, word: &[u8]) -> bool {
        match word {
            b"null" | b"undef" | b"poison" | b"true" | b"false" | b"zeroinitializer" | b"none" | b"splat"
            | b"getelementptr" | b"icmp" | b"select" | b"blockaddress" => true,
            b"c" => self.cursor.starts_with(b"c\""),
            _ => {
                is_unsupported(word) || word.starts_with(b"f0x") || cast_op(word).is_some() || binary_op(word).is_some()
            }
        }
    }

    pub(super) fn global_constant(&mut self, id: GlobalId) -> ConstId {
        if let Some(&known) = self.global_constants.get(&id) {
            return known;
        }
        let res = self.add_constant(Constant::Global(id));
        self.global_constants.insert(id, res);
        res
    }

    /// A small integer constant, remembered.
    fn small(&mut self, ty: TypeId, width: Width, bits: u64) -> ConstId {
        if let Some(&known) = self.small_constants.get(&(ty, bits)) {
            return known;
        }
        let res = self.add_constant(Constant::Bits(BvValue::from_u64(width, bits)));
        self.small_constants.insert((ty, bits), res);
        res
    }

    fn zero(&mut self, ty: TypeId) -> ConstId {
        if let Some(&known) = self.zero_constants.get(&ty) {
            return known;
        }
        let res = self.add_constant(Constant::Zero(ty));
        self.zero_constants.insert(ty, res);
        res
    }

    fn undefined(&mut self, ty: TypeId) -> ConstId {
        if let Some(&known) = self.undefined_constants.get(&ty) {
            return known;
        }
        let res = self.add_constant(Constant::Undef(ty));
        self.undefined_constants.insert(ty, res);
        res
    }

    fn unsupported(&mut self, what: &str) -> ConstId {
        self.add_constant(Constant::Unsupported(what.into()))
    }

    fn literal(&mut self, ty: TypeId) -> Result<ConstId> {
        match *self.module.ty(ty) {
            Type::Int(bits) => self.integer(ty, bits),
            Type::Float(kind) => self.float(kind),
            Type::Other(_) => {
                self.cursor.take(b"-");
                if self.cursor.word().is_empty() {
                    return Err(self.cursor.error("a number"));
                }
                Ok(self.unsupported("a number of a type without layout"))
            }
            _ => {
                let message = format!("a value of type {}", self.type_text(ty));
                Err(self.cursor.error(&message))
            }
        }
    }

    fn integer(&mut self, ty: TypeId, bits: u32) -> Result<ConstId> {
        let start = self.cursor.position();
        let negative = self.cursor.take(b"-");
        let digits = self.cursor.word();
        if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
            return Err(self.cursor.error_at(start, "an integer was expected".to_owned()));
        }
        let too_large = || self.cursor.error_at(start, format!("an integer of {bits} bits was expected"));
        if bits > MAX_CONSTANT_BITS {
            return Ok(self.unsupported("an integer of this width"));
        }
        let width = Width::of(bits);
        if bits <= 64 {
            let magnitude = std::str::from_utf8(digits).ok().and_then(|it| it.parse::<u64>().ok());
            // Both the signed and the unsigned reading of the bits may be written.
            let limit = if negative { 1 << (bits - 1) } else { u64::MAX >> (64 - bits) };
            let magnitude = magnitude.filter(|&it| it <= limit).ok_or_else(too_large)?;
            let value = if negative { magnitude.wrapping_neg() } else { magnitude };
            return Ok(self.small(ty, width, value & (u64::MAX >> (64 - bits))));
        }
        let magnitude = if digits.len() <= MAX_DIGITS { BigInt::parse_bytes(digits, 10) } else { None };
        let magnitude = magnitude.filter(|it| it.bits() <= u64::from(bits)).ok_or_else(too_large)?;
        let value = if negative { -magnitude } else { magnitude };
        Ok(self.add_constant(Constant::Bits(BvValue::from_bigint(width, &value))))
    }

    /// `c"text\00"`
    fn bytes(&mut self, ty: TypeId) -> Result<ConstId> {
        self.cursor.expect(b"c")?;
        let bytes = self.cursor.string()?.into_owned();
        match *self.module.ty(ty) {
            Type::Array(count, element)
                if count == bytes.len() as u64 && matches!(self.module.ty(element), Type::Int(8)) =>
            {
                Ok(self.add_constant(Constant::Bytes(bytes.into())))
            }
            _ => {
                let message = format!("a value of type {} was expected, not {} bytes", self.type_text(ty), bytes.len());
                Err(self.cursor.error_here(message))
            }
        }
    }

    fn aggregate(&mut self, ty: TypeId) -> Result<ConstId> {
        let close: &[u8] = match self.cursor.peek() {
            Some(b'[') => b"]",
            Some(b'{') => b"}",
            _ if self.cursor.starts_with(b"<{") => b"}>",
            _ => b">",
        };
        let shape = match self.module.ty(ty) {
            Type::Array(..) => Some(&b"]"[..]),
            Type::Struct { packed: false, .. } => Some(&b"}"[..]),
            Type::Struct { packed: true, .. } => Some(&b"}>"[..]),
            Type::Vector(..) => Some(&b">"[..]),
            _ => None,
        };
        if shape != Some(close) {
            return Err(self.cursor.error(&format!("a value of type {}", self.type_text(ty))));
        }
        self.cursor.advance(close.len());
        let mut elements = Vec::new();
        if !self.cursor.take(close) {
            loop {
                let element = self.ty()?;
                match self.module.element(ty, elements.len() as u64) {
                    Some(wanted) => self.check_same(element, wanted)?,
                    None => {
                        return Err(self.cursor.error_here(format!("{} has fewer elements", self.type_text(ty))));
                    }
                }
                elements.push(self.constant(element)?);
                if !self.cursor.take(b",") {
                    break;
                }
            }
            self.cursor.expect(close)?;
        }
        let count = self.module.elements(ty).unwrap_or(0);
        if count != elements.len() as u64 {
            let message = format!("{count} elements were expected, not {}", elements.len());
            return Err(self.cursor.error_here(message));
        }
        Ok(self.add_constant(Constant::Aggregate(ty, elements.into())))
    }

    fn word_constant(&mut self, ty: TypeId) -> Result<ConstId> {
        let start = self.cursor.position();
        let word = self.cursor.word();
        match word {
            b"true" | b"false" => {
                self.check_bit(ty)?;
                Ok(self.small(ty, Width::W1, u64::from(word == b"true")))
            }
            b"null" => {
                self.check_pointer(ty)?;
                Ok(self.zero(ty))
            }
            b"none" => Ok(self.zero(ty)),
            b"zeroinitializer" => match *self.module.ty(ty) {
                Type::Int(bits) if bits <= 64 => Ok(self.small(ty, Width::of(bits), 0)),
                _ => Ok(self.zero(ty)),
            },
            b"undef" | b"poison" => Ok(self.undefined(ty)),
            b"splat" => self.splat(ty),
            b"dso_local_equivalent" | b"no_cfi" => {
                // The address of the same function, as far as a program can see.
                self.cursor.skip_space();
                let id = self.global_name()?;
                self.check_pointer(ty)?;
                Ok(self.global_constant(id))
            }
            b"blockaddress" => {
                self.cursor.expect(b"(")?;
                self.cursor.skip_space();
                let function = self.global_name()?;
                self.cursor.expect(b",")?;
                self.cursor.expect(b"%")?;
                let label = self.cursor.name()?.key();
                self.cursor.expect(b")")?;
                self.check_pointer(ty)?;
                Ok(self.add_constant(Constant::Label(function, label)))
            }
            _ if is_unsupported(word) => {
                // Flags and predicates, then the operands.
                while !self.cursor.take(b"(") {
                    if self.cursor.word().is_empty() {
                        return Err(self.cursor.error("`(`"));
                    }
                }
                self.cursor.rewind(self.cursor.position() - 1);
                self.cursor.skip_group()?;
                Ok(self.unsupported(&format!("the constant `{}`", String::from_utf8_lossy(word))))
            }
            _ => match self.expression(word)? {
                Some((expression, actual)) => {
                    self.check_same(actual, ty)?;
                    Ok(self.add_constant(Constant::Expr(Box::new(expression))))
                }
                None => {
                    self.cursor.rewind(start);
                    Err(self.cursor.error("a value"))
                }
            },
        }
    }

    /// `splat (i32 1)`
    fn splat(&mut self, ty: TypeId) -> Result<ConstId> {
        self.cursor.expect(b"(")?;
        let (element_ty, element) = self.typed_constant()?;
        self.cursor.expect(b")")?;
        let Some(Lanes { count, scalable, element: wanted }) = self.lanes(ty) else {
            return Err(self.cursor.error_here("a splat is of a vector type".to_owned()));
        };
        self.check_same(element_ty, wanted)?;
        if scalable {
            return Ok(self.unsupported("a scalable vector"));
        }
        let Some(left) = self.splat_budget.checked_sub(u64::from(count)) else {
            return Err(self.cursor.error_here("the vectors of this module have too many elements".to_owned()));
        };
        self.splat_budget = left;
        let elements = vec![element; count as usize];
        Ok(self.add_constant(Constant::Aggregate(ty, elements.into())))
    }

    /// The expression that begins with `word`, and its type.
    fn expression(&mut self, word: &[u8]) -> Result<Option<(ConstExpr, TypeId)>> {
        Ok(Some(match word {
            b"getelementptr" => self.const_gep()?,
            b"icmp" => self.const_icmp()?,
            b"select" => self.const_select()?,
            _ => match (cast_op(word), binary_op(word)) {
                (Some(op), _) => self.const_cast(op)?,
                (None, Some(op)) => self.const_binary(op)?,
                (None, None) => return Ok(None),
            },
        }))
    }

    fn constant_flags(&mut self) -> Result<InstructionFlags> {
        let mut res = InstructionFlags::NONE;
        while matches!(
            self.cursor.peek_word(),
            b"inbounds" | b"nuw" | b"nsw" | b"nusw" | b"exact" | b"inrange" | b"samesign" | b"nneg" | b"disjoint"
        ) {
            res = res | InstructionFlags::of_word(self.cursor.word()).unwrap_or_default();
            // `inrange(-16, 16)` of LLVM 19; before, `inrange` stands before an index.
            if self.cursor.peek() == Some(b'(') && !self.at_operands() {
                self.cursor.skip_parentheses()?;
            }
        }
        Ok(res)
    }

    /// Whether the parenthesis here opens operands (a type follows) and not the numbers of a flag.
    fn at_operands(&mut self) -> bool {
        let start = self.cursor.position();
        let res = self.cursor.take(b"(") && self.at_type();
        self.cursor.rewind(start);
        res
    }

    fn typed_constant(&mut self) -> Result<(TypeId, ConstId)> {
        self.constant_flags()?;
        let ty = self.ty()?;
        if !self.is_value_type(ty) {
            return Err(self.cursor.error_here(format!("there is no value of type {}", self.type_text(ty))));
        }
        Ok((ty, self.constant(ty)?))
    }

    /// `(type a, type b)` with equal types.
    fn const_pair(&mut self) -> Result<(TypeId, ConstId, ConstId)> {
        self.cursor.expect(b"(")?;
        let (ty, a) = self.typed_constant()?;
        self.cursor.expect(b",")?;
        let (b_ty, b) = self.typed_constant()?;
        self.check_same(b_ty, ty)?;
        self.cursor.expect(b")")?;
        Ok((ty, a, b))
    }

    fn const_gep(&mut self) -> Result<(ConstExpr, TypeId)> {
        let distance = Distance::of(self.constant_flags()?);
        self.cursor.expect(b"(")?;
        let source = self.ty()?;
        self.cursor.expect(b",")?;
        let (base_ty, base) = self.typed_constant()?;
        self.check_address(base_ty)?;
        let mut lanes = self.lanes(base_ty);
        let mut indices = Vec::new();
        while self.cursor.take(b",") {
            let (ty, index) = self.typed_constant()?;
            self.check_index(ty)?;
            lanes = lanes.or(self.lanes(ty));
            indices.push((ty, index));
        }
        self.cursor.expect(b")")?;
        let ty = lanes.map_or(PTR, |it| self.vector_of(Lanes { element: PTR, ..it }));
        Ok((ConstExpr::Gep { source, base, indices: indices.into(), distance }, ty))
    }

    fn const_cast(&mut self, op: CastOp) -> Result<(ConstExpr, TypeId)> {
        self.constant_flags()?;
        self.cursor.expect(b"(")?;
        let (from, value) = self.typed_constant()?;
        self.cursor.expect_word(b"to")?;
        let to = self.ty()?;
        self.check_cast(op, from, to)?;
        self.cursor.expect(b")")?;
        Ok((ConstExpr::Cast { op, from, value, to }, to))
    }

    fn const_binary(&mut self, op: BinaryOp) -> Result<(ConstExpr, TypeId)> {
        self.constant_flags()?;
        let (ty, a, b) = self.const_pair()?;
        self.check_binary(op, ty)?;
        Ok((ConstExpr::Binary { op, ty, a, b }, ty))
    }

    fn const_icmp(&mut self) -> Result<(ConstExpr, TypeId)> {
        self.constant_flags()?;
        let word = self.cursor.word();
        let Some(pred) = int_predicate(word) else {
            return Err(self.cursor.error("a predicate"));
        };
        let (ty, a, b) = self.const_pair()?;
        self.check_comparable(ty)?;
        Ok((ConstExpr::Icmp { pred, ty, a, b }, self.comparison_type(ty)))
    }

    fn const_select(&mut self) -> Result<(ConstExpr, TypeId)> {
        self.cursor.expect(b"(")?;
        let (cond_ty, cond) = self.typed_constant()?;
        self.cursor.expect(b",")?;
        let (ty, a) = self.typed_constant()?;
        self.cursor.expect(b",")?;
        let (b_ty, b) = self.typed_constant()?;
        self.check_same(b_ty, ty)?;
        self.check_choice(cond_ty, ty)?;
        self.cursor.expect(b")")?;
        Ok((ConstExpr::Select { cond, a, b }, ty))
    }

    /// The type of a comparison's result: `i1`, or a vector of them.
    pub(super) fn comparison_type(&mut self, ty: TypeId) -> TypeId {
        self.lanes(ty).map_or(BIT, |it| self.vector_of(Lanes { element: BIT, ..it }))
    }
}

/// Constants that are read, but not evaluated.
fn is_unsupported(word: &[u8]) -> bool {
    matches!(
        word,
        b"dso_local_equivalent"
            | b"no_cfi"
            | b"ptrauth"
            | b"fcmp"
            | b"extractelement"
            | b"insertelement"
            | b"shufflevector"
            | b"extractvalue"
            | b"insertvalue"
            | b"fneg"
    )
}
