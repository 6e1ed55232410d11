//! Bitvector constants, sums and the dispatch of the other operators to their rules.

use crate::bv::BvValue;
use crate::node::{BvOp, BvSum, Node, Term};
use crate::rules::Rule;
use crate::sort::{Sort, Width};
use crate::terms::Terms;
use std::collections::BTreeMap;

/// Sums of more parts are not flattened into one another: building a sum of n parts would cost n² steps.
const MOST_SUMMANDS: usize = 48;

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
    pub(super) fn bv_linear(&self, parts: &[(BvValue, Term)]) -> Term {
        let width = self.width(parts[0].1);
        let mut constant = BvValue::zero(width);
        let mut summands: BTreeMap<Term, BvValue> = BTreeMap::new();
        let mut add = |term: Term, factor: BvValue| {
            let entry = summands.entry(term).or_insert_with(|| BvValue::zero(width));
            *entry = entry.add(&factor);
        };
        for (factor, term) in parts {
            assert_eq!(self.width(*term), width, "summands have one width");
            match self.node(*term) {
                Node::BitVec(value) => constant = constant.add(&value.mul(factor)),
                Node::BvSum(sum) if sum.summands.len() <= MOST_SUMMANDS => {
                    constant = constant.add(&sum.constant.mul(factor));
                    for (coefficient, it) in &sum.summands {
                        add(*it, coefficient.mul(factor));
                    }
                }
                // match: ~x   result: −x − 1
                Node::BvNot(inner)
                    if !matches!(self.node(*inner), Node::BvSum(_)) && self.uses(Rule::SumOfComplement) =>
                {
                    constant = constant.sub(factor);
                    add(*inner, factor.neg());
                }
                _ => add(*term, factor.clone()),
            }
        }
        summands.retain(|_, factor| !factor.is_zero());
        if summands.is_empty() {
            return self.bv(constant);
        }
        if constant.is_zero()
            && summands.len() == 1
            && let Some((&term, factor)) = summands.iter().next()
            && factor.is_one()
        {
            return term;
        }
        let summands = summands.into_iter().map(|(term, factor)| (factor, term)).collect();
        self.intern(Node::BvSum(Box::new(BvSum { constant, summands })), Sort::BitVec(width))
    }

    /// Any binary operator (sums have their own constructors).
    pub fn bv_op(&self, op: BvOp, a: Term, b: Term) -> Term {
        assert_eq!(self.width(a), self.width(b), "both operands have one width");
        if let (Some(x), Some(y)) = (self.as_bv(a), self.as_bv(b)) {
            return self.bv(crate::eval::bv_op(op, x, y));
        }
        let simplified = match op {
            BvOp::Mul => return self.bv_mul(a, b),
            BvOp::And | BvOp::Or | BvOp::Xor => return self.bitwise(op, a, b),
            BvOp::Shl | BvOp::LShr | BvOp::AShr => self.shift_rules(op, a, b),
            BvOp::UDiv | BvOp::URem | BvOp::SDiv | BvOp::SRem => self.division_rules(op, a, b),
        };
        simplified.unwrap_or_else(|| self.intern(Node::Bv(op, a, b), self.sort(a)))
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

    /// Unsigned `a <= b`.
    pub fn bv_ule(&self, a: Term, b: Term) -> Term {
        self.not(self.bv_ult(b, a))
    }

    /// Signed `a <= b`.
    pub fn bv_sle(&self, a: Term, b: Term) -> Term {
        self.not(self.bv_slt(b, a))
    }

    /// The low bits of `arg`.
    pub fn bv_truncate(&self, width: Width, arg: Term) -> Term {
        self.bv_extract(width.bits() - 1, 0, arg)
    }

    /// `cond` as a bitvector: one or zero.
    pub fn bv_of_bool(&self, width: Width, cond: Term) -> Term {
        self.ite(cond, self.bv_u64(width, 1), self.bv_u64(width, 0))
    }

    /// The two constants of an if-then-else of constants.
    pub(super) fn constant_choice(&self, term: Term) -> Option<(Term, &BvValue, &BvValue)> {
        let Node::Ite(cond, then, other) = *self.node(term) else { return None };
        Some((cond, self.as_bv(then)?, self.as_bv(other)?))
    }
}
