//! Expressions and statements in the paper's notation.
//!
//! Knows: precedences. Never: values, terms.

use super::program::{Block, Expr, ExprKind, Op, Program, Stmt, StmtKind, Target, Type, VarId};

/// How tightly an operation binds; larger is tighter.
fn level(op: Op) -> u8 {
    match op {
        Op::Implies => 1,
        Op::Or => 2,
        Op::And => 3,
        Op::Eq | Op::Ne | Op::Lt | Op::Le => 4,
        Op::Add | Op::Sub => 5,
        Op::Mul | Op::Div | Op::Mod => 6,
        Op::Not | Op::Neg => 7,
    }
}

fn sign(op: Op) -> &'static str {
    match op {
        Op::Not => "¬",
        Op::And => " ∧ ",
        Op::Or => " ∨ ",
        Op::Implies => " ⇒ ",
        Op::Eq => " = ",
        Op::Ne => " ≠ ",
        Op::Lt => " < ",
        Op::Le => " ≤ ",
        Op::Add => " + ",
        Op::Sub => " - ",
        Op::Mul => " * ",
        Op::Neg => "-",
        Op::Div => " div ",
        Op::Mod => " mod ",
    }
}

impl Program {
    /// The name of a variable.
    pub fn name_of(&self, id: VarId) -> &str {
        &self.variable(id).name
    }

    /// A type as it is written.
    pub fn show_type(&self, typ: &Type) -> String {
        match typ {
            Type::Int => "int".to_owned(),
            Type::Bool => "bool".to_owned(),
            Type::Object(class) => self.class(*class).name.to_string(),
            Type::Map(map) if map.bounded => format!("nat → {}", self.show_type(&map.element)),
            Type::Map(map) => format!("{} → {}", self.show_type(&map.index), self.show_type(&map.element)),
        }
    }

    /// An expression as the paper writes it.
    pub fn show(&self, expr: &Expr) -> String {
        self.show_at(expr, 0)
    }

    fn show_at(&self, expr: &Expr, outer: u8) -> String {
        match &*expr.kind {
            ExprKind::Nil => "nil".to_owned(),
            ExprKind::Int(value) => value.to_string(),
            ExprKind::Bool(value) => value.to_string(),
            ExprKind::Var(id) => self.name_of(*id).to_owned(),
            ExprKind::Field(of, field) => format!("{}.{}", self.show_at(of, 8), self.field(*field).name),
            ExprKind::Element(map, at) => format!("{}[{}]", self.name_of(*map), self.show(at)),
            ExprKind::Length(map) => format!("|{}|", self.name_of(*map)),
            ExprKind::Item(of, at) => format!("{}[{}]", self.show_at(of, 8), self.show(at)),
            ExprKind::Cond(cond, yes, no) => {
                format!("if {} then {} else {} fi", self.show(cond), self.show(yes), self.show(no))
            }
            ExprKind::Op(op, parts) => {
                let own = level(*op);
                let text = match (op, parts.as_slice()) {
                    (Op::Not | Op::Neg, [only]) => format!("{}{}", sign(*op), self.show_at(only, own + 1)),
                    // An operation of few is as tight as it can be on its right.
                    (_, [left, rest @ ..]) => {
                        let mut res = self.show_at(left, own);
                        for it in rest {
                            res.push_str(sign(*op));
                            res.push_str(&self.show_at(it, own + 1));
                        }
                        res
                    }
                    (_, []) => "true".to_owned(),
                };
                if own < outer { format!("({text})") } else { text }
            }
        }
    }

    /// What is assigned, as the paper writes it.
    pub fn show_target(&self, target: &Target) -> String {
        match target {
            Target::Var(id) => self.name_of(*id).to_owned(),
            Target::Field(of, field) => format!("{}.{}", self.show_at(of, 8), self.field(*field).name),
            Target::Element(map, at) => format!("{}[{}]", self.name_of(*map), self.show(at)),
            Target::Item(of, at) => format!("{}[{}]", self.show_at(of, 8), self.show(at)),
        }
    }

    /// An expression as it was written, where it stands on one line.
    fn said(&self, expr: &Expr) -> String {
        let span = expr.span;
        let line = self.lines.get(span.line.saturating_sub(1) as usize).filter(|_| span.line == span.end_line);
        let (from, to) = (span.column.saturating_sub(1) as usize, span.end_column.saturating_sub(1) as usize);
        let text: String =
            line.into_iter().flat_map(|it| it.chars()).skip(from).take(to.saturating_sub(from)).collect();
        if text.trim().is_empty() { self.show(expr) } else { text.trim().to_owned() }
    }

    /// A statement on one line; of those that contain others, the head.
    pub fn show_statement(&self, stmt: &Stmt) -> String {
        let arguments = |list: &[Expr]| list.iter().map(|it| self.said(it)).collect::<Vec<_>>().join(", ");
        match &*stmt.kind {
            StmtKind::Assign(target, value) => format!("{} := {}", self.show_target(target), self.said(value)),
            StmtKind::New(target, class) => {
                format!("{} := new {}", self.show_target(target), self.class(*class).name)
            }
            StmtKind::NewArray(target, class, size) => {
                let name = self.class(*class).name.replacen("[]", &format!("[{}]", self.show(size)), 1);
                format!("{} := new {name}", self.show_target(target))
            }
            StmtKind::Call(call) => {
                let routine = self.routine(call.callee);
                let name = routine.name.rsplit('.').next().unwrap_or(&routine.name);
                let mut res =
                    call.target.as_ref().map_or_else(String::new, |it| format!("{} := ", self.show_target(it)));
                if let Some(receiver) = &call.receiver {
                    res.push_str(&self.show_at(receiver, 8));
                    res.push('.');
                }
                res + &format!("{name}({})", arguments(&call.arguments))
            }
            StmtKind::Return(None) => "return".to_owned(),
            StmtKind::Return(Some(value)) => format!("return {}", self.said(value)),
            StmtKind::If(cond, yes, no) => {
                format!("if {} {{{}}}{{{}}}", self.said(cond), dots(yes), dots(no))
            }
            StmtKind::While(cond, body) => format!("while {} {{{}}}", self.said(cond), dots(body)),
            StmtKind::Assume(cond) => format!("assume {}", self.said(cond)),
            StmtKind::Assert(cond) => format!("assert {}", self.said(cond)),
            StmtKind::Bound(map, size) => format!("|{}| = {}", self.name_of(*map), self.show(size)),
            StmtKind::Par(threads) => {
                threads.iter().fold("par".to_owned(), |text, it| text + &format!(" {{{}}}", dots(it)))
            }
            StmtKind::Atomic(body) => format!("atomic {{{}}}", dots(body)),
            StmtKind::Block(body) => format!("{{{}}}", dots(body)),
        }
    }
}

fn dots(block: &Block) -> &'static str {
    if block.is_empty() { "" } else { "…" }
}
