//! The conditions of a source text: of `if`, `while`, `for` and `do … while`, wherever they stand and however many lines
//! they take.
//!
//! Knows: comments, strings, brackets and these keywords of C. Never: macros, types, code: what is not found is not claimed.

/// A line and a column, from 1.
pub(super) type Position = (u32, u32);

/// A condition and what it belongs to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Construct {
    /// Where `if`, `while` or `for` stands; of a `do` its `while`.
    pub(super) keyword: Position,
    /// From the first to the last character of what is in the parentheses; of a `for` only its condition.
    pub(super) condition: (Position, Position),
    /// Of a `do`: where its body begins, and where it ends if it is a block. There clang says that the loop decides.
    pub(super) body: Option<(Position, Option<Position>)>,
}

impl Construct {
    /// Whether a position is in the condition.
    pub(super) fn contains(&self, at: Position) -> bool {
        self.condition.0 <= at && at <= self.condition.1
    }
}

/// A piece of a text that is a word, a bracket or another character.
struct Token<'a> {
    text: &'a [u8],
    at: Position,
}

/// The constructs of a text, in the order in which they end.
pub(super) fn constructs(text: &str) -> Vec<Construct> {
    let mut reading = Reading::default();
    for token in tokens(text) {
        reading.take(&token);
    }
    reading.found
}

/// A parenthesis that is open.
struct Open {
    /// The keyword before it, and whether that is `for`.
    keyword: Option<(Position, bool)>,
    /// Where what is in it begins.
    begins: Option<Position>,
    /// The positions of its semicolons.
    semicolons: Vec<Position>,
    /// Blocks that are open around it.
    blocks: usize,
    /// The `do` that its keyword ends.
    body: Option<(Position, Option<Position>)>,
}

/// A `do` whose `while` is not there yet.
struct Do {
    blocks: usize,
    begins: Option<Position>,
    is_block: bool,
    ends: Option<Position>,
}

#[derive(Default)]
struct Reading {
    found: Vec<Construct>,
    parentheses: Vec<Open>,
    blocks: usize,
    dos: Vec<Do>,
    /// The last token, and the keyword that it is.
    last: Vec<u8>,
    last_at: Position,
    keyword: Option<(Position, bool)>,
    body: Option<(Position, Option<Position>)>,
}

impl Reading {
    fn take(&mut self, token: &Token<'_>) {
        if let Some(open) = self.parentheses.last_mut() {
            open.begins.get_or_insert(token.at);
        }
        let blocks = self.blocks;
        if let Some(waiting) = self.dos.last_mut()
            && waiting.begins.is_none()
        {
            waiting.begins = Some(token.at);
            waiting.is_block = token.text == b"{";
        }
        let keyword = self.keyword.take();
        match token.text {
            b"if" | b"for" => self.keyword = Some((token.at, token.text == b"for")),
            b"constexpr" => self.keyword = keyword,
            b"while" => {
                self.keyword = Some((token.at, false));
                let ends = matches!(&self.last[..], b";" | b"}");
                if let Some(own) = self.dos.pop_if(|it| ends && it.blocks == blocks) {
                    self.body = own.begins.map(|it| (it, own.ends.filter(|_| own.is_block)));
                }
            }
            b"do" => self.dos.push(Do { blocks, begins: None, is_block: false, ends: None }),
            b"{" => self.blocks += 1,
            b"}" => {
                self.blocks = self.blocks.saturating_sub(1);
                let blocks = self.blocks;
                self.dos.retain(|it| it.blocks <= blocks);
                if let Some(own) = self.dos.last_mut().filter(|it| it.blocks == blocks) {
                    own.ends = Some(token.at);
                }
            }
            b"(" => {
                let body = if keyword.is_some() { self.body.take() } else { None };
                self.parentheses.push(Open { keyword, begins: None, semicolons: Vec::new(), blocks, body });
            }
            b")" => self.close(),
            b";" => {
                if let Some(open) = self.parentheses.last_mut().filter(|it| it.blocks == blocks) {
                    open.semicolons.push(token.at);
                }
            }
            _ => {}
        }
        self.last.clear();
        self.last.extend_from_slice(token.text);
        self.last_at = token.at;
    }

    fn close(&mut self) {
        let Some(open) = self.parentheses.pop() else { return };
        let (Some((keyword, is_for)), Some(begins)) = (open.keyword, open.begins) else { return };
        let condition = match (is_for, &open.semicolons[..]) {
            (true, &[first, second]) => (first, second),
            (true, _) => return,
            (false, _) => (begins, self.last_at),
        };
        self.found.push(Construct { keyword, condition, body: open.body });
    }
}

