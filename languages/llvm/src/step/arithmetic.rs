//! Arithmetic on values: concrete when it can be, on terms when it must be.
//!
//! Knows: LLVM's operations on integers and when they are undefined. Never: memory, floats (`floats`).
//! Source: LLVM Language Reference, "Binary Operations", "Conversion Operations".

use super::{addresses, floats};
use crate::checks::{DIVISION_BY_ZERO, SHIFT_TOO_LARGE, SIGNED_OVERFLOW};
use crate::code::Flags;
use crate::ir::{BinaryOp, CastOp, IntPredicate};
use crate::machine::{Flow, Machine};
use crate::value::{Val, signed, truncate};
use effigy_term::{BvOp, BvValue, Term, Terms, Width};

/// The result of a concrete operation on at most 64 bits; `None` where it is undefined or not known here.
#[inline]
pub(crate) fn concrete(op: BinaryOp, width: u32, a: u64, b: u64) -> Option<u64> {
    let res = match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::Shl if b < u64::from(width) => a << b,
        BinaryOp::LShr if b < u64::from(width) => a >> b,
        BinaryOp::AShr if b < u64::from(width) => (signed(a, width) >> b) as u64,
        BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => return None,
        BinaryOp::UDiv => a.checked_div(b)?,
        BinaryOp::URem => a.checked_rem(b)?,
        BinaryOp::SDiv | BinaryOp::SRem => {
            let (x, y) = (signed(a, width), signed(b, width));
            if y == 0 || (y == -1 && x == signed(1 << (width - 1), width)) {
                return None;
            }
            (if op == BinaryOp::SDiv { x.wrapping_div(y) } else { x.wrapping_rem(y) }) as u64
        }
        BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv | BinaryOp::FRem => {
            return floats::concrete(op, width, a, b);
        }
    };
    Some(truncate(res, width))
}

/// Whether `nsw` is violated by a concrete operation on at most 64 bits.
#[inline]
pub(crate) fn signed_overflows(op: BinaryOp, width: u32, a: u64, b: u64) -> bool {
    let (x, y) = (signed(a, width), signed(b, width));
    let exact = match op {
        BinaryOp::Add => x.checked_add(y),
        BinaryOp::Sub => x.checked_sub(y),
        BinaryOp::Mul => x.checked_mul(y),
        _ => return false,
    };
    exact.is_none_or(|it| signed(truncate(it as u64, width), width) != it)
}

/// A comparison of at most 64 bits.
#[inline]
pub(crate) fn compare(pred: IntPredicate, width: u32, a: u64, b: u64) -> bool {
    let (x, y) = (signed(a, width), signed(b, width));
    match pred {
        IntPredicate::Eq => a == b,
        IntPredicate::Ne => a != b,
        IntPredicate::Ugt => a > b,
        IntPredicate::Uge => a >= b,
        IntPredicate::Ult => a < b,
        IntPredicate::Ule => a <= b,
        IntPredicate::Sgt => x > y,
        IntPredicate::Sge => x >= y,
        IntPredicate::Slt => x < y,
        IntPredicate::Sle => x <= y,
    }
}

/// The condition of a comparison of bitvector terms.
pub(crate) fn compare_terms(terms: &Terms, pred: IntPredicate, a: Term, b: Term) -> Term {
    match pred {
        IntPredicate::Eq => terms.eq(a, b),
        IntPredicate::Ne => terms.ne(a, b),
        IntPredicate::Ugt => terms.bv_ult(b, a),
        IntPredicate::Uge => terms.bv_ule(b, a),
        IntPredicate::Ult => terms.bv_ult(a, b),
        IntPredicate::Ule => terms.bv_ule(a, b),
        IntPredicate::Sgt => terms.bv_slt(b, a),
        IntPredicate::Sge => terms.bv_sle(b, a),
        IntPredicate::Slt => terms.bv_slt(a, b),
        IntPredicate::Sle => terms.bv_sle(a, b),
    }
}

/// The condition that a signed sum, difference or product does not overflow.
pub(crate) fn no_signed_overflow(terms: &Terms, op: BinaryOp, a: Term, b: Term) -> Term {
    let width = terms.width(a);
    let wide = Width::of(if op == BinaryOp::Mul { width.bits() * 2 } else { width.bits() + 1 });
    if op == BinaryOp::Mul
        && let Some(condition) = product_in_range(terms, a, b).or_else(|| product_in_range(terms, b, a))
    {
        return condition;
    }
    if let Some(condition) = sum_in_range(terms, op, a, b) {
        return condition;
    }
    let (x, y) = (terms.bv_sign_extend(wide, a), terms.bv_sign_extend(wide, b));
    let exact = match op {
        BinaryOp::Add => terms.bv_add(x, y),
        BinaryOp::Sub => terms.bv_sub(x, y),
        _ => terms.bv_mul(x, y),
    };
    // Two comparisons with constants, not one equation with the wrapped result: bounds decide them.
    let least = BvValue::min_signed(width);
    let bound = |it: BvValue| terms.bv(it.sign_extend(wide));
    terms.and(terms.bv_sle(bound(least.clone()), exact), terms.bv_sle(exact, bound(least.not())))
}

