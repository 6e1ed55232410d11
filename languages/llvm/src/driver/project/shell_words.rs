//! Command lines as words: what a shell, and a response file of a compiler, take for one word.
//!
//! Knows: quotes and backslashes. Never: variables, patterns, what a word means.

/// The words of a command line. `None` where a quote is not closed.
pub fn shell_words(text: &str) -> Option<Vec<String>> {
    let mut res = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            ' ' | '\t' | '\n' | '\r' => res.extend(word.take()),
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next()? {
                        '\'' => break,
                        c => word.push(c),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next()? {
                        '"' => break,
                        '\\' => match chars.next()? {
                            c @ ('"' | '\\' | '$' | '`') => word.push(c),
                            '\n' => {}
                            c => word.extend(['\\', c]),
                        },
                        c => word.push(c),
                    }
                }
            }
            // A backslash at the end of the text stands for itself.
            '\\' => match chars.next() {
                Some('\n') => {}
                Some(c) => word.get_or_insert_default().push(c),
                None => word.get_or_insert_default().push('\\'),
            },
            c => word.get_or_insert_default().push(c),
        }
    }
    res.extend(word);
    Some(res)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_backslashes_are_those_of_a_shell() {
        let words = |it: &str| shell_words(it).map(|it| it.join("|"));
        assert_eq!(words("cc -DA=\\\"x\\\" -DB='a b' \"c d\"").as_deref(), Some("cc|-DA=\"x\"|-DB=a b|c d"));
        assert_eq!(words("\"-DV=\\\"1.0\\\"\" '' \\").as_deref(), Some("-DV=\"1.0\"||\\"));
        assert_eq!(words("  \n\t").as_deref(), Some(""));
        assert_eq!(words("cc 'a"), None);
        assert_eq!(words("cc \"a\\"), None);
    }
}
