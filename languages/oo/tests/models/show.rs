//! Programs and valuations for people: what a failing test prints.

use effigy_oo::run::concrete::{Valuation, Value};
use effigy_oo::run::program::*;
use std::fmt::Write;

/// The routines that are called, and the main statement, indented.
pub fn program(program: &Program) -> String {
    let mut res = String::new();
    for routine in &program.routines {
        if routine.body.is_empty() {
            continue;
        }
        let parameters: Vec<&str> = routine.parameters.iter().map(|it| program.name_of(*it)).collect();
        let _ = writeln!(res, "{}({})", routine.name, parameters.join(", "));
        block(program, &routine.body, 1, &mut res);
    }
    res
}

fn block(program: &Program, stmts: &Block, depth: usize, into: &mut String) {
    for stmt in stmts.iter() {
        let line = program.statements[stmt.id.index()].span.line;
        let _ = writeln!(into, "{:3} {}{}", line, "  ".repeat(depth), program.show_statement(stmt));
        match &*stmt.kind {
            StmtKind::If(_, then, other) => {
                block(program, then, depth + 1, into);
                if !other.is_empty() {
                    let _ = writeln!(into, "    {}else", "  ".repeat(depth));
                    block(program, other, depth + 1, into);
                }
            }
            StmtKind::While(_, body) | StmtKind::Block(body) | StmtKind::Atomic(body) => {
                block(program, body, depth + 1, into);
            }
            StmtKind::Par(threads) => {
                for thread in threads {
                    let _ = writeln!(into, "    {}thread", "  ".repeat(depth));
                    block(program, thread, depth + 2, into);
                }
            }
            _ => {}
        }
    }
}

pub fn value(value: &Value) -> String {
    match value {
        Value::Int(it) => it.to_string(),
        Value::Bool(it) => it.to_string(),
        Value::Nil => "nil".to_owned(),
        Value::Object(it) => format!("#{}", it.0),
    }
}

pub fn valuation(program: &Program, valuation: &Valuation) -> String {
    let mut parts = Vec::new();
    for (var, it) in &valuation.globals {
        parts.push(format!("{} = {}", program.name_of(*var), value(it)));
    }
    for (var, map) in &valuation.maps {
        let entries: Vec<String> =
            map.exceptions.iter().map(|(at, it)| format!("{}: {}", value(at), value(it))).collect();
        let (name, default) = (program.name_of(*var), value(&map.default));
        parts.push(format!("{name} = [{}, ..: {default}; |{name}| = {}]", entries.join(", "), map.length));
    }
    for (id, object) in &valuation.heap.objects {
        let mut fields: Vec<String> =
            object.fields.iter().map(|(field, it)| format!("{}: {}", program.field(*field).name, value(it))).collect();
        fields.extend(object.items.iter().map(|(at, it)| format!("{at}: {}", value(it))));
        parts.push(format!("#{} = {}{{{}}}", id.0, program.class(object.class).name, fields.join(", ")));
    }
    parts.join("\n    ")
}
