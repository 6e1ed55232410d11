//! Tracing: what is printed of the statements that are executed.
//!
//! Knows: number, source text, changed values, or any combination (King 1976, section 6). Never: where it goes.

use crate::command::{Scope, Tracing};
use crate::points::Traced;
use crate::position::{Mark, is_known};
use crate::session::{Said, Session};
use effigy_engine::{Inspect, Statement, Variable};
use effigy_term::Term;

/// The trace of one command.
#[derive(Clone, Debug)]
pub(crate) struct Tracer {
    traced: Option<Traced>,
    /// What is to be printed.
    pub(crate) text: String,
    /// The statements in progress, the innermost last.
    rows: Vec<Row>,
}

#[derive(Clone, Debug)]
struct Row {
    depth: usize,
    /// Number and source; `None` when they are printed already.
    head: Option<String>,
    before: Vec<Variable>,
    /// The checks that have held since it began, if they are printed.
    checks: Vec<String>,
}

impl Tracer {
    pub(crate) fn new(traced: Option<Traced>) -> Tracer {
        Tracer { traced, text: String::new(), rows: Vec::new() }
    }

    /// A statement that stops in its middle is traced when it is finished: nothing is printed of it now, unless its
    /// parts are.
    pub(crate) fn flush(&mut self) {
        self.rows.clear();
    }

    fn print(&mut self, head: &str, changes: &str) {
        let line = format!("{head:<40}  {changes}");
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    fn print_checks(&mut self, checks: &[String]) {
        for check in checks {
            self.text.push_str(&format!("      holds: {check}\n"));
        }
    }
}

impl<L: Inspect> Session<'_, L> {
    pub(crate) fn set_trace(&mut self, tracing: Tracing) -> Said {
        match tracing {
            Tracing::Off => {
                self.traced = None;
                Ok("nothing is traced".to_owned())
            }
            Tracing::On { number, source, values, checks, scopes } => {
                for scope in &scopes {
                    if let Scope::Procedure(name) = scope
                        && !self.language.statements().iter().any(|it| it.procedure.eq_ignore_ascii_case(name))
                    {
                        return Err(format!("there is no procedure {name}"));
                    }
                }
                let kinds = [(number, "number"), (source, "source"), (values, "values"), (checks, "checks")];
                let kinds: Vec<&str> = kinds.iter().filter(|it| it.0).map(|it| it.1).collect();
                let text = format!("{} of {} are traced", kinds.join(", "), scopes_text(&scopes));
                self.traced = Some(Traced { number, source, values, checks, scopes });
                Ok(text)
            }
        }
    }

    /// A statement is going to be executed.
    pub(crate) fn trace_begins(&mut self, tracer: &mut Tracer, state: &L::State, statement: &Statement) {
        let Some(traced) = tracer.traced.clone() else { return };
        if let Some(row) = tracer.rows.last_mut()
            && let Some(head) = row.head.take()
        {
            // It makes a call: its values come when it is finished.
            tracer.print(&head, "");
        }
        if !is_known(statement) || !traced.has(statement.number, &statement.procedure) {
            return;
        }
        let mut head = String::new();
        if traced.number {
            head.push_str(&format!("{:>4}  ", self.place(statement)));
        }
        if traced.source {
            head.push_str(&statement.text);
        }
        let language = self.language;
        let before = if traced.values { language.variables(&mut self.context(), state) } else { Vec::new() };
        tracer.rows.push(Row { depth: language.depth(state), head: Some(head), before, checks: Vec::new() });
    }

    /// A statement is finished, and `state` is what came of it.
    pub(crate) fn trace_finishes(&mut self, tracer: &mut Tracer, mark: &Mark, state: &L::State) {
        let Some(traced) = tracer.traced.clone() else { return };
        let Some(row) = tracer.rows.pop_if(|it| it.depth == mark.depth) else { return };
        let language = self.language;
        let mut changes = Vec::new();
        if traced.values && language.depth(state) == row.depth {
            let after = language.variables(&mut self.context(), state);
            for variable in after {
                if !row.before.contains(&variable) {
                    changes.push(self.variable_text(&variable));
                }
            }
        }
        let changes = changes.join(", ");
        match row.head {
            Some(head) if traced.number || traced.source || !changes.is_empty() => tracer.print(&head, &changes),
            None if !changes.is_empty() => tracer.print("", &changes),
            _ => {}
        }
        tracer.print_checks(&row.checks);
    }

    /// Something had to hold for the statement in execution, and does.
    pub(crate) fn trace_holds(&self, tracer: &mut Tracer, cond: Term) {
        if !tracer.traced.as_ref().is_some_and(|it| it.checks) {
            return;
        }
        let check = self.formula(cond);
        if let Some(row) = tracer.rows.last_mut() {
            row.checks.push(check);
        }
    }
}

fn scopes_text(scopes: &[Scope]) -> String {
    let text = |it: &Scope| match it {
        Scope::Numbers(low, high) if low == high => format!("statement {low}"),
        Scope::Numbers(low, high) => format!("statements {low} to {high}"),
        Scope::Procedure(name) => format!("procedure {name}"),
    };
    match scopes {
        [] => "all statements".to_owned(),
        _ => scopes.iter().map(text).collect::<Vec<_>>().join(", "),
    }
}
