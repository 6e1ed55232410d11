//! Random programs, from bytes.

use super::text::write_program;
use super::{
    Actual, Argument, Cond, Expr, Loop, Op, Procedure, Program, Shape, Statement, StatementKind, Target, Variable,
};

/// What may be called: `F` is a function of two numbers, `Q` takes two numbers and, if there is one, an array.
#[derive(Clone, Copy, Default)]
struct Callees {
    function: Option<usize>,
    subroutine: Option<usize>,
    /// Whether the subroutine takes an array.
    array: bool,
}

/// Generates a program; equal bytes give equal programs.
pub fn program(bytes: &[u8]) -> Program {
    let mut source = Source { bytes: bytes.iter(), callees: Callees::default(), assumes: false };
    let count = [1, 1, 2, 3][source.byte() % 4];
    let array = source.byte() % 3;
    source.callees =
        Callees { function: (count > 1).then_some(1), subroutine: (count > 2).then_some(2), array: array > 0 };
    let parameters = 1 + source.byte() % 3;
    let mut call: Vec<Actual> = Vec::new();
    for name in ["X", "Y", "Z"].into_iter().take(parameters) {
        call.push(match source.byte() % 8 {
            0..=4 => Actual::Number(name),
            5 => Actual::Nothing(name),
            6 => Actual::Constant(source.small()),
            _ => call.iter().find(|it| matches!(it, Actual::Number(_))).cloned().unwrap_or(Actual::Number(name)),
        });
    }
    let mut variables: Vec<Variable> = ["X", "Y", "Z"].into_iter().take(parameters).map(number).collect();
    if array > 0 {
        let shape = if source.byte().is_multiple_of(2) { Shape::Star } else { Shape::Array(0, 3) };
        variables.push(Variable { name: "V", shape, is_static: false, initial: Vec::new() });
        call.push(match source.byte() % 4 {
            0 | 1 => Actual::Open("V"),
            2 => Actual::Declared("V", 1, 3, vec!["V1", "V2", "V3"]),
            _ => Actual::Declared("V", 0, 2, vec!["V0"]),
        });
    }
    let main = source.procedure("P", variables, false, array == 2);
    let mut procedures = vec![main];
    if count > 1 {
        procedures.push(source.procedure("F", vec![number("N"), number("M")], true, false));
    }
    if count > 2 {
        let mut variables = vec![number("R"), number("S")];
        if array > 0 {
            variables.push(Variable { name: "G", shape: Shape::Star, is_static: false, initial: Vec::new() });
        }
        procedures.push(source.procedure("Q", variables, false, false));
    }
    let assumes = source.assumes;
    let mut res = Program { procedures, call, source: String::new(), call_text: String::new(), assumes };
    write_program(&mut res);
    res
}

fn number(name: &'static str) -> Variable {
    Variable { name, shape: Shape::Number, is_static: false, initial: Vec::new() }
}

struct Source<'a> {
    bytes: std::slice::Iter<'a, u8>,
    callees: Callees,
    assumes: bool,
}

/// What is generated around a statement.
struct Scope {
    variables: Vec<Variable>,
    /// The numbers that are likely to have a value.
    loops: Vec<usize>,
    n_loops: usize,
    /// Labels with the loops around them.
    labels: Vec<(usize, Vec<usize>)>,
    gotos: Vec<(usize, Vec<usize>)>,
    n_labels: usize,
    calls: usize,
    statements: usize,
    /// The function's first parameter decreases from call to call.
    recursive: bool,
    /// The variables of the loops around.
    controls: Vec<usize>,
}

