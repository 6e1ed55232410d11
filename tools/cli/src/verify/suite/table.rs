//! The table of a suite, its classes and their tests: the same from run to run, so that two can be compared.
//!
//! Knows: layout. Never: how a test was judged; times only where they are asked for.

use super::judge::{Class, Judgement, Unsoundness};
use super::{JudgedTest, Tier};
use effigy_report::table::Table;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;

/// The columns of the table, with what they count.
const COLUMNS: [&str; 8] = ["agree", "unsound", "incomplete", "unsupported", "undecided", "time", "crash", "ignored"];

type Census = BTreeMap<String, Tier>;

/// The rows: their names, and the tests that they count.
fn rows<'a>(judged: &'a [JudgedTest], census: Option<&Census>) -> Vec<(&'static str, Vec<&'a JudgedTest>)> {
    let mut res = Vec::new();
    if let Some(census) = census {
        let of = |wanted: &dyn Fn(&Tier) -> bool| -> Vec<&'a JudgedTest> {
            judged.iter().filter(|it| census.get(&it.name).is_some_and(wanted)).collect()
        };
        res.push(("front end only", of(&|it| it.suite && it.front_end_only)));
        res.push(("T0", of(&|it| it.suite && it.tier == "T0")));
        res.push(("T1", of(&|it| it.suite && it.tier == "T1")));
        res.push(("T0 and T1", of(&|it| it.suite && matches!(&*it.tier, "T0" | "T1"))));
        res.push(("T2", of(&|it| it.suite && it.tier == "T2")));
        res.push(("Silicon's suite", of(&|it| it.suite)));
    }
    res.retain(|it| !it.1.is_empty());
    res.push(("all", judged.iter().collect()));
    res
}

fn count(tests: &[&JudgedTest], class: &str) -> usize {
    tests.iter().filter(|it| it.judgement.class.name() == class).count()
}

/// Which construct keeps how many tests from a verdict, the most frequent first.
fn constructs(judged: &[JudgedTest]) -> Vec<(String, usize)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for it in judged.iter().filter(|it| it.judgement.class == Class::Unsupported) {
        it.judgement.unsupported.iter().for_each(|it| *counts.entry(it).or_default() += 1);
    }
    let mut res: Vec<(String, usize)> = counts.into_iter().map(|(name, count)| (name.to_owned(), count)).collect();
    // Names are in order already, and the sort is stable.
    res.sort_by_key(|it| std::cmp::Reverse(it.1));
    res
}

