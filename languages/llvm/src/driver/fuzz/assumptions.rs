//! Assumptions of a program that is fuzzed: each tells the loop whether it was reached, and whether it held.
//!
//! Knows: the marks by which a program assumes something, calls in the text of a module, where debug information puts
//! them. Never: what is done with the answer (`tools/fuzz/runtime/watch.h`).
//!
//! What stands behind an assumption is often one block with what stands before it, so no edge says that an input has
//! passed it: inputs that do would not be kept.

use std::collections::HashMap;
use std::fmt::Write;

/// An assumption, as the debug information has it; empty where there is none.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AssumptionPlace {
    /// The file.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
    /// The function that it stands in.
    pub function: String,
}

/// Functions that assume their argument.
const ASSUMES: &[&str] = &["effigy_assume", "klee_assume", "__VERIFIER_assume", "__CPROVER_assume", "__ESBMC_assume"];

/// Functions that return only where the input is one of those that they offer.
const CHOICES: &[&str] = &["effigy_choose", "klee_choose", "klee_range"];

/// Assumptions that are watched; the loop has as much room (`tools/fuzz/runtime/base.h`).
const MOST: usize = 1024;

/// The text of a module with a call at each assumption; their places are added to `places`.
pub(super) fn watched(module: &str, places: &mut Vec<AssumptionPlace>) -> String {
    let mut res = String::with_capacity(module.len());
    let before = places.len();
    let mut locations = Vec::new();
    for line in module.lines() {
        let place = places.len();
        match Assumption::of(line).filter(|_| place < MOST) {
            Some(Assumption::Condition { ty, operand }) => {
                // A temporary value with a name does not disturb the numbers of the others.
                let _ = writeln!(
                    res,
                    "  %effigy.assumption.{place} = icmp ne {ty} {operand}, 0\n  \
                     call void @effigy_watch_assumption(i32 {place}, i1 zeroext %effigy.assumption.{place})\n{line}"
                );
            }
            Some(Assumption::Choice) => {
                let _ = writeln!(
                    res,
                    "  call void @effigy_watch_assumption(i32 {place}, i1 zeroext false)\n{line}\n  \
                     call void @effigy_watch_assumption(i32 {place}, i1 zeroext true)"
                );
            }
            None => {
                res.push_str(line);
                res.push('\n');
                continue;
            }
        }
        locations.push(line.split_once(", !dbg ").map_or("", |it| it.1.trim()));
        places.push(AssumptionPlace::default());
    }
    if !locations.is_empty() {
        res.push_str("declare void @effigy_watch_assumption(i32, i1 zeroext)\n");
        let metadata = Metadata::of(module);
        for (place, location) in places[before..].iter_mut().zip(locations) {
            *place = metadata.place(location).unwrap_or_default();
        }
    }
    res
}

enum Assumption<'a> {
    /// `call void @klee_assume(i64 noundef %5)`
    Condition { ty: &'a str, operand: &'a str },
    /// `%7 = call i32 @effigy_choose(i32 noundef 4)`
    Choice,
}

impl Assumption<'_> {
    fn of(line: &str) -> Option<Assumption<'_>> {
        let is_call = line.contains("call ");
        if !line.starts_with("  ") || !is_call && !line.contains("invoke ") {
            return None;
        }
        let (_, rest) = line.split_once(" @")?;
        let (name, rest) = rest.split_once('(')?;
        if CHOICES.contains(&name) {
            // Behind an invoke another block begins.
            return is_call.then_some(Assumption::Choice);
        }
        let argument = rest.split_once(')').filter(|_| ASSUMES.contains(&name))?.0;
        let (ty, operand) = (argument.split(' ').next()?, argument.rsplit(' ').next()?);
        let is_integer = ty.strip_prefix('i').is_some_and(|it| it.bytes().all(|it| it.is_ascii_digit()));
        // An argument that is an expression has parentheses of its own.
        let is_plain = !argument.contains(['(', ',']) && argument.contains(' ');
        (is_integer && is_plain).then_some(Assumption::Condition { ty, operand })
    }
}

