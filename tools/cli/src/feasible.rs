//! `effigy feasible`: whether an error trace of another tool is one of the program's paths.
//!
//! Knows: where the trace comes from, how the verdict is told, the test that shows it. Never: how a trace is walked.

use crate::args::FeasibleArgs;
use crate::frontend::{About, Plan, ReportHooks};
use crate::progress::{say, say_json};
use crate::run_manifest::RunManifest;
use crate::solver::solver_config;
use crate::test_files::{TestFiles, test_file};
use crate::{Code, Failure};
use effigy_engine::readable::{paired, plainly};
use effigy_engine::{Budget, Context, Coverage, Inputs, Inspect, Meter, Notes, Statement, Valuation};
use effigy_feasible::{
    Config, Core, End, Found, Step, Tools, Trace, Unknown, Verdict, core, fitted, is_same_file, reader,
};
use effigy_report::leaf::{Leaf, LeafEnd};
use effigy_report::test_case::{TestBug, TestInput};
use effigy_solver::{PathCondition, QueryBudget, Solver, chain};
use effigy_term::Terms;
use serde::Serialize;
use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What is printed with `--json`.
#[derive(Serialize)]
struct Document<'a> {
    command: &'static str,
    /// The verdict: `feasible`, `infeasible` or `unknown`.
    verdict: &'static str,
    /// The steps as they were asked about.
    steps: Vec<StepSection<'a>>,
    /// Infeasible: the numbers of the steps that contradict each other, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    contradiction: Option<&'a [usize]>,
    /// Infeasible: none of them can be left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    minimal: Option<bool>,
    /// Feasible: inputs that take the steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    inputs: Option<&'a [TestInput]>,
    /// Feasible: how the program ends then.
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<EndSection<'a>>,
    /// Feasible: the test in the output folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    test: Option<String>,
    /// Unknown: why, and the first step that no path was seen to pass.
    #[serde(skip_serializing_if = "Option::is_none")]
    unknown: Option<UnknownSection<'a>>,
    /// What of the trace was not used.
    remarks: &'a [String],
}

#[derive(Serialize)]
struct StepSection<'a> {
    file: &'a str,
    line: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    constraint: Option<String>,
}

impl StepSection<'_> {
    fn of(step: &Step) -> StepSection<'_> {
        StepSection {
            file: &step.file,
            line: step.line,
            outcome: step.outcome,
            constraint: step.constraint.as_ref().map(|_| constraint_text(step)),
        }
    }
}

#[derive(Serialize)]
struct EndSection<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    exit: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bug: Option<&'a TestBug>,
    /// The bug is on the line of the last step.
    at_last_step: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    open: Option<&'a str>,
}

#[derive(Serialize)]
struct UnknownSection<'a> {
    reasons: &'a [String],
    reached: usize,
}

pub(crate) fn feasible<P: Plan>(plan: &P, args: &FeasibleArgs, interrupt: &Arc<AtomicBool>) -> Result<Code, Failure> {
    let language = plan.language()?;
    let about = plan.about(&language);
    let trace = read(args)?;
    let trace = fitted(&language, &trace).map_err(|error| Failure(format!("{}: {error}", args.trace.display())))?;
    let budget = Budget {
        time: Some(args.max_time),
        steps: Some(args.max_steps),
        interrupt: Arc::clone(interrupt),
        ..Budget::default()
    };
    let meter = Meter::start(budget.clone());
    let query = QueryBudget { steps: None, time: Some(args.solver_timeout) };
    let config = Config { query, complete: args.complete, beyond: args.max_steps };
    let solver = solver_config(&args.solver, interrupt)?;
    let terms = solver.terms();
    let known = PathCondition::of(solver.layers);
    let mut solver = chain(&solver);
    let walk = |solver: &mut Box<dyn Solver>, kept: &[usize], meter: &Meter| {
        let tools = Tools { terms: &terms, solver: &mut **solver, known: &known, meter };
        effigy_feasible::feasible(&language, tools, &trace, kept, &config)
            .map_err(|error| Failure(format!("{}: {error}", args.trace.display())))
    };
    let all: Vec<usize> = (0..trace.steps.len()).collect();
    let told =
        VerdictWriter { trace: &trace, statements: language.statements(), json: args.json, complete: args.complete };
    match walk(&mut solver, &all, &meter)? {
        Verdict::Feasible(found) => {
            let tests = tests(plan, args, &about, &language)?;
            let leaf = leaf(&language, &terms, &found, &tests)?;
            let out = tests.folder().map(|it| it.path().display().to_string());
            told.feasible(&found, &leaf, &out.unwrap_or_default())?;
            Ok(Code::Nothing)
        }
        Verdict::Infeasible { reached } => {
            // The time is that of the whole, but each walk may make as many transitions as the first.
            let fresh = |meter: &Meter| {
                let time = meter.remaining();
                Meter::start(Budget { time, ..budget.clone() })
            };
            let core = core(&trace, reached, &mut |kept| walk(&mut solver, kept, &fresh(&meter)))?;
            told.infeasible(&core)?;
            Ok(Code::Found)
        }
        Verdict::Unknown(unknown) => {
            told.unknown(&unknown)?;
            Ok(Code::Cut)
        }
    }
}

