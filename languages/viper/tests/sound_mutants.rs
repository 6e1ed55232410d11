//! Mutants of the verified examples: none verifies, except those that are named with the reason why they may.

use effigy_heap::{Config, Inference, Member, Program, Verdict, members, verify};
use effigy_solver::prover::ProverConfig;
use effigy_testing::cases;
use effigy_testing::viper_mutants::{Mutant, chosen, mutants};
use effigy_viper::{NoImports, read};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

fn config() -> Config {
    let smt = "z3 -in".to_owned();
    Config {
        prover: ProverConfig { smt, steps: 2_000_000, local: true, interrupt: Arc::default() },
        errors: 1,
        steps: 100_000,
        time: Some(Duration::from_secs(5)),
        trace: false,
        counterexample: false,
        inference: Inference { contracts: false, close: 0, open: false, functions: true },
    }
}

fn corpus() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/viper/verify");
    let mut res: Vec<(String, String)> = fs::read_dir(folder)
        .expect("the corpus")
        .map(|it| it.expect("a file").path())
        .map(|it| {
            (
                it.file_name().expect("a name").to_string_lossy().into_owned(),
                without_failures(&fs::read_to_string(it).expect("text")),
            )
        })
        .collect();
    res.sort();
    res
}

/// `file:line:column: change` and why it is equivalent, on each line.
fn survivors() -> BTreeMap<String, String> {
    include_str!("../../../corpus/viper/mutants/survivors.txt")
        .lines()
        .filter(|it| !it.starts_with('#') && !it.is_empty())
        .map(|it| it.split_once(" | ").expect("a reason"))
        .map(|(name, reason)| (name.to_owned(), reason.to_owned()))
        .collect()
}

fn name(program: &Program, member: Member) -> Arc<str> {
    Arc::clone(match member {
        Member::Function(it) => &program.functions[it.index()].name,
        Member::Predicate(it) => &program.predicates[it.index()].name,
        Member::Method(it) => &program.methods[it.index()].name,
    })
}

/// A text without the lines that are annotated to fail, if it is a program without them; its lines stay where they are.
fn without_failures(text: &str) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    for at in 0..lines.len() {
        let is_comment = |it: &str| it.trim().starts_with("//");
        if !lines[at].trim().starts_with("//:: ExpectedOutput") {
            continue;
        }
        let Some(fails) = lines[at..].iter().position(|it| !is_comment(it)).map(|it| at + it) else { continue };
        let before = std::mem::take(&mut lines[fails]);
        if read("corpus.vpr", &lines.join("\n"), &mut NoImports).is_err() {
            lines[fails] = before;
        }
    }
    lines.join("\n")
}

/// The members that verify, and on which lines their parts are.
struct Verified {
    names: BTreeSet<Arc<str>>,
    lines: BTreeSet<usize>,
}

fn verified(text: &str) -> Option<Verified> {
    let program = read("mutant.vpr", text, &mut NoImports).ok()?;
    let config = config();
    let mut heads = BTreeMap::new();
    let mut names = BTreeSet::new();
    for member in members(&program) {
        let holds = matches!(verify(&program, member, &config).verdict, Verdict::Verified);
        let span = match member {
            Member::Function(it) => program.functions[it.index()].span,
            Member::Predicate(it) => program.predicates[it.index()].span,
            Member::Method(it) => program.methods[it.index()].span,
        };
        heads.insert(span.line as usize, holds);
        if holds {
            names.insert(name(&program, member));
        }
    }
    let of = |line: usize| heads.range(..=line).next_back().is_some_and(|it| *it.1);
    Some(Verified { names, lines: (1..=text.lines().count()).filter(|&it| of(it)).collect() })
}

/// Whether some member of a mutant does not verify, of those that should.
fn is_killed(text: &str, wanted: &BTreeSet<Arc<str>>) -> bool {
    let Ok(program) = read("mutant.vpr", text, &mut NoImports) else { return true };
    let config = config();
    members(&program)
        .into_iter()
        .filter(|&it| wanted.contains(&name(&program, it)))
        .any(|it| !matches!(verify(&program, it, &config).verdict, Verdict::Verified))
}

#[test]
fn no_mutant_verifies_that_is_not_equivalent() {
    let known = survivors();
    let corpus = corpus();
    let verified: Vec<Verified> =
        corpus.iter().map(|it| verified(&it.1).unwrap_or_else(|| panic!("{} is no program", it.0))).collect();
    let all: Vec<Mutant> = corpus
        .iter()
        .enumerate()
        .flat_map(|(at, (name, text))| {
            let named = move |it: Mutant| Mutant { change: format!("{at} {name}:{}:{}", it.line, it.change), ..it };
            mutants(text, 2).into_iter().map(named).map(move |it| (at, it))
        })
        .filter(|(at, it)| verified[*at].lines.contains(&it.line))
        .map(|it| it.1)
        .filter(|it| read("mutant.vpr", &it.text, &mut NoImports).is_ok())
        .collect();
    let wanted = cases(50) as usize;
    let mut unsound = Vec::new();
    let (mut killed, mut survived) = (0, 0);
    for mutant in chosen(all, wanted, 1) {
        let (at, change) = mutant.change.split_once(' ').expect("the file's number");
        let at: usize = at.parse().expect("a number");
        if is_killed(&mutant.text, &verified[at].names) {
            killed += 1;
            continue;
        }
        survived += 1;
        if !known.contains_key(change) {
            unsound.push(format!("{change} verifies"));
        }
    }
    let counts = format!("{killed} mutants do not verify, {survived} are equivalent");
    assert!(killed > survived, "{counts}");
    assert!(unsound.is_empty(), "{counts}\n{}", unsound.join("\n"));
}
