//! What is known where: names, the statements so far, temporaries.
//!
//! Knows: the tables of the program that grows. Never: the syntax tree.

use super::value::{Ty, Value, place};
use crate::ReadError;
use crate::run::program::{
    Class, ClassId, Expr, ExprKind, Field, FieldId, Program, RoutineId, Stmt, StmtId, StmtInfo, StmtKind, Target, Type,
    VarId, Variable,
};
use effigy_contracts::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use std::sync::Arc;

/// A method of a class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Member {
    Routine(RoutineId),
    /// A predicate, which specifies and is not executed.
    Predicate,
}

/// The names that the program declares.
#[derive(Default)]
pub(super) struct Names {
    pub(super) classes: FxHashMap<Arc<str>, ClassId>,
    /// Arrays by reference, by the type of their elements.
    pub(super) arrays: FxHashMap<Type, ClassId>,
    pub(super) fields: FxHashMap<(ClassId, Arc<str>), FieldId>,
    pub(super) procedures: FxHashMap<Arc<str>, RoutineId>,
    pub(super) methods: FxHashMap<(ClassId, Arc<str>), Member>,
    pub(super) constructors: FxHashMap<ClassId, RoutineId>,
    /// What stands at the top level of the main statement.
    pub(super) globals: FxHashMap<Arc<str>, VarId>,
}

/// How much there was of what an `assert` may add that is skipped.
pub(super) struct Mark {
    errors: usize,
    out: usize,
    variables: usize,
    locals: usize,
    statements: usize,
    temporaries: u32,
}

/// A program while it is checked.
pub(super) struct Checker {
    pub(super) program: Program,
    pub(super) names: Names,
    pub(super) errors: Vec<ReadError>,
    /// The routine that is being checked.
    pub(super) routine: RoutineId,
    pub(super) class: Option<ClassId>,
    /// Names of the routine's variables, innermost block last.
    pub(super) scopes: Vec<FxHashMap<Arc<str>, VarId>>,
    /// The statements of the current block so far.
    pub(super) out: Vec<Stmt>,
    /// Loops around this statement, in its routine.
    pub(super) loops: u32,
    /// `par`s around this statement, in its routine.
    pub(super) threads: u32,
    /// Whether effects may stand here.
    pub(super) effects: bool,
    /// Whether this is inside an `assert`.
    pub(super) asserted: bool,
    /// The `assert` says something that only a verifier understands.
    pub(super) specification: bool,
    /// All words of the text.
    words: FxHashSet<Arc<str>>,
    /// Variables whose type was wrong.
    untyped: FxHashSet<VarId>,
    temporaries: u32,
    /// How many variables of the main statement have a name.
    same_names: FxHashMap<Arc<str>, u32>,
}

impl Checker {
    pub(super) fn new(name: &str, text: &str, words: FxHashSet<Arc<str>>) -> Checker {
        let program = Program {
            name: name.into(),
            lines: text.lines().map(Arc::from).collect(),
            classes: Vec::new(),
            fields: Vec::new(),
            variables: Vec::new(),
            routines: Vec::new(),
            statements: Vec::new(),
        };
        Checker::of(program, words)
    }

    fn of(program: Program, words: FxHashSet<Arc<str>>) -> Checker {
        Checker {
            program,
            names: Names::default(),
            errors: Vec::new(),
            routine: Program::MAIN,
            class: None,
            scopes: vec![FxHashMap::default()],
            out: Vec::new(),
            loops: 0,
            threads: 0,
            effects: true,
            asserted: false,
            specification: false,
            words,
            untyped: FxHashSet::default(),
            temporaries: 0,
            same_names: FxHashMap::default(),
        }
    }

