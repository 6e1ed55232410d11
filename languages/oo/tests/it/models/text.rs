//! The text of a program, in the paper's notation or with signs of the keyboard.
//!
//! Knows: the grammar, with parentheses wherever they may stand. Never: precedences, how the text is read.

use effigy_oo::run::program::*;
use num_traits::Signed;
use std::collections::BTreeSet;
use std::fmt::Write;

/// The text of a program; with the paper's signs or not.
pub fn text(program: &Program, signs: bool) -> String {
    let called: Vec<&Routine> = called(program).into_iter().map(|it| program.routine(it)).collect();
    let mut writer = Writer { program, signs, depth: 0, res: String::new() };
    for (id, class) in (0..).map(ClassId).zip(&program.classes).filter(|it| it.1.element.is_none()) {
        writer.line(&format!("class {} {{", class.name));
        writer.depth += 1;
        for field in &class.fields {
            let field = program.field(*field);
            writer.line(&format!("{} {};", program.show_type(&field.typ), field.name));
        }
        for routine in called.iter().filter(|it| class_of(program, it) == Some(id)) {
            writer.routine(routine);
        }
        writer.depth -= 1;
        writer.line("}");
    }
    for routine in called.iter().filter(|it| it.this.is_none()) {
        writer.routine(routine);
    }
    for variable in program.variables.iter().filter(|it| it.global) {
        writer.line(&format!("{} {};", typ(program, &variable.typ), variable.name));
    }
    writer.stmts(&program.routine(Program::MAIN).body);
    writer.res
}

/// The routines that are called, from the main statement or one another.
fn called(program: &Program) -> BTreeSet<RoutineId> {
    fn visit(block: &Block, found: &mut Vec<RoutineId>) {
        for stmt in block.iter() {
            match &*stmt.kind {
                StmtKind::Call(call) => found.push(call.callee),
                StmtKind::If(_, then, other) => {
                    visit(then, found);
                    visit(other, found);
                }
                StmtKind::While(_, body) | StmtKind::Atomic(body) | StmtKind::Block(body) => visit(body, found),
                StmtKind::Par(threads) => threads.iter().for_each(|it| visit(it, found)),
                _ => {}
            }
        }
    }
    let (mut res, mut todo) = (BTreeSet::new(), vec![Program::MAIN]);
    while let Some(id) = todo.pop() {
        let mut found = Vec::new();
        visit(&program.routine(id).body, &mut found);
        todo.extend(found.into_iter().filter(|it| res.insert(*it)));
    }
    res
}

/// Without the parentheses around all of it.
fn bare(text: &str) -> &str {
    text.strip_prefix('(').and_then(|it| it.strip_suffix(')')).unwrap_or(text)
}

fn class_of(program: &Program, routine: &Routine) -> Option<ClassId> {
    match program.variable(routine.this?).typ {
        Type::Object(class) => Some(class),
        _ => None,
    }
}

fn typ(program: &Program, typ: &Type) -> String {
    match typ {
        Type::Map(map) => {
            let index = if map.bounded { "nat".to_owned() } else { program.show_type(&map.index) };
            format!("{index} -> {}", program.show_type(&map.element))
        }
        typ => program.show_type(typ),
    }
}

struct Writer<'a> {
    program: &'a Program,
    signs: bool,
    depth: usize,
    res: String,
}

