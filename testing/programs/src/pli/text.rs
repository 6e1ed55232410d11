//! Programs as PL/I source text. Lines are given to statements here.

use super::{Actual, Argument, Cond, Expr, Loop, Op, Program, Shape, Statement, StatementKind, Target, Variable};
use std::fmt::Write;

/// Writes a program, and notes on which lines its statements are.
pub(super) fn write_program(program: &mut Program) {
    let names: Vec<&'static str> = program.procedures.iter().map(|it| it.name).collect();
    let mut text = String::new();
    let mut line = 1;
    for procedure in &mut program.procedures {
        let variables = procedure.variables.clone();
        let mut writer = Writer { text: &mut text, line, names: &names, variables: &variables };
        procedure.lines.0 = writer.line;
        let parameters: Vec<&str> = variables[..procedure.parameters].iter().map(|it| it.name).collect();
        writer.put(1, &format!("{}: PROC ({});", procedure.name, parameters.join(", ")));
        for variable in &variables {
            writer.declaration(variable);
        }
        writer.statements(2, &mut procedure.body);
        procedure.lines.1 = writer.line;
        writer.put(1, "END;");
        line = writer.line;
    }
    program.source = text;
    program.call_text = call_text(names[0], &program.call);
}

fn call_text(name: &str, call: &[Actual]) -> String {
    let mut declarations = String::new();
    let mut declared = Vec::new();
    let mut arguments = Vec::new();
    for actual in call {
        arguments.push(match actual {
            Actual::Constant(value) => value.to_string(),
            Actual::Number(name) | Actual::Nothing(name) | Actual::Open(name) | Actual::Declared(name, ..) => {
                if !declared.contains(name) {
                    declared.push(name);
                    let _ = match actual {
                        Actual::Number(name) => write!(declarations, "DCL {name} INITIAL(\"{name}\"); "),
                        Actual::Nothing(name) => write!(declarations, "DCL {name} INTEGER; "),
                        Actual::Declared(name, lower, upper, initial) => {
                            let initial: Vec<String> = initial.iter().map(|it| format!("\"{it}\"")).collect();
                            match initial.is_empty() {
                                true => write!(declarations, "DCL {name}({lower}:{upper}); "),
                                false => write!(
                                    declarations,
                                    "DCL {name}({lower}:{upper}) INITIAL({}); ",
                                    initial.join(", ")
                                ),
                            }
                        }
                        _ => Ok(()),
                    };
                }
                (*name).to_owned()
            }
        });
    }
    format!("{declarations}CALL {name}({})", arguments.join(", "))
}

struct Writer<'a> {
    text: &'a mut String,
    line: u32,
    names: &'a [&'static str],
    variables: &'a [Variable],
}

