//! Comparisons of bitvectors, and equality with constants.

use crate::bv::BvValue;
use crate::node::{BvOp, BvSum, Node, Term};
use crate::rules::Rule;
use crate::sort::Sort;
use crate::terms::Terms;
use std::cmp::Ordering;

/// Conditional terms are looked into no deeper: they are as deep as programs run long.
const MOST_NESTED: u32 = 1000;

impl Terms {
    /// Unsigned `a < b`.
    pub fn bv_ult(&self, a: Term, b: Term) -> Term {
        assert_eq!(self.width(a), self.width(b), "both operands have one width");
        self.ult_rules(a, b).unwrap_or_else(|| self.intern(Node::Ult(a, b), Sort::Bool))
    }

    fn ult_rules(&self, a: Term, b: Term) -> Option<Term> {
        // match: (bvult x x)   result: false
        if a == b && self.uses(Rule::UltSelf) {
            return Some(self.bool(false));
        }
        match (self.as_bv(a), self.as_bv(b)) {
            (Some(x), Some(y)) => Some(self.bool(x.ucmp(y) == Ordering::Less)),
            (None, Some(bound)) => self.below_constant(a, bound),
            (Some(bound), None) => self.above_constant(bound, b),
            (None, None) => match (self.node(a), self.node(b)) {
                // match: (bvult (zero_extend x) (zero_extend y)) of one width   result: (bvult x y)
                (&Node::ZeroExtend(_, x), &Node::ZeroExtend(_, y))
                    if self.width(x) == self.width(y) && self.uses(Rule::UltExtensions) =>
                {
                    Some(self.bv_ult(x, y))
                }
                // match: (bvult (x + #c) x)   result: (bvult #(max − c) x), since the sum wraps around
                (Node::BvSum(sum), _) if self.is_moved(sum, b) && self.uses(Rule::UltWrapped) => {
                    Some(self.bv_ult(self.bv(sum.constant.not()), b))
                }
                // match: (bvult x (x + #c))   result: (not (bvult #(max − c) x))
                (_, Node::BvSum(sum)) if self.is_moved(sum, a) && self.uses(Rule::UltUnwrapped) => {
                    Some(self.not(self.bv_ult(self.bv(sum.constant.not()), a)))
                }
                _ => None,
            },
        }
    }

    /// Whether a sum is `x` with a constant that is not zero added.
    fn is_moved(&self, sum: &BvSum, x: Term) -> bool {
        if sum.constant.is_zero() {
            return false;
        }
        match self.node(x) {
            Node::BvSum(other) => other.constant.is_zero() && other.summands == sum.summands,
            _ => matches!(&sum.summands[..], [(factor, it)] if *it == x && factor.is_one()),
        }
    }

    /// `x < bound`
    fn below_constant(&self, x: Term, bound: &BvValue) -> Option<Term> {
        // match: (bvult x #0)   result: false
        if bound.is_zero() && self.uses(Rule::UltZero) {
            return Some(self.bool(false));
        }
        // match: (bvult x #1)   result: x = 0
        if bound.is_one() && self.uses(Rule::UltOne) {
            return Some(self.eq(x, self.bv(BvValue::zero(bound.width()))));
        }
        // match: (bvult x #max)   result: x ≠ max
        if bound.is_ones() && self.uses(Rule::UltMax) {
            return Some(self.ne(x, self.bv(bound.clone())));
        }
        // match: (bvult (ite c #x #y) #z), or the other way round   result: (ite c (bvult #x #z) (bvult #y #z))
        if let Some((cond, then, other)) = self.constant_choice(x)
            && self.uses(Rule::UltIte)
        {
            let less = |it: &BvValue| self.bool(it.ucmp(bound) == Ordering::Less);
            return Some(self.ite(cond, less(then), less(other)));
        }
        match *self.node(x) {
            // match: (bvult (zero_extend x) #c)   result: true if c is beyond x, else (bvult x #c')
            Node::ZeroExtend(_, inner) if self.uses(Rule::UltExtension) => {
                let narrow = self.width(inner);
                let low = bound.extract(narrow.bits() - 1, 0);
                Some(if low.zero_extend(bound.width()) == *bound {
                    self.bv_ult(inner, self.bv(low))
                } else {
                    self.bool(true)
                })
            }
            _ => None,
        }
    }

