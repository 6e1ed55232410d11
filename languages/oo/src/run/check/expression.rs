//! Expressions, and what can be assigned.
//!
//! Knows: names, fields, elements, types. Never: calls (`call.rs`), rows of operators (`chain.rs`), connectives.

use super::scope::Checker;
use super::statement::{read_target, stepped};
use super::value::{MOST_DEPTH, Ty, Value, place};
use crate::ReadError;
use crate::run::program::{Expr, ExprKind, Op, StmtKind, Target, Type, VarId};
use crate::syntax::{self, Name};
use effigy_contracts::Span;

/// What a name stands for.
enum NameMeaning {
    Variable(VarId),
    OwnField(Target, Ty),
    Nil,
}

impl Checker {
    /// Checks an expression by itself (without effects).
    pub(super) fn lone_expression(mut self, expr: &syntax::Expr) -> Result<(Expr, Type), ReadError> {
        let value = self.expression(expr);
        if value.typ == Ty::Nil {
            self.error(expr.span, "an expression of a known type was expected: `nil` is of every class");
        }
        self.errors.sort_by_key(|it| it.span);
        match (self.errors.into_iter().next(), value.typ.of_variable()) {
            (None, Some(typ)) => Ok((value.exp, typ)),
            (Some(error), _) => Err(error),
            (None, None) => Err(ReadError::typechecker(expr.span, "an expression of a known type was expected")),
        }
    }

    /// Whether the evaluation does something.
    pub(super) fn has_effects(&self, expr: &syntax::Expr) -> bool {
        use syntax::ExprKind as E;
        match &*expr.kind {
            E::Step(..) | E::New(..) | E::NewArray(..) | E::Call(..) => true,
            E::Opening(_, body) | E::Using(_, body) => self.has_effects(body),
            other => other.parts().into_iter().any(|it| self.has_effects(it)),
        }
    }

    /// An expression of a type that is expected.
    pub(super) fn typed(&mut self, expr: &syntax::Expr, typ: &Ty) -> Expr {
        let value = self.expression(expr);
        self.expect(value, typ).exp
    }

    /// Reports a value that is not of the type that is expected.
    pub(super) fn expect(&mut self, value: Value, typ: &Ty) -> Value {
        let span = value.exp.span;
        if self.expect_type(span, typ, &value.typ) { value } else { Value::wrong(span) }
    }

    /// Reports a type that is not the one that is expected.
    pub(super) fn expect_type(&mut self, span: Span, expected: &Ty, found: &Ty) -> bool {
        let fits = expected.accepts(found);
        if !fits {
            self.error(span, format!("`{}` was expected, not `{}`", self.name_of(expected), self.name_of(found)));
        }
        fits
    }

    /// Operands from left to right: where a later one has an effect, an earlier one keeps its value.
    pub(super) fn operands(&mut self, exprs: &[&syntax::Expr]) -> Vec<Value> {
        let last_effect = exprs.iter().rposition(|it| self.has_effects(it));
        let mut res = Vec::with_capacity(exprs.len());
        for (index, expr) in exprs.iter().enumerate() {
            let value = self.expression(expr);
            res.push(if last_effect.is_some_and(|it| index < it) { self.keep(value) } else { value });
        }
        res
    }

    /// An operation, checked for its depth.
    pub(super) fn node(&mut self, kind: ExprKind, typ: Ty, depth: u32, span: Span) -> Value {
        if depth >= MOST_DEPTH {
            return self.wrong(span, format!("this is nested too deeply: at most {MOST_DEPTH} levels were expected"));
        }
        Value { exp: place(kind, span), typ, depth: depth + 1 }
    }

    pub(super) fn op(&mut self, op: Op, operands: Vec<Value>, typ: Ty, span: Span) -> Value {
        if operands.iter().any(Value::is_wrong) {
            return Value::wrong(span);
        }
        let depth = operands.iter().map(|it| it.depth).max().unwrap_or(0);
        let operands = operands.into_iter().map(|it| it.exp).collect();
        self.node(ExprKind::Op(op, operands), typ, depth, span)
    }

