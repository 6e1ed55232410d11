//! Random programs that are well-typed, layer by layer.
//!
//! Knows: types and what is visible. Never: what a program does, but that recursion decreases its first parameter and
//! most loops count. Object variables are few and loads are many, so that aliases and nil are common.

pub mod expressions;
mod statements;

use super::numbers::Numbers;
use effigy_contracts::Span;
use effigy_oo::run::program::*;
use std::rc::Rc;

/// What a program may contain; each layer contains those before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Layer {
    /// Section 2.
    Basic,
    /// Section 2.1.
    Arrays,
    /// Section 3.
    Procedures,
    /// Section 4, with arrays by reference.
    Objects,
    /// Section 5: `par` and `atomic`.
    Threads,
}

pub const LAYERS: [Layer; 5] = [Layer::Basic, Layer::Arrays, Layer::Procedures, Layer::Objects, Layer::Threads];

/// The class of the routine of this name prefix, and the globals that a program never touches: they stand for any object.
pub const PROBE: &str = "probe";

/// Grows a program.
pub struct Generator {
    pub program: Program,
    pub numbers: Numbers,
    layer: Layer,
    /// The variables that the statement at hand can read.
    pub visible: Vec<VarId>,
    /// Those of them that are not assigned: counters of loops, first parameters.
    kept: Vec<VarId>,
    routine: RoutineId,
    /// The first parameter of the routine, which decreases from call to call.
    decreasing: Option<VarId>,
    counters: Vec<VarId>,
    inside_threads: bool,
}

/// The program of a layer and a seed.
pub fn program(layer: Layer, seed: u64) -> Program {
    let mut generator = Generator::new(layer, seed);
    generator.bodies();
    generator.program
}

impl Generator {
    /// One that makes expressions over the globals of a program.
    pub fn over(program: &Program, seed: u64) -> Generator {
        let globals = |it: &VarId| program.variable(*it).global && !program.variable(*it).temporary;
        let visible = (0..program.variables.len() as u32).map(VarId).filter(globals).collect();
        Generator {
            program: program.clone(),
            numbers: Numbers::new(seed),
            layer: Layer::Objects,
            visible,
            kept: Vec::new(),
            routine: Program::MAIN,
            decreasing: None,
            counters: Vec::new(),
            inside_threads: false,
        }
    }

    fn new(layer: Layer, seed: u64) -> Generator {
        let program = Program {
            name: "random.oo".into(),
            lines: Vec::new(),
            classes: Vec::new(),
            fields: Vec::new(),
            variables: Vec::new(),
            routines: Vec::new(),
            statements: Vec::new(),
        };
        let mut res = Generator { layer, ..Generator::over(&program, seed) };
        res.routine("main", None, &[], &[], None);
        res.declare();
        res
    }

    fn declare(&mut self) {
        for name in ["x", "y", "z"] {
            self.global(name, Type::Int);
        }
        for name in ["b", "c"] {
            self.global(name, Type::Bool);
        }
        self.counters = ["k", "l"].map(|it| self.global(it, Type::Int)).into();
        let map = |index, element, bounded| Type::Map(Rc::new(MapType { index, element, bounded }));
        if self.layer >= Layer::Arrays {
            self.global("m", map(Type::Int, Type::Int, false));
            self.global("n", map(Type::Int, Type::Int, true));
            self.global("q", map(Type::Int, Type::Bool, false));
        }
        if self.layer >= Layer::Objects {
            let (node, pair) = (self.class("Node", None), self.class("Pair", None));
            let (ints, nodes) = (self.class("int[]", Some(Type::Int)), self.class("Node[]", Some(Type::Object(node))));
            self.fields(
                node,
                &[("val", Type::Int), ("tag", Type::Bool), ("fst", Type::Object(node)), ("snd", Type::Object(node))],
            );
            self.fields(pair, &[("left", Type::Object(node)), ("size", Type::Int), ("next", Type::Object(pair))]);
            self.fields(ints, &[("length", Type::Int)]);
            self.fields(nodes, &[("length", Type::Int)]);
            for (name, class) in [("o", node), ("r", node), ("s", pair), ("a", ints), ("d", ints), ("e", nodes)] {
                self.global(name, Type::Object(class));
            }
            self.global("h", map(Type::Object(node), Type::Int, false));
            self.global("i", map(Type::Object(node), Type::Object(node), false));
            for (name, class) in [("probe1", node), ("probe2", pair), ("probe3", ints), ("probe4", nodes)] {
                self.global(name, Type::Object(class));
            }
        }
        if self.layer >= Layer::Procedures {
            self.declare_routines();
        }
        let globals: Vec<VarId> = (0..self.program.variables.len() as u32).map(VarId).collect();
        let shown = |it: &VarId| {
            let variable = self.program.variable(*it);
            variable.global && !variable.name.starts_with(PROBE)
        };
        self.visible = globals.into_iter().filter(shown).collect();
    }