    /// `bound < x`
    fn above_constant(&self, bound: &BvValue, x: Term) -> Option<Term> {
        // match: (bvult #max x)   result: false
        if bound.is_ones() && self.uses(Rule::UltOfMax) {
            return Some(self.bool(false));
        }
        // match: (bvult #0 x)   result: x ≠ 0
        if bound.is_zero() && self.uses(Rule::UltOfZero) {
            return Some(self.ne(x, self.bv(bound.clone())));
        }
        // match: (bvult (ite c #x #y) #z), or the other way round   result: (ite c (bvult #x #z) (bvult #y #z))
        if let Some((cond, then, other)) = self.constant_choice(x)
            && self.uses(Rule::UltIte)
        {
            let less = |it: &BvValue| self.bool(bound.ucmp(it) == Ordering::Less);
            return Some(self.ite(cond, less(then), less(other)));
        }
        match *self.node(x) {
            // match: (bvult #c (zero_extend x))   result: false if c is beyond x, else (bvult #c' x)
            Node::ZeroExtend(_, inner) if self.uses(Rule::UltConstant) => {
                let narrow = self.width(inner);
                let low = bound.extract(narrow.bits() - 1, 0);
                Some(if low.zero_extend(bound.width()) == *bound {
                    self.bv_ult(self.bv(low), inner)
                } else {
                    self.bool(false)
                })
            }
            _ => None,
        }
    }

    /// Signed `a < b`.
    pub fn bv_slt(&self, a: Term, b: Term) -> Term {
        assert_eq!(self.width(a), self.width(b), "both operands have one width");
        self.slt_rules(a, b).unwrap_or_else(|| self.intern(Node::Slt(a, b), Sort::Bool))
    }

    fn slt_rules(&self, a: Term, b: Term) -> Option<Term> {
        // match: (bvslt x x)   result: false
        if a == b && self.uses(Rule::SltSelf) {
            return Some(self.bool(false));
        }
        if let (Some(x), Some(y)) = (self.as_bv(a), self.as_bv(b)) {
            return Some(self.bool(x.scmp(y) == Ordering::Less));
        }
        let width = self.width(a);
        let least = BvValue::min_signed(width);
        // match: (bvslt x #min), (bvslt #max x)   result: false
        if (self.as_bv(b) == Some(&least) || self.as_bv(a) == Some(&least.not())) && self.uses(Rule::SltBound) {
            return Some(self.bool(false));
        }
        // match: (bvslt (ite c #x #y) #z), or the other way round   result: (ite c (bvslt #x #z) (bvslt #y #z))
        if let (Some((cond, then, other)), Some(bound)) = (self.constant_choice(a), self.as_bv(b))
            && self.uses(Rule::SltIte)
        {
            let less = |it: &BvValue| self.bool(it.scmp(bound) == Ordering::Less);
            return Some(self.ite(cond, less(then), less(other)));
        }
        if let (Some(bound), Some((cond, then, other))) = (self.as_bv(a), self.constant_choice(b))
            && self.uses(Rule::SltIte)
        {
            let less = |it: &BvValue| self.bool(bound.scmp(it) == Ordering::Less);
            return Some(self.ite(cond, less(then), less(other)));
        }
        match (self.node(a), self.node(b)) {
            // match: (bvslt (zero_extend x) (zero_extend y)) of one width   result: (bvult x y)
            (&Node::ZeroExtend(_, x), &Node::ZeroExtend(_, y))
                if self.width(x) == self.width(y) && self.uses(Rule::SltZeroExtensions) =>
            {
                Some(self.bv_ult(x, y))
            }
            // match: (bvslt (sign_extend x) (sign_extend y)) of one width   result: (bvslt x y)
            (&Node::SignExtend(_, x), &Node::SignExtend(_, y))
                if self.width(x) == self.width(y) && self.uses(Rule::SltSignExtensions) =>
            {
                Some(self.bv_slt(x, y))
            }
            // match: (bvslt (zero_extend x) #c)   result: false for negative c, else (bvult (zero_extend x) #c)
            (&Node::ZeroExtend(..), Node::BitVec(bound)) if self.uses(Rule::SltZero) => {
                Some(if bound.is_negative() { self.bool(false) } else { self.bv_ult(a, b) })
            }
            // match: (bvslt #c (zero_extend x))   result: true for negative c, else (bvult #c (zero_extend x))
            (Node::BitVec(bound), &Node::ZeroExtend(..)) if self.uses(Rule::SltConstantZero) => {
                Some(if bound.is_negative() { self.bool(true) } else { self.bv_ult(a, b) })
            }
            // match: (bvslt (sign_extend x) #c)   result: true or false if c is beyond x, else (bvslt x #c')
            (&Node::SignExtend(_, x), Node::BitVec(bound)) if self.uses(Rule::SltSign) => {
                let low = bound.extract(self.width(x).bits() - 1, 0);
                Some(if low.sign_extend(width) == *bound {
                    self.bv_slt(x, self.bv(low))
                } else {
                    self.bool(!bound.is_negative())
                })
            }
            // match: (bvslt #c (sign_extend x))   result: likewise
            (Node::BitVec(bound), &Node::SignExtend(_, x)) if self.uses(Rule::SltConstantSign) => {
                let low = bound.extract(self.width(x).bits() - 1, 0);
                Some(if low.sign_extend(width) == *bound {
                    self.bv_slt(self.bv(low), x)
                } else {
                    self.bool(bound.is_negative())
                })
            }
            _ => None,
        }
    }

