//! Expressions and assertions.
//!
//! Knows: types, purity, where a construct may stand. Never: statements (effects inside of expressions: `call.rs`).
//! Source: Smans et al. (2010), figures 5 to 7.

use super::scope::{Position, Scope, TypedExp};
use super::{Lowering, not_null};
use crate::classes::Typ;
use crate::syntax::{Expr, ExprKind, Name, join};
use effigy_contracts::Span;
use effigy_contracts::program::{BinaryOp, CollectionOp, Exp, ExpKind, FieldId, Type, UnaryOp, VarId};

/// An expression with at most this many nodes may be duplicated; larger ones are bound by `let`.
const SMALL: u32 = 12;

impl Lowering<'_> {
    /// A contract clause, an invariant, a predicate's body.
    pub(super) fn assertion(&mut self, scope: &mut Scope, expr: &Expr, position: Position) -> Exp {
        let before = std::mem::replace(&mut scope.position, position);
        let res = self.expression(scope, expr);
        scope.position = before;
        let res = self.expect(res, &Typ::Bool);
        if position.is_assertion() { res.exp } else { self.pure(res).exp }
    }

    /// An expression of a type that is expected.
    pub(super) fn typed(&mut self, scope: &mut Scope, expr: &Expr, position: Position, typ: &Typ) -> Exp {
        let before = std::mem::replace(&mut scope.position, position);
        let res = self.expression(scope, expr);
        scope.position = before;
        let res = self.expect(res, typ);
        self.pure(res).exp
    }

    /// Reports a value that is not of the type that is expected.
    pub(super) fn expect(&mut self, value: TypedExp, typ: &Typ) -> TypedExp {
        if typ.accepts(&value.typ) {
            return value;
        }
        let (expected, found) = (self.classes.name(typ), self.classes.name(&value.typ));
        self.error(value.exp.span, format!("`{expected}` was expected, not `{found}`"));
        TypedExp::wrong(value.exp.span)
    }

    /// Reports an assertion where a value is expected.
    pub(super) fn pure(&mut self, value: TypedExp) -> TypedExp {
        if value.exp.is_pure() {
            return value;
        }
        self.error(value.exp.span, "an expression was expected, not an assertion that asks for access");
        TypedExp::wrong(value.exp.span)
    }

    /// A pure expression of a type that is expected.
    fn operand(&mut self, scope: &mut Scope, expr: &Expr, typ: &Typ) -> Exp {
        let res = self.expression(scope, expr);
        let res = self.expect(res, typ);
        self.pure(res).exp
    }

    /// An operand that may not be evaluated.
    pub(super) fn conditionally(&mut self, scope: &mut Scope, expr: &Expr) -> TypedExp {
        scope.conditional += 1;
        let res = self.expression(scope, expr);
        scope.conditional -= 1;
        res
    }

    /// Operands from left to right: where a later one has an effect, an earlier one keeps its value.
    pub(super) fn operands(&mut self, scope: &mut Scope, exprs: &[&Expr]) -> Vec<TypedExp> {
        let last_effect = match scope.position {
            Position::Code => exprs.iter().rposition(|it| self.has_effects(it)),
            _ => None,
        };
        let mut res = Vec::with_capacity(exprs.len());
        for (index, expr) in exprs.iter().enumerate() {
            let mut value = self.expression(scope, expr);
            if last_effect.is_some_and(|it| index < it) && value.exp.is_pure() && value.typ != Typ::Wrong {
                value.exp = scope.keep(value.exp, &value.typ);
            }
            res.push(value);
        }
        res
    }

    pub(super) fn expression(&mut self, scope: &mut Scope, expr: &Expr) -> TypedExp {
        let span = expr.span;
        match &*expr.kind {
            ExprKind::Null => TypedExp::new(ExpKind::Null, Typ::Null, span),
            ExprKind::Bool(value) => TypedExp::truth(ExpKind::Bool(*value), span),
            ExprKind::Int(value) => TypedExp::new(ExpKind::Int(value.clone()), Typ::Int, span),
            ExprKind::This => self.this(scope, span),
            ExprKind::Result => match &scope.result {
                Some((kind, typ)) => TypedExp::new(kind.clone(), typ.clone(), span),
                None => {
                    self.error(span, "`result` was expected only in a postcondition of a method with a result");
                    TypedExp::wrong(span)
                }
            },
            ExprKind::Name(name) => self.name(scope, name, span),
            ExprKind::Field(receiver, name) => {
                let receiver = self.expression(scope, receiver);
                let receiver = self.pure(receiver);
                self.field_read(scope, receiver, name, span)
            }
            ExprKind::Call(receiver, name, args) => self.call(scope, receiver.as_ref(), name, args, span, None),
            ExprKind::Index(array, index) => {
                let parts = self.operands(scope, &[array, index]);
                let mut parts = parts.into_iter();
                match (parts.next(), parts.next()) {
                    (Some(array), Some(index)) => self.element_read(array, index, span),
                    _ => TypedExp::wrong(span),
                }
            }
            ExprKind::New(name, args) => self.new_object(scope, name, args.as_deref(), span, None),
            ExprKind::NewArray(element, size) => self.new_array(scope, element, size, span, None),
            ExprKind::Step(target, up) => self.step(scope, target, *up, span),
            ExprKind::Not(operand) => {
                let operand = self.operand(scope, operand, &Typ::Bool);
                TypedExp::truth(ExpKind::Unary(UnaryOp::Not, operand), span)
            }
            ExprKind::Neg(operand) => {
                let operand = self.operand(scope, operand, &Typ::Int);
                TypedExp::new(ExpKind::Unary(UnaryOp::Neg, operand), Typ::Int, span)
            }
            ExprKind::Chain(parts, ops) => self.chain(scope, parts, ops, span),
            ExprKind::And(parts) => self.listed(scope, parts, BinaryOp::And, span),
            ExprKind::Or(parts) => self.listed(scope, parts, BinaryOp::Or, span),
            ExprKind::Implies(condition, body) => {
                let condition = self.operand(scope, condition, &Typ::Bool);
                let body = self.conditionally(scope, body);
                let body = self.expect(body, &Typ::Bool).exp;
                TypedExp::truth(ExpKind::Binary(BinaryOp::Implies, condition, body), span)
            }
            ExprKind::Cond(condition, positive, negative) => self.choice(scope, condition, positive, negative, span),
            ExprKind::Old(operand) => self.old(scope, operand, span),
            ExprKind::Acc(target) => self.access(scope, target, span),
            ExprKind::Untouched(operand) => {
                if !matches!(scope.position, Position::Post | Position::Inline) || scope.class.is_none() {
                    self.error(span, "`untouched` was expected only where there is an old state: in a postcondition");
                }
                let operand = self.expression(scope, operand);
                let operand = self.expect(operand, &Typ::Bool).exp;
                TypedExp::truth(ExpKind::Untouched(operand), span)
            }
            ExprKind::Opening(call, body) => {
                let Some(predicate) = self.predicate_use(scope, call) else { return TypedExp::wrong(span) };
                self.calls.open();
                let body = self.conditionally(scope, body);
                self.calls.close();
                let body = self.pure(body);
                let typ = body.typ.clone();
                TypedExp::new(ExpKind::Unfolding(predicate, body.exp), typ, span)
            }
            ExprKind::Using(call, body) => {
                let Some(call) = self.pure_call(scope, call) else { return TypedExp::wrong(span) };
                let body = self.conditionally(scope, body);
                let body = self.pure(body);
                let typ = body.typ.clone();
                TypedExp::new(ExpKind::Using(call, body.exp), typ, span)
            }
            ExprKind::Length(_) => {
                self.executed_only(span, "`|a|`");
                TypedExp::wrong(span)
            }
        }
    }

    pub(super) fn this(&mut self, scope: &Scope, span: Span) -> TypedExp {
        match scope.class {
            Some(class) => TypedExp::new(ExpKind::Var(VarId(0)), Typ::Class(class), span),
            None => {
                self.error(span, "`this` was expected only inside of a class");
                TypedExp::wrong(span)
            }
        }
    }

    /// The `this` that is not written before a field of the class: it stands at the beginning of the field's name, and
    /// has no width.
    pub(super) fn implicit_this(&mut self, scope: &Scope, name: Span) -> Exp {
        self.this(scope, Span { end_line: name.line, end_column: name.column, ..name }).exp
    }

    fn name(&mut self, scope: &mut Scope, name: &str, span: Span) -> TypedExp {
        if let Some(variable) = scope.find(name) {
            return TypedExp::new(ExpKind::Var(variable), scope.types[variable.index()].clone(), span);
        }
        match self.own_field(scope, name) {
            Some((field, typ)) => {
                let this = self.implicit_this(scope, span);
                TypedExp::new(ExpKind::Field(this, field), typ, span)
            }
            None if name == "nil" => TypedExp::new(ExpKind::Null, Typ::Null, span),
            None => {
                self.error(span, format!("a variable or field was expected: there is no `{name}` here"));
                TypedExp::wrong(span)
            }
        }
    }

    /// A field of the class in which this stands.
    pub(super) fn own_field(&self, scope: &Scope, name: &str) -> Option<(FieldId, Typ)> {
        self.classes.list[scope.class?].field(name)
    }

    /// A field of a class by name; what is missing is reported.
    pub(super) fn field(&mut self, receiver: &TypedExp, name: &Name) -> Option<(FieldId, Typ)> {
        let res = match &receiver.typ {
            Typ::Class(class) => self.classes.list[*class].field(&name.text),
            Typ::Wrong => return None,
            _ => None,
        };
        if res.is_none() {
            let typ = self.classes.name(&receiver.typ);
            self.error(name.span, format!("a field of `{typ}` was expected: there is no `{}`", name.text));
        }
        res
    }

    fn field_read(&mut self, scope: &mut Scope, receiver: TypedExp, name: &Name, span: Span) -> TypedExp {
        if let Typ::Array(element) = receiver.typ.clone() {
            return match &*name.text {
                "length" => {
                    let checked = self.checked(scope, receiver.exp);
                    TypedExp { exp: self.arrays.length(checked, span), typ: Typ::Int }
                }
                "elems" => {
                    let exp = self.arrays.elements(receiver.exp, &element, self.classes, span);
                    TypedExp { exp, typ: Typ::Elems(element) }
                }
                other => {
                    self.error(name.span, format!("`length` or `elems` was expected: arrays have no `{other}`"));
                    TypedExp::wrong(span)
                }
            };
        }
        match self.field(&receiver, name) {
            Some((field, typ)) => TypedExp::new(ExpKind::Field(receiver.exp, field), typ, span),
            None => TypedExp::wrong(span),
        }
    }

    /// Lowers the read of an element, `a[i]`.
    pub(super) fn element_read(&mut self, array: TypedExp, index: TypedExp, span: Span) -> TypedExp {
        let array = self.pure(array);
        let index = self.expect(index, &Typ::Int);
        let index = self.pure(index).exp;
        match array.typ.clone() {
            Typ::Array(element) => {
                let elements = self.arrays.elements(array.exp, &element, self.classes, span);
                let typ = (*element).clone();
                TypedExp::new(ExpKind::Collection(CollectionOp::SeqIndex, vec![elements, index]), typ, span)
            }
            Typ::Wrong => TypedExp::wrong(span),
            other => {
                let found = self.classes.name(&other);
                self.error(array.exp.span, format!("an array was expected, not `{found}`"));
                TypedExp::wrong(span)
            }
        }
    }

    fn listed(&mut self, scope: &mut Scope, parts: &[Expr], op: BinaryOp, span: Span) -> TypedExp {
        let mut exps = Vec::with_capacity(parts.len());
        for (index, part) in parts.iter().enumerate() {
            let part = if index == 0 { self.expression(scope, part) } else { self.conditionally(scope, part) };
            let part = self.expect(part, &Typ::Bool);
            exps.push(if op == BinaryOp::And { part.exp } else { self.pure(part).exp });
        }
        let res = balanced(op, exps).unwrap_or_else(|| TypedExp::wrong(span).exp);
        TypedExp { exp: res, typ: Typ::Bool }
    }

    fn choice(
        &mut self,
        scope: &mut Scope,
        condition: &Expr,
        positive: &Expr,
        negative: &Expr,
        span: Span,
    ) -> TypedExp {
        let condition = self.operand(scope, condition, &Typ::Bool);
        let positive = self.conditionally(scope, positive);
        let negative = self.conditionally(scope, negative);
        let typ = if positive.typ.accepts(&negative.typ) {
            positive.typ.clone()
        } else if negative.typ.accepts(&positive.typ) {
            negative.typ.clone()
        } else {
            let (one, other) = (self.classes.name(&positive.typ), self.classes.name(&negative.typ));
            self.error(span, format!("two values of one type were expected, not `{one}` and `{other}`"));
            Typ::Wrong
        };
        TypedExp::new(ExpKind::Cond(condition, positive.exp, negative.exp), typ, span)
    }

    fn old(&mut self, scope: &mut Scope, operand: &Expr, span: Span) -> TypedExp {
        if !matches!(scope.position, Position::Post | Position::Inline) || scope.class.is_none() {
            self.error(span, "`old` was expected only where there is an old state: in a postcondition");
        }
        let operand = self.expression(scope, operand);
        let operand = self.pure(operand);
        TypedExp::new(ExpKind::Old(None, operand.exp), operand.typ, span)
    }

    /// Lowers an access assertion, `acc(e.f)`.
    fn access(&mut self, scope: &mut Scope, target: &Expr, span: Span) -> TypedExp {
        if !scope.position.is_assertion() {
            self.error(span, "an expression was expected: `acc` belongs into contracts and predicates");
            return TypedExp::wrong(span);
        }
        let access = |receiver, field| TypedExp::truth(ExpKind::AccField(receiver, field, None), span);
        match &*target.kind {
            ExprKind::Name(name) if scope.find(name).is_none() => match self.own_field(scope, name) {
                Some((field, _)) => access(self.implicit_this(scope, target.span), field),
                None => {
                    self.error(target.span, format!("a field was expected: there is no field `{name}` here"));
                    TypedExp::wrong(span)
                }
            },
            ExprKind::Field(receiver, name) => {
                let receiver = self.expression(scope, receiver);
                let receiver = self.pure(receiver);
                if let (Typ::Array(element), "elems") = (receiver.typ.clone(), &*name.text) {
                    return self.array_access(scope, receiver.exp, &element, span);
                }
                match self.field(&receiver, name) {
                    Some((field, _)) => access(self.checked(scope, receiver.exp), field),
                    None => TypedExp::wrong(span),
                }
            }
            _ => {
                self.error(target.span, "a field was expected: `acc(e.f)`");
                TypedExp::wrong(span)
            }
        }
    }

    /// `acc(a.elems)`: access, and what is always true of arrays.
    fn array_access(&mut self, scope: &mut Scope, array: Exp, element: &Typ, span: Span) -> TypedExp {
        let field = self.arrays.field(element, self.classes);
        let (name, shared) = self.shared(scope, array.clone(), &Typ::Object);
        let checked = Exp::new(ExpKind::Asserting(not_null(shared.clone()), shared.clone()), Type::Ref, span);
        let access = Exp::new(ExpKind::AccField(checked, field, None), Type::Bool, span);
        let elements = self.arrays.elements(shared.clone(), element, self.classes, span);
        let size = Exp::new(ExpKind::Collection(CollectionOp::SeqLength, vec![elements]), Type::Int, span);
        let length = self.arrays.length(shared, span);
        let equal = Exp::new(ExpKind::Binary(BinaryOp::Eq, size, length), Type::Bool, span);
        let both = Exp::new(ExpKind::Binary(BinaryOp::And, access, equal), Type::Bool, span);
        TypedExp { exp: named(name, array, both), typ: Typ::Bool }
    }

    /// A receiver that is checked not to be null (figures 5 and 6); `this` never is.
    pub(super) fn checked(&mut self, scope: &mut Scope, receiver: Exp) -> Exp {
        if scope.is_this(&receiver) {
            return receiver;
        }
        let span = receiver.span;
        let (name, shared) = self.shared(scope, receiver.clone(), &Typ::Object);
        let checked = Exp::new(ExpKind::Asserting(not_null(shared.clone()), shared), Type::Ref, span);
        named(name, receiver, checked)
    }

    /// What stands for an expression that is used more than once: itself if it is small, else a variable; the way
    /// back is [`named`]. Without it, nested expressions would double at each level.
    pub(super) fn shared(&mut self, scope: &mut Scope, value: Exp, typ: &Typ) -> (Option<VarId>, Exp) {
        let mut left = SMALL;
        if is_small(&value, &mut left) {
            return (None, value);
        }
        let span = value.span;
        let variable = scope.add("value".into(), typ.clone(), span);
        (Some(variable), scope.variable(variable, span))
    }
}

