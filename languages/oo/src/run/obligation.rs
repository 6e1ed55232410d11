//! δ(e): what must hold for an expression to have a value, condition by condition in the order of evaluation.
//!
//! Knows: the three errors of expressions. Never: values, terms: a condition is an expression of the language.
//! Source: de Boer and Bonsangue 2021, section 2.1 (δ for arrays), definition 4.1 (δ for nil).

use super::program::{ClassId, Expr, ExprKind, FieldId, Op, Program, Semantics, Target};
use effigy_contracts::Span;
use effigy_engine::BugKind;
use num_bigint::BigInt;
use num_traits::Zero;
use std::rc::Rc;
use std::sync::Arc;

/// `e.f`, `e.m(...)`, `e[i]` where e is `nil`.
pub const NIL: BugKind = BugKind("nil-dereference");
/// A subscript outside of the array.
pub const BOUNDS: BugKind = BugKind("array-out-of-bounds");
/// Division, or a remainder, by zero.
pub const DIVISION: BugKind = BugKind("division-by-zero");
/// `new T[e]` where e is negative.
pub const SIZE: BugKind = BugKind("negative-size");
/// An `assert` that does not hold.
pub const ASSERTION: BugKind = BugKind("assertion");

/// The classes of bugs of executed `.oo` programs, with what they mean.
pub const BUG_KINDS: &[(BugKind, &str)] = &[
    (NIL, "a field, method or element of nil"),
    (BOUNDS, "a subscript outside of its array"),
    (DIVISION, "division by zero"),
    (SIZE, "a new array of negative size"),
    (ASSERTION, "an assert that does not hold"),
];

/// One condition that must hold.
#[derive(Clone, Debug)]
pub struct Obligation {
    /// What is wrong where it does not.
    pub kind: BugKind,
    /// The condition, of type Bool; it has a value wherever the obligations before it hold.
    pub cond: Expr,
    /// What is wrong, for a person.
    pub message: Arc<str>,
}

/// Collects the obligations of one statement.
pub(crate) struct Obligations<'a> {
    program: &'a Program,
    semantics: Semantics,
    /// Under which conditions the part that is looked at is evaluated at all.
    guards: Vec<Expr>,
    found: Vec<Obligation>,
}

fn expr(kind: ExprKind, span: Span) -> Expr {
    Expr { kind: Rc::new(kind), span }
}

pub(crate) fn op(op: Op, parts: Vec<Expr>, span: Span) -> Expr {
    expr(ExprKind::Op(op, parts), span)
}

