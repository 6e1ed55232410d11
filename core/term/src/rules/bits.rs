//! Extraction, concatenation and extension through each other.

use crate::bv::BvValue;
use crate::node::{BvOp, BvSum, Node, Term};
use crate::rules::Rule;
use crate::sort::{Sort, Width};
use crate::terms::Terms;

impl Terms {
    /// Bits `low ..= high`.
    pub fn bv_extract(&self, high: u32, low: u32, arg: Term) -> Term {
        let width = self.width(arg).bits();
        assert!(low <= high && high < width, "the extracted bits exist");
        if low == 0 && high == width - 1 {
            return arg;
        }
        if let Some(value) = self.as_bv(arg) {
            return self.bv(value.extract(high, low));
        }
        self.extract_rules(high, low, arg)
            .unwrap_or_else(|| self.intern(Node::Extract { high, low, arg }, Sort::BitVec(Width::of(high - low + 1))))
    }

    fn extract_rules(&self, high: u32, low: u32, arg: Term) -> Option<Term> {
        let part = Width::of(high - low + 1);
        match self.node(arg) {
            // match: (extract h l (extract _ l' x))   result: (extract h+l' l+l' x)
            &Node::Extract { low: below, arg: inner, .. } if self.uses(Rule::ExtractExtract) => {
                Some(self.bv_extract(high + below, low + below, inner))
            }
            // match: (extract h l (concat x y)) within one side, or across   result: of that side, or of both
            &Node::Concat(top, bottom) if self.uses(Rule::ExtractConcat) => {
                let cut = self.width(bottom).bits();
                Some(if high < cut {
                    self.bv_extract(high, low, bottom)
                } else if low >= cut {
                    self.bv_extract(high - cut, low - cut, top)
                } else {
                    let top = self.bv_extract(high - cut, 0, top);
                    self.bv_concat(top, self.bv_extract(cut - 1, low, bottom))
                })
            }
            // match: (extract h l (zero_extend x))   result: of x, zeros, or x extended less
            &Node::ZeroExtend(_, inner) if self.uses(Rule::ExtractZero) => {
                let cut = self.width(inner).bits();
                Some(if high < cut {
                    self.bv_extract(high, low, inner)
                } else if low >= cut {
                    self.bv(BvValue::zero(part))
                } else {
                    self.bv_zero_extend(part, self.bv_extract(cut - 1, low, inner))
                })
            }
            // match: (extract h l (sign_extend x))   result: of x, or x extended less
            &Node::SignExtend(_, inner) if self.uses(Rule::ExtractSign) => {
                let cut = self.width(inner).bits();
                if high < cut {
                    Some(self.bv_extract(high, low, inner))
                } else if low < cut {
                    Some(self.bv_sign_extend(part, self.bv_extract(cut - 1, low, inner)))
                } else {
                    let sign = self.bv_extract(cut - 1, cut - 1, inner);
                    Some(self.bv_sign_extend(part, sign))
                }
            }
            // match: (extract h 0 (k + Σ f·x))   result: the sum of the low bits
            Node::BvSum(sum) if low == 0 && self.uses(Rule::ExtractSum) => {
                let mut parts = vec![(BvValue::one(part), self.bv(sum.constant.extract(high, 0)))];
                for (factor, it) in &sum.summands {
                    parts.push((factor.extract(high, 0), self.bv_extract(high, 0, *it)));
                }
                Some(self.bv_linear(&parts))
            }
            Node::BvSum(sum) => self.extract_disjoint(high, low, sum),
            // match: (extract h 0 (mul x y))   result: (mul (extract h 0 x) (extract h 0 y))
            &Node::Bv(BvOp::Mul, a, b) if low == 0 && self.uses(Rule::ExtractProduct) => {
                Some(self.bv_mul(self.bv_extract(high, 0, a), self.bv_extract(high, 0, b)))
            }
            // match: (extract h l (op x y)), op bitwise   result: (op (extract h l x) (extract h l y))
            &Node::Bv(op @ (BvOp::And | BvOp::Or | BvOp::Xor), a, b) if self.uses(Rule::ExtractBitwise) => {
                Some(self.bv_op(op, self.bv_extract(high, low, a), self.bv_extract(high, low, b)))
            }
            // match: (extract h l ~x)   result: ~(extract h l x)
            &Node::BvNot(a) if self.uses(Rule::ExtractNot) => Some(self.bv_not(self.bv_extract(high, low, a))),
            // match: (extract h l (ite c #x y))   result: (ite c (extract h l #x) (extract h l y))
            &Node::Ite(cond, then, other)
                if (self.as_bv(then).is_some() || self.as_bv(other).is_some()) && self.uses(Rule::ExtractIte) =>
            {
                Some(self.ite(cond, self.bv_extract(high, low, then), self.bv_extract(high, low, other)))
            }
            _ => None,
        }
    }

