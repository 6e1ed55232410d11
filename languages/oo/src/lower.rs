//! From the syntax tree to the program: members. Types are checked on the way.
//!
//! Knows: what a class's member becomes (the table in the crate's documentation). Never: text, verification.
//! Source: Smans et al. (2010), section 4 (sugar), definitions 3 to 6 (`this` is not null).

mod array;
mod call;
mod chain;
mod expression;
mod scope;
mod statement;

use crate::classes::{Classes, Member, Typ};
use crate::syntax::{Expr, Routine, RoutineKind, Source};
use crate::termination::{Calls, Part};
use crate::{LoweredFile, ReadError};
use array::Arrays;
use effigy_contracts::Program;
use effigy_contracts::Span;
use effigy_contracts::program::{
    BinaryOp, Exp, ExpKind, Function, FunctionId, LabelId, MemberVariable, Method, MethodId, Predicate, StmtKind, Type,
    VarId,
};
use scope::{Position, Scope};

/// What the lowering of all members shares.
pub(crate) struct Lowering<'a> {
    classes: &'a Classes,
    arrays: Arrays,
    calls: Calls,
    errors: Vec<ReadError>,
}

/// Checks a program and lowers it.
pub(crate) fn lower(name: &str, source: &Source) -> Result<LoweredFile, Vec<ReadError>> {
    let mut errors = Vec::new();
    let (classes, fields) = Classes::declare(source, &mut errors);
    let mut program = Program { files: vec![name.into()], fields, ..Program::default() };
    let functions = source.classes.iter().flat_map(|it| &it.routines);
    let functions = functions.filter(|it| matches!(it.kind, RoutineKind::Pure(..))).count();
    let arrays = Arrays::new(program.fields.len() as u32, functions as u32);
    let mut lowering = Lowering { classes: &classes, arrays, calls: Calls::default(), errors };
    for (index, class) in source.classes.iter().enumerate() {
        for routine in &class.routines {
            lowering.routine(index, routine, &mut program);
        }
    }
    let mut main = None;
    if !source.main.is_empty() {
        main = Some(MethodId(program.methods.len() as u32));
        let span = source.main[0].span;
        let mut scope = Scope::new(None);
        let body = lowering.body(&mut scope, &source.main, None, span);
        let labels = scope.labels();
        let variables = scope.variables;
        program.methods.push(Method {
            name: "main".into(),
            variables,
            parameters: 0,
            results: 0,
            labels,
            pre: Vec::new(),
            post: Vec::new(),
            body: Some(body),
            span,
        });
    }
    if let Some(it) = source.procedures.first() {
        lowering.executed_only(it.name.span, "a procedure");
    }
    if let Some(span) = source.late_class {
        let message = "a statement was expected, not `class` (classes come before the main routine)";
        lowering.errors.push(ReadError::parser(span, message));
    }
    let Lowering { arrays, calls, mut errors, .. } = lowering;
    arrays.finish(&mut program);
    let pure_calls = calls.finish(&program, &mut errors);
    program.functions_terminate = true;
    program.shrinking = pure_calls.iter().filter(|it| it.needs_leftover).map(|it| it.span).collect();
    if errors.is_empty() {
        Ok(LoweredFile { program, pure_calls, main })
    } else {
        errors.sort_by_key(|it| it.span);
        Err(errors)
    }
}