/// The tokens of a text, without comments, texts, characters and lines of the preprocessor.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let bytes = text.as_bytes();
    let mut res = Vec::new();
    let (mut at, mut line, mut start, mut is_first) = (0, 1, 0, true);
    let is_word = |it: u8| it.is_ascii_alphanumeric() || it == b'_' || it >= 128;
    while let Some(&byte) = bytes.get(at) {
        let position = (line, (at - start) as u32 + 1);
        let begin = at;
        at += 1;
        match byte {
            b'\n' => (line, start, is_first) = (line + 1, at, true),
            _ if byte.is_ascii_whitespace() => {}
            b'#' if is_first => {
                // To the end of the line, and of those that it goes on in.
                while let Some(&it) = bytes.get(at) {
                    if it == b'\n' {
                        let before = bytes.get(at - 1).filter(|it| **it != b'\r').or_else(|| bytes.get(at - 2));
                        if before != Some(&b'\\') {
                            break;
                        }
                        (line, start) = (line + 1, at + 1);
                    }
                    at += 1;
                }
            }
            b'/' if bytes.get(at) == Some(&b'/') => {
                at += memchr::memchr(b'\n', &bytes[at..]).unwrap_or(bytes.len() - at);
            }
            b'/' if bytes.get(at) == Some(&b'*') => {
                let end = memchr::memmem::find(&bytes[at + 1..], b"*/").map_or(bytes.len(), |it| at + it + 3);
                for (offset, _) in bytes[at..end].iter().enumerate().filter(|it| *it.1 == b'\n') {
                    (line, start) = (line + 1, at + offset + 1);
                }
                at = end;
            }
            b'"' | b'\'' => {
                while let Some(&it) = bytes.get(at).filter(|it| **it != b'\n') {
                    at += if it == b'\\' { 2 } else { 1 };
                    if it == byte {
                        break;
                    }
                }
                at = at.min(bytes.len());
                res.push(Token { text: &bytes[begin..begin + 1], at: position });
                is_first = false;
            }
            _ => {
                while is_word(byte) && bytes.get(at).is_some_and(|it| is_word(*it)) {
                    at += 1;
                }
                res.push(Token { text: &bytes[begin..at], at: position });
                is_first = false;
            }
        }
    }
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keyword, condition and body of each construct.
    fn found(text: &str) -> Vec<String> {
        let said = |it: Position| format!("{}:{}", it.0, it.1);
        constructs(text)
            .iter()
            .map(|it| {
                let body = it.body.map_or(String::new(), |(from, to)| {
                    format!(" do {}{}", said(from), to.map_or(String::new(), |it| format!("-{}", said(it))))
                });
                format!("{} {}-{}{body}", said(it.keyword), said(it.condition.0), said(it.condition.1))
            })
            .collect()
    }

    #[test]
    fn conditions_are_found_on_any_number_of_lines() {
        assert_eq!(found("if (a) b();"), ["1:1 1:5-1:5"]);
        assert_eq!(found("if (a &&\n    (b || f(c)))\n  d();"), ["1:1 1:5-2:15"]);
        assert_eq!(found("if\n(\n!x\n)"), ["1:1 3:1-3:2"]);
        assert_eq!(found("for (int i = 0;\n  i < 3;\n  i++)"), ["1:1 1:15-2:8"]);
        assert_eq!(found("for (;;) while (x) ;"), ["1:1 1:6-1:7", "1:10 1:17-1:17"]);
    }

    #[test]
    fn the_while_of_a_do_is_told_from_another() {
        assert_eq!(found("do {\n x--;\n}\nwhile (x);"), ["4:1 4:8-4:8 do 1:4-3:1"]);
        assert_eq!(found("do x--; while (x > 1);"), ["1:9 1:16-1:20 do 1:4"]);
        assert_eq!(
            found("do while (a) b(); while (c); while (d);"),
            ["1:4 1:11-1:11", "1:19 1:26-1:26 do 1:4", "1:30 1:37-1:37"]
        );
        assert_eq!(found("do do x(); while (a); while (b);"), ["1:12 1:19-1:19 do 1:7", "1:23 1:30-1:30 do 1:4"]);
        assert_eq!(found("do { while (a) { } } while (b);"), ["1:6 1:13-1:13", "1:22 1:29-1:29 do 1:4-1:20"]);
        assert_eq!(
            found("do if (a) b(); else while (c) d(); while (e);"),
            ["1:4 1:8-1:8", "1:21 1:28-1:28", "1:36 1:43-1:43 do 1:4"]
        );
    }

    #[test]
    fn comments_texts_and_the_preprocessor_are_passed_over() {
        assert_eq!(found("// if (a)\n/* while (\n b) */ if (')' == \"(\"[0]) x;"), ["3:8 3:12-3:24"]);
        assert_eq!(found("#define IF(x) if (x) \\\n  if (y)\nif (z) ;"), ["3:1 3:5-3:5"]);
        assert_eq!(found("if (a"), Vec::<String>::new());
        assert_eq!(found(")))}}} while ("), Vec::<String>::new());
        assert_eq!(found("'\\"), Vec::<String>::new());
    }
}
