//! Lowering of arithmetic, comparisons and conversions, in instructions and in constant expressions.
//!
//! Knows: types. Never: control, execution.
//!
//! A constant expression on numbers that are addresses is computed as the program would: what comes of it depends on
//! where objects lie, which constants cannot say.

use super::Linker;
use super::amounts::trap;
use super::constants::DEPTH;
use super::function::{Lowering, Result};
use crate::code::{Flags, Inst, Opnd, Reg};
use crate::ir::{BinaryOp, CastOp, ConstExpr, ConstId, Constant, IntPredicate, LocalId, Op, Operand, Type, TypeId};
use crate::value::Val;

impl Linker<'_> {
    /// Whether a constant rests on the numbers that addresses are.
    pub(super) fn rests_on_addresses(&self, at: usize, id: ConstId) -> bool {
        let module = &self.modules[at];
        let Constant::Expr(expr) = module.constant(id) else { return false };
        match **expr {
            ConstExpr::Cast { op: CastOp::PtrToInt, .. } => true,
            ConstExpr::Cast { value, .. } => self.rests_on_addresses(at, value),
            ConstExpr::Binary { a, b, .. } => self.rests_on_addresses(at, a) || self.rests_on_addresses(at, b),
            ConstExpr::Icmp { ty, a, b, .. } => {
                matches!(module.ty(ty), Type::Ptr) || self.rests_on_addresses(at, a) || self.rests_on_addresses(at, b)
            }
            ConstExpr::Gep { source, base, ref indices, distance } => {
                // One that is not allowed is found where it is used.
                self.rests_on_addresses(at, base)
                    || indices.iter().any(|it| self.rests_on_addresses(at, it.1))
                    || self.constant_distance(at, (source, indices, distance), DEPTH) == Ok(None)
            }
            ConstExpr::Select { cond, a, b } => [cond, a, b].into_iter().any(|it| self.rests_on_addresses(at, it)),
        }
    }
}

impl Lowering<'_, '_> {
    /// A constant expression on numbers that are addresses, computed as the program would.
    pub(super) fn computed(&mut self, id: ConstId) -> Result<Opnd> {
        let dst = self.temporary();
        let op = match self.module.constant(id) {
            Constant::Expr(expr) => match **expr {
                ConstExpr::Gep { source, base, ref indices, distance } => {
                    let indices: Vec<_> = indices.iter().map(|&(ty, it)| (ty, Operand::Const(it))).collect();
                    self.element_address(source, Operand::Const(base), &indices, distance, dst)?;
                    return Ok(Opnd::reg(dst));
                }
                ConstExpr::Cast { op, from, value, to } => Op::Cast { op, from, value: Operand::Const(value), to },
                ConstExpr::Binary { op, ty, a, b } => {
                    Op::Binary { op, ty, a: Operand::Const(a), b: Operand::Const(b), nuw: false, nsw: false }
                }
                ConstExpr::Icmp { pred, ty, a, b } => Op::Icmp { pred, ty, a: Operand::Const(a), b: Operand::Const(b) },
                _ => return Err("a constant expression on addresses".to_owned()),
            },
            _ => return Err("a constant expression on addresses".to_owned()),
        };
        self.operation(&op, dst)?;
        Ok(Opnd::reg(dst))
    }

    /// Arithmetic, a comparison or a conversion.
    pub(super) fn operation(&mut self, op: &Op, dst: Reg) -> Result<()> {
        match op {
            Op::Binary { op, ty, a, b, nuw, nsw } => {
                let is_float =
                    matches!(op, BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv | BinaryOp::FRem);
                let (lanes, width) = if is_float { self.float_lanes(*ty)? } else { self.lanes(*ty)? };
                let (a, b) = (self.operand(*a, *ty)?, self.operand(*b, *ty)?);
                self.emit(Inst::Bin {
                    op: *op,
                    flags: Flags { nuw: *nuw, nsw: *nsw, poison: self.poison },
                    lanes,
                    width,
                    dst,
                    a,
                    b,
                });
                Ok(())
            }
            Op::Icmp { pred, ty, a, b } => {
                let (lanes, width) = self.lanes(*ty)?;
                let (a, b) = (self.operand(*a, *ty)?, self.operand(*b, *ty)?);
                match self.module.ty(*ty) {
                    Type::Ptr => self.emit(Inst::IcmpPtr { pred: *pred, dst, a, b }),
                    _ => self.emit(Inst::Icmp { pred: *pred, lanes, width, dst, a, b }),
                }
                Ok(())
            }
            Op::Cast { op, from, value, to } => self.cast(*op, *from, *value, *to, dst),
            _ => Err("another instruction".to_owned()),
        }
    }

    /// An amount is cut: the whole of it must fit.
    pub(super) fn check_amount(&mut self, op: &Op, result: Option<LocalId>) -> Result<()> {
        let Some(&to_the_right) = result.and_then(|it| self.amounts.get(&it)) else { return Ok(()) };
        let &Op::Cast { op: CastOp::Trunc, from, value, to } = op else { return Ok(()) };
        let ((from_lanes, wide), (_, width)) = (self.lanes(from)?, self.lanes(to)?);
        if from_lanes != 0 || wide > 64 {
            return Ok(());
        }
        let (a, b, dst) = (self.operand(value, from)?, self.constant(Val::Int(u64::from(width))), self.temporary());
        self.emit(Inst::Icmp { pred: IntPredicate::Ult, lanes: 0, width: wide, dst, a, b });
        self.check(Opnd::reg(dst), true, trap(to_the_right, width, wide));
        Ok(())
    }

    fn cast(&mut self, op: CastOp, from_ty: TypeId, value: Operand, to_ty: TypeId, dst: Reg) -> Result<()> {
        let a = self.operand(value, from_ty)?;
        let is_float = |ty: TypeId| {
            let element = self.module.element(ty, 0).unwrap_or(ty);
            matches!(self.module.ty(element), Type::Float(_))
        };
        if matches!(op, CastOp::FpTrunc | CastOp::FpExt | CastOp::FpToSi | CastOp::FpToUi)
            || (is_float(from_ty) && op != CastOp::BitCast)
        {
            self.float_lanes(from_ty)?;
        }
        if matches!(op, CastOp::FpTrunc | CastOp::FpExt | CastOp::SiToFp | CastOp::UiToFp) {
            self.float_lanes(to_ty)?;
        }
        if op == CastOp::BitCast && matches!(self.module.ty(from_ty), Type::Struct { .. } | Type::Array(..)) {
            return Err("a bitcast of an aggregate".to_owned());
        }
        let ((from_lanes, from), (to_lanes, to)) = (self.lanes(from_ty)?, self.lanes(to_ty)?);
        match op {
            CastOp::BitCast if from_lanes == to_lanes && from == to => self.emit(Inst::Mov { dst, a }),
            CastOp::BitCast => self.emit(Inst::BitCast { from_lanes, from, to_lanes, to, dst, a }),
            _ => self.emit(Inst::Cast { op, lanes: from_lanes, from, to, dst, a }),
        }
        Ok(())
    }
}
