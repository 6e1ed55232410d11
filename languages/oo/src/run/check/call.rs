//! Calls and creations: what becomes a statement wherever it stands.
//!
//! Knows: receivers, parameters, constructors. Never: operators.
//! Source: de Boer and Bonsangue (2021), section 4: `x := new C(ē)` is `x := new C` and a call of the constructor.

use super::scope::{Checker, Member};
use super::value::{Ty, Value};
use crate::run::program::{Call, ClassId, Expr, ExprKind, RoutineId, StmtKind, Target, Type, VarId};
use crate::syntax::{self, Name, TypeName};
use effigy_contracts::Span;

/// Where a result goes, and the type that fits there.
type ResultTarget<'a> = (Target, &'a Ty);

/// The routine that a call means, with its operands.
struct Callee {
    routine: RoutineId,
    receiver: Option<Expr>,
    arguments: Vec<Expr>,
}

impl Checker {
    /// The type of the arrays that an item is taken from.
    pub(super) fn item_type(&self, array: &Expr) -> Ty {
        match &*array.kind {
            ExprKind::Var(variable) => self.type_of(*variable),
            ExprKind::Field(_, field) => Ty::of(&self.program.field(*field).typ),
            ExprKind::Element(map, _) => match &self.program.variable(*map).typ {
                Type::Map(map) => Ty::of(&map.element),
                _ => Ty::Wrong,
            },
            ExprKind::Item(array, _) => match self.item_type(array) {
                Ty::Object(class) => self.program.class(class).element.as_ref().map_or(Ty::Wrong, Ty::of),
                other => other,
            },
            ExprKind::Cond(_, positive, negative) => match self.item_type(positive) {
                Ty::Nil => self.item_type(negative),
                other => other,
            },
            ExprKind::Nil => Ty::Nil,
            _ => Ty::Wrong,
        }
    }

    /// A call whose result is used.
    pub(super) fn call_value(
        &mut self,
        receiver: Option<&syntax::Expr>,
        name: &Name,
        args: &[syntax::Expr],
        span: Span,
    ) -> Value {
        if !self.effect(span) {
            return Value::wrong(span);
        }
        let Some(callee) = self.callee(receiver, name, args) else { return Value::wrong(span) };
        let Some(typ) = self.program.routine(callee.routine).result.clone() else {
            return self.wrong(span, format!("a value was expected: `{}` has no result", name.text));
        };
        let res = self.temporary(typ);
        self.push_call(Some(Target::Var(res)), callee, span);
        self.read_variable(res, span)
    }

    /// A call that is a statement; its result goes to what is wanted, if anything is.
    pub(super) fn call(
        &mut self,
        receiver: Option<&syntax::Expr>,
        name: &Name,
        args: &[syntax::Expr],
        wanted: Option<ResultTarget>,
        span: Span,
    ) {
        let Some(callee) = self.callee(receiver, name, args) else { return };
        let target = match (wanted, self.program.routine(callee.routine).result.clone()) {
            (None, _) => None,
            (Some((target, typ)), Some(result)) => {
                self.expect_type(name.span, typ, &Ty::of(&result));
                Some(target)
            }
            (Some(_), None) => {
                return self.error(name.span, format!("a value was expected: `{}` has no result", name.text));
            }
        };
        self.push_call(target, callee, span);
    }

    fn push_call(&mut self, target: Option<Target>, callee: Callee, span: Span) {
        let Callee { routine, receiver, arguments } = callee;
        self.push(StmtKind::Call(Box::new(Call { target, callee: routine, receiver, arguments })), span);
    }

    /// What is called, its receiver and arguments evaluated and checked. Without a receiver, methods of `this` come
    /// before procedures.
    fn callee(&mut self, receiver: Option<&syntax::Expr>, name: &Name, args: &[syntax::Expr]) -> Option<Callee> {
        let exprs: Vec<&syntax::Expr> = receiver.into_iter().chain(args).collect();
        let mut values = self.operands(&exprs);
        let (member, receiver) = if receiver.is_some() {
            let receiver = values.remove(0);
            let class = match receiver.typ {
                Ty::Object(class) => class,
                Ty::Wrong => return None,
                ref typ => {
                    let typ = self.name_of(typ);
                    self.error(name.span, format!("an object was expected: `{typ}` has no `{}`", name.text));
                    return None;
                }
            };
            let Some(member) = self.names.methods.get(&(class, name.text.clone())).copied() else {
                let class = self.program.class(class).name.clone();
                self.error(name.span, format!("a method of `{class}` was expected: there is no `{}`", name.text));
                return None;
            };
            (member, Some(receiver.exp))
        } else {
            let own = self.class.and_then(|it| self.names.methods.get(&(it, name.text.clone())).copied());
            match (own, self.names.procedures.get(&name.text)) {
                (Some(member), _) => (member, self.this(name.span)),
                (None, Some(procedure)) => (Member::Routine(*procedure), None),
                (None, None) => {
                    self.error(name.span, format!("a procedure was expected: there is no `{}`", name.text));
                    return None;
                }
            }
        };
        let Member::Routine(routine) = member else {
            self.specified("a predicate", name.span);
            return None;
        };
        let arguments = self.arguments(routine, values, name.span)?;
        Some(Callee { routine, receiver, arguments })
    }

