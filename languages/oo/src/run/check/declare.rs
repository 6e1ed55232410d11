//! Declarations, before any body: classes, fields, procedures, methods, global variables.
//!
//! Knows: names and types. Never: statements, expressions.

use super::scope::{Checker, Member};
use super::value::default;
use crate::ReadError;
use crate::run::program::{Class, ClassId, Field, FieldId, MapType, Program, Routine, RoutineId, StmtKind, Type};
use crate::syntax::{self, Name, RoutineKind, Source, Statement, StatementKind, TypeName};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::sync::Arc;

/// `int[][]...` with more dimensions is an error: each is a class.
const MOST_DIMENSIONS: u32 = 8;

/// A routine whose body is to be checked.
struct Body<'a> {
    id: RoutineId,
    class: Option<ClassId>,
    source: &'a syntax::Routine,
}

impl Checker {
    /// Checks the whole program: declarations, then bodies.
    pub(super) fn program(&mut self, source: &Source) {
        for span in &source.ambiguous {
            let message = "`else` or `;` was expected before this block: behind a condition in parentheses it could be \
                           the else branch or a block of its own";
            self.errors.push(ReadError::parser(*span, message));
        }
        if source.main.is_empty() {
            let message = "a main statement was expected: a program that is executed has statements beside its classes";
            self.errors.push(ReadError::parser(source.end, message));
        }
        self.declare_classes(source);
        let bodies = self.declare_routines(source);
        self.declare_globals(&source.main);
        self.main(&source.main);
        for body in bodies {
            self.body(&body);
        }
    }

    fn declare_classes(&mut self, source: &Source) {
        for (index, class) in source.classes.iter().enumerate() {
            let name = &class.name;
            if &*name.text == "Object" {
                self.error(name.span, "another name was expected: `Object` is built in");
            } else if self.names.classes.insert(name.text.clone(), ClassId(index as u32)).is_some() {
                self.twice("class", name);
            }
            self.program.classes.push(Class { name: Arc::from(&*name.text), fields: Vec::new(), element: None });
        }
        for (index, class) in source.classes.iter().enumerate() {
            let id = ClassId(index as u32);
            for (typ, name) in &class.fields {
                let Some(typ) = self.resolve(typ) else { continue };
                let field = FieldId(self.program.fields.len() as u32);
                if self.names.fields.contains_key(&(id, name.text.clone())) {
                    self.twice("field", name);
                    continue;
                }
                self.names.fields.insert((id, name.text.clone()), field);
                self.program.fields.push(Field { name: Arc::from(&*name.text), class: id, typ });
                self.program.classes[index].fields.push(field);
            }
        }
    }

