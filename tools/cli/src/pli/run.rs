//! `effigy run` of a PL/I program: King's TEST, a row for each leaf of the execution tree.
//!
//! Source: King 1976, section 7.

use crate::args::{ConditionForm, RunArgs};
use crate::hurry::Hurried;
use crate::progress::{ProgressLine, colours, say, say_json};
use crate::run::{interrupts, resident_memory, solver_config};
use crate::{Code, Failure};
use effigy_engine::{
    Budget, Context, Coverage, Engine, Inputs, Inspect, Notes, Observer, Trail, Variable, VariableValue, Violation,
    Witness,
};
use effigy_explore::{Config, End, PathEnd, Progress, Search, Sink, explore};
use effigy_pli::{Program, State};
use effigy_report::bugs::{self, Style};
use effigy_report::record::{Recorder, value_text};
use effigy_report::summary::FoundBug;
use effigy_report::table::Table;
use effigy_report::tests::TestBug;
use effigy_report::trace;
use effigy_solver::{QueryBudget, chain};
use effigy_term::{Term, Terms};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::time::Duration;

pub(crate) fn run(args: &RunArgs) -> Result<Code, Failure> {
    let program = super::program(&args.files, &args.pli, args.entry.as_deref())?;
    let interrupt = interrupts();
    let terms = Terms::new();
    let mut solver = chain(&solver_config(&args.solver, &interrupt)?);
    let query = QueryBudget { steps: None, time: Some(args.solver_timeout) };
    let config = Config {
        // The order of King's tables, unless the user wants another.
        search: if args.search == Search::Interleaved { Search::Dfs } else { args.search },
        seed: args.seed,
        budget: Budget {
            time: args.max_time,
            memory: Some(args.max_memory << 20),
            paths: args.max_paths,
            steps: args.max_steps,
            path_steps: args.max_path_steps.or(program.limit()),
            depth: args.max_depth,
            interrupt,
        },
        query,
        values: args.max_values.max(1),
    };
    let mut leaves = Leaves { ends: Vec::new(), progress: ProgressLine::new(!args.json && !args.quiet) };
    let mut recorder = Recorder::new(&program, &terms);
    let observer: &mut dyn Observer<State> = if args.trace { &mut recorder } else { &mut () };
    let exploration = explore(&program, &terms, &mut *solver, &config, observer, &mut leaves);
    leaves.progress.clear();
    // What is shown may be longer than it need be, and must not take longer than the walk.
    let brief = QueryBudget { steps: None, time: Some(args.solver_timeout.min(Duration::from_millis(100))) };
    let mut hurried = Hurried::new(&mut *solver);
    let mut engine = Engine { terms: &terms, solver: &mut hurried, budget: brief };
    if args.trace {
        let tree = recorder.tree(&mut engine, &super::title(&program, &args.pli));
        if args.json {
            say_json(&tree)?;
        } else {
            say(&trace::render(&tree))?;
        }
    }
    let report = report(&program, &mut engine, &leaves.ends, args.pli.pc, exploration.paths.total_cut());
    let complete = exploration.is_complete();
    let hurried = hurried.gave_up();
    if args.json && !args.trace {
        say_json(&report.json(program.call_text(), complete))?;
    } else if !args.json {
        say(&report.text(args.trace, args.quiet))?;
        if hurried && !args.quiet {
            say("some formulas are longer than they need be: making them shorter takes too long\n")?;
        }
    }
    Ok(match (report.errors.is_empty(), complete) {
        (false, _) => Code::Found,
        (true, true) => Code::Nothing,
        (true, false) => Code::Cut,
    })
}

/// A path that ended.
struct Leaf {
    state: State,
    trail: Trail,
    end: End,
    witness: Witness,
}

struct Leaves {
    ends: Vec<Leaf>,
    progress: ProgressLine,
}

