//! Constants and constant expressions.
//!
//! Knows: the grammar of values that are no locals. Never: their evaluation.

use super::instruction::{binary_op, cast_op, int_predicate};
use super::{Reader, Result};
use crate::ir::{ConstExpr, ConstId, Constant, FloatKind, GlobalId, Type, TypeId};
use effigy_term::{BvValue, Width};
use num_bigint::{BigInt, BigUint};

impl Reader<'_> {
    /// A constant of type `ty`.
    pub(super) fn constant(&mut self, ty: TypeId) -> Result<ConstId> {
        self.cursor.skip_space();
        match self.cursor.peek() {
            Some(b'0'..=b'9' | b'-' | b'+') => self.literal(ty),
            Some(b'@') => {
                let id = self.global_name()?;
                Ok(self.global_constant(id))
            }
            Some(b'[' | b'{' | b'<') => self.nested(|it| it.aggregate(ty)),
            Some(b'c') if self.cursor.starts_with(b"c\"") => {
                self.cursor.expect(b"c")?;
                let bytes = self.cursor.string()?.into_owned();
                Ok(self.add_constant(Constant::Bytes(bytes.into())))
            }
            _ => self.nested(|it| it.word_constant(ty)),
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
    pub(super) fn small(&mut self, ty: TypeId, width: Width, bits: u64) -> ConstId {
        if let Some(&known) = self.small_constants.get(&(ty, bits)) {
            return known;
        }
        let res = self.add_constant(Constant::Bits(BvValue::from_u64(width, bits)));
        self.small_constants.insert((ty, bits), res);
        res
    }

    fn literal(&mut self, ty: TypeId) -> Result<ConstId> {
        match *self.module.ty(ty) {
            Type::Int(bits) => {
                let width = Width::of(bits);
                let start = self.cursor.position();
                let negative = self.cursor.take(b"-");
                if bits <= 64
                    && let Ok(magnitude) = self.cursor.number()
                {
                    let value = if negative { magnitude.wrapping_neg() } else { magnitude };
                    let value = BvValue::from_u64(width, value).to_u64().unwrap_or(0);
                    return Ok(self.small(ty, width, value));
                }
                self.cursor.rewind(start);
                self.cursor.take(b"-");
                let digits = self.cursor.word();
                // Decimal conversion is quadratic: numbers longer than any real constant are refused.
                match BigInt::parse_bytes(digits, 10).filter(|_| digits.len() <= 10_000) {
                    Some(value) => {
                        let value = if negative { -value } else { value };
                        Ok(self.add_constant(Constant::Bits(BvValue::from_bigint(width, &value))))
                    }
                    None => Err(self.cursor.error_at(start, "an integer was expected".to_owned())),
                }
            }
            Type::Float(kind) => self.float(kind),
            _ => Err(self.cursor.error("a value of another type")),
        }
    }

    /// `1.5e+00`, `0x3FF8000000000000`, `0xK...`, `0xH...`.
    fn float(&mut self, kind: FloatKind) -> Result<ConstId> {
        let start = self.cursor.position();
        let width = Width::of(kind.bits());
        if self.cursor.take(b"0x") {
            let digits = self.cursor.word();
            let (format, digits) = match digits {
                [format @ (b'K' | b'L' | b'M' | b'H' | b'R'), rest @ ..] => (Some(*format), rest),
                _ => (None, digits),
            };
            let Some(bits) = BigUint::parse_bytes(digits, 16).filter(|_| digits.len() <= 32) else {
                return Err(self.cursor.error_at(start, "hexadecimal digits were expected".to_owned()));
            };
            let value = match (format, kind) {
                // A float is written as the double of the same value.
                (None, FloatKind::Single) => {
                    let double = bits.iter_u64_digits().next().unwrap_or(0);
                    BvValue::from_u64(width, u64::from(narrow(double)))
                }
                // The halves of a quad are written low first.
                (Some(b'L'), _) => {
                    let low = &bits >> 64u32;
                    let high = (bits & BigUint::from(u64::MAX)) << 64u32;
                    BvValue::from_biguint(width, high | low)
                }
                _ => BvValue::from_biguint(width, bits),
            };
            return Ok(self.add_constant(Constant::Bits(value)));
        }
        let text = self.cursor.float_text();
        let Some(value) = std::str::from_utf8(text).ok().and_then(|it| it.parse::<f64>().ok()) else {
            return Err(self.cursor.error_at(start, "a floating-point number was expected".to_owned()));
        };
        let bits = match kind {
            FloatKind::Single => u64::from((value as f32).to_bits()),
            FloatKind::Double => value.to_bits(),
            _ => {
                return Ok(self.add_constant(Constant::Unsupported("a decimal constant of this float type".into())));
            }
        };
        Ok(self.add_constant(Constant::Bits(BvValue::from_u64(width, bits))))
    }

    fn aggregate(&mut self, ty: TypeId) -> Result<ConstId> {
        let close: &[u8] = match self.cursor.peek() {
            Some(b'[') => b"]",
            Some(b'{') => b"}",
            _ if self.cursor.starts_with(b"<{") => b"}>",
            _ => b">",
        };
        self.cursor.rewind(self.cursor.position() + close.len());
        let mut elements = Vec::new();
        if !self.cursor.take(close) {
            loop {
                let element = self.ty()?;
                elements.push(self.constant(element)?);
                if !self.cursor.take(b",") {
                    break;
                }
            }
            self.cursor.expect(close)?;
        }
        let expected = self.module.elements(ty);
        if expected != Some(elements.len() as u64) {
            return Err(self.cursor.error_here(format!(
                "{} elements were expected, not {}",
                expected.map_or("no".to_owned(), |it| it.to_string()),
                elements.len()
            )));
        }
        Ok(self.add_constant(Constant::Aggregate(ty, elements.into())))
    }

    fn word_constant(&mut self, ty: TypeId) -> Result<ConstId> {
        let start = self.cursor.position();
        let word = self.cursor.word();
        match word {
            b"true" | b"false" => Ok(self.small(ty, Width::W1, u64::from(word == b"true"))),
            b"null" | b"zeroinitializer" | b"none" => Ok(self.add_constant(Constant::Zero(ty))),
            b"undef" | b"poison" => Ok(self.add_constant(Constant::Undef(ty))),
            b"splat" => {
                self.cursor.expect(b"(")?;
                let element_ty = self.ty()?;
                let element = self.constant(element_ty)?;
                self.cursor.expect(b")")?;
                match self.module.ty(ty) {
                    Type::Vector(count, _) if *count <= 65_536 => {
                        let elements = vec![element; *count as usize];
                        Ok(self.add_constant(Constant::Aggregate(ty, elements.into())))
                    }
                    _ => Err(self.cursor.error_at(start, "a splat is of a vector type".to_owned())),
                }
            }
            b"getelementptr" => self.const_gep(),
            b"icmp" => self.const_icmp(),
            b"select" => self.const_select(),
            b"blockaddress"
            | b"dso_local_equivalent"
            | b"no_cfi"
            | b"ptrauth"
            | b"fcmp"
            | b"extractelement"
            | b"insertelement"
            | b"shufflevector"
            | b"extractvalue"
            | b"insertvalue"
            | b"asm" => {
                self.cursor.skip_space();
                if self.cursor.peek() == Some(b'@') {
                    self.global_name()?;
                } else {
                    self.cursor.skip_parentheses()?;
                }
                let name = format!("the constant `{}`", String::from_utf8_lossy(word));
                Ok(self.add_constant(Constant::Unsupported(name.into())))
            }
            _ => {
                if let Some(op) = cast_op(word) {
                    return self.const_cast(op);
                }
                if let Some(op) = binary_op(word) {
                    return self.const_binary(op);
                }
                self.cursor.rewind(start);
                Err(self.cursor.error("a value"))
            }
        }
    }

    fn skip_flags(&mut self) -> Result<()> {
        loop {
            match self.cursor.peek_word() {
                b"inbounds" | b"nuw" | b"nsw" | b"nusw" | b"exact" | b"inrange" | b"samesign" | b"nneg"
                | b"disjoint" => {
                    self.cursor.word();
                    // `inrange(-16, 16)` of LLVM 19; before, `inrange` stands before an index.
                    if self.cursor.peek() == Some(b'(') && !self.at_operands() {
                        self.cursor.skip_parentheses()?;
                    }
                }
                _ => return Ok(()),
            }
        }
    }

    /// Whether the parenthesis here opens operands (a type follows) and not the numbers of a flag.
    fn at_operands(&mut self) -> bool {
        let start = self.cursor.position();
        let res = self.cursor.take(b"(") && self.at_type();
        self.cursor.rewind(start);
        res
    }

    fn typed_constant(&mut self) -> Result<(TypeId, ConstId)> {
        self.skip_flags()?;
        let ty = self.ty()?;
        Ok((ty, self.constant(ty)?))
    }

    fn const_gep(&mut self) -> Result<ConstId> {
        self.skip_flags()?;
        self.cursor.expect(b"(")?;
        let source = self.ty()?;
        self.cursor.expect(b",")?;
        let (_, base) = self.typed_constant()?;
        let mut indices = Vec::new();
        while self.cursor.take(b",") {
            indices.push(self.typed_constant()?);
        }
        self.cursor.expect(b")")?;
        let expr = ConstExpr::Gep { source, base, indices: indices.into() };
        Ok(self.add_constant(Constant::Expr(Box::new(expr))))
    }

    fn const_cast(&mut self, op: crate::ir::CastOp) -> Result<ConstId> {
        self.skip_flags()?;
        self.cursor.expect(b"(")?;
        let (from, value) = self.typed_constant()?;
        if !self.cursor.take_word(b"to") {
            return Err(self.cursor.error("`to`"));
        }
        let to = self.ty()?;
        self.cursor.expect(b")")?;
        Ok(self.add_constant(Constant::Expr(Box::new(ConstExpr::Cast { op, from, value, to }))))
    }

    fn const_binary(&mut self, op: crate::ir::BinaryOp) -> Result<ConstId> {
        self.skip_flags()?;
        self.cursor.expect(b"(")?;
        let (ty, a) = self.typed_constant()?;
        self.cursor.expect(b",")?;
        let (_, b) = self.typed_constant()?;
        self.cursor.expect(b")")?;
        Ok(self.add_constant(Constant::Expr(Box::new(ConstExpr::Binary { op, ty, a, b }))))
    }

    fn const_icmp(&mut self) -> Result<ConstId> {
        self.skip_flags()?;
        let word = self.cursor.word();
        let Some(pred) = int_predicate(word) else { return Err(self.cursor.error("a predicate")) };
        self.cursor.expect(b"(")?;
        let (ty, a) = self.typed_constant()?;
        self.cursor.expect(b",")?;
        let (_, b) = self.typed_constant()?;
        self.cursor.expect(b")")?;
        Ok(self.add_constant(Constant::Expr(Box::new(ConstExpr::Icmp { pred, ty, a, b }))))
    }

    fn const_select(&mut self) -> Result<ConstId> {
        self.cursor.expect(b"(")?;
        let (_, cond) = self.typed_constant()?;
        self.cursor.expect(b",")?;
        let (_, a) = self.typed_constant()?;
        self.cursor.expect(b",")?;
        let (_, b) = self.typed_constant()?;
        self.cursor.expect(b")")?;
        Ok(self.add_constant(Constant::Expr(Box::new(ConstExpr::Select { cond, a, b }))))
    }
}

/// The bits of the float whose value the double with these bits has (exact for what LLVM writes).
fn narrow(double: u64) -> u32 {
    let value = f64::from_bits(double);
    if value.is_nan() {
        // Keep sign and payload, which a conversion by hardware may change.
        return ((double >> 32) & 0x8000_0000) as u32 | 0x7f80_0000 | ((double >> 29) & 0x007f_ffff) as u32;
    }
    (value as f32).to_bits()
}
