//! Bitvector constructors.

use crate::bv::BvValue;
use crate::node::{BvOp, BvSum, Node, Term};
use crate::sort::{Sort, Width};
use crate::terms::Terms;
use std::cmp::Ordering;
use std::collections::BTreeMap;

impl Terms {
    /// A bitvector constant.
    pub fn bv(&self, value: BvValue) -> Term {
        let sort = Sort::BitVec(value.width());
        self.intern(Node::BitVec(value), sort)
    }

    /// A bitvector constant: the low bits of `value`.
    pub fn bv_u64(&self, width: Width, value: u64) -> Term {
        self.bv(BvValue::from_u64(width, value))
    }

    /// The value, if the term is a bitvector constant.
    pub fn as_bv(&self, term: Term) -> Option<&BvValue> {
        match self.node(term) {
            Node::BitVec(value) => Some(value),
            _ => None,
        }
    }

    /// The width of a bitvector term.
    ///
    /// # Panics
    /// When the term is of another sort.
    pub fn width(&self, term: Term) -> Width {
        match self.sort(term) {
            Sort::BitVec(width) => width,
            sort => panic!("a bitvector was expected, not {sort:?}"),
        }
    }

    /// Sum.
    pub fn bv_add(&self, a: Term, b: Term) -> Term {
        let one = BvValue::one(self.width(a));
        self.bv_linear(&[(one.clone(), a), (one, b)])
    }

    /// Difference.
    pub fn bv_sub(&self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        self.bv_linear(&[(BvValue::one(width), a), (BvValue::ones(width), b)])
    }

    /// Two's complement negation.
    pub fn bv_neg(&self, a: Term) -> Term {
        self.bv_linear(&[(BvValue::ones(self.width(a)), a)])
    }

    /// Product.
    pub fn bv_mul(&self, a: Term, b: Term) -> Term {
        match (self.as_bv(a), self.as_bv(b)) {
            (Some(factor), _) => self.bv_linear(&[(factor.clone(), b)]),
            (_, Some(factor)) => self.bv_linear(&[(factor.clone(), a)]),
            _ => {
                let (a, b) = if a < b { (a, b) } else { (b, a) };
                self.intern(Node::Bv(BvOp::Mul, a, b), self.sort(a))
            }
        }
    }

    /// `Σ factor · term`, in canonical form.
    fn bv_linear(&self, parts: &[(BvValue, Term)]) -> Term {
        let width = self.width(parts[0].1);
        let mut constant = BvValue::zero(width);
        let mut summands: BTreeMap<Term, BvValue> = BTreeMap::new();
        let mut add = |term: Term, factor: BvValue| {
            let entry = summands.entry(term).or_insert_with(|| BvValue::zero(width));
            *entry = entry.add(&factor);
        };
        for (factor, term) in parts {
            match self.node(*term) {
                Node::BitVec(value) => constant = constant.add(&value.mul(factor)),
                Node::BvSum(sum) => {
                    constant = constant.add(&sum.constant.mul(factor));
                    for (coefficient, it) in &sum.summands {
                        add(*it, coefficient.mul(factor));
                    }
                }
                _ => add(*term, factor.clone()),
            }
        }
        summands.retain(|_, factor| !factor.is_zero());
        if summands.is_empty() {
            return self.bv(constant);
        }
        if constant.is_zero() && summands.len() == 1 {
            if let Some((&term, factor)) = summands.iter().next() {
                if factor.is_one() {
                    return term;
                }
            }
        }
        let summands = summands
            .into_iter()
            .map(|(term, factor)| (factor, term))
            .collect();
        self.intern(
            Node::BvSum(Box::new(BvSum { constant, summands })),
            Sort::BitVec(width),
        )
    }

    /// Any binary operator (sums have their own constructors).
    pub fn bv_op(&self, op: BvOp, a: Term, b: Term) -> Term {
        assert_eq!(self.width(a), self.width(b), "both operands have one width");
        if let (Some(x), Some(y)) = (self.as_bv(a), self.as_bv(b)) {
            return self.bv(crate::eval::bv_op(op, x, y));
        }
        if op == BvOp::Mul {
            return self.bv_mul(a, b);
        }
        self.intern(Node::Bv(op, a, b), self.sort(a))
    }

    /// Unsigned quotient (all ones for divisor zero).
    pub fn bv_udiv(&self, a: Term, b: Term) -> Term {
        self.bv_op(BvOp::UDiv, a, b)
    }

    /// Unsigned remainder (the dividend for divisor zero).
    pub fn bv_urem(&self, a: Term, b: Term) -> Term {
        self.bv_op(BvOp::URem, a, b)
    }

    /// Signed quotient.
    pub fn bv_sdiv(&self, a: Term, b: Term) -> Term {
        self.bv_op(BvOp::SDiv, a, b)
    }

