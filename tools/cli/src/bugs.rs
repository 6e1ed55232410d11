//! `effigy bugs`: the classes of bugs, by language.
//!
//! Knows: the list of languages. Never: a language.

use crate::Code;
use crate::Failure;
use crate::args::BugsArgs;
use crate::languages::LANGUAGES;
use crate::progress::{say, say_json};
use serde_json::json;

pub(crate) fn list(args: &BugsArgs) -> Result<Code, Failure> {
    let languages = LANGUAGES.iter().filter(|it| !it.bugs().is_empty());
    if args.json {
        let kinds = languages.flat_map(|language| {
            let of = |it: &(effigy_engine::BugKind, &str)| {
                json!({ "kind": it.0.0, "what": it.1, "language": language.title() })
            };
            language.bugs().iter().map(of).collect::<Vec<_>>()
        });
        say_json(&json!({ "bugs": kinds.collect::<Vec<_>>() }))?;
        return Ok(Code::Nothing);
    }
    let mut text = String::new();
    for language in languages {
        text.push_str(&format!("{}{}\n", if text.is_empty() { "" } else { "\n" }, language.title()));
        language.bugs().iter().for_each(|(kind, what)| text.push_str(&format!("  {:<23} {what}\n", kind.0)));
    }
    say(&text)?;
    Ok(Code::Nothing)
}
