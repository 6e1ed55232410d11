//! `effigy prove`: King's verifier.
//!
//! Source: King 1976, section 8.

use crate::args::ProveArgs;
use crate::files::one_file;
use crate::limits::peak_memory;
use crate::progress::{say, say_json};
use crate::solver::solver_config;
use crate::{Code, Failure};
use effigy_engine::{
    Budget, Engine, Feasibility, Input, InputData, Inputs, Outcome, Violation, Witness, run_concretely,
};
use effigy_explore::{Config as ExploreConfig, End, PathEnd, Sink, explore};
use effigy_pli::{Asserts, Code as PliCode, Options, Program, State, call_of, value_text};
use effigy_prove::{Condition, Config, PathStep, Proof, Verdict, prove};
use effigy_report::document::{Document, FoundBug, Incomplete, Limits, Paths, ProgramSection};
use effigy_report::plural::counted;
use effigy_report::record::condition_text;
use effigy_report::table::Table;
use effigy_report::test_case::{TestBug, TestInput, TestPlace};
use effigy_solver::{QueryBudget, Solver, Statistics, chain};
use effigy_term::eval::Evaluator;
use effigy_term::{Model, Node, Terms, Value};
use effigy_walk::Search;
use serde_json::{Value as Json, json};
use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

pub(super) fn run(args: &ProveArgs, interrupt: &Arc<AtomicBool>) -> Result<Code, Failure> {
    let (name, text) = one_file(std::slice::from_ref(&args.file), "one PL/I file was expected")?;
    let code = super::code(&name, &text)?;
    for name in &args.entry {
        if !code.procedures.iter().any(|it| it.name.eq_ignore_ascii_case(name)) {
            return Err(super::no_procedure("--entry", name, &code));
        }
    }
    let start = Instant::now();
    let options = Options { width: args.width, asserts: Asserts::Cuts, ..Options::default() };
    let program = Program::without_call(Rc::clone(&code), options);
    let solver = solver_config(&args.solver, interrupt)?;
    let (terms, mut solver) = (solver.terms(), chain(&solver));
    let config = Config {
        condition: QueryBudget { steps: None, time: Some(args.solver_timeout) },
        branch: QueryBudget { steps: None, time: Some(args.solver_timeout.min(Duration::from_secs(1))) },
        path_steps: args.max_path_steps,
        paths: 100_000,
        interrupt: Arc::clone(interrupt),
    };
    let wanted = |it: &effigy_engine::CutProcedure| match args.entry.as_slice() {
        [] => it.cuts.iter().any(|it| it.text.contains("ASSERT")) || it.cuts.len() > 1,
        names => names.iter().any(|name| name.eq_ignore_ascii_case(&it.name)),
    };
    let proofs = prove(&program, &terms, &mut *solver, &config, &wanted, &mut |_| {});
    if proofs.is_empty() {
        return Err(Failure(format!(
            "{}: no procedure has an ASSERT statement; put one at the beginning, in every loop and at the end",
            args.file.display()
        )));
    }
    let mut shown = Vec::new();
    for proof in &proofs {
        let told = report(&program, &code, &terms, &mut *solver, &config, proof, args, interrupt);
        if !args.json {
            say(&told.text)?;
        }
        shown.push(told);
    }
    if args.json {
        let mut statistics = Statistics::default();
        solver.statistics(&mut statistics);
        statistics.count_rules(&terms);
        say_json(&document(&name, &proofs, shown, &config, &statistics, start.elapsed()))?;
    }
    Ok(if proofs.iter().any(Proof::is_refuted) {
        Code::Found
    } else if proofs.iter().all(Proof::holds) {
        Code::Nothing
    } else {
        Code::Cut
    })
}