    /// What is known inside of a routine of a checked program, for expressions without effects.
    pub(super) fn inside(program: &Program, routine: RoutineId) -> Checker {
        let mut res = Checker::of(program.clone(), FxHashSet::default());
        res.routine = routine;
        res.effects = false;
        for (index, class) in program.classes.iter().enumerate() {
            let id = ClassId(index as u32);
            match &class.element {
                Some(element) => drop(res.names.arrays.insert(element.clone(), id)),
                None => drop(res.names.classes.insert(Arc::from(&*class.name), id)),
            }
            for field in &class.fields {
                res.names.fields.insert((id, Arc::from(&*program.field(*field).name)), *field);
            }
        }
        for (index, variable) in program.variables.iter().enumerate() {
            if variable.global && !variable.temporary {
                res.names.globals.entry(Arc::from(&*variable.name)).or_insert(VarId(index as u32));
            }
        }
        let Some(routine) = program.routines.get(routine.index()) else { return res };
        for local in routine.locals.iter().filter(|it| !program.variable(**it).temporary) {
            res.bind(Arc::from(&*program.variable(*local).name), *local);
        }
        res.class = routine.this.and_then(|it| match program.variable(it).typ {
            Type::Object(class) => Some(class),
            _ => None,
        });
        res
    }

    /// The program, or what is wrong with it.
    pub(super) fn finish(mut self) -> Result<Program, Vec<ReadError>> {
        if self.errors.is_empty() {
            return Ok(self.program);
        }
        self.errors.sort_by(|a, b| a.span.cmp(&b.span).then_with(|| a.message.cmp(&b.message)));
        self.errors.dedup();
        Err(self.errors)
    }

    pub(super) fn error(&mut self, span: Span, message: impl Into<String>) {
        self.errors.push(ReadError::typechecker(span, message));
    }

    /// Reports an error, and stands for what is wrong.
    pub(super) fn wrong(&mut self, span: Span, message: impl Into<String>) -> Value {
        self.error(span, message);
        Value::wrong(span)
    }

    /// How a type is written.
    pub(super) fn name_of(&self, typ: &Ty) -> String {
        match typ {
            Ty::Int => "int".to_owned(),
            Ty::Bool => "bool".to_owned(),
            Ty::Nil => "nil".to_owned(),
            Ty::Object(class) => self.program.class(*class).name.to_string(),
            Ty::Wrong => "a wrong type".to_owned(),
        }
    }

    /// The class of arrays by reference with such elements.
    pub(super) fn array_class(&mut self, element: Type) -> ClassId {
        if let Some(class) = self.names.arrays.get(&element) {
            return *class;
        }
        let class = ClassId(self.program.classes.len() as u32);
        let name = format!("{}[]", self.name_of(&Ty::of(&element))).into();
        let length = FieldId(self.program.fields.len() as u32);
        self.program.fields.push(Field { name: "length".into(), class, typ: Type::Int });
        self.program.classes.push(Class { name, fields: vec![length], element: Some(element.clone()) });
        self.names.fields.insert((class, "length".into()), length);
        self.names.arrays.insert(element, class);
        class
    }

    pub(super) fn is_main(&self) -> bool {
        self.routine == Program::MAIN
    }

