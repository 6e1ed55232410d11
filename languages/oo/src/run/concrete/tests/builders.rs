//! Programs by hand: globals x, y: int; b: bool; o, p: Node; a: int[]; m: array int → int; n: array ℕ → int, bounded;
//! class Node {int v; Node f}.

use super::super::*;
use crate::run::program::*;
use effigy_contracts::Span;
use std::rc::Rc;

pub const X: VarId = VarId(0);
pub const Y: VarId = VarId(1);
pub const B: VarId = VarId(2);
pub const O: VarId = VarId(3);
pub const P: VarId = VarId(4);
pub const A: VarId = VarId(5);
pub const M: VarId = VarId(6);
pub const N: VarId = VarId(7);
pub const NODE: ClassId = ClassId(0);
pub const INTS: ClassId = ClassId(1);
pub const V: FieldId = FieldId(0);
pub const F: FieldId = FieldId(1);
pub const LENGTH: FieldId = FieldId(2);
pub const PAPER: Semantics = Semantics { paper: true };
pub const USUAL: Semantics = Semantics { paper: false };

/// A program without statements; [`Build::main`] gives it some.
pub struct Build {
    pub program: Program,
}

impl Build {
    pub fn new() -> Build {
        let map = |bounded| Type::Map(Rc::new(MapType { index: Type::Int, element: Type::Int, bounded }));
        let class =
            |name: &str, fields: &[FieldId], element| Class { name: name.into(), fields: fields.to_vec(), element };
        let field = |name: &str, class, typ| Field { name: name.into(), class, typ };
        let mut build = Build {
            program: Program {
                name: "test.oo".into(),
                lines: Vec::new(),
                classes: vec![class("Node", &[V, F], None), class("int[]", &[LENGTH], Some(Type::Int))],
                fields: vec![
                    field("v", NODE, Type::Int),
                    field("f", NODE, Type::Object(NODE)),
                    field("length", INTS, Type::Int),
                ],
                variables: Vec::new(),
                routines: Vec::new(),
                statements: Vec::new(),
            },
        };
        build.routine("main", &[], &[], None);
        let node = Type::Object(NODE);
        let types = [Type::Int, Type::Int, Type::Bool, node.clone(), node, Type::Object(INTS), map(false), map(true)];
        for (name, typ) in ["x", "y", "b", "o", "p", "a", "m", "n"].into_iter().zip(types) {
            build.variable(name, typ, true);
        }
        build
    }

    pub fn variable(&mut self, name: &str, typ: Type, global: bool) -> VarId {
        self.program.variables.push(Variable { name: name.into(), typ, global, temporary: false });
        VarId(self.program.variables.len() as u32 - 1)
    }

    pub fn routine(&mut self, name: &str, parameters: &[VarId], locals: &[VarId], result: Option<Type>) -> RoutineId {
        self.program.routines.push(Routine {
            name: name.into(),
            this: None,
            parameters: parameters.to_vec(),
            locals: [parameters, locals].concat(),
            result,
            body: Rc::new([]),
        });
        RoutineId(self.program.routines.len() as u32 - 1)
    }

    pub fn body(&mut self, routine: RoutineId, body: Vec<Stmt>) {
        self.program.routines[routine.index()].body = body.into();
    }

    pub fn stmt(&mut self, kind: StmtKind) -> Stmt {
        self.program.statements.push(StmtInfo { span: Span::default(), routine: Program::MAIN });
        Stmt { kind: Rc::new(kind), id: StmtId(self.program.statements.len() as u32 - 1) }
    }

    pub fn stmts(&mut self, kinds: impl IntoIterator<Item = StmtKind>) -> Vec<Stmt> {
        kinds.into_iter().map(|it| self.stmt(it)).collect()
    }

    pub fn block(&mut self, kinds: impl IntoIterator<Item = StmtKind>) -> Block {
        self.stmts(kinds).into()
    }

    pub fn main(&mut self, kinds: impl IntoIterator<Item = StmtKind>) {
        let stmts = self.stmts(kinds);
        self.body(Program::MAIN, stmts);
    }

    pub fn run(&self, semantics: Semantics, valuation: &Valuation) -> Run {
        run(&self.program, semantics, valuation, &[], 1000)
    }

    pub fn value(&self, semantics: Semantics, valuation: &Valuation, expr: &Expr) -> Result<Value, Fault> {
        evaluate(&self.program, semantics, valuation, &Locals::new(), expr)
    }
}

/// The run of a main statement, from defaults, in the usual semantics.
pub fn ran(kinds: impl IntoIterator<Item = StmtKind>) -> Run {
    let mut build = Build::new();
    build.main(kinds);
    build.run(USUAL, &Valuation::default())
}

pub fn number(run: &Run, var: VarId) -> Value {
    run.valuation.globals.get(&var).cloned().unwrap_or(int(0))
}

pub fn int(value: i64) -> Value {
    Value::int(value)
}

/// Node 0 with v = 7 and f itself; o = node 0. a = [1, 2]. n has length 2, m is 0 but at 3.
pub fn world() -> Valuation {
    let mut world = Valuation::default();
    let node = world.heap.create(NODE);
    let array = world.heap.create(INTS);
    let object = |world: &mut Valuation, id, field, value| {
        world.heap.objects.get_mut(&id).expect("it exists").fields.insert(field, value);
    };
    object(&mut world, node, V, int(7));
    object(&mut world, node, F, Value::Object(node));
    object(&mut world, array, LENGTH, int(2));
    let items = &mut world.heap.objects.get_mut(&array).expect("it exists").items;
    items.extend([(0.into(), int(1)), (1.into(), int(2))]);
    world.globals.extend([(O, Value::Object(node)), (A, Value::Object(array))]);
    let map = |length: i64| MapValue { default: int(0), exceptions: [(int(3), int(9))].into(), length: length.into() };
    world.maps.extend([(M, map(0)), (N, map(2))]);
    world
}

pub fn e(kind: ExprKind) -> Expr {
    Expr { kind: Rc::new(kind), span: Span::default() }
}

pub fn lit(value: i64) -> Expr {
    e(ExprKind::Int(value.into()))
}

pub fn truth(value: bool) -> Expr {
    e(ExprKind::Bool(value))
}

pub fn nil() -> Expr {
    e(ExprKind::Nil)
}

pub fn var(var: VarId) -> Expr {
    e(ExprKind::Var(var))
}

pub fn dot(receiver: Expr, field: FieldId) -> Expr {
    e(ExprKind::Field(receiver, field))
}

pub fn item(array: Expr, index: Expr) -> Expr {
    e(ExprKind::Item(array, index))
}

pub fn at(array: VarId, index: Expr) -> Expr {
    e(ExprKind::Element(array, index))
}

pub fn op<const COUNT: usize>(op: Op, operands: [Expr; COUNT]) -> Expr {
    e(ExprKind::Op(op, operands.to_vec()))
}

pub fn cond(cond: Expr, then: Expr, other: Expr) -> Expr {
    e(ExprKind::Cond(cond, then, other))
}

pub fn set(target: VarId, value: Expr) -> StmtKind {
    StmtKind::Assign(Target::Var(target), value)
}

pub fn call(target: Option<Target>, callee: RoutineId, arguments: &[Expr]) -> StmtKind {
    StmtKind::Call(Box::new(Call { target, callee, receiver: None, arguments: arguments.to_vec() }))
}

/// An expression that faults by dividing by zero.
pub fn bad() -> Expr {
    op(Op::Div, [lit(1), lit(0)])
}
