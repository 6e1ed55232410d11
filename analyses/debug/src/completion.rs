//! What can follow what was typed so far: commands first, then what their arguments can be.
//!
//! Knows: the words of commands. Never: a terminal, what an expression means.

use crate::command::{COMMANDS, Described, named};

/// The words that are arguments of a command by themselves.
fn words_of(command: &Described) -> &'static [&'static str] {
    match command.name {
        "go" | "step" | "next" | "finish" => &["true", "false"],
        "show" => &["pc"],
        "break" => &["before", "after", "between", "if"],
        "trace" => &["number", "source", "values", "checks", "all", "off"],
        "delete" => &["all"],
        _ => &[],
    }
}

/// Whether expressions or names of the program can be arguments of a command.
fn has_names(command: &Described) -> bool {
    matches!(command.name, "call" | "assume" | "prove" | "break" | "trace" | "show" | "set" | "test")
}

/// Where the word begins that is to be completed, and what it can become. `names` are those of the program, variables
/// last. A command that has arguments comes with a space where it is the only one.
pub fn completions(line: &str, names: &[String]) -> (usize, Vec<String>) {
    // `;` parts commands, and a word is made of letters.
    let command_start = line.rfind(';').map_or(0, |it| it + 1);
    let start = line
        .char_indices()
        .rev()
        .take_while(|(_, it)| it.is_alphanumeric() || matches!(it, '_' | '$' | '#' | '@'))
        .last()
        .map_or(line.len(), |it| it.0);
    let word = line[start..].to_lowercase();
    let fits = |it: &str| it.to_lowercase().starts_with(&word);
    let before = line[command_start..start.max(command_start)].trim_start();
    if before.is_empty() {
        let mut found: Vec<String> = COMMANDS.iter().filter(|it| fits(it.name)).map(|it| it.name.to_owned()).collect();
        if let [only] = &mut found[..]
            && COMMANDS.iter().any(|it| it.name == *only && it.usage.contains(' '))
        {
            only.push(' ');
        }
        return (start, found);
    }
    let end = before.find(|c: char| !c.is_alphabetic()).unwrap_or(before.len());
    let Ok(command) = named(&before[..end]) else { return (start, Vec::new()) };
    if command.name == "help" {
        return (start, COMMANDS.iter().filter(|it| fits(it.name)).map(|it| it.name.to_owned()).collect());
    }
    let mut res: Vec<String> = words_of(command).iter().filter(|it| fits(it)).map(|it| (*it).to_owned()).collect();
    if has_names(command) {
        // Variables are asked for more often than procedures.
        res.extend(names.iter().rev().filter(|it| fits(it)).cloned());
    }
    res.dedup();
    (start, res)
}

#[cfg(test)]
mod tests {
    use super::completions;

    #[test]
    fn words_are_completed_where_they_can_stand() {
        let names: Vec<String> = ["SEARCH", "A", "FOUND"].map(str::to_owned).to_vec();
        let of = |line: &str| completions(line, &names);
        assert_eq!(of("ca"), (0, vec!["call ".to_owned()]));
        assert_eq!(of("un"), (0, vec!["undo".to_owned()]));
        assert_eq!(of("go tr"), (3, vec!["true".to_owned()]));
        assert_eq!(of("show f"), (5, vec!["FOUND".to_owned()]));
        assert_eq!(of("show "), (5, ["pc", "FOUND", "A", "SEARCH"].map(str::to_owned).to_vec()));
        assert_eq!(of("assume (a"), (8, vec!["A".to_owned()]));
        assert_eq!(of("break a"), (6, ["after", "A"].map(str::to_owned).to_vec()));
        assert_eq!(of("save; go f"), (9, vec!["false".to_owned()]));
        assert_eq!(of("help tr"), (5, ["trace", "tree"].map(str::to_owned).to_vec()));
        assert_eq!(of("nothing here"), (8, Vec::new()));
    }
}