impl Writer<'_> {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.res, "{}{text}", "  ".repeat(self.depth));
    }

    fn routine(&mut self, routine: &Routine) {
        let declared = |it: &VarId| {
            let variable = self.program.variable(*it);
            format!("{} {}", typ(self.program, &variable.typ), variable.name)
        };
        let name = routine.name.rsplit('.').next().unwrap_or(&routine.name);
        let parameters: Vec<String> = routine.parameters.iter().map(declared).collect();
        let head = match &routine.result {
            Some(result) => format!("{} {name}({}) {{", typ(self.program, result), parameters.join(", ")),
            None => format!("{name}({}) :: {{", parameters.join(", ")),
        };
        let inner = |it: &&VarId| Some(**it) != routine.this && !routine.parameters.contains(it);
        let locals: Vec<String> = routine.locals.iter().filter(inner).map(declared).collect();
        self.line(&head);
        self.depth += 1;
        locals.iter().for_each(|it| self.line(&format!("{it};")));
        self.depth -= 1;
        self.stmts_within(&routine.body);
        self.line("}");
    }

    fn stmts_within(&mut self, block: &Block) {
        self.depth += 1;
        self.stmts(block);
        self.depth -= 1;
    }

    fn stmts(&mut self, block: &Block) {
        for stmt in block.iter() {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let text = match &*stmt.kind {
            StmtKind::Assign(target, value) => format!("{} := {};", self.target(target), self.expr(value)),
            StmtKind::New(target, class) => {
                format!("{} := new {};", self.target(target), self.program.class(*class).name)
            }
            StmtKind::NewArray(target, class, size) => {
                let name = self.program.class(*class).name.replacen("[]", &format!("[{}]", self.expr(size)), 1);
                format!("{} := new {name};", self.target(target))
            }
            StmtKind::Call(call) => self.call(call),
            StmtKind::Return(None) => "return;".to_owned(),
            StmtKind::Return(Some(value)) => format!("return {};", self.expr(value)),
            StmtKind::Assume(cond) => format!("assume {};", self.expr(cond)),
            StmtKind::Assert(cond) => format!("assert {};", self.expr(cond)),
            StmtKind::Bound(map, size) => format!("|{}| = {};", self.program.name_of(*map), self.expr(size)),
            StmtKind::If(cond, then, other) => {
                let cond = self.expr(cond);
                return match self.signs {
                    // Parentheses around all of the condition belong to the other notation.
                    true => self.nested(&format!("if {}", bare(&cond)), "}", &[then, other]),
                    false => self.nested(&format!("if ({})", bare(&cond)), "} else", &[then, other]),
                };
            }
            StmtKind::While(cond, body) => return self.nested(&format!("while {}", self.expr(cond)), "", &[body]),
            StmtKind::Atomic(body) => return self.nested("atomic", "", &[body]),
            StmtKind::Block(body) => return self.nested("", "", &[body]),
            StmtKind::Par(threads) => {
                self.nested("par", "}", &threads.iter().collect::<Vec<_>>());
                ";".to_owned()
            }
        };
        self.line(&text);
    }

    fn nested(&mut self, head: &str, next: &str, blocks: &[&Block]) {
        let mut head = head.to_owned();
        for block in blocks {
            self.line(format!("{head} {{").trim_start());
            self.stmts_within(block);
            head = next.to_owned();
        }
        self.line("}");
    }

    fn call(&self, call: &Call) -> String {
        let routine = self.program.routine(call.callee);
        let name = routine.name.rsplit('.').next().unwrap_or(&routine.name);
        let arguments: Vec<String> = call.arguments.iter().map(|it| self.expr(it)).collect();
        let receiver = call.receiver.as_ref().map_or_else(String::new, |it| format!("{}.", self.expr(it)));
        let target = call.target.as_ref().map_or_else(String::new, |it| format!("{} := ", self.target(it)));
        format!("{target}{receiver}{name}({});", arguments.join(", "))
    }

    fn target(&self, target: &Target) -> String {
        match target {
            Target::Var(var) => self.program.name_of(*var).to_owned(),
            Target::Field(of, field) => format!("{}.{}", self.expr(of), self.program.field(*field).name),
            Target::Element(map, at) => format!("{}[{}]", self.program.name_of(*map), self.expr(at)),
            Target::Item(of, at) => format!("{}[{}]", self.expr(of), self.expr(at)),
        }
    }

    fn expr(&self, expr: &Expr) -> String {
        match &*expr.kind {
            ExprKind::Nil => "nil".to_owned(),
            ExprKind::Int(value) if value.is_negative() => format!("({value})"),
            ExprKind::Int(value) => value.to_string(),
            ExprKind::Bool(value) => value.to_string(),
            ExprKind::Var(var) => self.program.name_of(*var).to_owned(),
            ExprKind::Field(of, field) => format!("{}.{}", self.expr(of), self.program.field(*field).name),
            ExprKind::Element(map, at) => format!("{}[{}]", self.program.name_of(*map), self.expr(at)),
            ExprKind::Length(map) => format!("|{}|", self.program.name_of(*map)),
            ExprKind::Item(of, at) => format!("{}[{}]", self.expr(of), self.expr(at)),
            ExprKind::Cond(cond, then, other) => {
                format!("(if {} then {} else {} fi)", self.expr(cond), self.expr(then), self.expr(other))
            }
            ExprKind::Op(op @ (Op::Not | Op::Neg), operands) => {
                format!("({}{})", self.sign(*op), operands.iter().map(|it| self.expr(it)).collect::<String>())
            }
            ExprKind::Op(op, operands) => {
                let operands: Vec<String> = operands.iter().map(|it| self.expr(it)).collect();
                format!("({})", operands.join(&format!(" {} ", self.sign(*op))))
            }
        }
    }

    fn sign(&self, op: Op) -> &'static str {
        let (paper, keyboard) = match op {
            Op::Not => ("¬", "!"),
            Op::And => ("∧", "&&"),
            Op::Or => ("∨", "||"),
            Op::Implies => ("⇒", "==>"),
            Op::Eq => ("=", "=="),
            Op::Ne => ("≠", "!="),
            Op::Lt => ("<", "<"),
            Op::Le => ("≤", "<="),
            Op::Add => ("+", "+"),
            Op::Sub => ("-", "-"),
            Op::Mul => ("*", "*"),
            Op::Neg => ("-", "-"),
            Op::Div => ("div", "/"),
            Op::Mod => ("mod", "%"),
        };
        if self.signs { paper } else { keyboard }
    }
}