    /// Rules for an equality of two different bitvector terms, a constant second if there is one.
    pub(super) fn bv_eq_rules(&self, a: Term, b: Term) -> Option<Term> {
        if matches!(self.node(a), Node::BvSum(_)) || matches!(self.node(b), Node::BvSum(_)) {
            return self.sum_eq(a, b);
        }
        if let Some(constant) = self.as_bv(b) {
            return self.eq_constant(a, constant);
        }
        match (self.node(a), self.node(b)) {
            // match: (= (extend x) (extend y)) of one kind and width   result: (= x y)
            (&Node::ZeroExtend(_, x), &Node::ZeroExtend(_, y)) | (&Node::SignExtend(_, x), &Node::SignExtend(_, y))
                if self.width(x) == self.width(y) && self.uses(Rule::EqExtensions) =>
            {
                Some(self.eq(x, y))
            }
            // match: (= ~x ~y)   result: (= x y)
            (&Node::BvNot(x), &Node::BvNot(y)) if self.uses(Rule::EqComplements) => Some(self.eq(x, y)),
            _ => None,
        }
    }

    /// Equality with a sum: all terms on one side, the constant on the other.
    fn sum_eq(&self, a: Term, b: Term) -> Option<Term> {
        let difference = self.bv_sub(a, b);
        let sum = match self.node(difference) {
            Node::BitVec(value) => return Some(self.bool(value.is_zero())),
            Node::BvSum(sum) => sum,
            _ => return Some(self.eq(difference, self.bv(BvValue::zero(self.width(a))))),
        };
        let constant = sum.constant.neg();
        if let [(factor, x)] = &sum.summands[..] {
            // match: (= (k + x) #c), (= (k − x) #c)   result: (= x #c')
            if factor.is_one() && self.uses(Rule::EqAddConstant) {
                let constant = self.bv(constant);
                // A sum too long to be flattened stands here as it is.
                return if (*x, constant) == (a, b) { None } else { Some(self.eq(*x, constant)) };
            }
            if factor.is_ones() && self.uses(Rule::EqConstMinus) {
                return Some(self.eq(*x, self.bv(constant.neg())));
            }
            // match: (= 2^k·(zero_extend x) #c) without overflow   result: (= x #c/2^k) or false
            if let (Some(shift), &Node::ZeroExtend(width, inner)) = (factor.power_of_two(), self.node(*x))
                && self.width(inner).bits() + shift <= width.bits()
                && self.uses(Rule::EqScaled)
            {
                let divides = (0..shift).all(|bit| !constant.bit(bit));
                let quotient = constant.lshr(&BvValue::from_u64(width, u64::from(shift)));
                return Some(if divides { self.eq(*x, self.bv(quotient)) } else { self.bool(false) });
            }
        }
        // match: (= x y) with both sides sums   result: (= Σ #c), or x = y where that is what remains
        if constant.is_zero()
            && let [(one, x), (minus, y)] = &sum.summands[..]
        {
            let opposite = (one.is_one() && minus.is_ones()) || (one.is_ones() && minus.is_one());
            // Likewise.
            let same = (*x, *y) == (a, b) || (*y, *x) == (a, b);
            if opposite && self.uses(Rule::EqSums) {
                return if same { None } else { Some(self.eq(*x, *y)) };
            }
        }
        let left = self.bv_add(difference, self.bv(constant.clone()));
        Some(self.intern(Node::Eq(left, self.bv(constant)), Sort::Bool))
    }

