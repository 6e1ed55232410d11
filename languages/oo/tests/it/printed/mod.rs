//! A program that is executed as one line of text per routine, so that tests can say what becomes of what.

use effigy_oo::run::program::{Block, Expr, ExprKind, Op, Program, Stmt, StmtKind, Target, Type, VarId};

/// The statements of a routine.
pub fn body(program: &Program, name: &str) -> String {
    let routine = program.routines.iter().find(|it| &*it.name == name).expect("a routine of this name");
    block(program, &routine.body)
}

pub fn typ(program: &Program, typ: &Type) -> String {
    match typ {
        Type::Int => "int".to_owned(),
        Type::Bool => "bool".to_owned(),
        Type::Object(class) => program.class(*class).name.to_string(),
        Type::Map(map) => {
            let index = if map.bounded { "nat".to_owned() } else { self::typ(program, &map.index) };
            format!("{index} -> {}", self::typ(program, &map.element))
        }
    }
}

fn block(program: &Program, block: &Block) -> String {
    block.iter().map(|it| stmt(program, it)).collect::<Vec<_>>().join("; ")
}

fn stmt(p: &Program, stmt: &Stmt) -> String {
    let braced = |it: &Block| format!("{{{}}}", block(p, it));
    match &*stmt.kind {
        StmtKind::Assign(target, value) => format!("{} := {}", assigned(p, target), expr(p, value)),
        StmtKind::New(target, class) => format!("{} := new {}", assigned(p, target), p.class(*class).name),
        StmtKind::NewArray(target, class, size) => {
            format!("{} := new {} of {}", assigned(p, target), p.class(*class).name, expr(p, size))
        }
        StmtKind::Call(call) => {
            let target = call.target.as_ref().map_or(String::new(), |it| format!("{} := ", assigned(p, it)));
            let receiver = call.receiver.as_ref().map_or(String::new(), |it| format!("{}.", expr(p, it)));
            format!("{target}{receiver}{}({})", p.routine(call.callee).name, list(p, &call.arguments))
        }
        StmtKind::Return(value) => format!("return {}", value.as_ref().map_or(String::new(), |it| expr(p, it))),
        StmtKind::If(condition, positive, negative) => {
            format!("if {} {} {}", expr(p, condition), braced(positive), braced(negative))
        }
        StmtKind::While(condition, body) => format!("while {} {}", expr(p, condition), braced(body)),
        StmtKind::Assume(condition) => format!("assume {}", expr(p, condition)),
        StmtKind::Assert(condition) => format!("assert {}", expr(p, condition)),
        StmtKind::Bound(array, size) => format!("|{}| = {}", name(p, *array), expr(p, size)),
        StmtKind::Par(threads) => format!("par {}", threads.iter().map(braced).collect::<Vec<_>>().join(" ")),
        StmtKind::Atomic(body) => format!("atomic {}", braced(body)),
        StmtKind::Block(body) => braced(body),
    }
}

fn name(program: &Program, variable: VarId) -> String {
    program.variable(variable).name.to_string()
}

fn assigned(p: &Program, target: &Target) -> String {
    match target {
        Target::Var(variable) => name(p, *variable),
        Target::Field(receiver, field) => format!("{}.{}", expr(p, receiver), p.field(*field).name),
        Target::Element(array, index) => format!("{}[{}]", name(p, *array), expr(p, index)),
        Target::Item(array, index) => format!("{}[{}]", expr(p, array), expr(p, index)),
    }
}

fn list(program: &Program, exprs: &[Expr]) -> String {
    exprs.iter().map(|it| expr(program, it)).collect::<Vec<_>>().join(", ")
}

pub fn expr(p: &Program, expression: &Expr) -> String {
    match &*expression.kind {
        ExprKind::Nil => "nil".to_owned(),
        ExprKind::Int(value) => value.to_string(),
        ExprKind::Bool(value) => value.to_string(),
        ExprKind::Var(variable) => name(p, *variable),
        ExprKind::Field(receiver, field) => format!("{}.{}", expr(p, receiver), p.field(*field).name),
        ExprKind::Element(array, index) => format!("{}[{}]", name(p, *array), expr(p, index)),
        ExprKind::Length(array) => format!("|{}|", name(p, *array)),
        ExprKind::Item(array, index) => format!("{}[{}]", expr(p, array), expr(p, index)),
        ExprKind::Op(op, operands) => {
            let sign = match op {
                Op::Not => return format!("!{}", list(p, operands)),
                Op::Neg => return format!("-{}", list(p, operands)),
                Op::And => "&&",
                Op::Or => "||",
                Op::Implies => "==>",
                Op::Eq => "=",
                Op::Ne => "!=",
                Op::Lt => "<",
                Op::Le => "<=",
                Op::Add => "+",
                Op::Sub => "-",
                Op::Mul => "*",
                Op::Div => "div",
                Op::Mod => "mod",
            };
            let operands: Vec<String> = operands.iter().map(|it| expr(p, it)).collect();
            format!("({})", operands.join(&format!(" {sign} ")))
        }
        ExprKind::Cond(condition, positive, negative) => {
            format!("({} ? {} : {})", expr(p, condition), expr(p, positive), expr(p, negative))
        }
    }
}
