//! Tokens.
//!
//! Knows: how words, numbers and signs are written, in ASCII and in the paper's notation. Never: grammar.

use crate::ReadError;
use effigy_contracts::Span;
use num_bigint::BigInt;
use std::sync::Arc;

/// Longer numbers are an error: reading them takes more than linear time.
const MOST_DIGITS: usize = 4000;

/// A token with its place.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: Span,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum TokenKind {
    /// A name or a keyword.
    Word(Arc<str>),
    Number(BigInt),
    Sign(Sign),
    End,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sign {
    Open,
    Close,
    OpenBrace,
    CloseBrace,
    OpenBracket,
    CloseBracket,
    Comma,
    Semicolon,
    Colon,
    Dot,
    Question,
    Assign,
    Eq,
    Ne,
    Le,
    Ge,
    Lt,
    Gt,
    Plus,
    Minus,
    Star,
    Slash,
    Percent,
    And,
    Or,
    Not,
    Implies,
    Increment,
    Decrement,
    /// The arrow `->` of array types.
    Arrow,
    /// The bar `|` of a length `|a|`.
    Bar,
    /// The sign `::` of procedure declarations.
    Declares,
}

/// Spellings of signs, a longer one before its beginnings; the first of a sign is how errors call it.
const SIGNS: &[(&str, Sign)] = &[
    ("==>", Sign::Implies),
    ("=>", Sign::Implies),
    ("⇒", Sign::Implies),
    ("->", Sign::Arrow),
    ("→", Sign::Arrow),
    ("::", Sign::Declares),
    (":=", Sign::Assign),
    ("==", Sign::Eq),
    ("!=", Sign::Ne),
    ("≠", Sign::Ne),
    ("<=", Sign::Le),
    ("≤", Sign::Le),
    (">=", Sign::Ge),
    ("≥", Sign::Ge),
    ("&&", Sign::And),
    ("∧", Sign::And),
    ("||", Sign::Or),
    ("∨", Sign::Or),
    ("|", Sign::Bar),
    ("++", Sign::Increment),
    ("--", Sign::Decrement),
    ("(", Sign::Open),
    (")", Sign::Close),
    ("{", Sign::OpenBrace),
    ("}", Sign::CloseBrace),
    ("[", Sign::OpenBracket),
    ("]", Sign::CloseBracket),
    (",", Sign::Comma),
    (";", Sign::Semicolon),
    (":", Sign::Colon),
    (".", Sign::Dot),
    ("?", Sign::Question),
    ("=", Sign::Eq),
    ("<", Sign::Lt),
    (">", Sign::Gt),
    ("+", Sign::Plus),
    ("-", Sign::Minus),
    ("−", Sign::Minus),
    ("*", Sign::Star),
    ("∗", Sign::Star),
    ("/", Sign::Slash),
    ("%", Sign::Percent),
    ("!", Sign::Not),
    ("¬", Sign::Not),
];

impl Sign {
    /// Its first spelling; `=` is how the paper writes equality.
    pub(crate) fn text(self) -> &'static str {
        if self == Sign::Eq {
            return "=";
        }
        SIGNS.iter().find(|it| it.1 == self).map_or("", |it| it.0)
    }
}

impl TokenKind {
    /// How it is called in an error.
    pub(crate) fn name(&self) -> String {
        match self {
            TokenKind::Word(text) => format!("`{}`", text.chars().take(40).collect::<String>()),
            TokenKind::Number(_) => "a number".to_owned(),
            TokenKind::Sign(sign) => format!("`{}`", sign.text()),
            TokenKind::End => "the end of the text".to_owned(),
        }
    }
}

/// Walks over the text and knows where it is.
struct Cursor<'a> {
    rest: &'a str,
    line: u32,
    column: u32,
}

impl Cursor<'_> {
    fn skip(&mut self, bytes: usize) {
        for c in self.rest[..bytes].chars() {
            if c == '\n' {
                self.line += 1;
                self.column = 1;
            } else {
                self.column += 1;
            }
        }
        self.rest = &self.rest[bytes..];
    }

    /// From a place to here.
    fn span(&self, line: u32, column: u32) -> Span {
        Span { file: 0, line, column, end_line: self.line, end_column: self.column }
    }
}

/// The tokens of a text, with one [`TokenKind::End`] at its end.
pub(crate) fn tokens(text: &str) -> Result<Vec<Token>, ReadError> {
    let mut res = Vec::new();
    let mut cursor = Cursor { rest: text, line: 1, column: 1 };
    cursor.skip(if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 });
    while let Some(c) = cursor.rest.chars().next() {
        let (line, column) = (cursor.line, cursor.column);
        let rest = cursor.rest;
        let length = |wanted: fn(char) -> bool| rest.find(|it| !wanted(it)).unwrap_or(rest.len());
        if c.is_whitespace() {
            cursor.skip(c.len_utf8());
        } else if rest.starts_with("//") {
            cursor.skip(rest.find('\n').unwrap_or(rest.len()));
        } else if let Some(comment) = rest.strip_prefix("/*") {
            let Some(end) = comment.find("*/") else {
                cursor.skip(2);
                return Err(ReadError::parser(cursor.span(line, column), "this comment has no end: `*/` was expected"));
            };
            cursor.skip(end + 4);
        } else if c.is_ascii_digit() {
            let digits = length(|it| it.is_ascii_digit());
            cursor.skip(digits);
            let span = cursor.span(line, column);
            if digits > MOST_DIGITS {
                return Err(ReadError::parser(span, format!("a number of at most {MOST_DIGITS} digits was expected")));
            }
            if cursor.rest.starts_with(is_part) {
                return Err(ReadError::parser(span, "a number was expected: names do not begin with a digit"));
            }
            res.push(Token { kind: TokenKind::Number(rest[..digits].parse().unwrap_or_default()), span });
        } else if c.is_alphabetic() || c == '_' {
            let end = length(is_part);
            cursor.skip(end);
            res.push(Token { kind: TokenKind::Word(rest[..end].into()), span: cursor.span(line, column) });
        } else if let Some((spelling, sign)) = SIGNS.iter().find(|it| rest.starts_with(it.0)) {
            cursor.skip(spelling.len());
            res.push(Token { kind: TokenKind::Sign(*sign), span: cursor.span(line, column) });
        } else {
            cursor.skip(c.len_utf8());
            let hint = if c == '&' { ": conjunction is `&&`" } else { "" };
            let message = format!("a name, a number or a sign was expected, not `{}`{hint}", c.escape_debug());
            return Err(ReadError::parser(cursor.span(line, column), message));
        }
    }
    res.push(Token { kind: TokenKind::End, span: cursor.span(cursor.line, cursor.column) });
    Ok(res)
}

/// Whether a character may stand inside a name; `c₁` is a name, as in the paper.
fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