    /// From here on the name means this variable.
    pub(super) fn bind(&mut self, name: Arc<str>, variable: VarId) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name, variable);
        }
    }

    /// A variable that is declared in the routine.
    pub(super) fn own_variable(&self, name: &str) -> Option<VarId> {
        self.scopes.iter().rev().find_map(|it| it.get(name)).copied()
    }

    /// Adds a variable of the routine; of the main statement, if that is where this stands.
    pub(super) fn variable(&mut self, name: Arc<str>, typ: Type, temporary: bool) -> VarId {
        let res = VarId(self.program.variables.len() as u32);
        let global = self.is_main();
        self.program.variables.push(Variable { name, typ, global, temporary });
        if !global {
            self.program.routines[self.routine.index()].locals.push(res);
        }
        res
    }

    /// A name for a variable of the main statement. Blocks side by side may declare the same; inputs need names that
    /// tell them apart.
    pub(super) fn global_name(&mut self, name: &Arc<str>) -> Arc<str> {
        let mut same = self.same_names.get(name).copied().unwrap_or(0) + 1;
        let mut res: Arc<str> = Arc::from(&**name);
        if same > 1 {
            loop {
                res = format!("{name}_{same}").into();
                if !self.words.contains(&*res) {
                    break;
                }
                same += 1;
            }
        }
        self.same_names.insert(name.clone(), same);
        res
    }

    /// Adds a variable that the text declares; without a type if that was wrong.
    pub(super) fn declared(&mut self, name: Arc<str>, typ: Option<Type>) -> VarId {
        let known = typ.is_some();
        let res = self.variable(name, typ.unwrap_or(Type::Int), false);
        if !known {
            self.untyped.insert(res);
        }
        res
    }

    /// The type of a variable, for expressions.
    pub(super) fn type_of(&self, variable: VarId) -> Ty {
        if self.untyped.contains(&variable) { Ty::Wrong } else { Ty::of(&self.program.variable(variable).typ) }
    }

    pub(super) fn temporary(&mut self, typ: Type) -> VarId {
        loop {
            self.temporaries += 1;
            let name = format!("t{}", self.temporaries);
            if !self.words.contains(&*name) {
                return self.variable(name.into(), typ, true);
            }
        }
    }

    /// A variable as an expression.
    pub(super) fn read_variable(&self, variable: VarId, span: Span) -> Value {
        Value::leaf(ExprKind::Var(variable), self.type_of(variable), span)
    }

    /// Adds a statement to the current block.
    pub(super) fn push(&mut self, kind: StmtKind, span: Span) {
        let id = self.statement_id(span);
        self.push_as(id, kind);
    }

    /// Adds a statement that has its id already: those inside of it come behind it.
    pub(super) fn push_as(&mut self, id: StmtId, kind: StmtKind) {
        self.out.push(Stmt { kind: Rc::new(kind), id });
    }

    pub(super) fn statement_id(&mut self, span: Span) -> StmtId {
        self.program.statements.push(StmtInfo { span, routine: self.routine });
        StmtId(self.program.statements.len() as u32 - 1)
    }

    /// The value of an expression, before something with an effect comes.
    pub(super) fn keep(&mut self, value: Value) -> Value {
        let fixed = match &*value.exp.kind {
            ExprKind::Nil | ExprKind::Int(_) | ExprKind::Bool(_) => true,
            ExprKind::Var(variable) => {
                let is_this = self.program.routines[self.routine.index()].this == Some(*variable);
                is_this || self.program.variable(*variable).temporary
            }
            _ => false,
        };
        if fixed {
            return value;
        }
        let span = value.exp.span;
        let Some(typ) = value.typ.of_variable() else {
            return if value.is_wrong() { value } else { Value::leaf(ExprKind::Nil, Ty::Nil, span) };
        };
        let variable = self.temporary(typ);
        self.push(StmtKind::Assign(Target::Var(variable), value.exp), span);
        self.read_variable(variable, span)
    }

    /// What the current routine calls `this`.
    pub(super) fn this(&self, span: Span) -> Option<Expr> {
        let this = self.program.routines.get(self.routine.index())?.this?;
        Some(place(ExprKind::Var(this), span))
    }

    pub(super) fn mark(&self) -> Mark {
        Mark {
            errors: self.errors.len(),
            out: self.out.len(),
            variables: self.program.variables.len(),
            locals: self.program.routines[self.routine.index()].locals.len(),
            statements: self.program.statements.len(),
            temporaries: self.temporaries,
        }
    }

    /// As if nothing had been checked since then.
    pub(super) fn rollback(&mut self, mark: &Mark) {
        self.errors.truncate(mark.errors);
        self.out.truncate(mark.out);
        self.program.variables.truncate(mark.variables);
        self.program.routines[self.routine.index()].locals.truncate(mark.locals);
        self.program.statements.truncate(mark.statements);
        self.temporaries = mark.temporaries;
    }
}
