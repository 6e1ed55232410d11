//! Which flags of `effigy verify` have an effect on which files: what has none is refused.
//!
//! Knows: one table, flag × language. Never: what a flag does.

use super::read::Language;
use crate::Failure;
use crate::typed_flags::{is_typed, spelled};
use clap::ArgMatches;

/// Flags of `effigy verify` that have an effect on files of one of its languages.
const OF_VERIFY: &[(Language, &[&str])] = &[
    (Language::Viper, &["import_path"]),
    (
        Language::Oo,
        &["no_infer", "no_infer_open", "no_infer_close", "no_infer_use", "no_infer_contracts", "close_bound"],
    ),
];

/// Refuses what was typed and has no effect on files of these languages.
///
/// # Errors
/// The first such flag.
pub(super) fn check(languages: &[Language], matches: &ArgMatches) -> Result<(), Failure> {
    let matches = matches.subcommand().map_or(matches, |it| it.1);
    for (language, flags) in OF_VERIFY.iter().filter(|it| !languages.contains(&it.0)) {
        if let Some(flag) = flags.iter().find(|it| is_typed(matches, it)) {
            let files = match language {
                Language::Viper => ".vpr",
                Language::Oo => ".oo",
            };
            let name = spelled(flag);
            return Err(Failure(format!("{name} has no effect here: it is for {files} files, and there is none")));
        }
    }
    Ok(())
}
