//! Mutants of the verified examples: none verifies, except those that are named with the reason why they may.

use effigy_programs::mutation::{Contracts, Scope, mutation, name};
use effigy_programs::{cases, verification};
use effigy_verify::{Config, Member, Program, Verdict, members, verify};
use effigy_viper::{NoImports, read};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

struct Viper;

impl Contracts for Viper {
    fn read(&self, text: &str) -> Option<Program> {
        read("mutant.vpr", text, &mut NoImports).ok()
    }

    fn config(&self) -> Config {
        verification::config(100_000, 2_000_000, verification::VIPER)
    }

    fn example(&self, text: String) -> String {
        without_failures(&text)
    }

    /// The members that verify, and the lines that their parts are on.
    fn scope(&self, text: &str) -> Scope {
        let program = self.read(text).expect("an example is a program");
        let config = self.config();
        let mut heads = BTreeMap::new();
        let mut verified: BTreeSet<Arc<str>> = BTreeSet::new();
        for member in members(&program) {
            let holds = matches!(verify(&program, member, &config).verdict, Verdict::Verified);
            let span = match member {
                Member::Function(it) => program.functions[it.index()].span,
                Member::Predicate(it) => program.predicates[it.index()].span,
                Member::Method(it) => program.methods[it.index()].span,
            };
            heads.insert(span.line as usize, holds);
            if holds {
                verified.insert(Arc::clone(name(&program, member)));
            }
        }
        let of = |line: usize| heads.range(..=line).next_back().is_some_and(|it| *it.1);
        let lines = (1..=text.lines().count()).filter(|&it| of(it)).collect();
        Scope { lines: Some(lines), members: Some(verified) }
    }
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

#[test]
fn no_mutant_verifies_that_is_not_equivalent() {
    mutation(&Viper, "corpus/viper/verify", "corpus/viper/mutants/survivors.txt", cases(50) as usize);
}
