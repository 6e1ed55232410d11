//! A recorded verification, walked, says what the verification says: of every member of the corpora.

use effigy_engine::{Context, Coverage, Inputs, Inspect, Language, Notes, Outcome, Resolution, Step, VariableValue};
use effigy_heap::failure::Failure;
use effigy_heap::{
    Config, Detail, Inference, Member, Program, SourceText, Span, Verdict, Walked, WalkedState, members, verify,
};
use effigy_solver::prover::ProverConfig;
use effigy_term::Terms;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Nothing is known of the source.
struct NoText;

impl SourceText for NoText {
    fn line(&self, _: Span) -> Option<String> {
        None
    }

    fn quote(&self, _: Span) -> Option<String> {
        None
    }

    fn message(&self, _: &Failure) -> String {
        String::new()
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The programs in the folders of the corpora that are verified.
fn programs() -> Vec<(String, Program)> {
    let mut res = Vec::new();
    for folder in ["corpus/oo/fig9", "corpus/oo/failing", "corpus/viper/verify", "corpus/viper/walked"] {
        let mut paths: Vec<PathBuf> =
            std::fs::read_dir(root().join(folder)).expect("a folder").flatten().map(|it| it.path()).collect();
        paths.sort();
        for path in paths {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            let program = match path.extension().and_then(|it| it.to_str()) {
                Some("oo") => effigy_oo::read(&name, &text(&path)).ok().map(|it| it.program),
                Some("vpr") => effigy_viper::read(&name, &text(&path), &mut effigy_viper::NoImports).ok(),
                _ => None,
            };
            res.extend(program.map(|it| (format!("{folder}/{name}"), it)));
        }
    }
    res
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).expect("a program")
}

fn config(name: &str) -> Config {
    let oo = name.ends_with(".oo");
    Config {
        prover: ProverConfig { smt: "z3 -in".to_owned(), steps: 2_000_000, local: true, interrupt: Arc::default() },
        errors: 1,
        steps: 20_000,
        time: None,
        trace: false,
        counterexample: false,
        inference: Inference { contracts: oo, close: if oo { 3 } else { 0 }, open: oo, functions: true },
    }
}

/// What a language is given.
fn with_context<T>(terms: &Terms, body: impl FnOnce(&mut Context<'_>) -> T) -> T {
    let (mut coverage, mut notes, inputs) = (Coverage::default(), Notes::default(), Inputs::Symbolic);
    body(&mut Context::new(terms, &inputs, &mut coverage, &mut notes))
}

/// All states of a walk in which every question is answered in every way, and how the paths end.
fn walk<L: Language>(language: &L, ctx: &mut Context<'_>, start: L::State) -> (Vec<L::State>, Vec<Outcome>) {
    let (mut pending, mut states, mut ends) = (vec![start], Vec::new(), Vec::new());
    while let Some(mut state) = pending.pop() {
        states.push(state.clone());
        match language.step(ctx, &mut state, &mut 1) {
            Step::Next => pending.push(state),
            Step::Branch(alternatives) => {
                for index in 0..alternatives.len() as u32 {
                    let mut side = state.clone();
                    language.answer(&mut side, Resolution::Alternative(index));
                    pending.push(side);
                }
            }
            Step::Assume(_) => {
                language.answer(&mut state, Resolution::Granted);
                pending.push(state);
            }
            Step::Exit(outcome) => {
                states.push(state);
                ends.push(outcome);
            }
            other => panic!("a verification asks no such thing: {other:?}"),
        }
    }
    (states, ends)
}

/// What the ends of all paths say together.
fn verdict(ends: &[Outcome]) -> &'static str {
    if ends.iter().any(|it| matches!(it, Outcome::Violation(_))) {
        "failed"
    } else if ends.iter().any(|it| matches!(it, Outcome::Unsupported { .. })) {
        "unknown"
    } else {
        "verified"
    }
}

/// One test for all that is to be seen of a recording: it takes as long as a verification.
#[test]
fn walks_say_what_verdicts_say() {
    let programs = programs();
    assert!(programs.len() > 20, "the corpora are where they should be");
    let mut differ = Vec::new();
    for (name, program) in &programs {
        for member in members(program) {
            differ.extend(difference(program, member, &config(name)).map(|it| format!("{name}: {it}")));
        }
    }
    assert!(differ.is_empty(), "{}", differ.join("\n"));
}

fn difference(program: &Program, member: Member, config: &Config) -> Option<String> {
    let said = match verify(program, member, config).verdict {
        Verdict::Verified => "verified",
        Verdict::Failed(_) => "failed",
        Verdict::Undecided(_) | Verdict::Unsupported(..) => "unknown",
    };
    let terms = Terms::new();
    with_context(&terms, |ctx| {
        let walked = Walked::new(program, member, config.clone(), &NoText, Detail::Conjuncts);
        let start = walked.start(ctx);
        let (states, ends) = walk(&walked, ctx, start.clone());
        if verdict(&ends) != said {
            return Some(format!("{} is {said}; walked, {ends:?}", walked.name()));
        }
        // Of a long walk some states will do.
        let every = 1 + states.len() / 200;
        if let Some(state) = states.iter().step_by(every).find(|it| !can_be_looked_at(&walked, ctx, it)) {
            return Some(format!("{} at {state:?}: {:?}", walked.name(), walked.statement(state)));
        }
        // Statements alone: the same paths, no more states.
        let coarse = Walked::new(program, member, config.clone(), &NoText, Detail::Statements);
        let (fewer, same) = walk(&coarse, ctx, start);
        let agree = same == ends && fewer.len() <= states.len();
        (!agree).then(|| format!("{}: statements alone end in {same:?}, with conjuncts in {ends:?}", walked.name()))
    })
}

/// A state has its heap, a place, and a value for each variable that is shown.
fn can_be_looked_at(walked: &Walked<'_>, ctx: &mut Context<'_>, state: &WalkedState) -> bool {
    let variables = walked.variables(ctx, state);
    let valued = variables.iter().all(|it| match it.value {
        VariableValue::Term(_) => walked.evaluate(ctx, state, &it.name).is_ok(),
        _ => true,
    });
    valued && variables.iter().any(|it| &*it.name == "heap") && walked.statement(state).place.line > 0
}
