//! Bitwise operators, shifts and divisions.

use crate::bv::BvValue;
use crate::node::{BvOp, Node, Term};
use crate::rules::Rule;
use crate::sort::Width;
use crate::terms::Terms;

impl Terms {
    /// Bitwise complement.
    pub fn bv_not(&self, a: Term) -> Term {
        match self.node(a) {
            Node::BitVec(value) => self.bv(value.not()),
            Node::BvNot(inner) => *inner,
            _ => match self.constant_choice(a) {
                // match: ~(ite c #x #y)   result: (ite c #~x #~y)
                Some((cond, then, other)) if self.uses(Rule::BvnotIte) => {
                    self.ite(cond, self.bv(then.not()), self.bv(other.not()))
                }
                _ => self.intern(Node::BvNot(a), self.sort(a)),
            },
        }
    }

    /// And, or, exclusive or of terms that are not both constant.
    pub(super) fn bitwise(&self, op: BvOp, a: Term, b: Term) -> Term {
        // A constant stands second, else the smaller handle first.
        let (a, b) = if self.as_bv(a).is_some() || (self.as_bv(b).is_none() && b < a) { (b, a) } else { (a, b) };
        let rules = match self.as_bv(b) {
            Some(constant) => self.bitwise_constant(op, a, constant),
            None => self.bitwise_terms(op, a, b),
        };
        rules.unwrap_or_else(|| self.intern(Node::Bv(op, a, b), self.sort(a)))
    }

    fn bitwise_terms(&self, op: BvOp, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        let complement =
            matches!(*self.node(a), Node::BvNot(x) if x == b) || matches!(*self.node(b), Node::BvNot(x) if x == a);
        match op {
            // match: (and x x), (or x x)   result: x
            BvOp::And | BvOp::Or if a == b && self.uses(Rule::BitwiseSelf) => Some(a),
            // match: (xor x x)   result: #0
            BvOp::Xor if a == b && self.uses(Rule::BvxorSelf) => Some(self.bv(BvValue::zero(width))),
            // match: (and x ~x)   result: #0
            BvOp::And if complement && self.uses(Rule::BvandComplement) => Some(self.bv(BvValue::zero(width))),
            // match: (or x ~x), (xor x ~x)   result: all ones
            BvOp::Or | BvOp::Xor if complement && self.uses(Rule::BvorComplement) => {
                Some(self.bv(BvValue::ones(width)))
            }
            _ => match (self.node(a), self.node(b)) {
                // match: (op (zero_extend x) (zero_extend y)) of one width   result: (zero_extend (op x y))
                (&Node::ZeroExtend(_, x), &Node::ZeroExtend(_, y))
                    if self.width(x) == self.width(y) && self.uses(Rule::BitwiseExtensions) =>
                {
                    Some(self.bv_zero_extend(width, self.bv_op(op, x, y)))
                }
                _ => None,
            },
        }
    }

    fn bitwise_constant(&self, op: BvOp, a: Term, constant: &BvValue) -> Option<Term> {
        let width = self.width(a);
        match op {
            // match: (and x #0)   result: #0
            BvOp::And if constant.is_zero() && self.uses(Rule::BvandZero) => return Some(self.bv(constant.clone())),
            // match: (and x #ones)   result: x
            BvOp::And if constant.is_ones() && self.uses(Rule::BvandOnes) => return Some(a),
            // match: (or x #0), (xor x #0)   result: x
            BvOp::Or | BvOp::Xor if constant.is_zero() && self.uses(Rule::BitwiseZero) => return Some(a),
            // match: (or x #ones)   result: #ones
            BvOp::Or if constant.is_ones() && self.uses(Rule::BvorOnes) => return Some(self.bv(constant.clone())),
            // match: (xor x #ones)   result: ~x
            BvOp::Xor if constant.is_ones() && self.uses(Rule::BvxorOnes) => return Some(self.bv_not(a)),
            _ => {}
        }
        // match: (and x #low-mask)   result: (zero_extend (extract x))
        if op == BvOp::And
            && let Some(bits) = constant.add(&BvValue::one(width)).power_of_two().filter(|it| *it > 0)
            && self.uses(Rule::BvandMask)
        {
            return Some(self.bv_zero_extend(width, self.bv_extract(bits - 1, 0, a)));
        }
        match *self.node(a) {
            // match: (op (op x #c) #d)   result: (op x (op #c #d))
            Node::Bv(inner, x, c) if inner == op => {
                let c = self.as_bv(c).filter(|_| self.uses(Rule::BitwiseConstants))?;
                Some(self.bv_op(op, x, self.bv(crate::eval::bv_op(op, c, constant))))
            }
            // match: (op (zero_extend x) #c), c fits x or op is and   result: (zero_extend (op x #c'))
            Node::ZeroExtend(_, x) => {
                let narrow = self.width(x);
                let low = constant.extract(narrow.bits() - 1, 0);
                let fits = low.zero_extend(width) == *constant;
                (fits || op == BvOp::And).then_some(())?;
                self.uses(Rule::BitwiseExtension).then(|| self.bv_zero_extend(width, self.bv_op(op, x, self.bv(low))))
            }
            // match: (op (ite c #x #y) #d)   result: (ite c (op #x #d) (op #y #d))
            Node::Ite(..) => {
                let (cond, then, other) = self.constant_choice(a).filter(|_| self.uses(Rule::BitwiseIte))?;
                let apply = |it: &BvValue| self.bv(crate::eval::bv_op(op, it, constant));
                Some(self.ite(cond, apply(then), apply(other)))
            }
            _ => None,
        }
    }

