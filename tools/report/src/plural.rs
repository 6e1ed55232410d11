//! Numbers with their nouns.
//!
//! Knows: English. Never: what is counted.

/// A number with its noun, which is in the plural where the number is not one: `1 bug`, `2 bugs`, `0 queries`.
pub fn counted(count: u64, noun: &str) -> String {
    match (count, noun.strip_suffix('y')) {
        (1, _) => format!("1 {noun}"),
        (_, Some(stem)) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{count} {stem}ies"),
        _ if noun.ends_with("ss") => format!("{count} {noun}es"),
        _ => format!("{count} {noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_no_plural() {
        assert_eq!(counted(1, "bug"), "1 bug");
        assert_eq!(counted(0, "bug"), "0 bugs");
        assert_eq!(counted(2, "query"), "2 queries");
        assert_eq!(counted(1, "query"), "1 query");
        assert_eq!(counted(2, "way"), "2 ways");
        assert_eq!(counted(2, "harness"), "2 harnesses");
    }
}
