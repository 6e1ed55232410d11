//! A recorded verification, walked, says what the verification says: of every member of the corpora.

use effigy_engine::{Context, Coverage, Decision, Inputs, Inspect, Language, Notes, Outcome, Step, VariableValue};
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
    for folder in
        ["corpus/oo/verified", "corpus/oo/fig9", "corpus/oo/failing", "corpus/viper/verify", "corpus/viper/walked"]
    {
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

/// All states of a walk in which every question is answered in every way, and how the paths end.
fn walk<L: Language>(language: &L, terms: &Terms) -> (Vec<L::State>, Vec<Outcome>) {
    let (mut coverage, mut notes, inputs) = (Coverage::default(), Notes::default(), Inputs::Symbolic);
    let mut ctx = Context { terms, inputs: &inputs, coverage: &mut coverage, notes: &mut notes };
    let mut pending = vec![language.start(&mut ctx)];
    let (mut states, mut ends) = (pending.clone(), Vec::new());
    while let Some(mut state) = pending.pop() {
        match language.step(&mut ctx, &mut state, &mut 1) {
            Step::Next => {
                states.push(state.clone());
                pending.push(state);
            }
            Step::Branch(alternatives) => {
                for index in 0..alternatives.len() as u32 {
                    let mut side = state.clone();
                    language.answer(&mut side, Decision::Alternative(index));
                    pending.push(side);
                }
            }
            Step::Assume(_) => {
                language.answer(&mut state, Decision::Granted);
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

fn for_each_member(mut check: impl FnMut(&str, &Program, Member, Config)) {
    let programs = programs();
    assert!(programs.len() > 20, "the corpora are where they should be");
    for (name, program) in &programs {
        for member in members(program) {
            check(name, program, member, config(name));
        }
    }
}

#[test]
fn the_paths_end_as_the_verdict_says() {
    for_each_member(|name, program, member, config| {
        let terms = Terms::new();
        let said = match verify(program, member, &config).verdict {
            Verdict::Verified => "verified",
            Verdict::Failed(_) => "failed",
            Verdict::Undecided(_) | Verdict::Unsupported(..) => "unknown",
        };
        let walked = Walked::new(program, member, config, &NoText, Detail::Conjuncts);
        let (_, ends) = walk(&walked, &terms);
        assert_eq!(verdict(&ends), said, "{name}: {}: {ends:?}", walked.name());
    });
}

#[test]
fn every_state_can_be_looked_at() {
    for_each_member(|name, program, member, config| {
        let terms = Terms::new();
        let walked = Walked::new(program, member, config, &NoText, Detail::Conjuncts);
        let (states, _) = walk(&walked, &terms);
        for state in &states {
            look(name, &walked, &terms, state);
        }
    });
}

fn look(name: &str, walked: &Walked<'_>, terms: &Terms, state: &WalkedState) {
    let (mut coverage, mut notes, inputs) = (Coverage::default(), Notes::default(), Inputs::Symbolic);
    let mut ctx = Context { terms, inputs: &inputs, coverage: &mut coverage, notes: &mut notes };
    let variables = walked.variables(&mut ctx, state);
    assert!(variables.iter().any(|it| &*it.name == "heap"), "{name}");
    for variable in variables {
        let VariableValue::Term(value) = variable.value else { continue };
        // A variable that another of the same name hides cannot be named.
        if let Ok(found) = walked.evaluate(&mut ctx, state, &variable.name) {
            assert_eq!(terms.sort(found), terms.sort(value), "{name}: {}", variable.name);
        }
    }
    assert!(walked.statement(state).place.line > 0, "{name}: {state:?}");
}

/// Statements alone: the same paths, fewer states.
#[test]
fn fewer_details_are_the_same_paths() {
    for_each_member(|name, program, member, config| {
        let terms = Terms::new();
        let of = |detail| {
            let (states, ends) = walk(&Walked::new(program, member, config.clone(), &NoText, detail), &terms);
            (states.len(), ends)
        };
        let (all, ends) = of(Detail::Conjuncts);
        let (some, same) = of(Detail::Statements);
        assert!(some <= all, "{name}");
        assert_eq!(ends, same, "{name}");
    });
}