impl Writer<'_> {
    fn put(&mut self, depth: usize, line: &str) {
        let _ = writeln!(self.text, "{}{line}", "  ".repeat(depth));
        self.line += 1;
    }

    fn declaration(&mut self, it: &Variable) {
        let mut line = match it.shape {
            Shape::Number if !it.is_static && it.initial.is_empty() => return,
            Shape::Number => format!("DCL {} INTEGER", it.name),
            Shape::Star => format!("DCL {}(*) INTEGER", it.name),
            Shape::Array(lower, upper) => format!("DCL {}({lower}:{upper}) INTEGER", it.name),
        };
        if it.is_static {
            line.push_str(" STATIC");
        }
        if !it.initial.is_empty() {
            let values: Vec<String> = it.initial.iter().map(ToString::to_string).collect();
            let _ = write!(line, " INITIAL({})", values.join(", "));
        }
        self.put(2, &format!("{line};"));
    }

    fn statements(&mut self, depth: usize, statements: &mut [Statement]) {
        for statement in statements {
            self.statement(depth, statement);
        }
    }

    fn statement(&mut self, depth: usize, statement: &mut Statement) {
        statement.line = self.line;
        let label = statement.label.map_or_else(String::new, |it| format!("L{it}: "));
        match &mut statement.kind {
            StatementKind::If(cond, then, otherwise) => {
                let line = format!("{label}IF {} THEN DO;", self.cond(cond));
                self.put(depth, &line);
                self.statements(depth + 1, then);
                if let Some(otherwise) = otherwise {
                    self.put(depth, "END; ELSE DO;");
                    self.statements(depth + 1, otherwise);
                }
                self.put(depth, "END;");
            }
            StatementKind::Loop(it) => {
                let line = format!("{label}{};", self.head(it));
                self.put(depth, &line);
                self.statements(depth + 1, &mut it.body);
                self.put(depth, "END;");
            }
            simple => {
                let line = format!("{label}{};", self.simple(simple));
                self.put(depth, &line);
            }
        }
    }

    fn head(&self, it: &Loop) -> String {
        let mut res = String::from("DO");
        if let Some((variable, from, to, by)) = &it.control {
            let name = self.variables[*variable].name;
            let _ = write!(res, " {name} = {} TO {}", self.expr(from), self.expr(to));
            if let Some(by) = by {
                let _ = write!(res, " BY {}", self.expr(by));
            }
        }
        if let Some(cond) = &it.condition {
            let _ = write!(res, " WHILE ({})", self.cond(cond));
        }
        res
    }

    fn simple(&self, kind: &StatementKind) -> String {
        match kind {
            StatementKind::Assign(targets, value) => {
                let targets: Vec<String> = targets.iter().map(|it| self.target(it)).collect();
                format!("{} = {}", targets.join(", "), self.expr(value))
            }
            StatementKind::Goto(label) => format!("GO TO L{label}"),
            StatementKind::Call(callee, arguments) => {
                format!("CALL {}({})", self.names[*callee], self.arguments(arguments))
            }
            StatementKind::Return(None) => "RETURN".to_owned(),
            StatementKind::Return(Some(value)) => format!("RETURN ({})", self.expr(value)),
            StatementKind::Read(target) => format!("READ ({})", self.target(target)),
            StatementKind::Write(values) => {
                let values: Vec<String> = values.iter().map(|it| self.expr(it)).collect();
                format!("WRITE ({})", values.join(", "))
            }
            StatementKind::Assume(cond) => format!("ASSUME ({})", self.cond(cond)),
            StatementKind::Prove(cond) => format!("PROVE ({})", self.cond(cond)),
            StatementKind::Null | StatementKind::If(..) | StatementKind::Loop(_) => String::new(),
        }
    }

    fn target(&self, target: &Target) -> String {
        match target {
            Target::Number(it) => self.variables[*it].name.to_owned(),
            Target::Element(it, at) => format!("{}({})", self.variables[*it].name, self.expr(at)),
        }
    }

    fn arguments(&self, arguments: &[Argument]) -> String {
        let one = |it: &Argument| match it {
            Argument::Reference(target) => self.target(target),
            Argument::Array(it) => self.variables[*it].name.to_owned(),
            Argument::Dummy(value) => format!("({})", self.expr(value)),
        };
        arguments.iter().map(one).collect::<Vec<_>>().join(", ")
    }

    /// The text of an expression, without parentheses around it.
    fn expr(&self, expr: &Expr) -> String {
        match expr {
            Expr::Binary(op, a, b) => {
                let (a, b) = match op {
                    Op::Mod | Op::Rem | Op::Min | Op::Max => (self.expr(a), self.expr(b)),
                    _ => (self.operand(a), self.operand(b)),
                };
                match op {
                    Op::Add => format!("{a} + {b}"),
                    Op::Subtract => format!("{a} - {b}"),
                    Op::Multiply => format!("{a} * {b}"),
                    Op::Divide => format!("{a} / {b}"),
                    Op::Power => format!("{a} ** {b}"),
                    Op::Mod => format!("MOD({a}, {b})"),
                    Op::Rem => format!("REM({a}, {b})"),
                    Op::Min => format!("MIN({a}, {b})"),
                    Op::Max => format!("MAX({a}, {b})"),
                }
            }
            Expr::Constant(value) => value.to_string(),
            Expr::Variable(it) => self.variables[*it].name.to_owned(),
            Expr::Element(it, at) => format!("{}({})", self.variables[*it].name, self.expr(at)),
            Expr::Minus(a) => format!("-{}", self.operand(a)),
            Expr::Abs(a) => format!("ABS({})", self.expr(a)),
            Expr::Call(callee, _, arguments) => format!("{}({})", self.names[*callee], self.arguments(arguments)),
        }
    }

    /// With parentheses where it needs them whatever is around it.
    fn operand(&self, expr: &Expr) -> String {
        match expr {
            Expr::Binary(Op::Mod | Op::Rem | Op::Min | Op::Max, ..) => self.expr(expr),
            Expr::Binary(..) | Expr::Minus(_) => format!("({})", self.expr(expr)),
            Expr::Constant(value) if *value < 0 => format!("({value})"),
            _ => self.expr(expr),
        }
    }

    fn cond(&self, cond: &Cond) -> String {
        let two = |a: &Cond, sign: &str, b: &Cond| format!("({}) {sign} ({})", self.cond(a), self.cond(b));
        match cond {
            Cond::Compare(sign, a, b) => format!("{} {sign} {}", self.expr(a), self.expr(b)),
            Cond::And(a, b) => two(a, "&", b),
            Cond::Or(a, b) => two(a, "|", b),
            Cond::Implies(a, b) => two(a, "⊃", b),
            Cond::Not(a) => format!("¬({})", self.cond(a)),
        }
    }
}
