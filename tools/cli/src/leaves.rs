//! The leaves of an execution tree, a row each: path condition, results, inputs; the errors behind.
//!
//! Knows: any language that can be looked at. Never: which language it is.
//! Source: King 1976, section 7 (TEST).

use crate::args::ConditionForm;
use crate::progress::{ProgressLine, colours};
use crate::run::resident_memory;
use effigy_engine::{
    Context, Coverage, Engine, Inputs, Inspect, Notes, Trail, Variable, VariableValue, Violation, Witness,
};
use effigy_explore::{End, PathEnd, Progress, Sink};
use effigy_report::bugs::{self, Style};
use effigy_report::record::value_text;
use effigy_report::summary::FoundBug;
use effigy_report::table::Table;
use effigy_report::tests::TestBug;
use effigy_term::Term;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::Write;

/// A path that ended.
pub(crate) struct Leaf<S> {
    pub(crate) state: S,
    pub(crate) trail: Trail,
    pub(crate) end: End,
    pub(crate) witness: Witness,
}

/// The ends of paths, as they come.
pub(crate) struct Leaves<S> {
    pub(crate) ends: Vec<Leaf<S>>,
    pub(crate) progress: ProgressLine,
}

impl<S: Clone> Sink<S> for Leaves<S> {
    fn ended(&mut self, end: &PathEnd<'_, S>) {
        self.ends.push(Leaf {
            state: end.state.clone(),
            trail: end.trail.clone(),
            end: end.end.clone(),
            witness: end.witness.clone(),
        });
    }

    fn progress(&mut self, progress: &Progress) {
        self.progress.show(progress);
    }

    fn resident_memory(&mut self) -> Option<u64> {
        resident_memory()
    }
}

/// A row of the table.
#[derive(Debug, Serialize)]
pub(crate) struct Row {
    path_condition: Vec<String>,
    results: Vec<(String, String)>,
    /// Inputs that take the path.
    inputs: Vec<(String, String)>,
    statements: u64,
}

/// What is said of an exploration.
#[derive(Default)]
pub(crate) struct Report {
    pub(crate) rows: Vec<Row>,
    pub(crate) errors: Vec<FoundBug>,
    cut: u64,
    dropped: u64,
    undecided: u64,
    unsupported: Vec<String>,
    /// Arrays of unknown extent whose subscripts were assumed to be in them.
    pub(crate) open: BTreeSet<String>,
    /// What else is to be told, a line each.
    pub(crate) remarks: Vec<String>,
}

/// What a path that was dropped without a report was, if it was an error all the same.
pub(crate) type Dropped<'a, S> = &'a dyn Fn(&Leaf<S>) -> Option<Violation>;

/// The report of these leaves.
pub(crate) fn report<L: Inspect>(
    program: &L,
    engine: &mut Engine<'_>,
    leaves: &[Leaf<L::State>],
    pc: ConditionForm,
    cut: u64,
    dropped: Dropped<'_, L::State>,
) -> Report {
    let mut res = Report { cut, ..Report::default() };
    for leaf in leaves {
        let given: Vec<Term> = program.assumptions(&leaf.state);
        match &leaf.end {
            End::Exit { .. } => {
                let results = results(program, engine, leaf);
                let path_condition = condition(program, engine, &leaf.trail, &given, pc);
                let inputs = leaf.witness.inputs.iter().map(|it| (it.name.clone(), scalar(&it.data))).collect();
                res.rows.push(Row { path_condition, results, inputs, statements: leaf.trail.steps });
            }
            End::Bug(violation) => res.add_error(program, engine, leaf, violation, &given, pc),
            End::Silent => match dropped(leaf) {
                Some(violation) => res.add_error(program, engine, leaf, &violation, &given, pc),
                None => res.dropped += 1,
            },
            End::Unsupported { what, place } => {
                res.unsupported.push(format!("{what} at {}:{}", place.file, place.line))
            }
            End::Undecided { what, reason, place } => {
                res.undecided += 1;
                res.unsupported.push(format!("{what} at {}:{}: {reason}", place.file, place.line));
            }
            End::Infeasible => res.dropped += 1,
            End::Cut(_) => {}
        }
    }
    res
}

pub(crate) fn scalar(data: &effigy_engine::InputData) -> String {
    match data {
        effigy_engine::InputData::Scalar(text) => text.clone(),
        effigy_engine::InputData::Bytes { .. } => String::new(),
    }
}

fn results<L: Inspect>(program: &L, engine: &mut Engine<'_>, leaf: &Leaf<L::State>) -> Vec<(String, String)> {
    let (inputs, mut coverage, mut notes) = (Inputs::Symbolic, Coverage::default(), Notes::default());
    let mut ctx = Context::new(engine.terms, &inputs, &mut coverage, &mut notes);
    let results: Vec<Variable> = program.results(&mut ctx, &leaf.state);
    let mut text = |it: &VariableValue| value_text(engine, program, &leaf.trail, it);
    results.iter().map(|it| (it.name.to_string(), text(&it.value))).collect()
}