/// The account of all proofs: the failing runs are the bugs.
fn document(
    file: &str,
    proofs: &[Proof],
    shown: Vec<ProofSection>,
    config: &Config,
    statistics: &Statistics,
    time: Duration,
) -> Document {
    let given_up =
        |it: &Proof| it.incomplete.iter().map(|what| (Arc::clone(&it.procedure), what.clone())).collect::<Vec<_>>();
    let incomplete = proofs.iter().flat_map(given_up).map(|(procedure, what)| Incomplete {
        kind: "given-up".to_owned(),
        what,
        place: TestPlace { file: file.to_owned(), function: procedure.to_string(), ..TestPlace::default() },
        count: 1,
        missed: true,
    });
    let layers: Duration = statistics.layers.iter().map(|it| it.time).sum();
    let (procedures, bugs): (Vec<Json>, Vec<Option<FoundBug>>) =
        shown.into_iter().map(|it| (it.object, it.bug)).unzip();
    let bugs: Vec<FoundBug> = bugs.into_iter().flatten().collect();
    Document {
        command: "prove".to_owned(),
        language: "pli".to_owned(),
        program: ProgramSection { files: vec![file.to_owned()], ..ProgramSection::default() },
        paths: Paths {
            completed: proofs.iter().map(|it| it.paths).sum(),
            errored: bugs.len() as u64,
            ..Paths::default()
        },
        bugs,
        incomplete: incomplete.collect(),
        limits: Limits {
            paths: Some(config.paths),
            path_steps: Some(config.path_steps),
            query_time: config.condition.time.map(|it| it.as_secs_f64()),
            ..Limits::default()
        },
        complete: proofs.iter().all(|it| it.holds() || it.is_refuted()),
        solver: crate::solver::summary(statistics, layers),
        time: time.as_secs_f64(),
        peak_memory: peak_memory(),
        procedures: Some(procedures),
        ..Document::default()
    }
}

/// The report of one proof: JSON, text, and the bug of a failing run.
struct ProofSection {
    object: Json,
    text: String,
    bug: Option<FoundBug>,
}

/// `2 → 4 T → 5`: procedures are named where they change.
fn path(steps: &[PathStep], main: &str) -> String {
    let step = |it: &PathStep| {
        let side = match it.side {
            Some(true) => "T",
            Some(false) => "F",
            None => "",
        };
        if *it.procedure == *main {
            format!("{}{side}", it.number)
        } else {
            format!("{}:{}{side}", it.procedure, it.number)
        }
    };
    const MOST: usize = 24;
    // IF and THEN on one line have one number.
    let mut shown: Vec<String> = steps.iter().map(step).collect();
    shown.dedup();
    if shown.len() <= MOST {
        return shown.join(" ");
    }
    format!("{} … {}", shown[..MOST / 2].join(" "), shown[shown.len() - MOST / 2..].join(" "))
}

/// What is to be proved, in the program's own words.
fn goal(condition: &Condition) -> String {
    match condition.kind == effigy_pli::ASSERTION {
        true => condition.at.text.to_string(),
        false => format!("not: {}", condition.message),
    }
}