    pub(super) fn expression(&mut self, expr: &syntax::Expr) -> Value {
        use syntax::ExprKind as E;
        let span = expr.span;
        match &*expr.kind {
            E::Null => Value::leaf(ExprKind::Nil, Ty::Nil, span),
            E::Bool(value) => Value::leaf(ExprKind::Bool(*value), Ty::Bool, span),
            E::Int(value) => Value::leaf(ExprKind::Int(value.clone()), Ty::Int, span),
            E::This => match self.this(span) {
                Some(this) => self.variable_of(&this, span),
                None => self.wrong(span, "`this` was expected only in a method"),
            },
            E::Name(name) => match self.named(name, span) {
                Some(NameMeaning::Variable(variable)) => {
                    if let Type::Map(_) = self.program.variable(variable).typ {
                        return self.wrong(
                            span,
                            format!("an element `{name}[..]` was expected: `{name}` is an array `T -> T'`"),
                        );
                    }
                    self.read_variable(variable, span)
                }
                Some(NameMeaning::OwnField(target, typ)) => Value { exp: read_target(&target, span), typ, depth: 2 },
                Some(NameMeaning::Nil) => Value::leaf(ExprKind::Nil, Ty::Nil, span),
                None => Value::wrong(span),
            },
            E::Field(..) | E::Index(..) => match self.target_or_length(expr) {
                Some((target, typ, depth)) => {
                    let kind = ExprKind::clone(&read_target(&target, span).kind);
                    self.node(kind, typ, depth, span)
                }
                None => Value::wrong(span),
            },
            E::Length(name) => match self.bounded(name) {
                Some(array) => Value::leaf(ExprKind::Length(array), Ty::Int, span),
                None => Value::wrong(span),
            },
            E::Call(receiver, name, args) => self.call_value(receiver.as_ref(), name, args, span),
            E::New(name, args) => self.new_object(name, args.as_deref(), None, span, span),
            E::NewArray(element, size) => self.new_array(element, size, None, span, span),
            E::Step(target, up) => self.step(target, *up, span),
            E::Not(operand) => {
                let operand = self.expression(operand);
                let operand = self.expect(operand, &Ty::Bool);
                self.op(Op::Not, vec![operand], Ty::Bool, span)
            }
            E::Neg(operand) => {
                let operand = self.expression(operand);
                let operand = self.expect(operand, &Ty::Int);
                self.op(Op::Neg, vec![operand], Ty::Int, span)
            }
            E::Chain(parts, ops) => self.chain(parts, ops, span),
            E::And(parts) => self.connective(Op::And, &parts.iter().collect::<Vec<_>>(), span),
            E::Or(parts) => self.connective(Op::Or, &parts.iter().collect::<Vec<_>>(), span),
            E::Implies(condition, body) => self.connective(Op::Implies, &[condition, body], span),
            E::Cond(condition, positive, negative) => self.choice(condition, positive, negative, span),
            // A pure method gives what its body gives, whatever the verifier opens.
            E::Opening(_, body) | E::Using(_, body) => self.expression(body),
            E::Old(_) => self.specified("`old`", span),
            E::Acc(_) => self.specified("`acc`", span),
            E::Untouched(_) => self.specified("`untouched`", span),
            E::Result => self.specified("`result`", span),
        }
    }

    /// What only a verifier understands.
    pub(super) fn specified(&mut self, what: &str, span: Span) -> Value {
        if self.asserted {
            self.specification = true;
            return Value::wrong(span);
        }
        self.wrong(span, format!("an expression was expected: {what} belongs into contracts"))
    }

    fn variable_of(&self, exp: &Expr, span: Span) -> Value {
        match *exp.kind {
            ExprKind::Var(variable) => self.read_variable(variable, span),
            _ => Value::wrong(span),
        }
    }

