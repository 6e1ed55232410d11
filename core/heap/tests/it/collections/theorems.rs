//! What follows from the axioms, and what must not.

use super::corpus::{Claim, build, read};
use super::evaluate::{Evaluator, Store};
use super::random::{Random, value};
use super::z3;

fn claims() -> Vec<Claim> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/heap/collections");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).expect("the corpus is there").map(|it| it.expect("readable").path()).collect();
    files.sort();
    files.iter().flat_map(|it| read(&std::fs::read_to_string(it).expect("a text"))).collect()
}

/// Of each claim, whether z3 proves it.
fn proved(claims: &[Claim]) -> Vec<bool> {
    let queries: Vec<String> = claims
        .iter()
        .map(|claim| {
            let mut built = build(claim);
            let mut facts: Vec<_> = built.collections.take_axioms().into_iter().map(|it| it.1).collect();
            facts.extend(&built.assumptions);
            facts.push(built.terms.not(built.goal));
            z3::query(&built.terms, &facts, false, 2_000_000)
        })
        .collect();
    z3::answers(&queries).into_iter().map(|it| it == "unsat").collect()
}

/// Values for which the assumptions hold and the goal does not.
fn counterexample(claim: &Claim, tries: u64) -> Option<Store> {
    let built = build(claim);
    let mut random = Random::new(7);
    (0..tries).find_map(|seed| {
        let store: Store = built
            .variables
            .iter()
            .map(|&it| (it, value(&mut random, &built.collections, built.terms.symbol_info(it).sort)))
            .collect();
        let evaluator = Evaluator { terms: &built.terms, collections: &built.collections, seed };
        let assumed = built.assumptions.iter().all(|&it| evaluator.truth(it, &store));
        (assumed && !evaluator.truth(built.goal, &store)).then_some(store)
    })
}

fn report(wrong: Vec<String>, what: &str) {
    assert!(wrong.is_empty(), "{} {what}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn theorems_are_proved() {
    effigy_testing::require!("z3");
    let claims: Vec<Claim> = claims().into_iter().filter(|it| it.holds).collect();
    assert!(claims.len() >= 100, "{} theorems", claims.len());
    let wrong = claims.iter().zip(proved(&claims)).filter(|it| !it.1).map(|it| it.0.name.clone()).collect();
    report(wrong, "theorems are not proved");
}

#[test]
fn theorems_are_true() {
    let theorems = claims().into_iter().filter(|it| it.holds && !build(it).quantified);
    let wrong = theorems.filter_map(|it| Some(format!("{}: {:?}", it.name, counterexample(&it, 3_000)?)));
    report(wrong.collect(), "theorems are false");
}

#[test]
fn non_theorems_are_not_proved() {
    effigy_testing::require!("z3");
    let claims: Vec<Claim> = claims().into_iter().filter(|it| !it.holds).collect();
    assert!(claims.len() >= 50, "{} non-theorems", claims.len());
    let wrong = claims.iter().zip(proved(&claims)).filter(|it| it.1).map(|it| it.0.name.clone()).collect();
    report(wrong, "non-theorems are proved");
}

#[test]
fn non_theorems_are_false() {
    let claims = claims().into_iter().filter(|it| !it.holds && !build(it).quantified);
    let wrong = claims.filter(|it| counterexample(it, 20_000).is_none()).map(|it| it.name);
    report(wrong.collect(), "non-theorems without a counterexample");
}

#[test]
fn names_are_not_used_twice() {
    let mut names: Vec<String> = claims().into_iter().map(|it| it.name).collect();
    names.sort();
    let twice = names.windows(2).filter(|it| it[0] == it[1]).map(|it| it[0].clone()).collect();
    report(twice, "names are used twice");
}