/// `x + k`, `x - k`, `k - x` stay in range exactly when x does in one that is shifted.
fn sum_in_range(terms: &Terms, op: BinaryOp, a: Term, b: Term) -> Option<Term> {
    let width = terms.width(a);
    let (least, most) = (BvValue::min_signed(width), BvValue::min_signed(width).not());
    let at_most = |x: Term, bound: BvValue| terms.bv_sle(x, terms.bv(bound));
    let at_least = |x: Term, bound: BvValue| terms.bv_sle(terms.bv(bound), x);
    match (op, terms.as_bv(a), terms.as_bv(b)) {
        (BinaryOp::Add, Some(k), None) | (BinaryOp::Add, None, Some(k)) => {
            let x = if terms.as_bv(a).is_some() { b } else { a };
            Some(if k.is_negative() { at_least(x, least.sub(k)) } else { at_most(x, most.sub(k)) })
        }
        (BinaryOp::Sub, None, Some(k)) => {
            Some(if k.is_negative() { at_most(a, most.add(k)) } else { at_least(a, least.add(k)) })
        }
        // k - x with k >= 0 overflows upward when x < k - most; with k < 0 downward when x > k - least.
        (BinaryOp::Sub, Some(k), None) => {
            Some(if k.is_negative() { at_most(b, k.sub(&least)) } else { at_least(b, k.sub(&most)) })
        }
        _ => None,
    }
}

/// `k · x` stays in range exactly when x lies between two quotients.
fn product_in_range(terms: &Terms, constant: Term, x: Term) -> Option<Term> {
    let factor = terms.as_bv(constant)?.to_bigint_signed();
    let width = terms.width(x);
    let least = BvValue::min_signed(width).to_bigint_signed();
    let most = BvValue::min_signed(width).not().to_bigint_signed();
    let zero = num_bigint::BigInt::from(0);
    if factor == zero {
        return Some(terms.bool(true));
    }
    // Truncated division rounds toward zero, which is inward at both ends.
    let (mut low, mut high) = (&least / &factor, &most / &factor);
    if factor < zero {
        std::mem::swap(&mut low, &mut high);
    }
    let (low, high) = (low.max(least), high.min(most));
    let bound = |it: &num_bigint::BigInt| terms.bv(BvValue::from_bigint(width, it));
    Some(terms.and(terms.bv_sle(bound(&low), x), terms.bv_sle(x, bound(&high))))
}