    /// The routine's variables come before its object's fields, those before the main statement's variables.
    fn named(&mut self, name: &str, span: Span) -> Option<NameMeaning> {
        if let Some(variable) = self.own_variable(name) {
            return Some(NameMeaning::Variable(variable));
        }
        let own = self.class.and_then(|it| self.names.fields.get(&(it, name.into())).copied());
        if let (Some(field), Some(this)) = (own, self.this(span)) {
            return Some(NameMeaning::OwnField(Target::Field(this, field), Ty::of(&self.program.field(field).typ)));
        }
        match self.names.globals.get(name) {
            // In the main statement, a variable is known behind its declaration.
            Some(_) if self.is_main() && self.effects => {
                self.error(span, format!("a variable was expected: `{name}` is declared further below"));
                None
            }
            Some(variable) => Some(NameMeaning::Variable(*variable)),
            None if name == "nil" => Some(NameMeaning::Nil),
            None => {
                self.error(span, format!("a variable or field was expected: there is no `{name}` here"));
                None
            }
        }
    }

    /// The bounded array that `|a|` is about.
    pub(super) fn bounded(&mut self, name: &Name) -> Option<VarId> {
        let found = self.named(&name.text, name.span)?;
        if let NameMeaning::Variable(variable) = found {
            match &self.program.variable(variable).typ {
                Type::Map(map) if map.bounded => return Some(variable),
                _ if self.type_of(variable) == Ty::Wrong && !self.is_map(variable) => return None,
                _ => {}
            }
        }
        let message = format!("an array with a length (`nat -> T {}`) was expected between the bars", name.text);
        self.error(name.span, message);
        None
    }

    fn is_map(&self, variable: VarId) -> bool {
        matches!(self.program.variable(variable).typ, Type::Map(_))
    }

    /// What the left side of `:=` means, with its type. Effects inside of it happen.
    pub(super) fn target(&mut self, expr: &syntax::Expr) -> Option<(Target, Ty)> {
        match &*expr.kind {
            syntax::ExprKind::Name(name) => match self.named(name, expr.span)? {
                NameMeaning::Variable(variable) if self.is_map(variable) => {
                    let message =
                        format!("an element `{name}[..]` was expected: an array `T -> T'` is not assigned as a whole");
                    self.error(expr.span, message);
                    None
                }
                NameMeaning::Variable(variable) => Some((Target::Var(variable), self.type_of(variable))),
                NameMeaning::OwnField(target, typ) => Some((target, typ)),
                NameMeaning::Nil => {
                    self.error(expr.span, "a variable, a field or an element was expected, not `nil`");
                    None
                }
            },
            syntax::ExprKind::Field(..) | syntax::ExprKind::Index(..) => {
                let (target, typ, _) = self.target_or_length(expr)?;
                if let Target::Field(_, field) = &target
                    && self.program.class(self.program.field(*field).class).element.is_some()
                {
                    self.error(expr.span, "an element was expected: an array's length is not assigned");
                    return None;
                }
                Some((target, typ))
            }
            _ => {
                self.error(expr.span, "a variable, a field or an element was expected");
                None
            }
        }
    }