impl Sink<State> for Leaves {
    fn ended(&mut self, end: &PathEnd<'_, State>) {
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
struct Row {
    path_condition: Vec<String>,
    results: Vec<(String, String)>,
    /// Inputs that take the path.
    inputs: Vec<(String, String)>,
    statements: u64,
}

struct Report {
    rows: Vec<Row>,
    errors: Vec<FoundBug>,
    cut: u64,
    dropped: u64,
    undecided: u64,
    unsupported: Vec<String>,
    /// Arrays of unknown extent whose subscripts were assumed to be in them.
    open: BTreeSet<String>,
}

fn report(program: &Program, engine: &mut Engine<'_>, leaves: &[Leaf], pc: ConditionForm, cut: u64) -> Report {
    let mut res = Report {
        rows: Vec::new(),
        errors: Vec::new(),
        cut,
        dropped: 0,
        undecided: 0,
        unsupported: Vec::new(),
        open: BTreeSet::new(),
    };
    for leaf in leaves {
        let given: Vec<Term> = program.assumptions(&leaf.state);
        if !given.is_empty() {
            res.open.extend(program.open_arrays(&leaf.state).iter().map(|it| it.to_string()));
        }
        match &leaf.end {
            End::Exit { .. } => {
                let results = results(program, engine, leaf);
                let path_condition = condition(program, engine, &leaf.trail, &given, pc);
                let inputs = leaf.witness.inputs.iter().map(|it| (it.name.clone(), scalar(&it.data))).collect();
                res.rows.push(Row { path_condition, results, inputs, statements: leaf.trail.steps });
            }
            End::Bug(violation) => res.add_error(program, engine, leaf, violation, &given, pc),
            End::Silent => match program.asked(&leaf.state) {
                // What was to be assumed of an array cannot hold: every input of this path is wrong.
                Some(message) => {
                    let violation = Violation {
                        kind: effigy_pli::SUBSCRIPT,
                        message: message.to_string(),
                        place: program.place_in(&leaf.state),
                        stack: Vec::new(),
                    };
                    res.add_error(program, engine, leaf, &violation, &given, pc);
                }
                None => res.dropped += 1,
            },
            End::Unsupported { what, place } => {
                res.unsupported.push(format!("{what} at {}:{}", place.file, place.line))
            }
            End::Undecided { what, reason, place } => {
                res.undecided += 1;
                res.unsupported.push(format!("{what} at {}:{}: {reason}", place.file, place.line));
            }
            End::Cut(_) => {}
        }
    }
    res
}

pub(super) fn scalar(data: &effigy_engine::InputData) -> String {
    match data {
        effigy_engine::InputData::Scalar(text) => text.clone(),
        effigy_engine::InputData::Bytes { .. } => String::new(),
    }
}

fn results(program: &Program, engine: &mut Engine<'_>, leaf: &Leaf) -> Vec<(String, String)> {
    let (inputs, mut coverage, mut notes) = (Inputs::Symbolic, Coverage::default(), Notes::default());
    let mut ctx = Context { terms: engine.terms, inputs: &inputs, coverage: &mut coverage, notes: &mut notes };
    let results: Vec<Variable> = program.results(&mut ctx, &leaf.state);
    let mut text = |it: &VariableValue| value_text(engine, program, &leaf.trail, it);
    results.iter().map(|it| (it.name.to_string(), text(&it.value))).collect()
}

fn condition(
    program: &Program,
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
    fn add_error(
        &mut self,
        program: &Program,
        engine: &mut Engine<'_>,
        leaf: &Leaf,
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

    fn json(&self, call: &str, complete: bool) -> serde_json::Value {
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

    fn text(&self, traced: bool, quiet: bool) -> String {
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
            line.push_str(&format!(", {} dropped by ASSUME", self.dropped));
        }
        if self.undecided > 0 {
            line.push_str(&format!(", {} undecided", self.undecided));
        }
        let _ = writeln!(text, "{line}");
        if !self.open.is_empty() {
            let names: Vec<&str> = self.open.iter().map(String::as_str).collect();
            let _ = writeln!(text, "assuming that the subscripts of {} are at least 1", names.join(", "));
        }
        text
    }
}

/// A disjunction among conjuncts.
fn parenthesised(text: &str) -> String {
    if text.contains(" | ") && !text.starts_with('(') { format!("({text})") } else { text.to_owned() }
}
