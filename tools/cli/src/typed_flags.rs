//! Flags as somebody typed them.
//!
//! Knows: how a flag is spelled, and whether it was typed. Never: what it has an effect on.

use clap::ArgMatches;
use clap::parser::ValueSource;

/// Whether a flag was typed, and is no default.
pub(crate) fn is_typed(matches: &ArgMatches, flag: &str) -> bool {
    matches.value_source(flag) == Some(ValueSource::CommandLine)
}

/// A flag as it is typed.
pub(crate) fn spelled(flag: &str) -> String {
    match flag {
        "files" => "FILE".to_owned(),
        "flags" => "what stands behind `--`".to_owned(),
        "args" => "--arg".to_owned(),
        _ => format!("--{}", flag.replace('_', "-")),
    }
}

#[cfg(test)]
mod tests {
    use crate::args::Args;
    use crate::languages::with_options;
    use clap::{Command, CommandFactory};
    use std::collections::BTreeSet;
    use std::path::Path;

    /// The flags of a command and of those below it: as they are spelled, and as they were.
    fn spellings(command: &Command, now: &mut BTreeSet<String>, before: &mut BTreeSet<String>) {
        for arg in command.get_arguments() {
            now.extend(arg.get_long().map(str::to_owned));
            before.extend(arg.get_all_aliases().into_iter().flatten().map(str::to_owned));
        }
        command.get_subcommands().for_each(|it| spellings(it, now, before));
    }

    fn sources(folder: &Path, found: &mut Vec<(String, String)>) {
        for entry in std::fs::read_dir(folder).expect("a folder").map(|it| it.expect("an entry").path()) {
            if entry.is_dir() {
                sources(&entry, found);
            } else if entry.extension().is_some_and(|it| it == "rs") {
                found.push((entry.display().to_string(), std::fs::read_to_string(&entry).expect("a source")));
            }
        }
    }

    #[test]
    fn no_text_names_a_flag_as_it_was_spelled_before() {
        let (mut now, mut before) = (BTreeSet::new(), BTreeSet::new());
        spellings(&with_options(Args::command()), &mut now, &mut before);
        let old: Vec<String> = before.difference(&now).map(|it| format!("--{it}")).collect();
        assert!(old.contains(&"--output".to_owned()), "{old:?}");
        let mut files = Vec::new();
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
        // It looks for flags as they may have been typed; and these lines have one as an example.
        files.retain(|it| !it.0.ends_with("entries.rs") && !it.0.ends_with("typed_flags.rs"));
        let is_whole = |rest: &str| !rest.starts_with(|it: char| it.is_ascii_lowercase() || it == '-');
        for (file, text) in &files {
            for flag in &old {
                let named = text.match_indices(flag.as_str()).any(|(at, it)| is_whole(&text[at + it.len()..]));
                assert!(!named, "{file} names {flag}");
            }
        }
    }
}