    /// Shifts of terms that are not both constant.
    pub(super) fn shift_rules(&self, op: BvOp, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a).bits();
        if self.as_bv(a).is_some_and(BvValue::is_zero) && self.uses(Rule::ShiftOfZero) {
            // match: (shift #0 y)   result: #0
            return Some(a);
        }
        let amount = self.as_bv(b)?.to_u64().map_or(width, |it| it.min(u64::from(width)) as u32);
        if amount == 0 && self.uses(Rule::ShiftByZero) {
            // match: (shift x #0)   result: x
            return Some(a);
        }
        let rule = match op {
            BvOp::Shl => Rule::ShlConstant,
            BvOp::LShr => Rule::LshrConstant,
            _ => Rule::AshrConstant,
        };
        self.uses(rule).then(|| match op {
            // match: (shl x #k)   result: 2^k · x
            BvOp::Shl => self.bv_mul(a, self.bv(BvValue::one(self.width(a)).shl_bits(amount))),
            // match: (lshr x #k)   result: (zero_extend (extract x))
            BvOp::LShr if amount >= width => self.bv(BvValue::zero(self.width(a))),
            BvOp::LShr => self.bv_zero_extend(self.width(a), self.bv_extract(width - 1, amount, a)),
            // match: (ashr x #k)   result: (sign_extend (extract x))
            _ => {
                let amount = amount.min(width - 1);
                self.bv_sign_extend(self.width(a), self.bv_extract(width - 1, amount, a))
            }
        })
    }

    /// Divisions of terms that are not both constant.
    pub(super) fn division_rules(&self, op: BvOp, a: Term, b: Term) -> Option<Term> {
        let width = self.width(a);
        // match: (urem (zero_extend x) (zero_extend y)) of one width   result: (zero_extend (urem x y))
        if let (&Node::ZeroExtend(_, x), &Node::ZeroExtend(_, y)) = (self.node(a), self.node(b))
            && self.width(x) == self.width(y)
            && matches!(op, BvOp::URem)
            && self.uses(Rule::UremExtensions)
        {
            return Some(self.bv_zero_extend(width, self.bv_op(BvOp::URem, x, y)));
        }
        let divisor = self.as_bv(b)?;
        if divisor.is_one() && self.uses(Rule::DivisionOne) {
            // match: (div x #1), (rem x #1)   result: x, #0
            let remainder = matches!(op, BvOp::URem | BvOp::SRem);
            return Some(if remainder { self.bv(BvValue::zero(width)) } else { a });
        }
        let power = divisor.power_of_two();
        match (op, power) {
            // match: (udiv x #2^k)   result: (lshr x #k)
            (BvOp::UDiv, Some(k)) if self.uses(Rule::UdivPower) => {
                Some(self.bv_lshr(a, self.bv_u64(width, u64::from(k))))
            }
            // match: (urem x #2^k)   result: (and x #2^k-1)
            (BvOp::URem, Some(k)) if k > 0 && self.uses(Rule::UremPower) => {
                Some(self.bv_zero_extend(width, self.bv_extract(k - 1, 0, a)))
            }
            // match: (udiv (zero_extend x) #c), c fits x   result: (zero_extend (udiv x #c'))
            (BvOp::UDiv | BvOp::URem | BvOp::SDiv | BvOp::SRem, _) => {
                let Node::ZeroExtend(_, x) = *self.node(a) else { return None };
                let narrow: Width = self.width(x);
                let low = divisor.extract(narrow.bits() - 1, 0);
                if low.zero_extend(width) != *divisor {
                    return None;
                }
                let unsigned = match op {
                    BvOp::UDiv | BvOp::SDiv => BvOp::UDiv,
                    _ => BvOp::URem,
                };
                // The dividend's sign is clear and the divisor, which fits a narrower width, is positive too.
                // A divisor of zero gives all ones at the full width only.
                (!low.is_zero() && self.uses(Rule::DivisionExtension))
                    .then(|| self.bv_zero_extend(width, self.bv_op(unsigned, x, self.bv(low))))
            }
            _ => None,
        }
    }
}