    /// `e.f`, `a[e]`, `e[e']`: with its type, and the depth of what it is made of.
    fn target_or_length(&mut self, expr: &syntax::Expr) -> Option<(Target, Ty, u32)> {
        match &*expr.kind {
            syntax::ExprKind::Field(receiver, name) => {
                let receiver = self.expression(receiver);
                let class = match receiver.typ {
                    Ty::Object(class) => class,
                    Ty::Wrong => return None,
                    ref typ => {
                        let message = format!("an object was expected: `{}` has no fields", self.name_of(typ));
                        self.error(receiver.exp.span, message);
                        return None;
                    }
                };
                let Some(field) = self.names.fields.get(&(class, name.text.clone())).copied() else {
                    let class = self.program.class(class).name.clone();
                    self.error(name.span, format!("a field of `{class}` was expected: there is no `{}`", name.text));
                    return None;
                };
                let typ = Ty::of(&self.program.field(field).typ);
                Some((Target::Field(receiver.exp, field), typ, receiver.depth))
            }
            syntax::ExprKind::Index(array, index) => {
                if let syntax::ExprKind::Name(name) = &*array.kind
                    && let Some(variable) = self.map_named(name)
                {
                    return self.element(variable, index);
                }
                let mut parts = self.operands(&[array, index]).into_iter();
                let (array, index) = (parts.next()?, parts.next()?);
                let index = self.expect(index, &Ty::Int);
                let element = match array.typ {
                    Ty::Object(class) => self.program.class(class).element.clone(),
                    Ty::Wrong => return None,
                    _ => None,
                };
                let Some(element) = element else {
                    let found = self.name_of(&array.typ);
                    self.error(array.exp.span, format!("an array was expected, not `{found}`"));
                    return None;
                };
                let depth = array.depth.max(index.depth);
                Some((Target::Item(array.exp, index.exp), Ty::of(&element), depth))
            }
            _ => None,
        }
    }

    /// The array as a function that a name stands for, if it does.
    fn map_named(&self, name: &str) -> Option<VarId> {
        let variable = match self.own_variable(name) {
            Some(variable) => variable,
            None if self.class.is_some_and(|it| self.names.fields.contains_key(&(it, name.into()))) => return None,
            None if self.is_main() && self.effects => return None,
            None => *self.names.globals.get(name)?,
        };
        self.is_map(variable).then_some(variable)
    }

    fn element(&mut self, array: VarId, index: &syntax::Expr) -> Option<(Target, Ty, u32)> {
        let index = self.expression(index);
        let Type::Map(map) = self.program.variable(array).typ.clone() else { return None };
        let index = self.expect(index, &Ty::of(&map.index));
        Some((Target::Element(array, index.exp), Ty::of(&map.element), index.depth))
    }

    /// Keeps the parts of a target where something with an effect comes between them and the assignment.
    pub(super) fn keep_target(&mut self, target: Target) -> Target {
        match target {
            Target::Var(variable) => Target::Var(variable),
            Target::Field(receiver, field) => {
                let typ = Ty::Object(self.program.field(field).class);
                Target::Field(self.kept(receiver, typ), field)
            }
            Target::Element(array, index) => {
                let typ = match &self.program.variable(array).typ {
                    Type::Map(map) => Ty::of(&map.index),
                    _ => Ty::Wrong,
                };
                Target::Element(array, self.kept(index, typ))
            }
            Target::Item(array, index) => {
                let typ = self.item_type(&array);
                let array = self.kept(array, typ);
                Target::Item(array, self.kept(index, Ty::Int))
            }
        }
    }

    fn kept(&mut self, exp: Expr, typ: Ty) -> Expr {
        self.keep(Value { exp, typ, depth: 0 }).exp
    }

    /// `e++`, `e--`: the value before.
    fn step(&mut self, target: &syntax::Expr, up: bool, span: Span) -> Value {
        if !self.effect(span) {
            return Value::wrong(span);
        }
        let kept = self.has_effects(target);
        let Some((mut place, typ)) = self.target(target) else { return Value::wrong(span) };
        if kept {
            place = self.keep_target(place);
        }
        if !self.expect_type(target.span, &Ty::Int, &typ) || typ == Ty::Wrong {
            return Value::wrong(span);
        }
        let before = self.temporary(Type::Int);
        let value = read_target(&place, target.span);
        self.push(StmtKind::Assign(Target::Var(before), value), span);
        let before = self.read_variable(before, span);
        self.push(StmtKind::Assign(place, stepped(before.exp.clone(), up, span)), span);
        before
    }

    /// Reports an effect where none may be.
    pub(super) fn effect(&mut self, span: Span) -> bool {
        if !self.effects {
            self.error(span, "an expression without effects was expected: no calls, no `new`, no `++`");
        }
        self.effects
    }
}