impl Lowering<'_> {
    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.errors.push(ReadError::typechecker(span, message));
    }

    /// Reports what programs with contracts do not have.
    fn executed_only(&mut self, span: Span, construct: &str) {
        let message = format!("contracts do not know {construct}: it was expected only in a program that is executed");
        self.errors.push(ReadError::parser(span, message));
    }

    fn routine(&mut self, class: usize, routine: &Routine, program: &mut Program) {
        let info = &self.classes.list[class];
        let member = match routine.kind {
            RoutineKind::Constructor(_) => info.constructor.as_ref(),
            _ => info.members.get(&routine.name.text),
        };
        let Some(member) = member.cloned() else { return };
        let mut scope = Scope::new(Some(class));
        scope.declare("this".into(), Typ::Class(class), routine.name.span);
        for (name, typ) in member.parameters() {
            scope.declare(name.text.clone(), typ.clone(), name.span);
        }
        let parameters = scope.variables.len();
        let name = format!("{}.{}", info.name, routine.name.text).into();
        let span = routine.name.span;
        match &routine.kind {
            RoutineKind::Predicate(body) => {
                let body = self.predicate_body(&mut scope, body);
                let variables = scope.variables;
                program.predicates.push(Predicate { name, variables, parameters, body: Some(body), span });
            }
            RoutineKind::Pure(_, body) => {
                let result = match &member {
                    Member::Pure { result, .. } => result.clone(),
                    _ => Typ::Wrong,
                };
                let id = FunctionId(program.functions.len() as u32);
                let mut pre = vec![this_is_not_null(span)];
                self.calls.enter(id, Part::Precondition);
                pre.extend(self.assertions(&mut scope, &routine.requires, Position::Pre));
                self.calls.leave();
                scope.result = Some((ExpKind::Result, result.clone()));
                self.calls.enter(id, Part::Postcondition);
                let post = self.assertions(&mut scope, &routine.ensures, Position::PurePost);
                self.calls.leave();
                scope.result = None;
                self.calls.enter(id, Part::Body);
                let body = self.typed(&mut scope, body, Position::Pure, &result);
                self.calls.leave();
                let result = result.lowered();
                let variables = scope.variables;
                program.functions.push(Function {
                    name,
                    variables,
                    parameters,
                    result,
                    pre,
                    post,
                    body: Some(body),
                    opaque: false,
                    measured: false,
                    span,
                });
            }
            RoutineKind::Constructor(statements) | RoutineKind::Mutator(_, statements) => {
                let mut pre = vec![this_is_not_null(span)];
                let constructs = matches!(routine.kind, RoutineKind::Constructor(_));
                let name = if constructs { format!("{}.init", info.name).into() } else { name };
                if constructs {
                    for (_, field, typ) in &info.fields {
                        let place = |kind, typ| Exp::new(kind, typ, span);
                        let this = || place(ExpKind::Var(VarId(0)), Type::Ref);
                        pre.push(place(ExpKind::AccField(this(), *field, None), Type::Bool));
                        let value = place(ExpKind::Field(this(), *field), typ.lowered());
                        pre.push(place(ExpKind::Binary(BinaryOp::Eq, value, default(typ, span)), Type::Bool));
                    }
                }
                let result = match &member {
                    Member::Mutator { result, .. } => result.clone(),
                    _ => None,
                };
                let result_variable = result.clone().map(|it| (scope.add("result".into(), it.clone(), span), it));
                pre.extend(self.assertions(&mut scope, &routine.requires, Position::Pre));
                scope.result = result_variable.clone().map(|(variable, typ)| (ExpKind::Var(variable), typ));
                let post = self.assertions(&mut scope, &routine.ensures, Position::Post);
                let body = self.body(&mut scope, statements, result_variable, span);
                let labels = scope.labels();
                let results = usize::from(result.is_some());
                let variables = scope.variables;
                let body = Some(body);
                program.methods.push(Method { name, variables, parameters, results, labels, pre, post, body, span });
            }
        }
    }

    /// Definition 4 assumes that `this` is not null. Every use of a predicate checks it; the body says it where it
    /// relies on it, that is, where it calls something of `this` (an access implies it).
    fn predicate_body(&mut self, scope: &mut Scope, body: &Expr) -> Exp {
        let res = self.assertion(scope, body, Position::Predicate);
        if !scope.calls_this {
            return res;
        }
        let span = res.span;
        Exp::new(ExpKind::Binary(BinaryOp::And, this_is_not_null(span), res), Type::Bool, span)
    }

    fn assertions(&mut self, scope: &mut Scope, clauses: &[Expr], position: Position) -> Vec<Exp> {
        clauses.iter().map(|it| self.assertion(scope, it, position)).collect()
    }

    /// The body of a mutator or of the main routine.
    fn body(
        &mut self,
        scope: &mut Scope,
        statements: &[crate::syntax::Statement],
        result: Option<(VarId, Typ)>,
        span: Span,
    ) -> Vec<effigy_contracts::program::Stmt> {
        scope.position = Position::Code;
        scope.returned = result.clone();
        scope.enter();
        // A parameter that is assigned gets a variable of its own: contracts mean its value at entry.
        for variable in statement::assigned_parameters(scope, statements) {
            let MemberVariable { name, typ, span } = scope.variables[variable.index()].clone();
            let own = scope.declare(name, scope.types[variable.index()].clone(), span);
            scope.push(StmtKind::Local(own), span);
            scope.push(StmtKind::Assign(own, Exp::new(ExpKind::Var(variable), typ, span)), span);
        }
        self.statements(scope, statements, true);
        scope.leave();
        if result.is_some() && !statement::returns(statements) {
            self.error(span, "a `return` was expected on every way to the end of this method");
        }
        if scope.jumps {
            scope.push(StmtKind::Label(LabelId(0), Vec::new()), span);
        }
        std::mem::take(&mut scope.out)
    }
}

/// The condition `this != null` of a method.
fn this_is_not_null(span: Span) -> Exp {
    not_null(Exp::new(ExpKind::Var(VarId(0)), Type::Ref, span))
}

/// The condition that `e != null`.
fn not_null(exp: Exp) -> Exp {
    let span = exp.span;
    let null = Exp::new(ExpKind::Null, Type::Ref, span);
    Exp::new(ExpKind::Binary(BinaryOp::Ne, exp, null), Type::Bool, span)
}

/// The value of a variable or field that was not set.
fn default(typ: &Typ, span: Span) -> Exp {
    match typ.lowered() {
        Type::Int => Exp::new(ExpKind::Int(0.into()), Type::Int, span),
        Type::Bool => Exp::new(ExpKind::Bool(false), Type::Bool, span),
        typ => Exp::new(ExpKind::Null, typ, span),
    }
}
