//! Arithmetic of `int` read as the mathematical integers (`--integers ideal`).
//!
//! Knows: C's operators on ℤ; a symbolic `int` is a term of sort Int, a known one that fits is concrete as ever.
//! Never: which programs are taken (`crate::ideal`): only those come here whose every value is an `int` or a truth value.

use crate::checks::DIVISION_BY_ZERO;
use crate::ideal::INT;
use crate::ir::{BinaryOp, IntPredicate};
use crate::machine::{Flow, Machine};
use crate::options::Integers;
use crate::value::{Val, signed, truncate};
use effigy_term::{Node, Sort, Term, Terms};

impl Machine<'_, '_> {
    /// Whether a value of so many bits is a mathematical integer.
    pub(crate) fn is_ideal(&self, width: u32) -> bool {
        width == INT && self.program.options.integers == Integers::Ideal
    }

    /// Whether a value is one.
    pub(crate) fn is_integer(&self, value: &Val) -> bool {
        matches!(value, Val::Term(it) if self.ctx.terms.sort(*it) == Sort::Int)
    }

    /// The integer that an `int` is.
    pub(crate) fn integer(&self, value: &Val) -> Flow<Term> {
        match value {
            Val::Int(bits) => Ok(self.ctx.terms.int(signed(*bits, INT))),
            Val::Term(it) if self.ctx.terms.sort(*it) == Sort::Int => Ok(*it),
            _ => Err(self.unsupported("an uninitialised `int` with --integers ideal")),
        }
    }

    /// A known integer that fits stays concrete.
    pub(super) fn ideal_value(&self, term: Term) -> Val {
        match self.ctx.terms.node(term) {
            Node::Int(value) => match i32::try_from(value) {
                Ok(value) => Val::Int(truncate(i64::from(value) as u64, INT)),
                Err(_) => Val::Term(term),
            },
            _ => Val::Term(term),
        }
    }

    pub(super) fn ideal_binary(&mut self, op: BinaryOp, a: &Val, b: &Val) -> Flow<Val> {
        let (a, b) = (self.integer(a)?, self.integer(b)?);
        let terms = self.ctx.terms;
        let res = match op {
            BinaryOp::Add => terms.int_add(a, b),
            BinaryOp::Sub => terms.int_sub(a, b),
            BinaryOp::Mul => terms.int_mul(a, b),
            BinaryOp::SDiv | BinaryOp::SRem => {
                let nonzero = terms.ne(b, terms.int(0));
                self.require(nonzero, DIVISION_BY_ZERO, || "the divisor can be zero".to_owned())?;
                if op == BinaryOp::SDiv { terms.int_quot(a, b) } else { terms.int_rem(a, b) }
            }
            _ => return Err(self.unsupported("an operation on bits with --integers ideal")),
        };
        Ok(self.ideal_value(res))
    }

    pub(crate) fn ideal_comparison(&mut self, pred: IntPredicate, a: &Val, b: &Val) -> Flow<Val> {
        let (a, b) = (self.integer(a)?, self.integer(b)?);
        let terms = self.ctx.terms;
        let res = match pred {
            IntPredicate::Eq => equal(terms, a, b),
            IntPredicate::Ne => terms.not(equal(terms, a, b)),
            IntPredicate::Slt => terms.int_lt(a, b),
            IntPredicate::Sle => terms.int_le(a, b),
            IntPredicate::Sgt => terms.int_lt(b, a),
            IntPredicate::Sge => terms.int_le(b, a),
            _ => return Err(self.unsupported("a comparison without sign with --integers ideal")),
        };
        Ok(Val::of_term(terms, res))
    }

    /// A truth value as a number; an integer that goes through `effigy_int` as it is.
    pub(super) fn ideal_cast(&mut self, a: &Val) -> Flow<Val> {
        if self.is_integer(a) {
            return Ok(a.clone());
        }
        let cond = self.truth(a);
        let terms = self.ctx.terms;
        let number = terms.ite(cond, terms.int(1), terms.int(0));
        Ok(self.ideal_value(number))
    }
}

/// `a = b`; of a truth value as a number and a number, the condition itself.
fn equal(terms: &Terms, a: Term, b: Term) -> Term {
    match (terms.node(a), terms.node(b)) {
        (&Node::Ite(cond, then, other), Node::Int(_)) if [then, other].iter().all(|it| terms.as_int(*it).is_some()) => {
            terms.ite(cond, terms.eq(then, b), terms.eq(other, b))
        }
        _ => terms.eq(a, b),
    }
}