pub(super) fn text(judged: &[JudgedTest], census: Option<&Census>, verbose: bool, statistics: bool) -> String {
    let mut head = vec![String::new(), "files".to_owned(), "%".to_owned()];
    head.extend(COLUMNS.map(str::to_owned));
    let mut table = Table { head, rows: Vec::new() };
    for (name, tests) in rows(judged, census) {
        let share = 100.0 * count(&tests, "agree") as f64 / tests.len().max(1) as f64;
        let mut row = vec![name.to_owned(), tests.len().to_string(), format!("{share:.1}")];
        row.extend(COLUMNS.iter().map(|it| count(&tests, it).to_string()));
        table.rows.push(row);
    }
    let mut res = table.render();
    let unsound = |kind: Unsoundness| judged.iter().filter(|it| it.judgement.class == Class::Unsound(kind)).count();
    for kind in Unsoundness::ALL.into_iter().filter(|it| unsound(*it) > 0) {
        res.push_str(&format!("unsound: {} {}\n", unsound(kind), kind.name()));
    }
    let waived = judged.iter().filter(|it| it.judgement.class == Class::Agree && !it.judgement.waived.is_empty());
    let waived = waived.count();
    if waived > 0 {
        res.push_str(&format!("agree: {waived} of them by a waiver\n"));
    }
    let constructs = constructs(judged);
    if !constructs.is_empty() {
        let rows = constructs.into_iter().map(|(name, count)| vec![count.to_string(), name]).collect();
        let head = vec!["tests".to_owned(), "unsupported construct".to_owned()];
        res.push_str(&format!("\n{}", Table { head, rows }.render()));
    }
    for class in COLUMNS.into_iter().filter(|it| *it != "agree") {
        let tests: Vec<&JudgedTest> = judged.iter().filter(|it| it.judgement.class.name() == class).collect();
        if !tests.is_empty() {
            res.push_str(&format!("\n{class}\n"));
            tests.iter().for_each(|it| res.push_str(&line(it, verbose)));
        }
    }
    for it in judged.iter().filter(|it| !it.malformed.is_empty()) {
        let lines: Vec<String> = it.malformed.iter().map(u32::to_string).collect();
        res.push_str(&format!("\n{}: no annotation in line {}\n", it.name, lines.join(", ")));
    }
    for it in judged {
        it.stale
            .iter()
            .for_each(|(line, id)| res.push_str(&format!("\n{}:{line}: {id} is waived, but not due\n", it.name)));
    }
    if statistics {
        let sum: Duration = judged.iter().map(|it| it.time).sum();
        res.push_str(&format!("\ntime {:.2} s over all tests\n", sum.as_secs_f64()));
        let mut slowest: Vec<&JudgedTest> = judged.iter().collect();
        slowest.sort_by_key(|it| std::cmp::Reverse(it.time));
        slowest.iter().take(10).for_each(|it| res.push_str(&format!("{:8.2} s  {}\n", it.time.as_secs_f64(), it.name)));
    }
    res
}

fn line(judged: &JudgedTest, verbose: bool) -> String {
    let Judgement { class, unexpected, missing, unsupported, note, .. } = &judged.judgement;
    let detail = match class {
        Class::Unsound(kind) => format!("  {}", kind.name()),
        Class::Crash => note.as_ref().map_or_else(String::new, |it| format!("  {it}")),
        _ => String::new(),
    };
    let mut res = format!("  {}{detail}\n", judged.name);
    if verbose {
        missing.iter().for_each(|(line, id)| res.push_str(&format!("    due, not found  {line}: {id}\n")));
        unexpected.iter().for_each(|(line, id)| res.push_str(&format!("    found, not due  {line}: {id}\n")));
        unsupported.iter().for_each(|it| res.push_str(&format!("    unsupported     {it}\n")));
    }
    res
}

pub(super) fn json(judged: &[JudgedTest], census: Option<&Census>, statistics: bool) -> Value {
    let row = |(name, tests): (&str, Vec<&JudgedTest>)| {
        let mut res = json!({ "name": name, "files": tests.len() });
        COLUMNS.iter().for_each(|it| res[*it] = count(&tests, it).into());
        res
    };
    let error = |it: &(u32, String)| json!({ "line": it.0, "id": it.1 });
    let test = |it: &JudgedTest| {
        let judgement = &it.judgement;
        let mut res = json!({
            "name": it.name,
            "class": judgement.class.name(),
            "due_not_found": judgement.missing.iter().map(error).collect::<Vec<_>>(),
            "found_not_due": judgement.unexpected.iter().map(error).collect::<Vec<_>>(),
            "waived": judgement.waived.iter().map(error).collect::<Vec<_>>(),
            "unsupported": judgement.unsupported,
        });
        if let Class::Unsound(kind) = judgement.class {
            res["unsound"] = kind.name().into();
        }
        if let Some(note) = &judgement.note {
            res["note"] = note.as_str().into();
        }
        if statistics {
            res["time"] = it.time.as_secs_f64().into();
        }
        res
    };
    let construct = |it: &(String, usize)| json!({ "construct": it.0, "tests": it.1 });
    json!({
        "rows": rows(judged, census).into_iter().map(row).collect::<Vec<_>>(),
        "unsupported": constructs(judged).iter().map(construct).collect::<Vec<_>>(),
        "tests": judged.iter().map(test).collect::<Vec<_>>(),
    })
}