/// The trace that the user names.
fn read(args: &FeasibleArgs) -> Result<Trace, Failure> {
    let name = args.trace.display();
    let failed = |error: std::io::Error| Failure(format!("{name}: {error}"));
    let most = reader::MOST_BYTES as u64 + 1;
    let mut text = Vec::new();
    match args.trace.as_os_str() == "-" {
        true => std::io::stdin().lock().take(most).read_to_end(&mut text).map_err(failed)?,
        false => {
            let file = std::fs::File::open(&args.trace).map_err(failed)?;
            file.take(most).read_to_end(&mut text).map_err(failed)?
        }
    };
    reader::read(&text, args.format, args.choose).map_err(|error| Failure(format!("{name}:{error}")))
}

/// The folder of the one test.
fn tests<P: Plan>(
    plan: &P,
    args: &FeasibleArgs,
    about: &About,
    language: &P::Language<'_>,
) -> Result<TestFiles, Failure> {
    let folder = RunManifest::new(&args.start, about, plan.fingerprint()).folder(args.out.as_deref())?;
    let replayable = about.native.as_ref().is_some_and(|it| it.replayable);
    Ok(TestFiles::new(Some(folder), false, replayable, language.words_distinguish_bugs()))
}

/// The path as a leaf, its test written.
fn leaf<L: ReportHooks>(
    language: &L,
    terms: &Terms,
    found: &Found<L::State>,
    tests: &TestFiles,
) -> Result<Leaf, Failure> {
    let (inputs, mut coverage, mut notes) = (Inputs::Symbolic, Coverage::default(), Notes::default());
    let ctx = Context::new(terms, &inputs, &mut coverage, &mut notes);
    let trail = &found.path.trail;
    let model = trail.witness.clone().map_or_else(effigy_term::Model::new, Valuation::into_model);
    let witness = language.witness(&ctx, &found.path.state, &model);
    let end = match &found.end {
        End::Exit(code) => LeafEnd::Exit(code.or(witness.exit)),
        End::Bug(violation) => LeafEnd::Bug(TestBug { possible: witness.made_up, ..TestBug::from(&**violation) }),
        End::Open(what) => LeafEnd::Cut(what.clone()),
    };
    let conjuncts = paired(terms, &plainly(terms, trail.condition.readable(terms)));
    let bounds = trail.bounds(terms);
    let leaf = Leaf {
        path_condition: conjuncts.into_iter().map(|it| language.show_on(terms, it, &bounds).into()).collect(),
        ..Leaf::new(trail.name(), end, trail.steps)
    };
    let mut leaf = leaf.with_witness(&witness);
    tests.add(&mut leaf);
    tests.failure().map_or(Ok(leaf), Err)
}

/// Prints a verdict, as text or as JSON.
struct VerdictWriter<'a> {
    trace: &'a Trace,
    statements: Vec<Statement>,
    json: bool,
    /// The trace tells of every condition that is met.
    complete: bool,
}