    fn declare_routines<'a>(&mut self, source: &'a Source) -> Vec<Body<'a>> {
        let main = self.empty_routine("main".into());
        debug_assert_eq!(main, Program::MAIN);
        let mut bodies = Vec::new();
        for procedure in &source.procedures {
            let id = self.declare_routine(procedure, None, procedure.name.text.to_string());
            if self.names.procedures.insert(procedure.name.text.clone(), id).is_some() {
                self.twice("procedure", &procedure.name);
            }
            bodies.push(Body { id, class: None, source: procedure });
        }
        for (index, class) in source.classes.iter().enumerate() {
            let owner = ClassId(index as u32);
            for routine in &class.routines {
                let name = &routine.name;
                let constructs = matches!(routine.kind, RoutineKind::Constructor(_));
                let member = if matches!(routine.kind, RoutineKind::Predicate(_)) {
                    Member::Predicate
                } else {
                    let own = if constructs { "init" } else { &*name.text };
                    let id = self.declare_routine(routine, Some(owner), format!("{}.{own}", class.name.text));
                    bodies.push(Body { id, class: Some(owner), source: routine });
                    Member::Routine(id)
                };
                match member {
                    Member::Routine(id) if constructs => {
                        if self.names.constructors.insert(owner, id).is_some() {
                            self.twice("constructor", name);
                        }
                    }
                    member => {
                        if self.names.methods.insert((owner, name.text.clone()), member).is_some() {
                            self.twice("method", name);
                        }
                    }
                }
                if self.names.constructors.contains_key(&owner) && &*name.text == "init" {
                    self.error(name.span, "another name was expected: `init` is the constructor's");
                }
            }
        }
        bodies
    }

    fn empty_routine(&mut self, name: Arc<str>) -> RoutineId {
        let id = RoutineId(self.program.routines.len() as u32);
        let (parameters, locals) = (Vec::new(), Vec::new());
        let body = Rc::from(Vec::new());
        self.program.routines.push(Routine { name, this: None, parameters, locals, result: None, body });
        id
    }

    fn declare_routine(&mut self, source: &syntax::Routine, class: Option<ClassId>, name: String) -> RoutineId {
        let id = self.empty_routine(name.into());
        self.routine = id;
        if let Some(class) = class {
            let this = self.variable("this".into(), Type::Object(class), false);
            self.program.routines[id.index()].this = Some(this);
        }
        for (typ, name) in &source.parameters {
            let typ = self.resolve(typ);
            let parameter = self.declared(Arc::from(&*name.text), typ);
            self.program.routines[id.index()].parameters.push(parameter);
        }
        let result = match &source.kind {
            RoutineKind::Mutator(result, _) => result.as_ref(),
            RoutineKind::Pure(result, _) => Some(result),
            RoutineKind::Constructor(_) | RoutineKind::Predicate(_) => None,
        };
        let result = result.map(|it| self.resolve(it).unwrap_or(Type::Int));
        self.program.routines[id.index()].result = result;
        self.routine = Program::MAIN;
        id
    }

    /// What the main statement declares at its top level.
    fn declare_globals(&mut self, main: &[Statement]) {
        for statement in main {
            let (typ, name) = match &statement.kind {
                StatementKind::Local(typ, name, _) => (self.resolve(typ), name),
                StatementKind::Map(index, element, name) => (self.map_type(index, element), name),
                _ => continue,
            };
            if self.names.globals.contains_key(&name.text) {
                self.twice("variable", name);
                continue;
            }
            let full_name = self.global_name(&name.text);
            let variable = self.declared(full_name, typ);
            self.names.globals.insert(name.text.clone(), variable);
        }
    }

    fn twice(&mut self, what: &str, name: &Name) {
        self.error(name.span, format!("another name was expected: {what} `{}` is declared twice", name.text));
    }

    /// The type that a name stands for; what is no type is reported.
    pub(super) fn resolve(&mut self, name: &TypeName) -> Option<Type> {
        let mut res = match &*name.base.text {
            "int" => Type::Int,
            "bool" => Type::Bool,
            "Object" => {
                let message = "`Object` is not supported in programs that are executed: a class was expected";
                self.error(name.base.span, message);
                return None;
            }
            other => match self.names.classes.get(other) {
                Some(class) => Type::Object(*class),
                None => {
                    self.error(name.base.span, format!("a type was expected: there is no class `{other}`"));
                    return None;
                }
            },
        };
        if name.dimensions > MOST_DIMENSIONS {
            self.error(name.base.span, format!("a type of at most {MOST_DIMENSIONS} dimensions was expected"));
            return None;
        }
        for _ in 0..name.dimensions {
            res = Type::Object(self.array_class(res));
        }
        Some(res)
    }

    /// `T -> T'`; `nat` is T of bounded arrays, unless a class is called so.
    pub(super) fn map_type(&mut self, index: &TypeName, element: &TypeName) -> Option<Type> {
        for typ in [index, element] {
            if typ.dimensions > 0 {
                let message = "`int`, `bool` or a class was expected in the type of an array `T -> T'`";
                self.error(typ.base.span, message);
                return None;
            }
        }
        let bounded = &*index.base.text == "nat" && !self.names.classes.contains_key("nat");
        let index = if bounded { Some(Type::Int) } else { self.resolve(index) };
        let (element, index) = (self.resolve(element)?, index?);
        Some(Type::Map(Rc::new(MapType { index, element, bounded })))
    }

    fn main(&mut self, statements: &[Statement]) {
        self.routine = Program::MAIN;
        self.class = None;
        self.scopes = vec![FxHashMap::default()];
        self.statements(statements);
        self.program.routines[Program::MAIN.index()].body = std::mem::take(&mut self.out).into();
    }

    fn body(&mut self, body: &Body) {
        let span = body.source.name.span;
        self.routine = body.id;
        self.class = body.class;
        self.scopes = vec![FxHashMap::default()];
        let routine = self.program.routine(body.id).clone();
        for ((_, name), variable) in body.source.parameters.iter().zip(&routine.parameters) {
            if self.own_variable(&name.text).is_some() {
                self.twice("parameter", name);
            }
            self.bind(Arc::clone(&name.text), *variable);
        }
        self.scopes.push(FxHashMap::default());
        let mut ends = false;
        match &body.source.kind {
            RoutineKind::Constructor(statements) | RoutineKind::Mutator(_, statements) => {
                self.statements(statements);
                ends = returns(statements);
            }
            RoutineKind::Pure(_, value) => {
                self.return_statement(Some(value), value.span);
                ends = true;
            }
            RoutineKind::Predicate(_) => {}
        }
        if let (Some(typ), false) = (&routine.result, ends) {
            self.push(StmtKind::Return(Some(default(typ, span))), span);
        }
        self.program.routines[body.id.index()].body = std::mem::take(&mut self.out).into();
    }
}

/// Whether every way through these statements ends in a `return`.
fn returns(statements: &[Statement]) -> bool {
    statements.iter().any(|it| match &it.kind {
        StatementKind::Return(_) => true,
        StatementKind::If(_, positive, negative) => returns(positive) && returns(negative),
        StatementKind::Block(statements) | StatementKind::Atomic(statements) => returns(statements),
        _ => false,
    })
}