/// `let name == (value) in body`, if there is a name.
pub(super) fn named(name: Option<VarId>, value: Exp, body: Exp) -> Exp {
    let Some(name) = name else { return body };
    let (typ, span) = (body.typ.clone(), body.span);
    Exp::new(ExpKind::Let(name, value, body), typ, span)
}

fn is_small(exp: &Exp, left: &mut u32) -> bool {
    if *left == 0 {
        return false;
    }
    *left -= 1;
    match &*exp.kind {
        ExpKind::Var(_) | ExpKind::Int(_) | ExpKind::Null | ExpKind::Bool(_) | ExpKind::Result => true,
        ExpKind::Field(a, _) | ExpKind::Unary(_, a) => is_small(a, left),
        ExpKind::Binary(_, a, b) | ExpKind::Asserting(a, b) => is_small(a, left) && is_small(b, left),
        ExpKind::DomainCall(_, args, _) => args.iter().all(|it| is_small(it, left)),
        _ => false,
    }
}

/// Operands of an associative operator as a tree of logarithmic depth.
pub(super) fn balanced(op: BinaryOp, mut exps: Vec<Exp>) -> Option<Exp> {
    while exps.len() > 1 {
        let mut next = Vec::with_capacity(exps.len().div_ceil(2));
        let mut rest = exps.into_iter();
        while let Some(left) = rest.next() {
            next.push(match rest.next() {
                Some(right) => {
                    let span = join(left.span, right.span);
                    Exp::new(ExpKind::Binary(op, left, right), Type::Bool, span)
                }
                None => left,
            });
        }
        exps = next;
    }
    exps.pop()
}