/// The metadata of a module: `!7 = !DILocation(line: 3, column: 5, scope: !6)`.
struct Metadata<'a>(HashMap<&'a str, &'a str>);

impl<'a> Metadata<'a> {
    fn of(module: &'a str) -> Metadata<'a> {
        Metadata(module.lines().filter(|it| it.starts_with('!')).filter_map(|it| it.split_once(" = ")).collect())
    }

    /// The value of a field, up to the next comma or the end; of a text, without its quotes.
    fn field(&self, of: &'a str, name: &str) -> Option<&'a str> {
        let text = self.0.get(of)?;
        let at = text.find(&format!("{name}: ")).filter(|at| matches!(text.as_bytes()[at - 1], b'(' | b' '))?;
        let value = &text[at + name.len() + 2..];
        match value.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').map(|it| it.0),
            None => value.split([',', ')']).next(),
        }
    }

    fn place(&self, location: &'a str) -> Option<AssumptionPlace> {
        let location = location.split(',').next()?;
        let number = |name: &str| self.field(location, name).and_then(|it| it.parse().ok());
        let scope = self.field(location, "scope")?;
        let file = self.field(scope, "file")?;
        let (name, directory) = (self.field(file, "filename")?, self.field(file, "directory").unwrap_or(""));
        let is_whole = name.starts_with('/') || directory.is_empty();
        // A block is in a block, or in the function. Metadata can go round in a circle only where somebody wrote it so.
        let mut function = scope;
        for _ in 0..64 {
            if self.0.get(function).is_some_and(|it| it.contains("DISubprogram(")) {
                break;
            }
            function = self.field(function, "scope")?;
        }
        Some(AssumptionPlace {
            file: if is_whole { name.to_owned() } else { format!("{directory}/{name}") },
            line: number("line")?,
            column: number("column").unwrap_or(0),
            function: self.field(function, "name").unwrap_or("").to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_assumption_is_watched_and_has_its_place() {
        let module = "  call void @klee_assume(i64 noundef %5), !dbg !7\n\
                      !1 = !DIFile(filename: \"a.c\", directory: \"/home/me\")\n\
                      !3 = distinct !DISubprogram(name: \"f\", scope: !1, file: !1, line: 2)\n\
                      !6 = distinct !DILexicalBlock(scope: !3, file: !1, line: 3)\n\
                      !7 = !DILocation(line: 4, column: 9, scope: !6)\n";
        let mut places = vec![AssumptionPlace::default()];
        let text = watched(module, &mut places);
        assert!(
            text.starts_with(
                "  %effigy.assumption.1 = icmp ne i64 %5, 0\n  \
                 call void @effigy_watch_assumption(i32 1, i1 zeroext %effigy.assumption.1)\n  \
                 call void @klee_assume(i64 noundef %5), !dbg !7\n"
            ),
            "{text}"
        );
        let place = AssumptionPlace { file: "/home/me/a.c".into(), line: 4, column: 9, function: "f".into() };
        assert_eq!(places[1..], [place]);
    }

    #[test]
    fn a_choice_holds_where_it_comes_back() {
        let mut places = Vec::new();
        let text = watched("  %7 = call i32 @effigy_choose(i32 noundef 4)\n", &mut places);
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].ends_with("zeroext false)") && lines[2].ends_with("zeroext true)"), "{text}");
        assert_eq!(places, [AssumptionPlace::default()]);
    }

    #[test]
    fn what_assumes_nothing_stays() {
        for line in [
            "  call void @assume(i32 %5)",
            "  call void @effigy_assume(i32 zext (i1 icmp eq (i32* @a, i32* @b) to i32))",
            "  %2 = load i32, i32* @effigy_assume_count",
            "declare void @klee_assume(i64 noundef)",
        ] {
            assert_eq!(watched(line, &mut Vec::new()), format!("{line}\n"));
        }
    }
}