impl VerdictWriter<'_> {
    fn document(&self, verdict: &'static str) -> Document<'_> {
        Document {
            command: "feasible",
            verdict,
            steps: self.trace.steps.iter().map(StepSection::of).collect(),
            contradiction: None,
            minimal: None,
            inputs: None,
            end: None,
            test: None,
            unknown: None,
            remarks: &self.trace.remarks,
        }
    }

    fn remarks(&self) -> String {
        self.trace.remarks.iter().map(|it| format!("  note: {it}\n")).collect()
    }

    fn feasible<S>(&self, found: &Found<S>, leaf: &Leaf, out: &str) -> Result<(), Failure> {
        let test = leaf.test.map(|it| format!("{out}/{}", test_file(it)));
        if self.json {
            let (exit, bug, open) = match &leaf.end {
                LeafEnd::Exit(code) => (*code, None, None),
                LeafEnd::Bug(bug) => (None, Some(bug), None),
                LeafEnd::Cut(what) => (None, None, Some(what.as_str())),
                _ => (None, None, None),
            };
            let at_last_step = found.at_last_step;
            return say_json(&Document {
                inputs: Some(&leaf.inputs),
                end: Some(EndSection { exit, bug, at_last_step, open }),
                test,
                ..self.document("feasible")
            });
        }
        let mut res = format!("feasible: some input takes {}\n", steps(self.trace.steps.len(), "all "));
        res.push_str(&self.remarks());
        for input in &leaf.inputs {
            res.push_str(&format!("  input {} = {}\n", input.name, input.display()));
        }
        if leaf.inputs.is_empty() {
            res.push_str("  no input is asked for\n");
        }
        match &leaf.end {
            LeafEnd::Exit(Some(code)) => res.push_str(&format!("  the program ends then with exit code {code}\n")),
            LeafEnd::Exit(None) => res.push_str("  the program ends then\n"),
            LeafEnd::Bug(bug) => {
                let at = if found.at_last_step { "at the last step: " } else { "later, " };
                let TestBug { kind, message, place, possible, .. } = bug;
                let sure = if *possible { "possible " } else { "" };
                res.push_str(&format!("  {at}{sure}{kind}: {message} ({}:{})\n", place.file, place.line));
            }
            LeafEnd::Cut(what) => res.push_str(&format!("  how the program ends then is not known: {what}\n")),
            _ => {}
        }
        match test {
            Some(test) => res.push_str(&format!("  test {test}; `effigy replay {out}` runs it\n")),
            None => res.push_str("  no test was written\n"),
        }
        say(&res)
    }

    fn infeasible(&self, core: &Core) -> Result<(), Failure> {
        if self.json {
            return say_json(&Document {
                contradiction: Some(&core.steps),
                minimal: Some(core.minimal),
                ..self.document("infeasible")
            });
        }
        let mut res = match core.steps.len() {
            1 => "infeasible: no input takes this step".to_owned(),
            _ => format!("infeasible: no input takes {} together", steps(core.steps.len(), "these ")),
        };
        // The trace tells of every condition: what it does not tell of must not be met.
        res.push_str(if self.complete { " and meets no condition beside those of the trace\n" } else { "\n" });
        res.push_str(&self.remarks());
        let told: Vec<(String, String)> = core
            .steps
            .iter()
            .filter_map(|&at| self.trace.steps.get(at))
            .map(|it| (it.to_string(), source(&self.statements, it)))
            .collect();
        let width = told.iter().map(|it| it.0.chars().count()).max().unwrap_or(0);
        for (step, text) in told {
            res.push_str(&format!("  {}\n", format!("{step:width$}  {text}").trim_end()));
        }
        if core.minimal && core.steps.len() > 1 {
            res.push_str("  without any one of them the others can be taken\n");
        }
        if !core.minimal {
            res.push_str("  there may be fewer: a limit was reached while they were sought\n");
        }
        say(&res)
    }

    fn unknown(&self, unknown: &Unknown) -> Result<(), Failure> {
        if self.json {
            let unknown = UnknownSection { reasons: &unknown.reasons, reached: unknown.reached };
            return say_json(&Document { unknown: Some(unknown), ..self.document("unknown") });
        }
        let mut res = "unknown: no path was found that takes all steps, and not every path was followed\n".to_owned();
        res.push_str(&self.remarks());
        unknown.reasons.iter().for_each(|it| res.push_str(&format!("  {it}\n")));
        if let Some(step) = self.trace.steps.get(unknown.reached) {
            let passed = steps(unknown.reached, "");
            res.push_str(&format!("  {passed} of {} passed; not {step}\n", self.trace.steps.len()));
        }
        say(&res)
    }
}

fn steps(count: usize, before: &str) -> String {
    if count == 1 { "1 step".to_owned() } else { format!("{before}{count} steps") }
}

fn constraint_text(step: &Step) -> String {
    let text = step.to_string();
    text.split_once("  where ").map_or(String::new(), |it| it.1.to_owned())
}

/// The source text of a step, as far as it is there.
fn source(statements: &[Statement], step: &Step) -> String {
    let here = |it: &&Statement| it.place.line == step.line && is_same_file(&step.file, &it.place.file);
    statements.iter().find(here).map_or(String::new(), |it| it.text.to_string())
}
