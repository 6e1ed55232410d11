//! SV-COMP's property files: what is to hold, in one line each.
//!
//! Knows: which classes of bugs a property excludes. Never: how they are looked for.

use crate::Failure;
use std::path::Path;

/// More than this is no property file.
const MOST_BYTES: u64 = 1 << 16;

/// Bugs that free what must not be freed.
const FREE: [&str; 3] = ["double-free", "invalid-free", "alloc-dealloc-mismatch"];

/// Bugs that use what must not be used.
const DEREF: [&str; 9] = [
    "out-of-bounds-read",
    "out-of-bounds-write",
    "null-dereference",
    "use-after-free",
    "use-after-scope",
    "wild-pointer",
    "write-to-constant",
    "bad-call",
    "overlapping-copy",
];

/// The properties that a file asks for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Property {
    /// The classes of bugs that it excludes.
    pub(crate) checks: Vec<String>,
    /// As it was written, the lines joined.
    pub(crate) specification: String,
}

/// The property that a bug of this class violates; without a bug that which is asked for most.
pub(super) fn against(kind: Option<&str>) -> &'static str {
    match kind {
        Some(kind) if FREE.contains(&kind) => "CHECK( init(main()), LTL(G valid-free) )",
        Some(kind) if DEREF.contains(&kind) => "CHECK( init(main()), LTL(G valid-deref) )",
        Some("signed-overflow") => "CHECK( init(main()), LTL(G ! overflow) )",
        _ => "CHECK( init(main()), LTL(G ! call(reach_error())) )",
    }
}

/// Reads a property file of SV-COMP.
pub(crate) fn read(path: &Path) -> Result<Property, Failure> {
    use std::io::Read;
    let failed = |error: std::io::Error| Failure(format!("{}: {error}", path.display()));
    let mut text = String::new();
    std::fs::File::open(path).map_err(failed)?.take(MOST_BYTES).read_to_string(&mut text).map_err(failed)?;
    parsed(&text).map_err(|(line, what)| Failure(format!("{}:{line}: {what}", path.display())))
}

fn parsed(text: &str) -> Result<Property, (usize, String)> {
    let mut res = Property { checks: Vec::new(), specification: String::new() };
    for (number, line) in text.lines().enumerate().map(|it| (it.0 + 1, it.1.trim())) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let checks = of_line(line).map_err(|what| (number, what))?;
        res.checks.extend(checks.iter().map(|it| (*it).to_owned()));
        if !res.specification.is_empty() {
            res.specification.push(' ');
        }
        res.specification.push_str(line);
    }
    if res.checks.is_empty() {
        return Err((1, "a property was expected, such as CHECK( init(main()), LTL(G ! call(reach_error())) )".into()));
    }
    Ok(res)
}

fn of_line(line: &str) -> Result<&'static [&'static str], String> {
    let dense: String = line.chars().filter(|it| !it.is_whitespace()).collect();
    let inner = dense.strip_prefix("CHECK(init(").and_then(|it| it.strip_suffix("))"));
    let Some((entry, formula)) = inner.and_then(|it| it.split_once("()),LTL(")) else {
        return Err("CHECK( init(main()), LTL(...) ) was expected".to_owned());
    };
    if entry != "main" {
        return Err(format!("`{entry}` is not where the program starts: `main` was expected"));
    }
    match formula {
        "G!call(reach_error())" | "G!call(__VERIFIER_error())" => Ok(&["assertion-failed"]),
        "Gvalid-free" => Ok(&FREE),
        "Gvalid-deref" => Ok(&DEREF),
        "G!overflow" => Ok(&["signed-overflow"]),
        "Gvalid-memtrack" | "Gvalid-memcleanup" => Err("memory that is never freed is not looked for".to_owned()),
        "Fend" => Err("that a program ends is not shown".to_owned()),
        "G!data-race" => Err("threads are not executed".to_owned()),
        other => Err(format!("the formula `{other}` is not one of those that can be checked")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn properties_are_classes_of_bugs() {
        let memory = "CHECK( init(main()), LTL(G valid-free) )\n\nCHECK( init(main()), LTL(G valid-deref) )\n";
        let found = parsed(memory).expect("a property");
        assert_eq!(found.checks.len(), FREE.len() + DEREF.len());
        let found = parsed("CHECK( init(main()), LTL(G ! call(reach_error())) )").expect("a property");
        assert_eq!(found.checks, ["assertion-failed"]);
    }

    #[test]
    fn each_class_that_is_named_exists() {
        for name in FREE.iter().chain(&DEREF) {
            assert!(effigy_llvm::Checks::by_name(name).is_some(), "{name}");
        }
    }

    #[test]
    fn what_cannot_be_checked_is_refused_at_its_line() {
        let text = "CHECK( init(main()), LTL(G ! overflow) )\nCHECK( init(main()), LTL(F end) )";
        assert_eq!(parsed(text), Err((2, "that a program ends is not shown".to_owned())));
        assert!(parsed("").is_err() && parsed("CHECK( init(f()), LTL(G valid-free) )").is_err());
        let words = ["G", "!", "F", "end", "valid-memtrack", "()", "reach_error", "init"];
        let texts = ["CHECK( init(main()), LTL(G ! call(reach_error())) )\n# overflow", text];
        effigy_testing::reader_trial::try_reader("property", texts, &words, |text| {
            let text = String::from_utf8_lossy(text);
            if let Err((line, what)) = parsed(&text) {
                assert!((1..=1 + text.lines().count()).contains(&line) && !what.is_empty(), "{line}: {what}");
            }
        });
        assert!(parsed("CHECK(").is_err() && parsed("CHECK( init(main()), LTL(G x) )").is_err());
    }
}
