//! Errors: in the words of people, and as JSON where that was asked for.
//!
//! Knows: the texts of errors, where they are written. Never: what went wrong.

use crate::Code;
use crate::progress::say_json;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use serde_json::json;
use std::ffi::OsString;

/// Words of the standard library for what is no number, and ours.
const NO_NUMBERS: [(&str, &str); 5] = [
    ("invalid digit found in string", "a whole number was expected"),
    ("cannot parse integer from empty string", "a whole number was expected"),
    ("number too large to fit in target type", "this number is too large"),
    ("number too small to fit in target type", "this number is too small"),
    ("invalid float literal", "a number was expected"),
];

/// Whether results are asked for as JSON, whatever else is typed. What stands behind `--` is for the compiler.
pub(crate) fn wants_json(words: &[OsString]) -> bool {
    words.iter().take_while(|it| *it != "--").any(|it| it == "--json")
}

/// Tells of an error, and its exit code.
pub(crate) fn tell(message: &str, code: Code, as_json: bool) {
    eprintln!("effigy: {message}");
    if as_json {
        let _ = say_json(&object(message, code));
    }
}

fn object(message: &str, code: Code) -> serde_json::Value {
    json!({ "error": message, "exit_code": code as u8 })
}

/// Tells of a command line that is none.
pub(crate) fn tell_usage(mut error: clap::Error, commands: &clap::Command, as_json: bool) {
    suggest(&mut error, commands);
    let text = error.render().to_string();
    let told = NO_NUMBERS.iter().fold(text.clone(), |text, (theirs, ours)| text.replace(theirs, ours));
    if told == text {
        // In colours, where there are some.
        let _ = error.print();
    } else {
        eprint!("{told}");
    }
    if as_json && error.use_stderr() {
        let message = told.strip_prefix("error: ").unwrap_or(&told);
        let message = message.split("\n\n").next().unwrap_or(message);
        let _ = say_json(&object(message, Code::Input));
    }
}

/// A command that differs by two letters may be meant: clap knows only those that begin alike.
fn suggest(error: &mut clap::Error, commands: &clap::Command) {
    if error.kind() != ErrorKind::InvalidSubcommand || error.get(ContextKind::SuggestedSubcommand).is_some() {
        return;
    }
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidSubcommand) else { return };
    let shown = commands.get_subcommands().filter(|it| !it.is_hide_set()).map(clap::Command::get_name);
    let near = shown.map(|it| (distance(typed, it), it)).filter(|it| it.0 <= 2 && it.0 < it.1.len() - 1).min();
    if let Some((_, name)) = near {
        error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(vec![name.to_owned()]));
    }
}

/// How many letters have to be put in, left out, changed or exchanged with the next to make one word of the other.
/// Source: Damerau 1964, in the variant that edits no part twice.
fn distance(one: &str, other: &str) -> usize {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=other.len()).collect()];
    for i in 1..=one.len() {
        let mut row = vec![i];
        for j in 1..=other.len() {
            let changed = rows[i - 1][j - 1] + usize::from(one[i - 1] != other[j - 1]);
            let mut best = changed.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[one.len()][other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_that_are_exchanged_are_one_mistake() {
        assert_eq!(distance("rnu", "run"), 1);
        assert_eq!(distance("", "run"), 3);
        assert_eq!(distance("verfy", "verify"), 1);
        assert_eq!(distance("run", "run"), 0);
    }
}