    fn eq_constant(&self, a: Term, constant: &BvValue) -> Option<Term> {
        match *self.node(a) {
            // match: (= (zero_extend x) #c)   result: (= x #c'), or false if c is beyond x
            Node::ZeroExtend(width, x) if self.uses(Rule::EqZeroExtension) => {
                let low = constant.extract(self.width(x).bits() - 1, 0);
                let fits = low.zero_extend(width) == *constant;
                Some(if fits { self.eq(x, self.bv(low)) } else { self.bool(false) })
            }
            // match: (= (sign_extend x) #c)   result: (= x #c'), or false if c is beyond x
            Node::SignExtend(width, x) if self.uses(Rule::EqSignExtension) => {
                let low = constant.extract(self.width(x).bits() - 1, 0);
                let fits = low.sign_extend(width) == *constant;
                Some(if fits { self.eq(x, self.bv(low)) } else { self.bool(false) })
            }
            // match: (= (concat x y) #c)   result: (and (= x #c') (= y #c''))
            Node::Concat(high, low) if self.uses(Rule::EqConcat) => {
                let cut = self.width(low).bits();
                let top = self.bv(constant.extract(constant.width().bits() - 1, cut));
                let bottom = self.bv(constant.extract(cut - 1, 0));
                Some(self.and(self.eq(high, top), self.eq(low, bottom)))
            }
            // match: (= ~x #c)   result: (= x #~c)
            Node::BvNot(x) if self.uses(Rule::EqComplementConstant) => Some(self.eq(x, self.bv(constant.not()))),
            // match: (= (xor x #c) #d)   result: (= x #c^d)
            Node::Bv(BvOp::Xor, x, mask) => {
                let mask = self.as_bv(mask).filter(|_| self.uses(Rule::EqXor))?;
                Some(self.eq(x, self.bv(mask.xor(constant))))
            }
            // match: (= (and x #c) #d), d has a bit that c has not   result: false
            Node::Bv(BvOp::And, _, mask) => {
                let mask = self.as_bv(mask)?;
                (!constant.and(&mask.not()).is_zero() && self.uses(Rule::EqAndNever)).then(|| self.bool(false))
            }
            // match: (= (or x #c) #d), c has a bit that d has not   result: false
            Node::Bv(BvOp::Or, _, mask) => {
                let mask = self.as_bv(mask)?;
                (!mask.and(&constant.not()).is_zero() && self.uses(Rule::EqOrNever)).then(|| self.bool(false))
            }
            // match: (= (ite c #x y) #d)   result: (or c (= y #d)) or (and ¬c (= y #d)); likewise with y constant
            Node::Ite(cond, then, other) if self.nested_equations.get() < MOST_NESTED => {
                let rest = |it: Term| {
                    self.nested_equations.set(self.nested_equations.get() + 1);
                    let res = self.eq(it, self.bv(constant.clone()));
                    self.nested_equations.set(self.nested_equations.get() - 1);
                    res
                };
                if let Some(value) = self.as_bv(then)
                    && self.uses(Rule::EqIte)
                {
                    let rest = rest(other);
                    return Some(if value == constant { self.or(cond, rest) } else { self.and(self.not(cond), rest) });
                }
                let value = self.as_bv(other).filter(|_| self.uses(Rule::EqIte))?;
                let rest = rest(then);
                Some(if value == constant { self.or(self.not(cond), rest) } else { self.and(cond, rest) })
            }
            _ => None,
        }
    }
}
