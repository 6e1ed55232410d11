//! The verdicts on the corpus: what should verify does, what should not fails where its annotations say.

use effigy_oo::{LoweredFile, read};
use effigy_programs::mutation::name;
use effigy_programs::verification;
use effigy_verify::{Inference, MemberOutcome, Verdict, members, verify};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn files(folder: &str) -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/oo").join(folder);
    let mut res: Vec<PathBuf> =
        fs::read_dir(folder).expect("the corpus").map(|it| it.expect("a file").path()).collect();
    res.sort();
    res.into_iter().map(|it| (it.clone(), fs::read_to_string(it).expect("text"))).collect()
}

pub(super) fn outcomes(reading: &LoweredFile, inference: Inference) -> Vec<MemberOutcome> {
    let config = verification::config(1_000_000, 40_000_000, inference);
    members(&reading.program).into_iter().map(|it| verify(&reading.program, it, &config)).collect()
}

/// The lines that fail, with the ids of what fails; anything that is neither verified nor failed is in `others`.
fn failures(reading: &LoweredFile, inference: Inference) -> (BTreeSet<(u32, String)>, Vec<String>) {
    let (mut found, mut others) = (BTreeSet::new(), Vec::new());
    for outcome in outcomes(reading, inference) {
        match outcome.verdict {
            Verdict::Verified => {}
            Verdict::Failed(failures) => {
                found.extend(failures.iter().map(|it| (it.span.line, format!("{}:{}", it.error.id(), it.reason.id()))));
            }
            other => others.push(format!("{}: {other:?}", name(&reading.program, outcome.member))),
        }
    }
    (found, others)
}

/// The lines below annotations that start like this, with what is in the parentheses.
fn annotations(text: &str, start: &str) -> BTreeSet<(u32, String)> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let mut res = BTreeSet::new();
    for (at, line) in lines.iter().enumerate() {
        let Some(rest) = line.strip_prefix(start) else { continue };
        let id = rest.trim_matches(|it| it == '(' || it == ')');
        let target = lines[at..].iter().position(|it| !it.starts_with("//")).expect("a line below");
        res.insert(((at + target + 1) as u32, id.to_owned()));
    }
    res
}

#[test]
fn every_verified_program_verifies_with_inference() {
    let mut wrong = Vec::new();
    for (path, text) in files("verified").into_iter().chain(files("fig9")) {
        let reading = read("test.oo", &text).unwrap_or_else(|it| panic!("{}: {}", path.display(), it[0]));
        let (failed, others) = failures(&reading, verification::ALL);
        if !failed.is_empty() || !others.is_empty() {
            wrong.push(format!("{}: {failed:?} {others:?}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn figure_9_verifies_without_inference() {
    let text = include_str!("../../../../corpus/oo/verified/fig9.oo");
    let reading = read("fig9.oo", text).unwrap_or_else(|it| panic!("{}", it[0]));
    assert_eq!(failures(&reading, verification::NONE), Default::default());
}

/// Section 4.1: each ghost statement is needed, and what fails without it is what its file says in its second line.
#[test]
fn each_ghost_statement_of_figure_9_is_needed_without_inference() {
    for (path, text) in files("fig9") {
        let header = text.lines().nth(1).expect("a second line");
        let rest = header.strip_prefix("// Without inference: line ").expect("what fails");
        let (line, id) = rest.trim_end_matches('.').split_once(" fails with ").expect("the id");
        let expected = (line.parse().expect("a number"), id.to_owned());
        let reading = read("test.oo", &text).unwrap_or_else(|it| panic!("{}: {}", path.display(), it[0]));
        let (failed, others) = failures(&reading, verification::NONE);
        assert!(others.is_empty(), "{}: {others:?}", path.display());
        // Who uses a function that is wrong fails too.
        let alone = failed.len() == 1 || path.ends_with("without_get_opening.oo");
        assert!(failed.contains(&expected) && alone, "{}: {failed:?}", path.display());
    }
}

#[test]
fn every_failing_program_fails_where_it_says() {
    let mut wrong = Vec::new();
    for (path, text) in files("failing") {
        let Ok(reading) = read("test.oo", &text) else { continue };
        let expected = annotations(&text, "//:: ExpectedOutput");
        let ignored: BTreeSet<u32> = annotations(&text, "//:: IgnoreOthers").into_iter().map(|it| it.0).collect();
        let (mut failed, others) = failures(&reading, verification::ALL);
        failed.retain(|it| expected.contains(it) || !ignored.contains(&it.0));
        if failed != expected || !others.is_empty() {
            wrong.push(format!("{}:\n found    {failed:?} {others:?}\n expected {expected:?}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Inference makes no proof fail: what verifies without it does so with each choice of what is inferred.
#[test]
fn no_choice_of_inference_makes_a_proof_fail() {
    let text = include_str!("../../../../corpus/oo/verified/visits.oo");
    let reading = read("visits.oo", text).unwrap_or_else(|it| panic!("{}", it[0]));
    let verified = |inference| {
        let names = outcomes(&reading, inference).into_iter().filter(|it| matches!(it.verdict, Verdict::Verified));
        names.map(|it| name(&reading.program, it.member)).collect::<BTreeSet<_>>()
    };
    let without = verified(verification::NONE);
    assert!(!without.is_empty());
    for choice in 0..16 {
        let inference = Inference {
            contracts: choice & 1 != 0,
            close: if choice & 2 != 0 { 3 } else { 0 },
            open: choice & 4 != 0,
            functions: choice & 8 != 0,
        };
        let with = verified(inference);
        assert!(without.is_subset(&with), "{inference:?}: {:?}", without.difference(&with));
    }
}
