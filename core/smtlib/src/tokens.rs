//! A command as a flat list of tokens, in which each parenthesis knows the one that closes it.
//!
//! Knows: what a word, a number and a text look like. Never: what they mean.

use crate::error::{Position, Problem, ScriptError};
use crate::split::RawCommand;
use crate::words::is_word;

/// With more tokens than this a command would take gigabytes.
const MOST_TOKENS: usize = 1 << 26;

/// The kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Open,
    Close,
    /// A name, quoted or not: `|x|` is `x`.
    Name,
    /// The same words as names, but reserved: `let`, `_`, `!`.
    Keyword,
    Numeral,
    Decimal,
    Hex,
    Binary,
    Text,
}

#[derive(Clone, Copy, Debug)]
struct Token {
    kind: Kind,
    /// A name between bars: no word of the language.
    quoted: bool,
    /// The offset of the first byte.
    at: u32,
    /// The byte after it; of `Open` the index of its `Close`.
    end: u32,
}

/// The tokens of one command.
#[derive(Debug)]
pub(crate) struct Tokens<'a> {
    written: RawCommand<'a>,
    tokens: Vec<Token>,
}

impl<'a> Tokens<'a> {
    /// The tokens of a command, whose parentheses are balanced.
    pub(crate) fn of(written: RawCommand<'a>) -> Result<Tokens<'a>, ScriptError> {
        let bytes = written.bytes;
        let fail = |at: usize, problem: Problem| ScriptError { place: written.place.after(&bytes[..at]), problem };
        let mut tokens: Vec<Token> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            let rest = &bytes[at..];
            let run = |from: usize, part: fn(u8) -> bool| {
                from + rest[from..].iter().position(|it| !part(*it)).unwrap_or(rest.len() - from)
            };
            let (kind, length) = match byte {
                _ if byte.is_ascii_whitespace() => {
                    at += 1;
                    continue;
                }
                b';' => {
                    at += rest.iter().position(|it| *it == b'\n').unwrap_or(rest.len());
                    continue;
                }
                b'(' => {
                    open.push(tokens.len());
                    (Kind::Open, 1)
                }
                b')' => {
                    // The splitter counted them.
                    let Some(start) = open.pop() else { return Err(fail(at, Problem::Unfinished)) };
                    tokens[start].end = tokens.len() as u32;
                    (Kind::Close, 1)
                }
                b'|' => {
                    let Some(end) = rest[1..].iter().position(|it| *it == b'|') else {
                        return Err(fail(at, Problem::Unfinished));
                    };
                    if let Some(slash) = rest[1..=end].iter().position(|it| *it == b'\\') {
                        return Err(fail(at + 1 + slash, Problem::expected("a name without `\\`", "`\\`")));
                    }
                    let (from, to) = (at as u32 + 1, (at + 1 + end) as u32);
                    tokens.push(Token { kind: Kind::Name, quoted: true, at: from, end: to });
                    at += end + 2;
                    continue;
                }
                b'"' => {
                    let mut end = 1;
                    loop {
                        let Some(quote) = rest[end..].iter().position(|it| *it == b'"') else {
                            return Err(fail(at, Problem::Unfinished));
                        };
                        end += quote + 1;
                        // Two are one that is meant.
                        if rest.get(end) != Some(&b'"') {
                            break (Kind::Text, end);
                        }
                        end += 1;
                    }
                }
                b'#' if rest.get(1) == Some(&b'x') => (Kind::Hex, run(2, |it| it.is_ascii_hexdigit())),
                b'#' if rest.get(1) == Some(&b'b') => (Kind::Binary, run(2, |it| matches!(it, b'0' | b'1'))),
                b'0'..=b'9' => {
                    let whole = run(0, |it| it.is_ascii_digit());
                    if rest.get(whole) == Some(&b'.') {
                        (Kind::Decimal, run(whole + 1, |it| it.is_ascii_digit()))
                    } else {
                        (Kind::Numeral, whole)
                    }
                }
                b':' => (Kind::Keyword, run(1, is_word)),
                _ if is_word(byte) => (Kind::Name, run(0, is_word)),
                _ => {
                    let found = format!("`{}`", char::from(byte).escape_default());
                    return Err(fail(at, Problem::expected("a term", found)));
                }
            };
            let is_number = matches!(kind, Kind::Numeral | Kind::Decimal | Kind::Hex | Kind::Binary);
            let short = matches!(kind, Kind::Hex | Kind::Binary) && length == 2;
            let short = short || (kind == Kind::Decimal && rest[length - 1] == b'.');
            let goes_on = rest.get(length).is_some_and(|it| is_word(*it) || *it == b'#');
            if is_number && (short || goes_on) {
                let word = String::from_utf8_lossy(&rest[..run(1, is_word).min(40)]).into_owned();
                return Err(fail(at, Problem::expected("a number", format!("`{word}`"))));
            }
            tokens.push(Token { kind, quoted: false, at: at as u32, end: (at + length) as u32 });
            at += length;
            if tokens.len() > MOST_TOKENS {
                return Err(fail(at, Problem::Limit(format!("{MOST_TOKENS} words in a command"))));
            }
        }
        if !open.is_empty() {
            return Err(fail(0, Problem::Unfinished));
        }
        Ok(Tokens { written, tokens })
    }

