//! Traces of random programs: a way that the program goes is feasible, and the input takes it; a trace that no input
//! takes is infeasible, and of the steps that are told none can be left out.
//!
//! The oracle runs the program on all inputs without terms: they are few.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// The inputs are 0 to 7 each.
const INPUTS: i64 = 8;

/// A statement: its line is where it stands in the text.
#[derive(Clone, Debug)]
enum Statement {
    /// `x = x + k;`
    Add(bool, i64),
    /// `if (cond) {` … `}`
    If(Cond, Layout, Vec<Statement>),
    /// `for (int i = 0; i < k; i++) {` … `}`, on one line or on three
    Repeat(i64, bool, Vec<Statement>),
    /// `{ int i = 0;`, `do {` … `i++;`, `}`, `while (i < k);`, `}`
    Do(i64, Vec<Statement>),
}

/// Where the condition of an `if` stands: what comes out is told of the line of the keyword.
#[derive(Clone, Copy, Debug)]
enum Layout {
    /// On its line.
    OneLine,
    /// Between its parentheses, which stand on lines of their own.
    Below,
    /// The parts of a conjunction or disjunction on lines of their own, which begin with the operator.
    Parts,
}

impl Layout {
    /// The lines of an `if` up to its brace.
    fn head(self, cond: &Cond) -> Vec<String> {
        match (self, cond) {
            (Layout::Below, _) => vec!["if (".to_owned(), cond.text(), ") {".to_owned()],
            (Layout::Parts, Cond::And(a, b)) => {
                vec![format!("if (({})", a.text()), format!("&& ({})) {{", b.text())]
            }
            (Layout::Parts, Cond::Or(a, b)) => vec![format!("if (({}) ||", a.text()), format!("({})) {{", b.text())],
            _ => vec![format!("if ({}) {{", cond.text())],
        }
    }
}

/// `x < k`, `!(x - y)`, …
#[derive(Clone, Debug)]
enum Cond {
    Less(bool, i64),
    Equal,
    Not(Box<Cond>),
    And(Box<Cond>, Box<Cond>),
    Or(Box<Cond>, Box<Cond>),
}

impl Cond {
    fn text(&self) -> String {
        match self {
            Cond::Less(x, k) => format!("{} < {k}", variable(*x)),
            Cond::Equal => "x == y".to_owned(),
            Cond::Not(it) => format!("!({})", it.text()),
            Cond::And(a, b) => format!("({}) && ({})", a.text(), b.text()),
            Cond::Or(a, b) => format!("({}) || ({})", a.text(), b.text()),
        }
    }

    fn holds(&self, at: [i64; 2]) -> bool {
        match self {
            Cond::Less(x, k) => at[usize::from(!x)] < *k,
            Cond::Equal => at[0] == at[1],
            Cond::Not(it) => !it.holds(at),
            Cond::And(a, b) => a.holds(at) && b.holds(at),
            Cond::Or(a, b) => a.holds(at) || b.holds(at),
        }
    }
}

fn variable(x: bool) -> &'static str {
    if x { "x" } else { "y" }
}

/// What a run passes: a line, and how the condition there comes out.
type Passed = (u32, Option<bool>);

struct Written {
    text: String,
    line: u32,
}

impl Written {
    fn line(&mut self, text: &str) -> u32 {
        writeln!(self.text, "{text}").expect("a string takes all text");
        self.line += 1;
        self.line
    }

    fn block(&mut self, block: &[Statement]) {
        for it in block {
            match it {
                Statement::Add(x, k) => {
                    let name = variable(*x);
                    self.line(&format!("{name} = {name} + {k};"));
                }
                Statement::If(cond, layout, inner) => {
                    for it in &layout.head(cond) {
                        self.line(it);
                    }
                    self.block(inner);
                    self.line("}");
                }
                Statement::Repeat(count, is_long, inner) => {
                    let head = format!("for (int i = 0; i < {count}; i++) {{");
                    let pieces: Vec<&str> = if *is_long { head.split_inclusive(';').collect() } else { vec![&head] };
                    for it in &pieces {
                        self.line(it);
                    }
                    self.block(inner);
                    self.line("}");
                }
                Statement::Do(count, inner) => {
                    self.line("{ int i = 0;");
                    self.line("do {");
                    self.block(inner);
                    self.line("i++;");
                    self.line("}");
                    self.line(&format!("while (i < {count});"));
                    self.line("}");
                }
            }
        }
    }
}