impl Machine<'_, '_> {
    /// A binary operation on scalars.
    pub(super) fn binary(&mut self, op: BinaryOp, flags: Flags, width: u32, a: &Val, b: &Val) -> Flow<Val> {
        if self.is_ideal(width) {
            return self.ideal_binary(op, a, b);
        }
        if width == 64
            && let Some(res) = addresses::arithmetic(op, a, b)
        {
            return Ok(res);
        }
        if floats::is_float(op) {
            return self.float_binary(op, width, a, b);
        }
        if width == 64
            && op == BinaryOp::Sub
            && let Some(res) = self.difference_behind(a, b)?
        {
            return Ok(res);
        }
        if let (Val::Int(x), Val::Int(y)) = (a, b) {
            let (x, y) = (*x, *y);
            if flags.nsw && width <= 64 && self.on(SIGNED_OVERFLOW) && signed_overflows(op, width, x, y) {
                let message = overflow_message(op, width, x, y);
                if flags.poison {
                    return Ok(Val::Term(self.poison(Width::of(width), SIGNED_OVERFLOW, message)));
                }
                return Err(self.violation(SIGNED_OVERFLOW, message));
            }
            if width <= 64
                && let Some(res) = concrete(op, width, x, y)
            {
                return Ok(Val::Int(res));
            }
        }
        if width == 1
            && let Some(res) = self.boolean(op, a, b)
        {
            return Ok(res);
        }
        self.look_at_bits(a)?;
        self.look_at_bits(b)?;
        let width = Width::of(width);
        let (x, y) = (self.term(a, width), self.term(b, width));
        let terms = self.ctx.terms;
        if flags.nsw && self.on(SIGNED_OVERFLOW) && matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul) {
            let cond = no_signed_overflow(terms, op, x, y);
            let message = || format!("signed {} of {} bits can overflow", operation_name(op), width.bits());
            if flags.poison {
                let value = match op {
                    BinaryOp::Add => terms.bv_add(x, y),
                    BinaryOp::Sub => terms.bv_sub(x, y),
                    _ => terms.bv_mul(x, y),
                };
                let value = self.poison_unless(cond, value, SIGNED_OVERFLOW, message)?;
                return Ok(self.result(value));
            }
            self.require(cond, SIGNED_OVERFLOW, message)?;
        }
        let op = match op {
            BinaryOp::Add => return Ok(self.result(terms.bv_add(x, y))),
            BinaryOp::Sub => return Ok(self.result(terms.bv_sub(x, y))),
            BinaryOp::Mul => BvOp::Mul,
            BinaryOp::UDiv => BvOp::UDiv,
            BinaryOp::URem => BvOp::URem,
            BinaryOp::SDiv => BvOp::SDiv,
            BinaryOp::SRem => BvOp::SRem,
            BinaryOp::And => BvOp::And,
            BinaryOp::Or => BvOp::Or,
            BinaryOp::Xor => BvOp::Xor,
            BinaryOp::Shl => BvOp::Shl,
            BinaryOp::LShr => BvOp::LShr,
            BinaryOp::AShr => BvOp::AShr,
            _ => unreachable!("floating-point operations were handled above"),
        };
        match op {
            BvOp::UDiv | BvOp::URem | BvOp::SDiv | BvOp::SRem => {
                let nonzero = terms.ne(y, terms.bv(BvValue::zero(width)));
                self.require_defined(y, "a divisor")?;
                self.require(nonzero, DIVISION_BY_ZERO, || "the divisor can be zero".to_owned())?;
                if matches!(op, BvOp::SDiv | BvOp::SRem) && self.on(SIGNED_OVERFLOW) {
                    let least = terms.eq(x, terms.bv(BvValue::min_signed(width)));
                    let minus_one = terms.eq(y, terms.bv(BvValue::ones(width)));
                    let fits = terms.not(terms.and(least, minus_one));
                    self.require(fits, SIGNED_OVERFLOW, || "the smallest value can be divided by -1".to_owned())?;
                }
            }
            BvOp::Shl | BvOp::LShr | BvOp::AShr if self.on(SHIFT_TOO_LARGE) => {
                let fits = terms.bv_ult(y, terms.bv(BvValue::from_u64(width, u64::from(width.bits()))));
                let message = || format!("a value of {} bits can be shifted by {} or more", width.bits(), width.bits());
                if flags.poison {
                    let value = self.poison_unless(fits, terms.bv_op(op, x, y), SHIFT_TOO_LARGE, message)?;
                    return Ok(self.result(value));
                }
                self.require(fits, SHIFT_TOO_LARGE, message)?;
            }
            _ => {}
        }
        Ok(self.result(terms.bv_op(op, x, y)))
    }

    /// Connectives on one bit stay in Bool.
    fn boolean(&mut self, op: BinaryOp, a: &Val, b: &Val) -> Option<Val> {
        let (x, y) = (self.truth(a), self.truth(b));
        let terms = self.ctx.terms;
        let res = match op {
            BinaryOp::And | BinaryOp::Mul => terms.and(x, y),
            BinaryOp::Or => terms.or(x, y),
            BinaryOp::Xor | BinaryOp::Add | BinaryOp::Sub => terms.ne(x, y),
            _ => return None,
        };
        Some(Val::of_term(terms, res))
    }

    /// A bitvector result; one bit becomes a truth value.
    fn result(&self, term: Term) -> Val {
        let terms = self.ctx.terms;
        let term = if terms.width(term) == Width::W1 { terms.eq(term, terms.bv_u64(Width::W1, 1)) } else { term };
        Val::of_term(terms, term)
    }

    /// A comparison of scalars.
    pub(super) fn icmp(&mut self, pred: IntPredicate, width: u32, a: &Val, b: &Val) -> Flow<Val> {
        if width == 64
            && let Some(res) = self.compare_behind(pred, a, b)?
        {
            return Ok(res);
        }
        self.icmp_plain(pred, width, a, b)
    }

    /// A comparison of scalars, of which those that are addresses are compared as numbers.
    pub(super) fn icmp_plain(&mut self, pred: IntPredicate, width: u32, a: &Val, b: &Val) -> Flow<Val> {
        if width == 64 && !matches!((a, b), (Val::Int(_), Val::Int(_))) {
            let (a, b) = (self.simplest(a), self.simplest(b));
            if let Some(known) = self.compare_numbers(pred, &a, &b) {
                return Ok(Val::Int(u64::from(known)));
            }
        }
        if let (Val::Int(x), Val::Int(y)) = (a, b)
            && width <= 64
        {
            return Ok(Val::Int(u64::from(compare(pred, width, *x, *y))));
        }
        if self.is_ideal(width) {
            return self.ideal_comparison(pred, a, b);
        }
        if matches!((a, b), (Val::Undef, _) | (_, Val::Undef)) {
            return Ok(Val::Undef);
        }
        self.look_at_bits(a)?;
        self.look_at_bits(b)?;
        let terms = self.ctx.terms;
        let res = if width == 1 && matches!(pred, IntPredicate::Eq | IntPredicate::Ne) {
            let (x, y) = (self.truth(a), self.truth(b));
            compare_terms(terms, pred, x, y)
        } else {
            let width = Width::of(width);
            let (x, y) = (self.term(a, width), self.term(b, width));
            compare_terms(terms, pred, x, y)
        };
        Ok(Val::of_term(terms, res))
    }

    /// A conversion of a scalar.
    pub(super) fn cast(&mut self, op: CastOp, from: u32, to: u32, a: &Val) -> Flow<Val> {
        if matches!(a, Val::Undef) && op != CastOp::ZExt && op != CastOp::SExt {
            return Ok(Val::Undef);
        }
        if self.is_ideal(to) {
            return self.ideal_cast(a);
        }
        if let Some(res) = addresses::converted(op, to, a) {
            return Ok(res);
        }
        match op {
            CastOp::PtrToInt => {
                if let Some(poison) = self.valued(a, Width::of(to))? {
                    return Ok(poison);
                }
                let number = self.number_of(a.clone());
                if to == from { Ok(number) } else { Ok(self.integer_cast(op, from, to, &number)) }
            }
            CastOp::IntToPtr => {
                let number = if to == from { a.clone() } else { self.integer_cast(op, from, to, a) };
                Ok(self.pointer_of(&number))
            }
            CastOp::Trunc | CastOp::ZExt | CastOp::SExt | CastOp::BitCast => Ok(self.integer_cast(op, from, to, a)),
            _ => self.float_cast(op, from, to, a),
        }
    }

    /// The value that a symbolic number has on the run of given values that the walk follows, which is kept from here on:
    /// floating point is not computed on terms. In any other walk the number itself.
    pub(crate) fn run_value(&mut self, value: &Val) -> Flow<Val> {
        match value {
            Val::Term(term) if self.ctx.follows_values() && is_narrow(self.ctx.terms, *term) => {
                self.choose_value(*term).map(Val::Int)
            }
            value => Ok(value.clone()),
        }
    }

    fn integer_cast(&mut self, op: CastOp, from: u32, to: u32, a: &Val) -> Val {
        if let Val::Int(bits) = a
            && from <= 64
            && to <= 64
        {
            let bits = if op == CastOp::SExt { signed(*bits, from) as u64 } else { *bits };
            return Val::Int(truncate(bits, to));
        }
        let terms = self.ctx.terms;
        let (from, to) = (Width::of(from), Width::of(to));
        if from == Width::W1 && to > from {
            let cond = self.truth(a);
            let one = if op == CastOp::SExt { BvValue::ones(to) } else { BvValue::one(to) };
            return Val::of_term(terms, terms.ite(cond, terms.bv(one), terms.bv(BvValue::zero(to))));
        }
        let term = self.term(a, from);
        let res = match () {
            () if to < from => terms.bv_truncate(to, term),
            () if op == CastOp::SExt => terms.bv_sign_extend(to, term),
            () => terms.bv_zero_extend(to, term),
        };
        self.result(res)
    }
}

/// Whether a term has at most 64 bits.
fn is_narrow(terms: &Terms, term: Term) -> bool {
    terms.sort(term).width().is_none_or(|it| it <= Width::W64)
}

fn operation_name(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "addition",
        BinaryOp::Sub => "subtraction",
        BinaryOp::Mul => "multiplication",
        _ => "division",
    }
}

fn overflow_message(op: BinaryOp, width: u32, a: u64, b: u64) -> String {
    let sign = match op {
        BinaryOp::Add => '+',
        BinaryOp::Sub => '-',
        _ => '*',
    };
    format!("{} {sign} {} does not fit {width} bits", signed(a, width), signed(b, width))
}