impl Source<'_> {
    fn byte(&mut self) -> usize {
        usize::from(self.bytes.next().copied().unwrap_or(0))
    }

    fn is_empty(&self) -> bool {
        self.bytes.len() == 0
    }

    fn small(&mut self) -> i128 {
        [1, 0, 2, -1, 3, 4, -2, 5][self.byte() % 8]
    }

    fn procedure(
        &mut self,
        name: &'static str,
        mut variables: Vec<Variable>,
        function: bool,
        array: bool,
    ) -> Procedure {
        let parameters = variables.len();
        for name in ["I", "J"] {
            let initial = if self.byte() % 3 == 2 { Vec::new() } else { vec![self.small()] };
            variables.push(Variable { initial, ..number(name) });
        }
        match self.byte() % 6 {
            4 => variables.push(Variable { initial: vec![self.small()], ..number("K") }),
            5 => variables.push(Variable { is_static: true, initial: vec![self.small()], ..number("K") }),
            _ => {}
        }
        if array {
            let (lower, upper) = [(1, 3), (0, 2), (-1, 1)][self.byte() % 3];
            let count = self.byte() % 4;
            let initial = (0..count).map(|_| self.small()).collect();
            let is_static = self.byte() % 5 == 4;
            variables.push(Variable { name: "W", shape: Shape::Array(lower, upper), is_static, initial });
        }
        let mut scope = Scope {
            variables,
            loops: Vec::new(),
            n_loops: 0,
            labels: Vec::new(),
            gotos: Vec::new(),
            n_labels: 0,
            calls: 0,
            statements: 0,
            recursive: name != "P",
            controls: Vec::new(),
        };
        let count = 1 + self.byte() % if name == "P" { 7 } else { 3 };
        let mut body = self.statements(&mut scope, count, 3);
        if function {
            let value = self.expr(&mut scope, 2, false);
            body.push(Statement { label: None, line: 0, kind: StatementKind::Return(Some(value)) });
        }
        drop_bad_gotos(&mut body, &scope, &mut Vec::new(), &mut 0);
        Procedure { name, parameters, variables: scope.variables, body, lines: (0, 0) }
    }

    fn statements(&mut self, scope: &mut Scope, count: usize, depth: u32) -> Vec<Statement> {
        let mut res = Vec::new();
        for _ in 0..count {
            if self.is_empty() && !res.is_empty() || scope.statements > 14 {
                break;
            }
            scope.statements += 1;
            let label = (self.byte() % 6 == 5).then(|| {
                scope.n_labels += 1;
                scope.labels.push((scope.n_labels, scope.loops.clone()));
                scope.n_labels
            });
            let kind = self.statement(scope, depth);
            res.push(Statement { label, line: 0, kind });
        }
        res
    }

    fn statement(&mut self, scope: &mut Scope, depth: u32) -> StatementKind {
        let op = self.byte() % if depth == 0 { 16 } else { 24 };
        match op {
            0..=5 => {
                let target = self.target(scope);
                let value = self.expr(scope, 2, true);
                StatementKind::Assign(vec![target], value)
            }
            6 => {
                let targets = vec![self.target(scope), self.target(scope)];
                let value = self.expr(scope, 1, true);
                StatementKind::Assign(targets, value)
            }
            7 => StatementKind::Write(vec![self.expr(scope, 1, true)]),
            8 => StatementKind::Read(self.target(scope)),
            9 => {
                self.assumes = true;
                StatementKind::Assume(self.plain_cond(scope))
            }
            10 => StatementKind::Prove(self.plain_cond(scope)),
            11 => {
                let label = 1 + self.byte() % 4;
                scope.gotos.push((label, scope.loops.clone()));
                StatementKind::Goto(label)
            }
            12 if scope.statements > 2 && self.byte().is_multiple_of(4) => match scope.recursive {
                true => StatementKind::Return(Some(self.expr(scope, 1, false))),
                false => StatementKind::Return(None),
            },
            12..=15 => match self.callees.subroutine.filter(|_| self.can_call(scope)) {
                Some(callee) => {
                    let arguments = self.arguments(scope, true);
                    let call = StatementKind::Call(callee, arguments);
                    if scope.recursive { Self::decreasing(call) } else { call }
                }
                _ => {
                    let target = self.target(scope);
                    StatementKind::Assign(vec![target], self.expr(scope, 2, true))
                }
            },
            16..=19 => {
                let cond = self.cond(scope, 1, true);
                let count = 1 + self.byte() % 2;
                let then = self.statements(scope, count, depth - 1);
                let otherwise = (self.byte() % 2 == 1).then(|| self.statements(scope, 1, depth - 1));
                StatementKind::If(cond, then, otherwise)
            }
            _ => self.repetition(scope, depth, op < 22),
        }
    }

    /// Whether there is an array to pass on, if one is wanted.
    fn can_call(&self, scope: &Scope) -> bool {
        !self.callees.array || scope.variables.iter().any(|it| it.shape != Shape::Number)
    }

    /// `IF N > 0 THEN call`, so that most recursions end.
    fn decreasing(call: StatementKind) -> StatementKind {
        let cond = Cond::Compare(">", Expr::Variable(0), Expr::Constant(0));
        StatementKind::If(cond, vec![Statement { label: None, line: 0, kind: call }], None)
    }

    fn repetition(&mut self, scope: &mut Scope, depth: u32, counted: bool) -> StatementKind {
        let mut control = None;
        let mut condition = None;
        if counted {
            let free: Vec<usize> = (0..scope.variables.len())
                .filter(|it| scope.variables[*it].shape == Shape::Number && !scope.controls.contains(it))
                .collect();
            let local = scope.variables.iter().position(|it| it.name == "I").unwrap_or(0);
            let variable = match self.byte() % 4 {
                3 if !free.is_empty() => free[self.byte() % free.len()],
                _ if scope.controls.contains(&local) => local + 1,
                _ => local,
            };
            let from = self.bound(scope);
            let to = self.bound(scope);
            let by = match self.byte() % 6 {
                3 => Some(Expr::Constant(-1)),
                4 => Some(Expr::Constant(2)),
                5 => Some(self.bound(scope)),
                _ => None,
            };
            scope.controls.push(variable);
            control = Some((variable, from, to, by));
            if self.byte() % 5 == 4 {
                condition = Some(self.cond(scope, 0, true));
            }
        } else {
            condition = Some(self.cond(scope, 1, true));
        }
        scope.n_loops += 1;
        scope.loops.push(scope.n_loops);
        let count = 1 + self.byte() % 2;
        let body = self.statements(scope, count, depth - 1);
        scope.loops.pop();
        if control.is_some() {
            scope.controls.pop();
        }
        StatementKind::Loop(Box::new(Loop { control, condition, body }))
    }

    fn bound(&mut self, scope: &mut Scope) -> Expr {
        match self.byte() % 5 {
            0..=2 => Expr::Constant(self.small()),
            3 => Expr::Variable(self.variable(scope)),
            _ => self.expr(scope, 1, true),
        }
    }

    /// Any number; parameters more often.
    fn variable(&mut self, scope: &Scope) -> usize {
        let numbers: Vec<usize> =
            (0..scope.variables.len()).filter(|it| scope.variables[*it].shape == Shape::Number).collect();
        let at = self.byte();
        let inputs = numbers.iter().filter(|it| !["I", "J"].contains(&scope.variables[**it].name)).count();
        let last = scope.controls.last().copied();
        match (at / 8 % 4, last) {
            (3, _) => numbers[at % numbers.len()],
            (2, Some(control)) => control,
            _ => {
                let at = at % inputs;
                let mut rest = numbers.iter().filter(|it| !["I", "J"].contains(&scope.variables[**it].name));
                *rest.nth(at).unwrap_or(&numbers[0])
            }
        }
    }

    fn array(&mut self, scope: &Scope) -> Option<usize> {
        let arrays: Vec<usize> =
            (0..scope.variables.len()).filter(|it| scope.variables[*it].shape != Shape::Number).collect();
        match arrays.is_empty() {
            true => None,
            false => Some(arrays[self.byte() % arrays.len()]),
        }
    }

    fn target(&mut self, scope: &mut Scope) -> Target {
        match self.byte() % 8 {
            0..=2 => Target::Number(self.variable(scope)),
            3 | 4 => {
                let at = scope.variables.iter().position(|it| it.name == "I").unwrap_or(0);
                Target::Number(at + self.byte() % 2)
            }
            _ => match self.array(scope) {
                Some(array) => Target::Element(array, self.subscript(scope)),
                None => Target::Number(self.variable(scope)),
            },
        }
    }

    fn subscript(&mut self, scope: &mut Scope) -> Expr {
        match self.byte() % 6 {
            0..=2 => Expr::Variable(self.variable(scope)),
            3 => Expr::Constant([1, 2, 0, 3][self.byte() % 4]),
            _ => self.expr(scope, 1, false),
        }
    }

    fn arguments(&mut self, scope: &mut Scope, subroutine: bool) -> Vec<Argument> {
        let mut res: Vec<Argument> = (0..2).map(|_| self.argument(scope)).collect();
        // Recursion goes down.
        if scope.recursive {
            let less = Expr::Binary(Op::Subtract, Box::new(Expr::Variable(0)), Box::new(Expr::Constant(1)));
            res[0] = Argument::Dummy(less);
        }
        if subroutine && self.callees.array {
            match self.array(scope) {
                Some(array) => res.push(Argument::Array(array)),
                None => unreachable!("what has no array to pass on calls no subroutine"),
            }
        }
        res
    }

    fn argument(&mut self, scope: &mut Scope) -> Argument {
        match self.byte() % 6 {
            0..=2 => Argument::Reference(Target::Number(self.variable(scope))),
            3 => match self.array(scope) {
                Some(array) => Argument::Reference(Target::Element(array, self.subscript(scope))),
                None => Argument::Reference(Target::Number(self.variable(scope))),
            },
            _ => Argument::Dummy(self.expr(scope, 1, true)),
        }
    }

    fn expr(&mut self, scope: &mut Scope, depth: u32, calls: bool) -> Expr {
        let op = self.byte() % if depth == 0 { 4 } else { 20 };
        let mut inner = |it: &mut Self| Box::new(it.expr(scope, depth - 1, calls));
        match op {
            0 | 1 => Expr::Variable(self.variable(scope)),
            2 => Expr::Constant(self.small()),
            3 => match self.array(scope) {
                Some(array) => {
                    let at = match self.byte() % 3 {
                        0 | 1 => Expr::Variable(self.variable(scope)),
                        _ => Expr::Constant([1, 2, 0, 3][self.byte() % 4]),
                    };
                    Expr::Element(array, Box::new(at))
                }
                None => Expr::Variable(self.variable(scope)),
            },
            4..=6 => Expr::Binary(Op::Add, inner(self), inner(self)),
            7 | 8 => Expr::Binary(Op::Subtract, inner(self), inner(self)),
            9 => {
                let a = inner(self);
                Expr::Binary(Op::Multiply, a, Box::new(Expr::Constant(self.small())))
            }
            10 => match self.byte() % 4 {
                0 => Expr::Binary(Op::Multiply, inner(self), inner(self)),
                1 => Expr::Binary(Op::Power, inner(self), inner(self)),
                _ => {
                    let a = inner(self);
                    Expr::Binary(Op::Power, a, Box::new(Expr::Constant([2, 1, 0, 3][self.byte() % 4])))
                }
            },
            11..=13 => {
                let op = [Op::Divide, Op::Mod, Op::Rem][op - 11];
                let a = inner(self);
                match self.byte() % 4 {
                    3 => Expr::Binary(op, a, inner(self)),
                    _ => Expr::Binary(op, a, Box::new(Expr::Constant([2, 3, -2, -3][self.byte() % 4]))),
                }
            }
            14 => Expr::Binary(Op::Min, inner(self), inner(self)),
            15 => Expr::Binary(Op::Max, inner(self), inner(self)),
            16 => Expr::Abs(inner(self)),
            17 => Expr::Minus(inner(self)),
            _ => match self.callees.function {
                Some(callee) if calls && !scope.recursive => {
                    let arguments = self.arguments(scope, false);
                    scope.calls += 1;
                    Expr::Call(callee, scope.calls, arguments)
                }
                _ => Expr::Variable(self.variable(scope)),
            },
        }
    }

    fn compare(&mut self, scope: &mut Scope, depth: u32, calls: bool) -> Cond {
        let sign = ["<", "=", ">=", ">", "<=", "¬="][self.byte() % 6];
        let (a, b) = (self.expr(scope, depth, calls), self.expr(scope, depth, calls));
        Cond::Compare(sign, a, b)
    }

    fn cond(&mut self, scope: &mut Scope, depth: u32, calls: bool) -> Cond {
        match self.byte() % if depth == 0 { 4 } else { 8 } {
            0..=3 => self.compare(scope, depth, calls),
            op => {
                let a = Box::new(self.cond(scope, depth - 1, calls));
                match op {
                    4 => Cond::Not(a),
                    5 => Cond::And(a, Box::new(self.cond(scope, depth - 1, calls))),
                    6 => Cond::Or(a, Box::new(self.cond(scope, depth - 1, calls))),
                    _ => Cond::Implies(a, Box::new(self.cond(scope, depth - 1, calls))),
                }
            }
        }
    }

    /// Without divisions, powers, subscripts: these are total in assertions, and differ from the program's.
    fn plain_cond(&mut self, scope: &mut Scope) -> Cond {
        let op = self.byte() % 8;
        if op < 5 {
            return self.plain_compare(scope);
        }
        let a = Box::new(self.plain_compare(scope));
        let b = Box::new(self.plain_compare(scope));
        match op {
            5 => Cond::And(a, b),
            6 => Cond::Or(a, b),
            _ => {
                let c = Box::new(self.plain_compare(scope));
                Cond::And(a, Box::new(Cond::Implies(b, c)))
            }
        }
    }

    fn plain_compare(&mut self, scope: &mut Scope) -> Cond {
        let sign = ["<=", "<", ">=", ">", "=", "¬="][self.byte() % 6];
        let a = Expr::Variable(self.variable(scope));
        let b = match self.byte() % 3 {
            0 => Expr::Constant(self.small()),
            1 => Expr::Variable(self.variable(scope)),
            _ => {
                let a = Box::new(Expr::Variable(self.variable(scope)));
                Expr::Binary(Op::Add, a, Box::new(Expr::Constant(self.small())))
            }
        };
        Cond::Compare(sign, a, b)
    }
}

/// GO TO nowhere, and into a loop, becomes nothing.
fn drop_bad_gotos(statements: &mut [Statement], scope: &Scope, loops: &mut Vec<usize>, n_loops: &mut usize) {
    for statement in statements {
        match &mut statement.kind {
            StatementKind::Goto(label) => {
                let target = scope.labels.iter().find(|it| it.0 == *label);
                if !target.is_some_and(|it| loops.starts_with(&it.1)) {
                    statement.kind = StatementKind::Null;
                }
            }
            StatementKind::If(_, then, otherwise) => {
                drop_bad_gotos(then, scope, loops, n_loops);
                if let Some(otherwise) = otherwise {
                    drop_bad_gotos(otherwise, scope, loops, n_loops);
                }
            }
            StatementKind::Loop(it) => {
                // In the order in which they were generated.
                *n_loops += 1;
                loops.push(*n_loops);
                drop_bad_gotos(&mut it.body, scope, loops, n_loops);
                loops.pop();
            }
            _ => {}
        }
    }
}