    /// Signed remainder.
    pub fn bv_srem(&self, a: Term, b: Term) -> Term {
        self.bv_op(BvOp::SRem, a, b)
    }

    /// Bitwise and.
    pub fn bv_and(&self, a: Term, b: Term) -> Term {
        self.bv_op(BvOp::And, a, b)
    }

    /// Bitwise or.
    pub fn bv_or(&self, a: Term, b: Term) -> Term {
        self.bv_op(BvOp::Or, a, b)
    }

    /// Bitwise exclusive or.
    pub fn bv_xor(&self, a: Term, b: Term) -> Term {
        self.bv_op(BvOp::Xor, a, b)
    }

    /// Shift left.
    pub fn bv_shl(&self, a: Term, b: Term) -> Term {
        self.bv_op(BvOp::Shl, a, b)
    }

    /// Logical shift right.
    pub fn bv_lshr(&self, a: Term, b: Term) -> Term {
        self.bv_op(BvOp::LShr, a, b)
    }

    /// Arithmetic shift right.
    pub fn bv_ashr(&self, a: Term, b: Term) -> Term {
        self.bv_op(BvOp::AShr, a, b)
    }

    /// Bitwise complement.
    pub fn bv_not(&self, a: Term) -> Term {
        match self.node(a) {
            Node::BitVec(value) => self.bv(value.not()),
            Node::BvNot(inner) => *inner,
            _ => self.intern(Node::BvNot(a), self.sort(a)),
        }
    }

    /// Unsigned `a < b`.
    pub fn bv_ult(&self, a: Term, b: Term) -> Term {
        if a == b {
            return self.bool(false);
        }
        match (self.as_bv(a), self.as_bv(b)) {
            (Some(x), Some(y)) => self.bool(x.ucmp(y) == Ordering::Less),
            _ => self.intern(Node::Ult(a, b), Sort::Bool),
        }
    }

    /// Unsigned `a <= b`.
    pub fn bv_ule(&self, a: Term, b: Term) -> Term {
        self.not(self.bv_ult(b, a))
    }

    /// Signed `a < b`.
    pub fn bv_slt(&self, a: Term, b: Term) -> Term {
        if a == b {
            return self.bool(false);
        }
        match (self.as_bv(a), self.as_bv(b)) {
            (Some(x), Some(y)) => self.bool(x.scmp(y) == Ordering::Less),
            _ => self.intern(Node::Slt(a, b), Sort::Bool),
        }
    }

    /// Signed `a <= b`.
    pub fn bv_sle(&self, a: Term, b: Term) -> Term {
        self.not(self.bv_slt(b, a))
    }

    /// Bits `low ..= high`.
    pub fn bv_extract(&self, high: u32, low: u32, arg: Term) -> Term {
        let width = self.width(arg).bits();
        assert!(low <= high && high < width, "the extracted bits exist");
        if low == 0 && high == width - 1 {
            return arg;
        }
        match self.node(arg) {
            Node::BitVec(value) => self.bv(value.extract(high, low)),
            _ => self.intern(
                Node::Extract { high, low, arg },
                Sort::BitVec(Width::of(high - low + 1)),
            ),
        }
    }

    /// `high` in the high bits, `low` in the low bits.
    pub fn bv_concat(&self, high: Term, low: Term) -> Term {
        let width = Width::of(self.width(high).bits() + self.width(low).bits());
        match (self.as_bv(high), self.as_bv(low)) {
            (Some(x), Some(y)) => self.bv(x.concat(y)),
            _ => self.intern(Node::Concat(high, low), Sort::BitVec(width)),
        }
    }

    /// Zero extension to `width` (the same term when it has that width).
    pub fn bv_zero_extend(&self, width: Width, arg: Term) -> Term {
        assert!(width >= self.width(arg), "an extension does not narrow");
        if width == self.width(arg) {
            return arg;
        }
        match self.node(arg) {
            Node::BitVec(value) => self.bv(value.zero_extend(width)),
            _ => self.intern(Node::ZeroExtend(width, arg), Sort::BitVec(width)),
        }
    }

    /// Sign extension to `width` (the same term when it has that width).
    pub fn bv_sign_extend(&self, width: Width, arg: Term) -> Term {
        assert!(width >= self.width(arg), "an extension does not narrow");
        if width == self.width(arg) {
            return arg;
        }
        match self.node(arg) {
            Node::BitVec(value) => self.bv(value.sign_extend(width)),
            _ => self.intern(Node::SignExtend(width, arg), Sort::BitVec(width)),
        }
    }

    /// The low bits of `arg`.
    pub fn bv_truncate(&self, width: Width, arg: Term) -> Term {
        self.bv_extract(width.bits() - 1, 0, arg)
    }

    /// `cond` as a bitvector: one or zero.
    pub fn bv_of_bool(&self, width: Width, cond: Term) -> Term {
        self.ite(cond, self.bv_u64(width, 1), self.bv_u64(width, 0))
    }
}