#[expect(clippy::too_many_arguments, reason = "everything that one report is made of")]
fn report(
    program: &Program,
    code: &Rc<PliCode>,
    terms: &Terms,
    solver: &mut dyn Solver,
    config: &Config,
    proof: &Proof,
    args: &ProveArgs,
    interrupt: &Arc<AtomicBool>,
) -> ProofSection {
    let mut rows = Vec::new();
    let mut conditions = Vec::new();
    let mut details = String::new();
    // Why, and which: the same reason is told once.
    let mut unknown: Vec<(String, Vec<String>)> = Vec::new();
    for (condition, number) in proof.conditions.iter().zip(1..) {
        let verdict = match &condition.verdict {
            Verdict::Proved => "proved".to_owned(),
            Verdict::Refuted { .. } => "refuted".to_owned(),
            Verdict::Unknown(reason) => {
                let reason = reason.to_string();
                match unknown.iter_mut().find(|it| it.0 == reason) {
                    Some((_, numbers)) => numbers.push(number.to_string()),
                    None => unknown.push((reason, vec![number.to_string()])),
                }
                "unknown".to_owned()
            }
        };
        let path = path(&condition.path, &proof.procedure);
        rows.push(vec![number.to_string(), path.clone(), goal(condition), verdict.clone()]);
        let mut entry = json!({
            "from": condition.from.number,
            "path": path,
            "line": condition.place.line,
            "kind": condition.kind.0,
            "to_prove": goal(condition),
            "verdict": verdict,
        });
        if let Verdict::Refuted { witness, .. } = &condition.verdict {
            let mut engine = Engine { terms, solver: &mut *solver, budget: config.branch };
            let pc = condition_text(&mut engine, program, &condition.trail, &[]);
            let values = relevant(terms, condition, witness);
            let at = condition.from.number;
            let values_text: Vec<String> = values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            details
                .push_str(&format!("\ncondition {number} does not hold when, at {at}: {}\n", values_text.join(", ")));
            details.push_str(&format!(
                "  path condition  {pc}\n  to prove        {}\n",
                program.show(terms, condition.goal)
            ));
            let values = values.into_iter().map(|(name, value)| (name, Json::from(value)));
            entry["counterexample"] = values.collect::<serde_json::Map<String, Json>>().into();
        }
        conditions.push(entry);
    }
    for (reason, numbers) in &unknown {
        let noun = if numbers.len() == 1 { "condition" } else { "conditions" };
        details.push_str(&format!("\n{noun} {} not decided: {reason}\n", numbers.join(", ")));
    }
    let failing = match proof.is_refuted() {
        true => failing_run(code, terms, proof, args, interrupt),
        false => None,
    };
    match &failing {
        Some(run) => details.push_str(&format!("\na failing run: {} {}\n", run.call, run.message)),
        None if proof.is_refuted() => details.push_str(
            "\nno failing run was found from the entry: the program may be correct, and an assertion too weak to show it\n",
        ),
        None => {}
    }
    let verdict = if proof.is_refuted() {
        "refuted"
    } else if proof.holds() {
        "proved"
    } else {
        "unknown"
    };
    let mut text = String::new();
    if !args.json {
        let _ = writeln!(
            text,
            "{}: {verdict}, {} on {}",
            proof.procedure,
            counted(proof.conditions.len() as u64, "verification condition"),
            counted(proof.paths, "path")
        );
        for it in &proof.uncut_loops {
            let _ = writeln!(
                text,
                "  the loop at {} ({}:{}) has no ASSERT in it: {}",
                it.number, it.place.file, it.place.line, it.text
            );
        }
        for it in &proof.incomplete {
            let _ = writeln!(text, "  given up {it}");
        }
        if !rows.is_empty() {
            let head = ["", "path", "to prove", "verdict"].map(str::to_owned).to_vec();
            let _ = write!(text, "\n{}", Table { head, rows }.render());
        }
        let _ = write!(text, "{details}");
        if !proof.assumptions.is_empty() && !proof.conditions.is_empty() {
            let _ = writeln!(text, "\ntaken for granted: {}", proof.assumptions.join("; "));
        }
        text.push('\n');
    }
    let object = json!({
        "procedure": &*proof.procedure,
        "verdict": verdict,
        "conditions": conditions,
        "uncut_loops": proof.uncut_loops.iter().map(|it| it.place.line).collect::<Vec<_>>(),
        "incomplete": proof.incomplete,
        "assumptions": proof.assumptions,
        "failing_run": failing.as_ref().map(|it| json!({ "call": it.call, "inputs": it.inputs, "error": it.message })),
    });
    ProofSection { object, text, bug: failing.map(FailingRun::into_bug) }
}

/// The inputs that the condition speaks of, with their values.
fn relevant(terms: &Terms, condition: &Condition, witness: &Witness) -> Vec<(String, String)> {
    let mut names = BTreeSet::new();
    for term in condition.trail.condition.conjuncts().into_iter().chain([condition.goal]) {
        names.extend(terms.symbols(term).iter().map(|&it| terms.symbol_info(it).name.to_string()));
    }
    let inputs = witness.inputs.iter().filter(|it| names.contains(&it.name));
    inputs.map(|it| (it.name.clone(), TestInput::from(it).display())).collect()
}

/// A run from the entry of the procedure that breaks an assertion, or goes wrong otherwise.
struct FailingRun {
    call: String,
    inputs: Vec<(String, String)>,
    message: String,
    violation: Box<Violation>,
}

impl FailingRun {
    fn into_bug(self) -> FoundBug {
        let input = |(name, value): (String, String)| TestInput::from(&Input::new(name, InputData::Scalar(value)));
        FoundBug {
            bug: TestBug::from(&*self.violation),
            paths: 1,
            test: String::new(),
            inputs: self.inputs.into_iter().map(input).collect(),
            path_condition: Vec::new(),
            schedule: Vec::new(),
            every_run: false,
            assumed: false,
            known: false,
        }
    }
}

