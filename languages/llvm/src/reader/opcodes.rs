//! The words of operators and predicates.
//!
//! Knows: their spelling. Never: their operands.

use crate::ir::{BinaryOp, CastOp, FloatPredicate, IntPredicate, RmwOp};

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

pub(super) fn is_float_op(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv | BinaryOp::FRem)
}

/// The operators of `atomicrmw` that are executed; the others (`fmax`, `uinc_wrap`, ...) are refused by name.
pub(super) fn rmw_op(word: &[u8]) -> Option<RmwOp> {
    Some(match word {
        b"xchg" => RmwOp::Xchg,
        b"nand" => RmwOp::Nand,
        b"max" => RmwOp::Max,
        b"min" => RmwOp::Min,
        b"umax" => RmwOp::UMax,
        b"umin" => RmwOp::UMin,
        b"add" | b"sub" | b"and" | b"or" | b"xor" | b"fadd" | b"fsub" => RmwOp::Binary(binary_op(word)?),
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
pub(super) fn float_predicate(word: &[u8]) -> Option<FloatPredicate> {
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
