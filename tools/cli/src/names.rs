//! Names that a program does not have: the error says which it has.
//!
//! Knows: lists for people. Never: a language.

/// So many names are listed.
const MOST_LISTED: usize = 20;

/// The names, in their order, each once: `a, b, c`; "none" where there are none.
pub(crate) fn listed<T: AsRef<str>>(names: impl IntoIterator<Item = T>) -> String {
    let mut res: Vec<T> = Vec::new();
    for name in names {
        if res.iter().all(|it| it.as_ref() != name.as_ref()) {
            res.push(name);
        }
    }
    let shown: Vec<&str> = res.iter().take(MOST_LISTED).map(AsRef::as_ref).collect();
    match res.len() {
        0 => "none".to_owned(),
        count if count > MOST_LISTED => format!("{} and {} more", shown.join(", "), count - MOST_LISTED),
        _ => shown.join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_end_somewhere() {
        assert_eq!(listed::<&str>([]), "none");
        assert_eq!(listed(["a", "b", "a"]), "a, b");
        let many: Vec<String> = (1..=22).map(|it| it.to_string()).collect();
        assert!(listed(&many).ends_with("19, 20 and 2 more"));
    }
}
