//! Where a function's last brace stands.
//!
//! Knows: comments, strings and characters of C and Rust, lines of the preprocessor. Never: the rest of their syntax: the
//! answer is for display, and `None` where braces do not match (a macro may hold one).

/// The line of the brace that closes the block in which `from` (line and column, from 1) stands, not before `last`.
pub(super) fn closing(text: &str, from: (u32, u32), last: u32) -> Option<u32> {
    let mut depth = 1_i64;
    let mut in_comment = false;
    for (at, line) in text.lines().enumerate().skip(from.0.checked_sub(1)? as usize) {
        let number = at as u32 + 1;
        let start = if number == from.0 { from.1.saturating_sub(1) as usize } else { 0 };
        let line = line.as_bytes().get(start..).unwrap_or_default();
        if !in_comment && line.trim_ascii_start().starts_with(b"#") && number != from.0 {
            continue;
        }
        let mut rest = line;
        while let Some((&first, after)) = rest.split_first() {
            rest = after;
            match first {
                b'*' if in_comment && after.first() == Some(&b'/') => {
                    in_comment = false;
                    rest = &after[1..];
                }
                _ if in_comment => {}
                b'/' if after.first() == Some(&b'/') => break,
                b'/' if after.first() == Some(&b'*') => {
                    in_comment = true;
                    rest = &after[1..];
                }
                b'"' => rest = quoted(after, b'"')?,
                // A lifetime of Rust has no second quote nearby.
                b'\'' => {
                    rest = quoted(&after[..after.len().min(4)], b'\'')
                        .map_or(after, |it| &after[after.len().min(4) - it.len()..])
                }
                b'{' => depth += 1,
                b'}' => {
                    depth -= 1;
                    if depth <= 0 && number >= last {
                        return Some(number);
                    }
                    // The first statement stood in a block of its own.
                    depth = depth.max(1);
                }
                _ => {}
            }
        }
    }
    None
}

/// What comes after the closing quote.
fn quoted(text: &[u8], quote: u8) -> Option<&[u8]> {
    let mut at = 0;
    while let Some(&it) = text.get(at) {
        match it {
            b'\\' => at += 1,
            it if it == quote => return Some(&text[at + 1..]),
            _ => {}
        }
        at += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::closing;

    #[test]
    fn the_brace_of_the_function_is_found() {
        let text = "int f(int x) {\n  while (x) { // }\n    x--; /* }\n } */\n  }\n  char *s = \"}\"; char c = '}';\n  return x;\n}\n}\n";
        assert_eq!(closing(text, (2, 3), 7), Some(8));
        assert_eq!(closing("int f(void) { return 1; }\nint g(void) {", (1, 15), 1), Some(1));
        // The first statement stands in a block.
        assert_eq!(closing("{\n{ x();\n}\ny();\n}\n", (2, 3), 4), Some(5));
    }

    #[test]
    fn where_braces_do_not_match_there_is_no_answer() {
        assert_eq!(closing("f() {\n x();\n", (2, 2), 2), None);
        assert_eq!(closing("", (0, 0), 0), None);
        assert_eq!(closing("a \"", (1, 1), 1), None);
        assert_eq!(closing("'", (1, 1), 1), None);
    }
}
