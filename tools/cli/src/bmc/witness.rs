//! Verification witnesses 2.0 (YAML), as other tools read them: of a bug the inputs and conditions on its run, of a
//! program that is correct what its loops keep.
//!
//! Knows: the format, and C as far as an invariant needs it. Never: how anything was found out.
//! Source: Ayaziová, Beyer, Lingsch-Rosenfeld, Spiessl, Strejček, "Software Verification Witnesses 2.0" (SPIN 2024).

use super::steps::{Run, Turn, What};
use crate::Failure;
use crate::build_identity::hex;
use crate::frontend::About;
use crate::overwrite_guard;
use effigy_bmc::{Bound, Invariant};
use effigy_engine::{IntegerVariable, Place, Turning};
use effigy_report::test_case::TestPlace;
use effigy_term::BvValue;
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// The first line of what is written here: a file that begins so is ours.
const OURS: &str = "# Written by effigy.";

/// What a witness is of.
pub(super) struct Task<'a> {
    pub(super) about: &'a About,
    /// The flags for the compiler.
    pub(super) flags: &'a [String],
    /// What was to hold, as SV-COMP's property files have it.
    pub(super) specification: &'a str,
}

/// The run into a bug.
pub(super) fn of_bug(task: &Task<'_>, run: &Run) -> Result<String, Failure> {
    let mut res = head(task, "violation_sequence")?;
    res.push_str("  content:\n");
    for Turn { place, source, what } in &run.turns {
        let place = TestPlace::from(place);
        match what {
            What::Input(input) if input.name.starts_with("nondet_") => {
                let [value] = input.values[..] else { continue };
                let constraint = format!("constraint: {{value: \"\\\\result == {value}\", format: ext_c_expression}}");
                waypoint(&mut res, "function_return", &place, Some(&constraint));
            }
            What::Outcome(outcome) if branches(source) => {
                waypoint(&mut res, "branching", &place, Some(&format!("constraint: {{value: \"{outcome}\"}}")));
            }
            _ => {}
        }
    }
    waypoint(&mut res, "target", &run.place, None);
    Ok(res)
}

/// A program without a bug, and what its loops keep.
pub(super) fn of_correct(task: &Task<'_>, loops: &[(Turning, Vec<Invariant>)]) -> Result<String, Failure> {
    let mut res = head(task, "invariant_set")?;
    let mut content = String::new();
    for (turning, invariants) in loops.iter().filter(|it| begins_a_loop(&it.0.place)) {
        let place = TestPlace::from(&turning.place);
        for it in invariants {
            let _ = writeln!(content, "    - invariant:\n        type: loop_invariant");
            let (file, function) = (quoted(&place.file), quoted(&place.function));
            let at = format!("{{file_name: {file}, line: {}, function: {function}}}", place.line);
            let _ = writeln!(content, "        location: {at}");
            let _ = writeln!(content, "        value: {}\n        format: c_expression", quoted(&in_c(it)));
        }
    }
    match &*content {
        "" => res.push_str("  content: []\n"),
        _ => res.push_str(&format!("  content:\n{content}")),
    }
    Ok(res)
}

/// Whether the place where a loop decides is in the line where its statement begins, before each round. That of a `do`
/// is come to elsewhere.
fn begins_a_loop(place: &Place) -> bool {
    let text = std::fs::read_to_string(&*place.file).unwrap_or_default();
    let line = (place.line as usize).checked_sub(1).and_then(|it| text.lines().nth(it)).unwrap_or("");
    let first = line.trim_start().split(|it: char| !it.is_alphanumeric()).next();
    matches!(first, Some("while" | "for")) && !line.trim_end().ends_with(';')
}

/// An invariant as an expression of C that has no other type's arithmetic in it than that of its widths.
fn in_c(it: &Invariant) -> String {
    let all = |a: &IntegerVariable, operator: &str, b: &IntegerVariable, is: &BvValue| {
        // Narrow numbers are computed with as wider ones, and are narrow again only when they are made so.
        let (narrow, wide) = (type_of(a.bits, false), type_of(a.bits.max(32), false));
        let number = number(is, false);
        format!("({narrow}) (({wide}) {} {operator} ({wide}) {}) == {number}", a.name, b.name)
    };
    match it {
        Invariant::Within(of, bound, limit) => {
            let (operator, signed) = match bound {
                Bound::Least => (">=", true),
                Bound::Most => ("<=", true),
                Bound::LeastUnsigned => (">=", false),
                Bound::MostUnsigned => ("<=", false),
            };
            let cast = if signed == of.signed { String::new() } else { format!("({}) ", type_of(of.bits, signed)) };
            format!("{cast}{} {operator} {}", of.name, number(limit, signed))
        }
        Invariant::Difference(a, b, is) => all(a, "-", b, is),
        Invariant::Sum(a, b, is) => all(a, "+", b, is),
        Invariant::Among(of, values) => {
            let is = |it: &BvValue| format!("{} == {}", of.name, number(it, of.signed));
            values.iter().map(is).collect::<Vec<_>>().join(" || ")
        }
    }
}