impl<'a> Obligations<'a> {
    pub(crate) fn new(program: &'a Program, semantics: Semantics) -> Obligations<'a> {
        Obligations { program, semantics, guards: Vec::new(), found: Vec::new() }
    }

    pub(crate) fn finish(self) -> Rc<[Obligation]> {
        self.found.into()
    }

    fn add(&mut self, kind: BugKind, cond: Expr, message: String) {
        let span = cond.span;
        let cond = match self.guards.as_slice() {
            [] => cond,
            [only] => op(Op::Implies, vec![only.clone(), cond], span),
            several => op(Op::Implies, vec![op(Op::And, several.to_vec(), span), cond], span),
        };
        // What was asked for already is not asked again (δ(h) and δ(e) often share their receivers).
        let text = self.program.show(&cond);
        if !self.found.iter().any(|it| it.kind == kind && self.program.show(&it.cond) == text) {
            self.found.push(Obligation { kind, cond, message: message.into() });
        }
    }

    /// Adds the obligation that `e ≠ nil`.
    pub(crate) fn not_nil(&mut self, of: &Expr) {
        let cond = op(Op::Ne, vec![of.clone(), expr(ExprKind::Nil, of.span)], of.span);
        self.add(NIL, cond, format!("{} is nil", self.program.show(of)));
    }

    /// `0 ≤ at < length`, or `≤` in the paper's semantics.
    fn within(&mut self, at: &Expr, length: Expr) {
        let zero = expr(ExprKind::Int(BigInt::zero()), at.span);
        let upper = if self.semantics.paper { Op::Le } else { Op::Lt };
        let (index, bound) = (self.program.show(at), self.program.show(&length));
        let low = op(Op::Le, vec![zero, at.clone()], at.span);
        let high = op(upper, vec![at.clone(), length], at.span);
        let cond = op(Op::And, vec![low, high], at.span);
        self.add(BOUNDS, cond, format!("the subscript {index} is not within 0 and {bound}"));
    }

    /// The size of a new array.
    pub(crate) fn size(&mut self, size: &Expr) {
        self.defined(size);
        let zero = expr(ExprKind::Int(BigInt::zero()), size.span);
        let cond = op(Op::Le, vec![zero, size.clone()], size.span);
        self.add(SIZE, cond, format!("the size {} is negative", self.program.show(size)));
    }

    /// The condition of an `assert`.
    pub(crate) fn assertion(&mut self, cond: &Expr) {
        self.defined(cond);
        self.add(ASSERTION, cond.clone(), format!("{} does not hold", self.program.show(cond)));
    }

    /// Adds δ(h), without the obligations of the value.
    pub(crate) fn target(&mut self, target: &Target) {
        match target {
            Target::Var(_) => {}
            Target::Field(of, _) => {
                self.defined(of);
                self.not_nil(of);
            }
            Target::Element(map, at) => self.element(*map, at),
            Target::Item(of, at) => self.item(of, at),
        }
    }

    fn element(&mut self, map: super::program::VarId, at: &Expr) {
        self.defined(at);
        if matches!(&self.program.variable(map).typ, super::program::Type::Map(it) if it.bounded) {
            self.within(at, expr(ExprKind::Length(map), at.span));
        }
    }

    fn item(&mut self, of: &Expr, at: &Expr) {
        self.defined(of);
        self.not_nil(of);
        self.defined(at);
        if let Some(field) = self.length_of(of) {
            self.within(at, expr(ExprKind::Field(of.clone(), field), of.span));
        }
    }

    fn length_of(&self, of: &Expr) -> Option<FieldId> {
        let class: ClassId = self.program.class_of(of)?;
        self.program.class(class).fields.first().copied()
    }

    /// Adds δ(e), the obligations of an expression.
    pub(crate) fn defined(&mut self, of: &Expr) {
        match &*of.kind {
            ExprKind::Nil | ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Var(_) | ExprKind::Length(_) => {}
            ExprKind::Field(of, _) => {
                self.defined(of);
                self.not_nil(of);
            }
            ExprKind::Element(map, at) => self.element(*map, at),
            ExprKind::Item(of, at) => self.item(of, at),
            ExprKind::Cond(cond, yes, no) => {
                self.defined(cond);
                self.under(cond.clone(), |it| it.defined(yes));
                self.under(op(Op::Not, vec![cond.clone()], cond.span), |it| it.defined(no));
            }
            ExprKind::Op(which, parts) => self.operation(*which, parts),
        }
    }

    fn operation(&mut self, which: Op, parts: &[Expr]) {
        let before = self.guards.len();
        for (index, part) in parts.iter().enumerate() {
            self.defined(part);
            // The next operand is evaluated only where this one leaves the result open.
            let open = match which {
                Op::And | Op::Implies => Some(part.clone()),
                Op::Or => Some(op(Op::Not, vec![part.clone()], part.span)),
                _ => None,
            };
            if let Some(open) = open
                && !self.semantics.paper
                && index + 1 < parts.len()
            {
                self.guards.push(open);
            }
        }
        self.guards.truncate(before);
        if let (Op::Div | Op::Mod, [_, divisor]) = (which, parts)
            && !self.semantics.paper
        {
            let zero = expr(ExprKind::Int(BigInt::zero()), divisor.span);
            let cond = op(Op::Ne, vec![divisor.clone(), zero], divisor.span);
            self.add(DIVISION, cond, format!("{} is zero", self.program.show(divisor)));
        }
    }

    fn under(&mut self, guard: Expr, look: impl FnOnce(&mut Self)) {
        if self.semantics.paper {
            return look(self);
        }
        self.guards.push(guard);
        look(self);
        self.guards.pop();
    }
}

impl Program {
    /// The class of an expression's value, if it is an object; `nil` has none.
    pub fn class_of(&self, expr: &Expr) -> Option<ClassId> {
        use super::program::Type;
        let object = |typ: &Type| match typ {
            Type::Object(class) => Some(*class),
            _ => None,
        };
        match &*expr.kind {
            ExprKind::Var(id) => object(&self.variable(*id).typ),
            ExprKind::Field(_, field) => object(&self.field(*field).typ),
            ExprKind::Element(map, _) => match &self.variable(*map).typ {
                Type::Map(map) => object(&map.element),
                _ => None,
            },
            ExprKind::Item(of, _) => object(self.class(self.class_of(of)?).element.as_ref()?),
            ExprKind::Cond(_, yes, no) => self.class_of(yes).or_else(|| self.class_of(no)),
            _ => None,
        }
    }
}
