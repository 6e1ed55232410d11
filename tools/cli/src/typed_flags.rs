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