/// Looks for a run that goes wrong, and confirms it by the concrete run: a counterexample to a path in the middle may
/// begin where no run comes. First the values of the counterexamples are tried at the entry, then the procedure is
/// explored from there.
fn failing_run(
    code: &Rc<PliCode>,
    terms: &Terms,
    proof: &Proof,
    args: &ProveArgs,
    interrupt: &Arc<AtomicBool>,
) -> Option<FailingRun> {
    let call = call_of(code, &proof.procedure)?;
    let options = Options { width: args.width, ..Options::default() };
    let program = Program::new(Rc::clone(code), &call, options).ok()?;
    for condition in &proof.conditions {
        let Verdict::Refuted { model, .. } = &condition.verdict else { continue };
        for at_entry in [true, false] {
            if let Some(run) = confirmed(&program, proof, entry_values(terms, model, at_entry)) {
                return Some(run);
            }
        }
    }
    let solver = solver_config(&args.solver, interrupt).ok()?;
    let (own_terms, mut solver) = (solver.terms(), chain(&solver));
    let config = ExploreConfig {
        search: Search::Bfs,
        seed: 1,
        budget: Budget {
            bugs: None,
            time: Some(Duration::from_secs(10)),
            memory: None,
            paths: Some(2000),
            steps: None,
            path_steps: Some(400),
            depth: Some(40),
            interrupt: Arc::new(AtomicBool::new(false)),
        },
        query: QueryBudget { steps: None, time: Some(Duration::from_secs(1)) },
        values: 8,
        feasibility: Feasibility::Branch,
    };
    let stop = Arc::clone(&config.budget.interrupt);
    let mut broken = FailureSearch { program: &program, proof, terms: &own_terms, found: None, stop, interrupt };
    explore(&program, &own_terms, &mut *solver, &config, &mut (), &mut broken);
    broken.found
}

/// The values of a counterexample as inputs of a call: those that the variables had at the entry, where the model says
/// (`OLD(X)`) and it is asked for, or those at the beginning of the path.
fn entry_values(terms: &Terms, model: &Model, at_entry: bool) -> HashMap<String, Value> {
    let values = model.symbols().map(|(symbol, value)| (terms.symbol_info(symbol).name.to_string(), value.clone()));
    let mut res: HashMap<String, Value> = values.collect();
    let old: Vec<(String, Value)> = res
        .iter()
        .filter_map(|(name, value)| Some((name.strip_prefix("OLD(")?.strip_suffix(')')?.to_owned(), value.clone())))
        .collect();
    if at_entry {
        res.extend(old);
    }
    res
}

/// The concrete run on these inputs, if it goes wrong. Breaking the assertion at the entry is the caller's fault.
fn confirmed(program: &Program, proof: &Proof, values: HashMap<String, Value>) -> Option<FailingRun> {
    let terms = Terms::new();
    let inputs = Inputs::Concrete(values.clone());
    let run = run_concretely(program, &terms, &inputs, 100_000);
    let Some(Ok(Outcome::Violation(violation))) = run.outcome else { return None };
    let at_entry = proof.entry.as_ref().is_some_and(|it| *it == violation.place);
    if at_entry {
        return None;
    }
    // A value that the counterexample leaves open is zero.
    let given = |it: &Arc<str>| (it.to_string(), values.get(&**it).map_or_else(|| "0".to_owned(), value_text));
    let inputs: Vec<(String, String)> = program.inputs_of_call().iter().map(given).collect();
    let arguments: Vec<String> = inputs.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let message = format!("{}, at line {}", violation.message, violation.place.line);
    Some(FailingRun { call: format!("{} with {}:", proof.procedure, arguments.join(", ")), inputs, message, violation })
}

/// Waits for a path that goes wrong.
struct FailureSearch<'a> {
    program: &'a Program,
    proof: &'a Proof,
    terms: &'a Terms,
    found: Option<FailingRun>,
    stop: Arc<AtomicBool>,
    interrupt: &'a AtomicBool,
}

impl Sink<State> for FailureSearch<'_> {
    fn ended(&mut self, end: &PathEnd<'_, State>) {
        if self.interrupt.load(Ordering::Relaxed) {
            self.stop.store(true, Ordering::Relaxed);
        }
        if self.found.is_some() || !end.certain || !matches!(end.end, End::Bug(_)) {
            return;
        }
        let model = end.trail.witness.clone().unwrap_or_default();
        let mut values = HashMap::new();
        let mut evaluator = Evaluator::new(self.terms, &model);
        for &input in end.state.inputs.iter() {
            if let Node::Symbol(symbol) = self.terms.node(input)
                && let Some(value) = evaluator.value(input)
            {
                values.insert(self.terms.symbol_info(*symbol).name.to_string(), value);
            }
        }
        self.found = confirmed(self.program, self.proof, values);
        if self.found.is_some() {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}