pub(crate) fn condition<L: Inspect>(
    program: &L,
    engine: &mut Engine<'_>,
    trail: &Trail,
    given: &[Term],
    pc: ConditionForm,
) -> Vec<String> {
    let terms = engine.terms;
    let conjuncts = match pc {
        ConditionForm::Short => engine.readable(trail, given),
        ConditionForm::Full => trail.condition.conjuncts(),
    };
    conjuncts.into_iter().map(|it| program.show(terms, it)).collect()
}

impl Report {
    fn add_error<L: Inspect>(
        &mut self,
        program: &L,
        engine: &mut Engine<'_>,
        leaf: &Leaf<L::State>,
        violation: &Violation,
        given: &[Term],
        pc: ConditionForm,
    ) {
        let bug = TestBug::from(violation);
        if let Some(known) = self.errors.iter_mut().find(|it| it.bug == bug) {
            known.paths += 1;
            return;
        }
        self.errors.push(FoundBug {
            bug,
            paths: 1,
            test: String::new(),
            inputs: leaf.witness.inputs.iter().map(Into::into).collect(),
            path_condition: condition(program, engine, &leaf.trail, given, pc),
            assumed: false,
        });
    }

    /// As JSON; `call` is what was executed.
    pub(crate) fn json(&self, call: &str, complete: bool) -> serde_json::Value {
        serde_json::json!({
            "call": call,
            "leaves": self.rows.iter().map(|it| serde_json::json!({
                "path_condition": it.path_condition,
                "results": it.results.iter().cloned().collect::<std::collections::BTreeMap<_, _>>(),
                "inputs": it.inputs.iter().cloned().collect::<std::collections::BTreeMap<_, _>>(),
                "statements": it.statements,
            })).collect::<Vec<_>>(),
            "errors": self.errors,
            "cut": self.cut,
            "dropped": self.dropped,
            "undecided": self.undecided,
            "unsupported": self.unsupported,
            "assumed_within": self.open,
            "remarks": self.remarks,
            "complete": complete,
        })
    }

    fn table(&self) -> Table {
        let mut names: Vec<String> = Vec::new();
        for (name, _) in self.rows.iter().flat_map(|it| &it.results) {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        let row = |row: &Row| {
            let value =
                |name: &String| row.results.iter().find(|it| it.0 == *name).map_or_else(String::new, |it| it.1.clone());
            let pc = match row.path_condition.as_slice() {
                [] => "true".to_owned(),
                [only] => only.clone(),
                several => several.iter().map(|it| parenthesised(it)).collect::<Vec<_>>().join(" & "),
            };
            std::iter::once(pc).chain(names.iter().map(value)).collect()
        };
        let head = std::iter::once("path condition".to_owned()).chain(names.iter().cloned()).collect();
        Table { head, rows: self.rows.iter().map(row).collect() }
    }

    /// For a person; the table is left out where a trace was shown.
    pub(crate) fn text(&self, traced: bool, quiet: bool) -> String {
        let mut text = String::new();
        if !traced && !self.rows.is_empty() {
            let _ = writeln!(text, "{}", self.table().render());
        }
        let style = Style { colour: colours() };
        let source = |file: &str, line: u32| {
            let source = std::fs::read_to_string(file).ok()?;
            source.lines().nth(line.checked_sub(1)? as usize).map(str::to_owned)
        };
        for error in &self.errors {
            let _ = writeln!(text, "{}", bugs::render(error, style, &source));
        }
        for it in &self.unsupported {
            let _ = writeln!(text, "not known: {it}");
        }
        if quiet {
            return text;
        }
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        let mut line = format!("{} path{}", self.rows.len(), plural(self.rows.len()));
        if !self.errors.is_empty() {
            line.push_str(&format!(", {} error{}", self.errors.len(), plural(self.errors.len())));
        }
        if self.cut > 0 {
            line.push_str(&format!(", {} cut", self.cut));
        }
        if self.dropped > 0 {
            line.push_str(&format!(", {} dropped (no input takes them)", self.dropped));
        }
        if self.undecided > 0 {
            line.push_str(&format!(", {} undecided", self.undecided));
        }
        let _ = writeln!(text, "{line}");
        if !self.open.is_empty() {
            let names: Vec<&str> = self.open.iter().map(String::as_str).collect();
            let _ = writeln!(text, "assuming that the subscripts of {} are at least 1", names.join(", "));
        }
        for remark in &self.remarks {
            let _ = writeln!(text, "{remark}");
        }
        text
    }
}

/// A disjunction among conjuncts.
fn parenthesised(text: &str) -> String {
    if text.contains(" | ") && !text.starts_with('(') { format!("({text})") } else { text.to_owned() }
}