/// Runs a block on `at`, which begins on `line`; gives the line behind it.
fn run(block: &[Statement], mut line: u32, at: &mut [i64; 2], passed: &mut Vec<Passed>) -> u32 {
    for it in block {
        match it {
            Statement::Add(x, k) => {
                passed.push((line, None));
                at[usize::from(!x)] += k;
                line += 1;
            }
            Statement::If(cond, layout, inner) => {
                let holds = cond.holds(*at);
                passed.push((line, Some(holds)));
                let mut unused = Vec::new();
                let body = line + layout.head(cond).len() as u32;
                line = match holds {
                    true => run(inner, body, at, passed),
                    false => run(inner, body, &mut at.clone(), &mut unused),
                } + 1;
            }
            Statement::Repeat(count, is_long, inner) => {
                let body = line + if *is_long { 3 } else { 1 };
                let mut after = run(inner, body, &mut at.clone(), &mut Vec::new());
                for _ in 0..*count {
                    passed.push((line, Some(true)));
                    after = run(inner, body, at, passed);
                }
                passed.push((line, Some(false)));
                line = after + 1;
            }
            Statement::Do(count, inner) => {
                passed.push((line, None));
                let mut after = line;
                for round in 1..=*count {
                    after = run(inner, line + 2, at, passed);
                    passed.push((after, None));
                    passed.push((after + 2, Some(round < *count)));
                }
                line = after + 4;
            }
        }
    }
    line
}

const HEAD: &str = "int __VERIFIER_nondet_int(void);\nvoid __VERIFIER_assume(int);\nint main(void) {\nint x = __VERIFIER_nondet_int();\nint y = __VERIFIER_nondet_int();\n__VERIFIER_assume(x >= 0 & x < 8 & y >= 0 & y < 8);\n";

/// What each input passes.
fn runs(block: &[Statement]) -> Vec<Vec<Passed>> {
    let mut res = Vec::new();
    for x in 0..INPUTS {
        for y in 0..INPUTS {
            let mut passed = Vec::new();
            run(block, 7, &mut [x, y], &mut passed);
            res.push(passed);
        }
    }
    res
}

/// Whether a run passes these steps in their order.
fn takes(run: &[Passed], steps: &[Passed]) -> bool {
    let mut left = steps.iter().copied().peekable();
    for it in run {
        // A line is passed as long as it is stood on.
        while left.next_if(|step| step.0 == it.0 && step.1.is_none()).is_some() {}
        left.next_if(|step| *step == *it);
        while left.next_if(|step| step.0 == it.0 && step.1.is_none()).is_some() {}
    }
    left.peek().is_none()
}

fn cond() -> impl Strategy<Value = Cond> {
    let leaf = prop_oneof![(any::<bool>(), -1_i64..10).prop_map(|(x, k)| Cond::Less(x, k)), Just(Cond::Equal)];
    leaf.prop_recursive(2, 4, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|it| Cond::Not(Box::new(it))),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| Cond::And(Box::new(a), Box::new(b))),
            (inner.clone(), inner).prop_map(|(a, b)| Cond::Or(Box::new(a), Box::new(b))),
        ]
    })
}

fn layout() -> impl Strategy<Value = Layout> {
    prop_oneof![Just(Layout::OneLine), Just(Layout::Below), Just(Layout::Parts)]
}

fn block() -> impl Strategy<Value = Vec<Statement>> {
    let leaf = (any::<bool>(), -3_i64..4).prop_map(|(x, k)| Statement::Add(x, k));
    let statement = leaf.prop_recursive(2, 12, 3, |inner| {
        let inner = prop::collection::vec(inner, 1..3);
        prop_oneof![
            3 => (cond(), layout(), inner.clone()).prop_map(|(cond, layout, it)| Statement::If(cond, layout, it)),
            1 => (1_i64..3, any::<bool>(), inner.clone()).prop_map(|(count, is_long, it)| Statement::Repeat(count, is_long, it)),
            1 => (1_i64..3, inner).prop_map(|(count, it)| Statement::Do(count, it)),
        ]
    });
    prop::collection::vec(statement, 2..5)
}