    /// match: (extract h l (Σ 2^k·x)) where no two summands share a bit   result: the concatenation of their parts
    fn extract_disjoint(&self, high: u32, low: u32, sum: &BvSum) -> Option<Term> {
        if !sum.constant.is_zero() {
            return None;
        }
        let mut pieces = Vec::with_capacity(sum.summands.len());
        for (factor, term) in &sum.summands {
            let shift = factor.power_of_two()?;
            pieces.push((shift, shift + self.significant_bits(*term, 4), *term));
        }
        pieces.sort_unstable();
        if pieces.windows(2).any(|it| it[0].1 > it[1].0) || !self.uses(Rule::ExtractDisjoint) {
            return None;
        }
        // From the low end: zeros up to the next summand, then what of it is asked for.
        let mut res: Option<Term> = None;
        let mut at = low;
        let mut push = |part: Term| res = Some(res.map_or(part, |below| self.bv_concat(part, below)));
        for (from, to, term) in pieces {
            let to = to.min(high + 1);
            if to <= at || from > high {
                continue;
            }
            if from > at {
                push(self.bv(BvValue::zero(Width::of(from - at))));
                at = from;
            }
            push(self.bv_extract(to - 1 - from, at - from, term));
            at = to;
        }
        if at <= high {
            push(self.bv(BvValue::zero(Width::of(high + 1 - at))));
        }
        res
    }

    /// How many low bits can be set, by the shape of the term down to `depth`.
    fn significant_bits(&self, term: Term, depth: u32) -> u32 {
        match *self.node(term) {
            _ if depth == 0 => self.width(term).bits(),
            Node::BitVec(ref value) => value.to_biguint().bits() as u32,
            Node::ZeroExtend(_, inner) => self.significant_bits(inner, depth - 1),
            Node::Ite(_, then, other) => {
                self.significant_bits(then, depth - 1).max(self.significant_bits(other, depth - 1))
            }
            Node::Bv(BvOp::And, a, b) => self.significant_bits(a, depth - 1).min(self.significant_bits(b, depth - 1)),
            Node::Bv(BvOp::Or | BvOp::Xor, a, b) => {
                self.significant_bits(a, depth - 1).max(self.significant_bits(b, depth - 1))
            }
            _ => self.width(term).bits(),
        }
    }

    /// `high` in the high bits, `low` in the low bits.
    pub fn bv_concat(&self, high: Term, low: Term) -> Term {
        let width = Width::of(self.width(high).bits() + self.width(low).bits());
        if let (Some(x), Some(y)) = (self.as_bv(high), self.as_bv(low)) {
            return self.bv(x.concat(y));
        }
        self.concat_rules(width, high, low).unwrap_or_else(|| self.intern(Node::Concat(high, low), Sort::BitVec(width)))
    }