/// The C type with this number of bits, with the sizes of LP64 and ILP32.
fn type_of(bits: u32, signed: bool) -> String {
    let name = match bits {
        8 => "char",
        16 => "short",
        32 => "int",
        _ => "long long",
    };
    format!("{} {name}", if signed { "signed" } else { "unsigned" })
}

/// A constant of C with that value. The least signed one cannot be written as itself.
fn number(it: &BvValue, signed: bool) -> String {
    let wide = if it.width().bits() > 32 { "LL" } else { "" };
    let value = if signed { it.to_bigint_signed() } else { it.to_biguint().into() };
    match signed {
        false if it.width().bits() < 32 => value.to_string(),
        false => format!("{value}U{wide}"),
        true if *it == BvValue::min_signed(it.width()) => format!("({}{wide} - 1)", value + 1),
        true => format!("{value}{wide}"),
    }
}

/// Writes a witness; what the user made is not overwritten.
pub(super) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    overwrite_guard::write(path, OURS, text)
}

/// Whether there is nothing at a place that a user made.
pub(super) fn may_be_written(path: &Path) -> Result<(), Failure> {
    overwrite_guard::may_be_written(path, OURS)
}

/// Whether a line has a condition in the sense of the format: what a macro like `assert` decides is none.
fn branches(source: &str) -> bool {
    let words = source.split(|it: char| !it.is_alphanumeric() && it != '_');
    source.contains('?') || words.into_iter().any(|it| matches!(it, "if" | "while" | "for"))
}

fn waypoint(res: &mut String, kind: &str, place: &TestPlace, constraint: Option<&str>) {
    let _ = writeln!(res, "    - segment:\n        - waypoint:\n            type: {kind}\n            action: follow");
    let _ = writeln!(res, "            location: {{file_name: {}, line: {}}}", quoted(&place.file), place.line);
    if let Some(constraint) = constraint {
        let _ = writeln!(res, "            {constraint}");
    }
}

fn head(task: &Task<'_>, kind: &str) -> Result<String, Failure> {
    let mut res = format!("{OURS}\n- entry_type: {kind}\n  metadata:\n    format_version: \"2.0\"\n");
    let mut all = Sha256::new();
    let mut hashes = Vec::new();
    let files = &task.about.program.files;
    for file in files {
        let text = std::fs::read(file).map_err(|error| Failure(format!("{file}: {error}")))?;
        let hash = Sha256::digest(&text);
        all.update(hash);
        hashes.push((file, hex(&hash)));
    }
    all.update(kind);
    all.update(task.specification);
    let (digest, now) = (all.finalize(), date(SystemTime::now()));
    let bits = hex(&digest[..16]);
    let uuid = [&bits[..8], &bits[8..12], &bits[12..16], &bits[16..20], &bits[20..]].join("-");
    let _ = writeln!(res, "    uuid: {uuid}\n    creation_time: \"{now}\"");
    let _ = writeln!(res, "    producer:\n      name: effigy\n      version: {}", quoted(env!("CARGO_PKG_VERSION")));
    let names: Vec<String> = files.iter().map(|it| quoted(it)).collect();
    let _ = writeln!(res, "    task:\n      input_files: [{}]\n      input_file_hashes:", names.join(", "));
    for (file, hash) in hashes {
        let _ = writeln!(res, "        {}: {hash}", quoted(file));
    }
    let model = if task.flags.iter().any(|it| it == "-m32") { "ILP32" } else { "LP64" };
    let _ = writeln!(res, "      specification: {}", quoted(task.specification));
    let _ = writeln!(res, "      data_model: {model}\n      language: C");
    Ok(res)
}

/// A string of YAML, which JSON's strings are.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// A moment as ISO 8601 has it, in UTC.
fn date(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |it| it.as_secs());
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    // Years begin in March here, so that a leap day ends one; 400 years have 146,097 days.
    let shifted = days + 719_468;
    let (era, day) = (shifted / 146_097, shifted % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = era * 400 + year + next;
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z", second / 3600, second / 60 % 60, second % 60)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn dates_are_those_of_the_calendar() {
        let after = |seconds| date(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(after(0), "1970-01-01T00:00:00Z");
        assert_eq!(after(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(after(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(after(1_795_392_000), "2026-11-23T00:00:00Z");
    }
}