/// Asks the command; gives its verdict.
fn ask(folder: &Path, steps: &[Passed], flags: &[&str]) -> serde_json::Value {
    let mut text = String::new();
    for (line, outcome) in steps {
        let outcome = outcome.map_or("", |it| if it { ":T" } else { ":F" });
        writeln!(text, "prog.c:{line}{outcome}").expect("a string takes all text");
    }
    std::fs::write(folder.join("trace.txt"), text).expect("the trace can be written");
    let output = Command::new(env!("CARGO_BIN_EXE_effigy"))
        .args(["feasible", "prog.c", "--trace", "trace.txt", "--json", "--out", "out"])
        .args(flags)
        .current_dir(folder)
        .output()
        .expect("the command runs");
    let error = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{error}"))
}

#[test]
fn a_trace_is_feasible_exactly_if_some_input_takes_it() {
    let folder = std::env::temp_dir().join(format!("effigy-feasible-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let mut runner = TestRunner::new(Config { cases: 48, failure_persistence: None, ..Config::default() });
    let counts = [const { std::cell::Cell::new(0) }; 2];
    let choice = (block(), prop::collection::vec(any::<(u16, bool, u16)>(), 1..6), any::<u16>());
    let done = runner.run(&choice, |(block, picks, of)| {
        let mut written = Written { text: HEAD.to_owned(), line: 6 };
        written.block(&block);
        written.line("return 0;");
        written.line("}");
        std::fs::write(folder.join("prog.c"), &written.text).expect("the program can be written");
        let runs = runs(&block);
        // Some steps of a run, some of their outcomes exchanged.
        let run = &runs[usize::from(of) % runs.len()];
        if run.is_empty() {
            return Ok(());
        }
        let mut at: Vec<(usize, bool)> =
            picks.iter().map(|it| (usize::from(it.0) % run.len(), it.1 && it.2 % 4 != 0)).collect();
        at.sort_unstable();
        at.dedup_by_key(|it| it.0);
        let steps: Vec<Passed> = at.iter().map(|&(at, other)| (run[at].0, run[at].1.map(|it| it != other))).collect();
        let expected = runs.iter().any(|it| takes(it, &steps));
        let verdict = ask(&folder, &steps, &[]);
        let said = verdict["verdict"].as_str().unwrap_or_default().to_owned();
        let count = &counts[usize::from(expected)];
        count.set(count.get() + 1);
        prop_assert_eq!(&said, if expected { "feasible" } else { "infeasible" }, "{:?}\n{}", steps, written.text);
        if expected {
            let value = |at: usize| verdict["inputs"][at]["values"][0].as_i64().unwrap_or(-1);
            let (x, y) = (value(0), value(1));
            prop_assert!((0..INPUTS).contains(&x) && (0..INPUTS).contains(&y), "{}", verdict);
            let passed = &runs[(x * INPUTS + y) as usize];
            prop_assert!(takes(passed, &steps), "x = {}, y = {} does not take {:?}\n{}", x, y, steps, written.text);
            // All that the run passes, told as complete.
            let whole = ask(&folder, passed, &["--complete"]);
            prop_assert_eq!(whole["verdict"].as_str(), Some("feasible"), "{:?}\n{}", passed, written.text);
        } else {
            let told: Vec<(u64, Option<bool>)> = verdict["steps"]
                .as_array()
                .into_iter()
                .flatten()
                .map(|it| (it["line"].as_u64().unwrap_or(0), it["outcome"].as_bool()))
                .collect();
            let core: Vec<Passed> = verdict["contradiction"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(|it| told.get(it.as_u64()? as usize))
                .map(|it| (it.0 as u32, it.1))
                .collect();
            prop_assert!(verdict["minimal"] == true && !core.is_empty(), "{}", verdict);
            prop_assert!(!runs.iter().any(|it| takes(it, &core)), "{:?} can be taken\n{}", core, written.text);
            for at in 0..core.len() {
                let mut rest = core.clone();
                rest.remove(at);
                prop_assert!(runs.iter().any(|it| takes(it, &rest)), "{:?} without {}\n{}", core, at, written.text);
            }
        }
        Ok(())
    });
    let _ = std::fs::remove_dir_all(&folder);
    done.unwrap_or_else(|error| panic!("{error}"));
    assert!(counts.iter().all(|it| it.get() > 0), "both verdicts occur: {counts:?}");
}
