//! Arithmetic, comparison and equality, on the sorts that the operands have.

use crate::failure::ReasonKind;
use crate::machine::{Machine, Res, Scene};
use effigy_contracts::program::{BinaryOp, Exp};
use effigy_term::{Sort, Term};

impl<'a, 't> Machine<'a, 't> {
    pub(super) fn negated(&self, operand: Term) -> Term {
        match self.terms.sort(operand) {
            Sort::Int => self.terms.int_neg(operand),
            _ => self.terms.real_neg(operand),
        }
    }

    /// An operator that evaluates both operands.
    pub(super) fn operator(
        &mut self,
        scene: &Scene<'_, 'a>,
        op: BinaryOp,
        a: Term,
        b: Term,
        right: &'a Exp,
    ) -> Res<Term> {
        let terms = self.terms;
        let integers = terms.sort(a) == Sort::Int && terms.sort(b) == Sort::Int;
        let mixed = terms.sort(a) != terms.sort(b);
        // An integer beside an amount is a number of wholes.
        let (x, y) = if mixed { (self.as_permission(a), self.as_permission(b)) } else { (a, b) };
        Ok(match op {
            BinaryOp::Eq => self.equal(x, y),
            BinaryOp::Ne => {
                let equal = self.equal(x, y);
                terms.not(equal)
            }
            BinaryOp::Iff => terms.eq(a, b),
            BinaryOp::Lt if integers => terms.int_lt(a, b),
            BinaryOp::Le if integers => terms.int_le(a, b),
            BinaryOp::Gt if integers => terms.int_lt(b, a),
            BinaryOp::Ge if integers => terms.int_le(b, a),
            BinaryOp::Lt => terms.real_lt(x, y),
            BinaryOp::Le => terms.real_le(x, y),
            BinaryOp::Gt => terms.real_lt(y, x),
            BinaryOp::Ge => terms.real_le(y, x),
            BinaryOp::Add if integers => terms.int_add(a, b),
            BinaryOp::Sub if integers => terms.int_sub(a, b),
            BinaryOp::Mul if integers => terms.int_mul(a, b),
            BinaryOp::Add => terms.real_add(x, y),
            BinaryOp::Sub => terms.real_sub(x, y),
            BinaryOp::Mul => terms.real_mul(x, y),
            BinaryOp::Div | BinaryOp::Mod | BinaryOp::PermDiv => {
                let zero = match terms.sort(b) {
                    Sort::Int => terms.int(0),
                    _ => self.no_permission(),
                };
                let nonzero = terms.ne(b, zero);
                self.require(scene, nonzero, ReasonKind::DivisionByZero, right.span)?;
                match op {
                    BinaryOp::Div => terms.int_div(a, b),
                    BinaryOp::Mod => terms.int_mod(a, b),
                    _ => {
                        let (a, b) = (self.as_permission(a), self.as_permission(b));
                        terms.real_div(a, b)
                    }
                }
            }
            BinaryOp::And => terms.and(a, b),
            BinaryOp::Or => terms.or(a, b),
            BinaryOp::Implies => terms.implies(a, b),
        })
    }

    /// The equality of two values; collections are compared by their elements.
    pub(crate) fn equal(&mut self, a: Term, b: Term) -> Term {
        if self.vocabulary.collections.kind(self.terms.sort(a)).is_some() {
            return self.vocabulary.collections.equal(self.terms, a, b);
        }
        self.terms.eq(a, b)
    }
}