    fn concat_rules(&self, width: Width, high: Term, low: Term) -> Option<Term> {
        // match: (concat #0 x)   result: (zero_extend x)
        if self.as_bv(high).is_some_and(BvValue::is_zero) && self.uses(Rule::ConcatZero) {
            return Some(self.bv_zero_extend(width, low));
        }
        match (self.node(high), self.node(low)) {
            // match: (concat (extract h m+1 x) (extract m l x))   result: (extract h l x)
            (&Node::Extract { high: top, low: cut, arg: x }, &Node::Extract { high: below, low: bottom, arg: y })
                if x == y && cut == below + 1 && self.uses(Rule::ConcatExtracts) =>
            {
                Some(self.bv_extract(top, bottom, x))
            }
            // match: (concat x (concat y z)), x and y merge   result: (concat xy z)
            (_, &Node::Concat(middle, rest)) if self.merges(high, middle) && self.uses(Rule::ConcatLeft) => {
                Some(self.bv_concat(self.bv_concat(high, middle), rest))
            }
            // match: (concat (concat x y) z), y and z merge   result: (concat x yz)
            (&Node::Concat(top, middle), _) if self.merges(middle, low) && self.uses(Rule::ConcatRight) => {
                Some(self.bv_concat(top, self.bv_concat(middle, low)))
            }
            // match: (concat (zero_extend x) y)   result: (zero_extend (concat x y))
            (&Node::ZeroExtend(_, inner), _) if self.uses(Rule::ConcatZeroExtension) => {
                Some(self.bv_zero_extend(width, self.bv_concat(inner, low)))
            }
            // match: (concat (ite c x y) (ite c z w))   result: (ite c (concat x z) (concat y w))
            (&Node::Ite(c, x, y), &Node::Ite(d, z, w)) if c == d && self.uses(Rule::ConcatItes) => {
                Some(self.ite(c, self.bv_concat(x, z), self.bv_concat(y, w)))
            }
            _ => None,
        }
    }

    /// Whether two neighbours are parts of one term, or two constants.
    fn merges(&self, high: Term, low: Term) -> bool {
        match (self.node(high), self.node(low)) {
            (Node::BitVec(_), Node::BitVec(_)) => true,
            (&Node::Extract { low: cut, arg: x, .. }, &Node::Extract { high: below, arg: y, .. }) => {
                x == y && cut == below + 1
            }
            _ => false,
        }
    }

    /// Zero extension to `width` (the same term when it has that width).
    pub fn bv_zero_extend(&self, width: Width, arg: Term) -> Term {
        assert!(width >= self.width(arg), "an extension does not narrow");
        if width == self.width(arg) {
            return arg;
        }
        if let Some((cond, then, other)) = self.constant_choice(arg)
            && self.uses(Rule::ZeroIte)
        {
            // match: (zero_extend (ite c #x #y))   result: (ite c #x' #y')
            return self.ite(cond, self.bv(then.zero_extend(width)), self.bv(other.zero_extend(width)));
        }
        match *self.node(arg) {
            Node::BitVec(ref value) => self.bv(value.zero_extend(width)),
            // match: (zero_extend (zero_extend x))   result: (zero_extend x)
            Node::ZeroExtend(_, inner) if self.uses(Rule::ZeroZero) => self.bv_zero_extend(width, inner),
            _ => self.intern(Node::ZeroExtend(width, arg), Sort::BitVec(width)),
        }
    }

    /// Sign extension to `width` (the same term when it has that width).
    pub fn bv_sign_extend(&self, width: Width, arg: Term) -> Term {
        assert!(width >= self.width(arg), "an extension does not narrow");
        if width == self.width(arg) {
            return arg;
        }
        if let Some((cond, then, other)) = self.constant_choice(arg)
            && self.uses(Rule::SignIte)
        {
            // match: (sign_extend (ite c #x #y))   result: (ite c #x' #y')
            return self.ite(cond, self.bv(then.sign_extend(width)), self.bv(other.sign_extend(width)));
        }
        match *self.node(arg) {
            Node::BitVec(ref value) => self.bv(value.sign_extend(width)),
            // match: (sign_extend (sign_extend x))   result: (sign_extend x)
            Node::SignExtend(_, inner) if self.uses(Rule::SignSign) => self.bv_sign_extend(width, inner),
            // match: (sign_extend (zero_extend x))   result: (zero_extend x)
            Node::ZeroExtend(_, inner) if self.uses(Rule::SignZero) => self.bv_zero_extend(width, inner),
            _ => self.intern(Node::SignExtend(width, arg), Sort::BitVec(width)),
        }
    }
}
