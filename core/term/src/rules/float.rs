//! Floating-point operations.

use crate::bv::BvValue;
use crate::float::{FloatOp, Format, Rounding};
use crate::node::{BvOp, FloatApplication, Node, Term};
use crate::rules::Rule;
use crate::terms::Terms;
use crate::value::Value;

impl Terms {
    /// An operation on floats, which are bitvectors of the width of their format.
    ///
    /// # Panics
    /// For arguments of another number or other widths than the operation takes.
    pub fn float(&self, op: FloatOp, arguments: &[Term]) -> Term {
        assert_eq!(arguments.len(), op.arity(), "the operation takes as many arguments");
        for (at, &it) in arguments.iter().enumerate() {
            assert_eq!(self.width(it), op.argument_width(at), "an argument has the width that the operation takes");
        }
        let constants: Option<Vec<&BvValue>> = arguments.iter().map(|&it| self.as_bv(it)).collect();
        if let Some(constants) = constants {
            return match op.value(&constants) {
                Value::BitVec(value) => self.bv(value),
                value => self.bool(value == Value::Bool(true)),
            };
        }
        self.float_rules(op, arguments).unwrap_or_else(|| self.float_node(op, arguments))
    }

    fn float_node(&self, op: FloatOp, arguments: &[Term]) -> Term {
        let mut arguments: Box<[Term]> = arguments.into();
        // Of what commutes the smaller handle stands first, and a constant second.
        let order = |it: &Term| (self.as_bv(*it).is_some(), *it);
        match op {
            FloatOp::Add(_) | FloatOp::Mul(_) | FloatOp::MulAdd(_) => arguments[1..3].sort_unstable_by_key(order),
            FloatOp::Equal(_) => arguments.sort_unstable_by_key(order),
            _ => {}
        }
        self.intern(Node::Float(Box::new(FloatApplication { op, arguments })), op.sort())
    }

    fn float_rules(&self, op: FloatOp, arguments: &[Term]) -> Option<Term> {
        match (op, arguments) {
            // match: (fp.lt x x)   result: false
            (FloatOp::Less(_), &[a, b]) if a == b && self.uses(Rule::FloatLessSelf) => Some(self.bool(false)),
            // match: (fp.leq x x)   result: (fp.eq x x), which says that it is a number
            (FloatOp::LessOrEqual(format), &[a, b]) if a == b && self.uses(Rule::FloatLessOrEqualSelf) => {
                Some(self.float(FloatOp::Equal(format), &[a, a]))
            }
            // match: (fp.eq x x) of an integer made a float   result: true; beyond all numbers it is infinite
            (FloatOp::Equal(_), &[a, b]) if a == b && self.is_never_nan(a) && self.uses(Rule::FloatNumber) => {
                Some(self.bool(true))
            }
            // match: (to_fp x) from a format into itself   result: x, where x is what an operation makes
            (FloatOp::Convert { from, to }, &[_, a])
                if from == to && self.makes_float(from, a) && self.uses(Rule::FloatConvertSame) =>
            {
                Some(a)
            }
            _ => None,
        }
    }

    /// Whether a float is one that an operation of this format has made: if it is a NaN, it is the one that operations
    /// make. The bits of another format may be any NaN here.
    fn makes_float(&self, format: Format, a: Term) -> bool {
        matches!(self.node(a), Node::Float(it) if it.op.result_format() == Some(format))
    }

    /// Whether a float is a number whatever its symbols are.
    fn is_never_nan(&self, a: Term) -> bool {
        matches!(self.node(a), Node::Float(it) if matches!(it.op, FloatOp::FromInteger { .. }))
    }

    /// A rounding mode.
    pub fn rounding(&self, mode: Rounding) -> Term {
        self.bv(mode.number())
    }

    /// The float with the other sign. A NaN stays one; of its bits only the sign changes.
    pub fn float_neg(&self, format: Format, a: Term) -> Term {
        self.bv_op(BvOp::Xor, a, self.bv(format.sign_bit()))
    }

    /// The float without its sign. A NaN stays one; of its bits only the sign changes.
    pub fn float_abs(&self, format: Format, a: Term) -> Term {
        self.bv_op(BvOp::And, a, self.bv(format.magnitude_bits()))
    }

    /// Whether a float is a NaN: it is not even equal to itself.
    pub fn float_is_nan(&self, format: Format, a: Term) -> Term {
        self.not(self.float(FloatOp::Equal(format), &[a, a]))
    }

    /// Whether a float is infinite.
    pub fn float_is_infinite(&self, format: Format, a: Term) -> Term {
        self.eq(self.float_abs(format, a), self.bv(format.infinity(false)))
    }

    /// Whether a float is zero, of either sign.
    pub fn float_is_zero(&self, format: Format, a: Term) -> Term {
        self.eq(self.float_abs(format, a), self.bv(format.zero(false)))
    }

    /// Whether a float is a NaN or infinite.
    pub fn float_is_not_finite(&self, format: Format, a: Term) -> Term {
        self.not(self.bv_ult(self.float_abs(format, a), self.bv(format.infinity(false))))
    }

    /// Whether a float is subnormal: not zero, and nearer to it than every normal number.
    pub fn float_is_subnormal(&self, format: Format, a: Term) -> Term {
        let magnitude = self.float_abs(format, a);
        let least_normal = BvValue::one(format.width()).shl_bits(format.fraction_bits());
        let small = self.bv_ult(magnitude, self.bv(least_normal));
        self.and(small, self.not(self.float_is_zero(format, a)))
    }

    /// The float, with the NaN that operations make in place of any other.
    pub fn float_canonical(&self, format: Format, a: Term) -> Term {
        match self.makes_float(format, a) {
            true => a,
            false => self.ite(self.float_is_nan(format, a), self.bv(format.nan()), a),
        }
    }
}