    fn arguments(&mut self, routine: RoutineId, values: Vec<Value>, span: Span) -> Option<Vec<Expr>> {
        let parameters = self.program.routine(routine).parameters.clone();
        if parameters.len() != values.len() {
            let (expected, found) = (parameters.len(), values.len());
            self.error(span, format!("as many arguments as parameters were expected: {expected}, not {found}"));
            return None;
        }
        let pairs = parameters.into_iter().zip(values);
        Some(pairs.map(|(parameter, value)| self.expect(value, &self.type_of(parameter)).exp).collect())
    }

    /// `new C`, `new C(ē)`; `place` is where the creation stands, `span` the statement.
    pub(super) fn new_object(
        &mut self,
        name: &Name,
        args: Option<&[syntax::Expr]>,
        wanted: Option<ResultTarget>,
        place: Span,
        span: Span,
    ) -> Value {
        if !self.effect(place) {
            return Value::wrong(place);
        }
        let class = TypeName { base: name.clone(), dimensions: 0 };
        let class = match self.resolve(&class) {
            Some(Type::Object(class)) => class,
            Some(_) => return self.wrong(name.span, format!("a class was expected, not `{}`", name.text)),
            None => return Value::wrong(place),
        };
        let exprs: Vec<&syntax::Expr> = args.unwrap_or(&[]).iter().collect();
        let values = self.operands(&exprs);
        let Some(wanted) = self.fitting(wanted, class, place) else { return Value::wrong(place) };
        let constructor = self.names.constructors.get(&class).copied().filter(|_| args.is_some());
        let Some(constructor) = constructor else {
            if !values.is_empty() {
                let message = format!("no arguments were expected: `{}` has no constructor", name.text);
                return self.wrong(name.span, message);
            }
            return self.created(class, wanted, place, |target| StmtKind::New(target, class), span);
        };
        let Some(arguments) = self.arguments(constructor, values, name.span) else { return Value::wrong(place) };
        let (object, last) = match wanted {
            Some(Target::Var(variable)) if self.program.variable(variable).temporary => (variable, None),
            wanted => (self.temporary(Type::Object(class)), wanted),
        };
        self.push(StmtKind::New(Target::Var(object), class), span);
        let object = self.read_variable(object, place);
        let receiver = Some(object.exp.clone());
        self.push_call(None, Callee { routine: constructor, receiver, arguments }, span);
        if let Some(target) = last {
            self.push(StmtKind::Assign(target, object.exp.clone()), span);
        }
        object
    }

    /// Checks the creation of an array, `new T[n]`.
    pub(super) fn new_array(
        &mut self,
        element: &TypeName,
        size: &syntax::Expr,
        wanted: Option<ResultTarget>,
        place: Span,
        span: Span,
    ) -> Value {
        if !self.effect(place) {
            return Value::wrong(place);
        }
        let size = self.typed(size, &Ty::Int);
        let Some(element) = self.resolve(element) else { return Value::wrong(place) };
        let class = self.array_class(element);
        let Some(wanted) = self.fitting(wanted, class, place) else { return Value::wrong(place) };
        self.created(class, wanted, place, |target| StmtKind::NewArray(target, class, size), span)
    }

    /// What is wanted, if anything is; `None` if an object of this class does not fit.
    fn fitting(&mut self, wanted: Option<ResultTarget>, class: ClassId, place: Span) -> Option<Option<Target>> {
        let Some((target, typ)) = wanted else { return Some(None) };
        self.expect_type(place, typ, &Ty::Object(class)).then_some(Some(target))
    }

    /// A creation right into what is wanted, else into a temporary.
    fn created(
        &mut self,
        class: ClassId,
        wanted: Option<Target>,
        place: Span,
        statement: impl FnOnce(Target) -> StmtKind,
        span: Span,
    ) -> Value {
        if let Some(target) = wanted {
            self.push(statement(target), span);
            return Value::leaf(ExprKind::Nil, Ty::Object(class), place);
        }
        let res: VarId = self.temporary(Type::Object(class));
        self.push(statement(Target::Var(res)), span);
        self.read_variable(res, place)
    }
}
