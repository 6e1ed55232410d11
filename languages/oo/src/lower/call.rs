//! Calls, allocations and steps: what has a receiver or an effect.
//!
//! Knows: receivers are checked, arguments are of the parameters' types, effects happen from left to right where they
//! stand. Never: operators.
//! Source: Smans et al. (2010), figure 8 (`new`, mutator calls), figure 10 (`list.items[index++]`).

use super::scope::{Position, Scope, TypedExp};
use super::{Lowering, default};
use crate::classes::{Member, Parameters, Typ};
use crate::syntax::{Expr, ExprKind, Name, TypeName};
use effigy_contracts::Span;
use effigy_contracts::program::{
    BinaryOp, CollectionOp, Exp, ExpKind, FieldId, MethodId, PredicateUse, StmtKind, Type, VarId,
};

/// Something that can be assigned. Its receiver and index were evaluated.
pub(super) enum Target {
    Variable(VarId),
    Field(Exp, FieldId),
    Element(Exp, Exp, Typ),
}

/// A member with its receiver and arguments.
struct Callee {
    member: Member,
    /// The arguments, the receiver first.
    args: Vec<Exp>,
}

impl Lowering<'_> {
    /// Whether an expression may do something when it is evaluated.
    pub(super) fn has_effects(&self, expr: &Expr) -> bool {
        match &*expr.kind {
            ExprKind::Step(..) | ExprKind::New(..) | ExprKind::NewArray(..) => true,
            ExprKind::Call(_, name, _) if self.classes.mutators.contains(&name.text) => true,
            other => other.parts().iter().any(|it| self.has_effects(it)),
        }
    }

    /// Reports an effect where none may be.
    fn effect(&mut self, scope: &Scope, span: Span) -> bool {
        let problem = if scope.position != Position::Code {
            "an expression without effects was expected: contracts and pure methods change nothing"
        } else if scope.conditional > 0 {
            "an expression without effects was expected: this one may not be evaluated, or more than once"
        } else {
            return true;
        };
        self.error(span, problem);
        false
    }

    /// The member that is called, its arguments evaluated and checked.
    fn callee(&mut self, scope: &mut Scope, receiver: Option<&Expr>, name: &Name, args: &[Expr]) -> Option<Callee> {
        let exprs: Vec<&Expr> = receiver.into_iter().chain(args).collect();
        let mut values = self.operands(scope, &exprs).into_iter();
        let receiver = match receiver {
            Some(_) => values.next()?,
            None => self.this(scope, name.span),
        };
        let receiver = self.pure(receiver);
        let class = match &receiver.typ {
            Typ::Class(class) => *class,
            Typ::Wrong => return None,
            other => {
                let found = self.classes.name(other);
                self.error(name.span, format!("an object of a class was expected: `{found}` has no `{}`", name.text));
                return None;
            }
        };
        let Some(member) = self.classes.list[class].members.get(&name.text).cloned() else {
            let class = &self.classes.list[class].name;
            self.error(name.span, format!("a method of `{class}` was expected: there is no `{}`", name.text));
            return None;
        };
        scope.calls_this |= scope.is_this(&receiver.exp);
        let mut res = vec![self.checked(scope, receiver.exp)];
        res.extend(self.arguments(member.parameters(), values.collect(), name.span)?);
        Some(Callee { member, args: res })
    }

    fn arguments(&mut self, parameters: &Parameters, values: Vec<TypedExp>, span: Span) -> Option<Vec<Exp>> {
        if parameters.len() != values.len() {
            let (expected, found) = (parameters.len(), values.len());
            self.error(span, format!("as many arguments as parameters were expected: {expected}, not {found}"));
            return None;
        }
        let mut res = Vec::with_capacity(values.len());
        for ((_, typ), value) in parameters.iter().zip(values) {
            let value = self.expect(value, typ);
            res.push(self.pure(value).exp);
        }
        Some(res)
    }

    /// `e.m(...)` of any kind. The result of a mutator goes to `target`, if it is given and fits.
    pub(super) fn call(
        &mut self,
        scope: &mut Scope,
        receiver: Option<&Expr>,
        name: &Name,
        args: &[Expr],
        span: Span,
        target: Option<(VarId, &Typ)>,
    ) -> TypedExp {
        let Some(Callee { member, args }) = self.callee(scope, receiver, name, args) else {
            return TypedExp::wrong(span);
        };
        match member {
            Member::Pure { id, result, .. } => {
                self.calls.record(id, span);
                TypedExp::new(ExpKind::Call(id, args), result, span)
            }
            Member::Predicate { id, .. } => {
                if !scope.position.is_assertion() {
                    self.error(span, "an expression was expected: predicates belong into contracts and predicates");
                    return TypedExp::wrong(span);
                }
                let predicate = PredicateUse { predicate: id, args, perm: None, span };
                TypedExp::truth(ExpKind::AccPredicate(predicate), span)
            }
            Member::Mutator { id, result, .. } => {
                if !self.effect(scope, span) {
                    return TypedExp::wrong(span);
                }
                let Some(typ) = result else {
                    self.error(span, format!("a value was expected: `{}` has no result", name.text));
                    return TypedExp::wrong(span);
                };
                let variable = match target {
                    Some((variable, expected)) if expected.accepts(&typ) => variable,
                    _ => self.result_variable(scope, &typ, span),
                };
                scope.push(StmtKind::Call { method: id, args, targets: vec![variable] }, span);
                TypedExp { exp: scope.variable(variable, span), typ }
            }
        }
    }

    /// Lowers the call statement `e.m(...);`.
    pub(super) fn call_statement(
        &mut self,
        scope: &mut Scope,
        receiver: Option<&Expr>,
        name: &Name,
        args: &[Expr],
        span: Span,
    ) {
        let Some(Callee { member, args }) = self.callee(scope, receiver, name, args) else { return };
        match member {
            Member::Mutator { id, result, .. } => {
                let variable = result.map(|it| self.result_variable(scope, &it, span));
                scope.push(StmtKind::Call { method: id, args, targets: variable.into_iter().collect() }, span);
            }
            _ => self.error(span, format!("a mutator was expected: `{}` changes nothing", name.text)),
        }
    }

    fn result_variable(&mut self, scope: &mut Scope, typ: &Typ, span: Span) -> VarId {
        let res = scope.add("value".into(), typ.clone(), span);
        scope.push(StmtKind::Local(res), span);
        res
    }

    /// The predicate instance of `open`, `close` and `opening`.
    pub(super) fn predicate_use(&mut self, scope: &mut Scope, expr: &Expr) -> Option<PredicateUse> {
        if let ExprKind::Call(receiver, name, args) = &*expr.kind {
            scope.conditional += 1;
            let callee = self.callee(scope, receiver.as_ref(), name, args);
            scope.conditional -= 1;
            let Callee { member, args } = callee?;
            if let Member::Predicate { id, .. } = member {
                return Some(PredicateUse { predicate: id, args, perm: None, span: expr.span });
            }
        }
        self.error(expr.span, "a predicate was expected: `e.q(...)`");
        None
    }

    /// The pure call of `use` and `using`.
    pub(super) fn pure_call(&mut self, scope: &mut Scope, expr: &Expr) -> Option<Exp> {
        if matches!(*expr.kind, ExprKind::Call(..)) {
            let res = self.conditionally(scope, expr);
            if res.typ == Typ::Wrong {
                return None;
            }
            if matches!(*res.exp.kind, ExpKind::Call(..)) {
                return Some(res.exp);
            }
        }
        self.error(expr.span, "a pure method was expected: `e.p(...)`");
        None
    }

    /// `new C`, `new C(...)`. The object goes to `target`, if it is given.
    pub(super) fn new_object(
        &mut self,
        scope: &mut Scope,
        name: &Name,
        args: Option<&[Expr]>,
        span: Span,
        target: Option<VarId>,
    ) -> TypedExp {
        if !self.effect(scope, span) {
            return TypedExp::wrong(span);
        }
        let typ = match (&*name.text, self.classes.find(&name.text)) {
            ("Object", _) => Typ::Object,
            (_, Some(class)) => Typ::Class(class),
            _ => {
                self.error(name.span, format!("a class was expected: there is no class `{}`", name.text));
                return TypedExp::wrong(span);
            }
        };
        let (fields, constructor) = match &typ {
            Typ::Class(class) => {
                let info = &self.classes.list[*class];
                (info.fields.as_slice(), info.constructor.as_ref())
            }
            _ => (&[][..], None),
        };
        let exprs: Vec<&Expr> = args.unwrap_or(&[]).iter().collect();
        let values = self.operands(scope, &exprs);
        let variable = target.unwrap_or_else(|| self.result_variable(scope, &typ, span));
        let object = scope.variable(variable, span);
        scope.push(StmtKind::New(variable, fields.iter().map(|it| it.1).collect()), span);
        for (_, field, typ) in fields {
            scope.push(StmtKind::FieldAssign(object.clone(), *field, default(typ, span)), span);
        }
        if args.is_some() {
            let none = Parameters::new();
            let parameters = constructor.map_or(&none, |it| it.parameters());
            let args = self.arguments(parameters, values, name.span);
            if let (Some(Member::Mutator { id, .. }), Some(args)) = (constructor, args) {
                let method: MethodId = *id;
                let args = [object.clone()].into_iter().chain(args).collect();
                scope.push(StmtKind::Call { method, args, targets: Vec::new() }, span);
            }
        }
        TypedExp { exp: object, typ }
    }

    /// `new T[n]`. The array goes to `target`, if it is given.
    pub(super) fn new_array(
        &mut self,
        scope: &mut Scope,
        element: &TypeName,
        size: &Expr,
        span: Span,
        target: Option<VarId>,
    ) -> TypedExp {
        if !self.effect(scope, span) {
            return TypedExp::wrong(span);
        }
        let element = self.classes.resolve(element, &mut self.errors);
        let size = self.expression(scope, size);
        let size = self.expect(size, &Typ::Int);
        let size = self.pure(size).exp;
        if element == Typ::Wrong {
            return TypedExp::wrong(span);
        }
        let size = if matches!(*size.kind, ExpKind::Int(_)) { size } else { scope.keep(size, &Typ::Int) };
        let zero = Exp::new(ExpKind::Int(0.into()), Type::Int, size.span);
        let fits = Exp::new(ExpKind::Binary(BinaryOp::Ge, size.clone(), zero), Type::Bool, size.span);
        if !matches!(*size.kind, ExpKind::Int(_)) {
            scope.push(StmtKind::Assert(fits), size.span);
        }
        let typ = Typ::Array(element.clone().into());
        let variable = target.unwrap_or_else(|| self.result_variable(scope, &typ, span));
        let array = scope.variable(variable, span);
        let field = self.arrays.field(&element, self.classes);
        scope.push(StmtKind::New(variable, vec![field]), span);
        let unset = self.arrays.unset(&element, &size, span);
        scope.push(StmtKind::FieldAssign(array.clone(), field, unset), span);
        let length = self.arrays.length(array.clone(), span);
        let sized = Exp::new(ExpKind::Binary(BinaryOp::Eq, length, size), Type::Bool, span);
        scope.push(StmtKind::Assume(sized), span);
        TypedExp { exp: array, typ }
    }

    /// `e++`, `e--`: the value before.
    pub(super) fn step(&mut self, scope: &mut Scope, target: &Expr, up: bool, span: Span) -> TypedExp {
        if !self.effect(scope, span) {
            return TypedExp::wrong(span);
        }
        let written = target.span;
        let Some((target, typ)) = self.target(scope, target) else { return TypedExp::wrong(span) };
        let value = TypedExp { exp: self.read(&target, &typ, written, scope), typ };
        let value = self.expect(value, &Typ::Int);
        if value.typ == Typ::Wrong {
            return value;
        }
        let before = scope.keep(value.exp, &Typ::Int);
        let one = Exp::new(ExpKind::Int(1.into()), Type::Int, span);
        let op = if up { BinaryOp::Add } else { BinaryOp::Sub };
        let after = Exp::new(ExpKind::Binary(op, before.clone(), one), Type::Int, span);
        self.write(scope, target, after, span);
        TypedExp { exp: before, typ: Typ::Int }
    }

    /// What the left side of `:=` means.
    pub(super) fn target(&mut self, scope: &mut Scope, expr: &Expr) -> Option<(Target, Typ)> {
        match &*expr.kind {
            ExprKind::Name(name) => {
                if let Some(variable) = scope.find(name) {
                    return Some((Target::Variable(variable), scope.types[variable.index()].clone()));
                }
                if let Some((field, typ)) = self.own_field(scope, name) {
                    return Some((Target::Field(self.implicit_this(scope, expr.span), field), typ));
                }
                self.error(expr.span, format!("a variable or field was expected: there is no `{name}` here"));
                None
            }
            ExprKind::Field(receiver, name) => {
                let receiver = self.expression(scope, receiver);
                let receiver = self.pure(receiver);
                if matches!(receiver.typ, Typ::Array(_)) {
                    self.error(name.span, "an element was expected: an array's length and elements are not assigned");
                    return None;
                }
                let (field, typ) = self.field(&receiver, name)?;
                Some((Target::Field(receiver.exp, field), typ))
            }
            ExprKind::Index(array, index) => {
                let mut parts = self.operands(scope, &[array, index]).into_iter();
                let (array, index) = (parts.next()?, parts.next()?);
                let array = self.pure(array);
                let index = self.expect(index, &Typ::Int);
                let index = self.pure(index);
                let Typ::Array(element) = array.typ.clone() else {
                    if array.typ != Typ::Wrong {
                        let found = self.classes.name(&array.typ);
                        self.error(array.exp.span, format!("an array was expected, not `{found}`"));
                    }
                    return None;
                };
                Some((Target::Element(array.exp, index.exp, (*element).clone()), (*element).clone()))
            }
            _ => {
                self.error(expr.span, "a variable, a field or an element was expected");
                None
            }
        }
    }

    /// Keeps the parts of a target where something with an effect comes between them and the assignment.
    pub(super) fn keep_target(&mut self, scope: &mut Scope, target: Target) -> Target {
        let mut keep = |exp: Exp, typ: Typ| match *exp.kind {
            ExpKind::Int(_) => exp,
            ExpKind::Var(_) if scope.is_this(&exp) => exp,
            _ => scope.keep(exp, &typ),
        };
        match target {
            Target::Variable(variable) => Target::Variable(variable),
            Target::Field(receiver, field) => Target::Field(keep(receiver, Typ::Object), field),
            Target::Element(array, index, element) => {
                let array = keep(array, Typ::Object);
                Target::Element(array, keep(index, Typ::Int), element)
            }
        }
    }

    fn read(&mut self, target: &Target, typ: &Typ, span: Span, scope: &Scope) -> Exp {
        match target {
            Target::Variable(variable) => scope.variable(*variable, span),
            Target::Field(receiver, field) => Exp::new(ExpKind::Field(receiver.clone(), *field), typ.lowered(), span),
            Target::Element(array, index, element) => {
                let elements = self.arrays.elements(array.clone(), element, self.classes, span);
                let kind = ExpKind::Collection(CollectionOp::SeqIndex, vec![elements, index.clone()]);
                Exp::new(kind, element.lowered(), span)
            }
        }
    }

    pub(super) fn write(&mut self, scope: &mut Scope, target: Target, value: Exp, span: Span) {
        match target {
            Target::Variable(variable) => scope.push(StmtKind::Assign(variable, value), span),
            Target::Field(receiver, field) => scope.push(StmtKind::FieldAssign(receiver, field, value), span),
            Target::Element(array, index, element) => {
                let field = self.arrays.field(&element, self.classes);
                let elements = self.arrays.elements(array.clone(), &element, self.classes, span);
                let typ = elements.typ.clone();
                let kind = ExpKind::Collection(CollectionOp::SeqUpdate, vec![elements, index, value]);
                scope.push(StmtKind::FieldAssign(array, field, Exp::new(kind, typ, span)), span);
            }
        }
    }
}