    fn declare_routines(&mut self) {
        let types = self.plain_types();
        for (index, name) in ["P", "F", "Node.m", "Pair.h"].into_iter().enumerate() {
            let this = match name {
                "Node.m" => Some(ClassId(0)),
                "Pair.h" => Some(ClassId(1)),
                _ => None,
            };
            if this.is_some() && self.layer < Layer::Objects {
                break;
            }
            let result = match name {
                "P" => None,
                "F" => Some(Type::Int),
                _ => self.numbers.one_of(&types).cloned(),
            };
            let mut parameters = vec![Type::Int];
            parameters.extend(self.numbers.one_of(&types).cloned());
            let locals: Vec<Type> = (0..2).filter_map(|_| self.numbers.one_of(&types).cloned()).collect();
            let of = |prefix: &str, list: &[Type]| -> Vec<(String, Type)> {
                let name = |at| format!("{prefix}{index}{}", ["i", "j"][at]);
                list.iter().enumerate().map(|(at, typ)| (name(at), typ.clone())).collect()
            };
            let (parameters, locals) = (of("u", &parameters), of("w", &locals));
            self.routine(name, this.map(Type::Object), &parameters, &locals, result);
        }
    }

    /// The types that locals can have.
    fn plain_types(&self) -> Vec<Type> {
        let mut res = vec![Type::Int, Type::Int, Type::Bool];
        let node = |it: usize| Type::Object(ClassId(it as u32));
        res.extend((0..self.program.classes.len().min(3)).map(node));
        res
    }

    fn class(&mut self, name: &str, element: Option<Type>) -> ClassId {
        self.program.classes.push(Class { name: name.into(), fields: Vec::new(), element });
        ClassId(self.program.classes.len() as u32 - 1)
    }

    fn fields(&mut self, class: ClassId, fields: &[(&str, Type)]) {
        for (name, typ) in fields {
            let id = FieldId(self.program.fields.len() as u32);
            self.program.fields.push(Field { name: (*name).into(), class, typ: typ.clone() });
            self.program.classes[class.index()].fields.push(id);
        }
    }

    fn global(&mut self, name: &str, typ: Type) -> VarId {
        self.variable(name, typ, true)
    }

    fn variable(&mut self, name: &str, typ: Type, global: bool) -> VarId {
        self.program.variables.push(Variable { name: name.into(), typ, global, temporary: false });
        VarId(self.program.variables.len() as u32 - 1)
    }

    fn routine(
        &mut self,
        name: &str,
        this: Option<Type>,
        parameters: &[(String, Type)],
        locals: &[(String, Type)],
        result: Option<Type>,
    ) {
        let this = this.map(|it| self.variable("this", it, false));
        let mut local = |list: &[(String, Type)]| -> Vec<VarId> {
            list.iter().map(|(name, typ)| self.variable(name, typ.clone(), false)).collect()
        };
        let (parameters, own) = (local(parameters), local(locals));
        let locals = this.iter().chain(&parameters).chain(&own).copied().collect();
        let body = Rc::new([]);
        self.program.routines.push(Routine { name: name.into(), this, parameters, locals, result, body });
    }

    fn stmt(&mut self, kind: StmtKind) -> Stmt {
        let id = StmtId(self.program.statements.len() as u32);
        // Each statement has a line of its own, by which it is known.
        let span = Span { line: id.0 + 1, column: 1, end_line: id.0 + 1, end_column: 2, ..Span::default() };
        self.program.statements.push(StmtInfo { span, routine: self.routine });
        Stmt { kind: Rc::new(kind), id }
    }
}

/// An expression without a place.
pub fn make(kind: ExprKind) -> Expr {
    Expr { kind: Rc::new(kind), span: Span::default() }
}
