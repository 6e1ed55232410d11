//! Mutants of the verified examples: none verifies, except those that are named with the reason why they may.

use effigy_heap::concrete::{ConcreteBudget, run};
use effigy_heap::{Config, Inference, Verdict, members, verify};
use effigy_oo::read;
use effigy_solver::prover::ProverConfig;
use effigy_testing::cases;
use effigy_testing::viper_mutants::{Mutant, chosen, mutants};
use std::collections::BTreeMap;
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
        inference: Inference { contracts: true, close: 3, open: true, functions: true },
    }
}

fn corpus() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/oo/verified");
    let mut res: Vec<(String, String)> = fs::read_dir(folder)
        .expect("the corpus")
        .map(|it| it.expect("a file").path())
        .map(|it| {
            (it.file_name().expect("a name").to_string_lossy().into_owned(), fs::read_to_string(it).expect("text"))
        })
        .collect();
    res.sort();
    res
}

/// `file:line:column: change` and why it is equivalent, on each line.
fn survivors() -> BTreeMap<String, String> {
    include_str!("../../../corpus/oo/mutants/survivors.txt")
        .lines()
        .filter(|it| !it.starts_with('#') && !it.is_empty())
        .map(|it| it.split_once(" | ").expect("a reason"))
        .map(|(name, reason)| (name.to_owned(), reason.to_owned()))
        .collect()
}

/// Whether all members verify; `None` is not a program.
fn verifies(text: &str) -> Option<bool> {
    let reading = read("mutant.oo", text).ok()?;
    let config = config();
    let all = members(&reading.program);
    Some(all.into_iter().all(|it| matches!(verify(&reading.program, it, &config).verdict, Verdict::Verified)))
}

/// What goes wrong when the main routine of a program runs, with its contracts checked.
fn goes_wrong(text: &str) -> Option<String> {
    let reading = read("mutant.oo", text).ok()?;
    let error = run(&reading.program, reading.main?, &[], ConcreteBudget::of(200_000)).err()?;
    error.kind.is_failure().then(|| error.to_string())
}

#[test]
fn no_mutant_verifies_that_is_not_equivalent() {
    let known = survivors();
    let all: Vec<Mutant> = corpus()
        .into_iter()
        .flat_map(|(name, text)| {
            let named = move |it: Mutant| Mutant { change: format!("{name}:{}:{}", it.line, it.change), ..it };
            mutants(&text, 2).into_iter().map(named)
        })
        .filter(|it| read("mutant.oo", &it.text).is_ok())
        .collect();
    let wanted = cases(60) as usize;
    let mut unsound = Vec::new();
    let (mut killed, mut survived) = (0, 0);
    for mutant in chosen(all, wanted, 1) {
        match verifies(&mutant.text) {
            Some(true) => {
                survived += 1;
                if let Some(error) = goes_wrong(&mutant.text) {
                    unsound.push(format!("{} verifies, but {error}", mutant.change));
                } else if !known.contains_key(&mutant.change) {
                    unsound.push(format!("{} verifies", mutant.change));
                }
            }
            _ => killed += 1,
        }
    }
    assert!(unsound.is_empty(), "{}", unsound.join("\n"));
    assert!(killed > survived, "{killed} mutants do not verify, {survived} are equivalent");
}