    /// What stands at an index; the end of the command closes it.
    pub(crate) fn kind(&self, index: usize) -> Kind {
        self.tokens.get(index).map_or(Kind::Close, |it| it.kind)
    }

    /// The index of the parenthesis that closes the one at `open`.
    pub(crate) fn close(&self, open: usize) -> usize {
        self.tokens[open].end as usize
    }

    /// The index behind the expression that begins at `index`.
    pub(crate) fn behind(&self, index: usize) -> usize {
        match self.kind(index) {
            Kind::Open => self.close(index) + 1,
            _ => index + 1,
        }
    }

    /// A name, number or keyword as it is written, without bars.
    pub(crate) fn text(&self, index: usize) -> Result<&'a str, ScriptError> {
        std::str::from_utf8(self.bytes(index)).map_err(|_| self.expected(index, "a name in UTF-8"))
    }

    /// The word of the language at an index: a name without bars, or a keyword.
    pub(crate) fn word(&self, index: usize) -> Option<&'a str> {
        let token = self.tokens.get(index)?;
        let is_word = matches!(token.kind, Kind::Name | Kind::Keyword) && !token.quoted;
        if is_word { std::str::from_utf8(self.bytes(index)).ok() } else { None }
    }

    fn bytes(&self, index: usize) -> &'a [u8] {
        let token = &self.tokens[index];
        match token.kind {
            Kind::Open | Kind::Close => &self.written.bytes[token.at as usize..token.at as usize + 1],
            _ => &self.written.bytes[token.at as usize..token.end as usize],
        }
    }

    /// The expression at an index on one line, without comments.
    pub(crate) fn shown(&self, index: usize) -> String {
        let mut res = String::new();
        for at in index..self.behind(index) {
            let token = &self.tokens[at];
            let first = res.is_empty() || res.ends_with('(');
            if !first && token.kind != Kind::Close {
                res.push(' ');
            }
            let text = String::from_utf8_lossy(self.bytes(at));
            if token.quoted { res.push_str(&format!("|{text}|")) } else { res.push_str(&text) }
        }
        res
    }

    /// Where the token at an index stands.
    pub(crate) fn place(&self, index: usize) -> Position {
        let end = self.written.bytes.len().saturating_sub(1);
        let at = self.tokens.get(index).map_or(end, |it| it.at as usize - usize::from(it.quoted));
        self.written.place.after(&self.written.bytes[..at])
    }

    /// The error that this is wrong with the token at an index.
    pub(crate) fn error(&self, index: usize, problem: Problem) -> ScriptError {
        ScriptError { place: self.place(index), problem }
    }

    /// The error that something else was expected at an index.
    pub(crate) fn expected(&self, index: usize, expected: &str) -> ScriptError {
        let found = match self.kind(index) {
            Kind::Close => "`)`".to_owned(),
            Kind::Open => "`(`".to_owned(),
            _ => {
                let text = String::from_utf8_lossy(self.bytes(index)).into_owned();
                format!("`{}`", text.chars().take(40).collect::<String>().escape_debug())
            }
        };
        self.error(index, Problem::expected(expected, found))
    }
}
