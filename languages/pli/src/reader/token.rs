//! Tokens.
//!
//! Knows: how words, numbers and signs are written, in every spelling that the README names. Never: grammar.

use crate::diagnostic::Diagnostic;
use crate::syntax::{Comparison, Span};
use num_bigint::BigInt;
use std::rc::Rc;

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
    /// A word, in capitals.
    Word(Rc<str>),
    Number(BigInt),
    /// A name between double quotes, as written.
    Symbol(Rc<str>),
    Open,
    Close,
    Comma,
    Semicolon,
    Colon,
    Plus,
    Minus,
    Star,
    Slash,
    Power,
    /// `←`; `=` is an [`TokenKind::Compare`].
    Arrow,
    Compare(Comparison),
    And,
    Or,
    Not,
    Implies,
    End,
}

impl TokenKind {
    /// How it is called in an error.
    pub(crate) fn name(&self) -> String {
        use TokenKind::*;
        match self {
            Word(text) => format!("`{text}`"),
            Number(value) => format!("`{value}`").chars().take(40).collect(),
            Symbol(name) => format!("`\"{name}\"`"),
            Open => "`(`".to_owned(),
            Close => "`)`".to_owned(),
            Comma => "`,`".to_owned(),
            Semicolon => "`;`".to_owned(),
            Colon => "`:`".to_owned(),
            Plus => "`+`".to_owned(),
            Minus => "`-`".to_owned(),
            Star => "`*`".to_owned(),
            Slash => "`/`".to_owned(),
            Power => "`**`".to_owned(),
            Arrow => "`←`".to_owned(),
            Compare(Comparison::Equal) => "`=`".to_owned(),
            Compare(_) => "a comparison".to_owned(),
            And => "`&`".to_owned(),
            Or => "`|`".to_owned(),
            Not => "`¬`".to_owned(),
            Implies => "`⊃`".to_owned(),
            End => "the end of the text".to_owned(),
        }
    }
}

/// Spellings of signs, a longer one before its beginnings.
const SIGNS: &[(&str, TokenKind)] = {
    use Comparison::*;
    use TokenKind::*;
    &[
        ("**", Power),
        ("<=", Compare(LessEqual)),
        (">=", Compare(GreaterEqual)),
        ("<>", Compare(NotEqual)),
        ("=>", Implies),
        ("¬=", Compare(NotEqual)),
        ("^=", Compare(NotEqual)),
        ("¬>", Compare(LessEqual)),
        ("^>", Compare(LessEqual)),
        ("¬<", Compare(GreaterEqual)),
        ("^<", Compare(GreaterEqual)),
        ("≤", Compare(LessEqual)),
        ("≥", Compare(GreaterEqual)),
        ("≠", Compare(NotEqual)),
        ("⊃", Implies),
        ("←", Arrow),
        ("×", Star),
        ("·", Star),
        ("−", Minus),
        ("∧", And),
        ("∨", Or),
        ("¬", Not),
        ("^", Not),
        ("(", Open),
        (")", Close),
        (",", Comma),
        (";", Semicolon),
        (":", Colon),
        ("+", Plus),
        ("-", Minus),
        ("*", Star),
        ("/", Slash),
        ("=", Compare(Equal)),
        ("<", Compare(Less)),
        (">", Compare(Greater)),
        ("&", And),
        ("|", Or),
    ]
};

/// The tokens of a text, with one [`TokenKind::End`] at its end; what is no token is reported and skipped.
pub(crate) fn tokens(source: &str, errors: &mut Vec<Diagnostic>) -> Vec<Token> {
    let mut res = Vec::new();
    let mut at = 0;
    while let Some(c) = source[at..].chars().next() {
        let rest = &source[at..];
        let start = at;
        let span = |end: usize| Span { start: start as u32, end: end as u32 };
        if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        }
        if rest.starts_with("/*") {
            match rest[2..].find("*/") {
                Some(length) => at += length + 4,
                None => {
                    errors.push(Diagnostic { message: "this comment has no `*/`".to_owned(), span: span(at + 2) });
                    at = source.len();
                }
            }
            continue;
        }
        let kind = if c.is_ascii_digit() {
            let length = rest.find(|it: char| !it.is_ascii_digit()).unwrap_or(rest.len());
            at += length;
            if length > MOST_DIGITS {
                let message = format!("a number of at most {MOST_DIGITS} digits was expected");
                errors.push(Diagnostic { message, span: span(at) });
                TokenKind::Number(BigInt::from(0))
            } else {
                TokenKind::Number(rest[..length].parse().unwrap_or_default())
            }
        } else if c.is_ascii_alphabetic() || matches!(c, '_' | '$' | '#' | '@') {
            let part = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | '$' | '#' | '@');
            let length = rest.find(|it: char| !part(it)).unwrap_or(rest.len());
            at += length;
            TokenKind::Word(rest[..length].to_ascii_uppercase().into())
        } else if c == '"' {
            match rest[1..].find(['"', '\n']) {
                Some(length) if length > 0 && rest.as_bytes()[length + 1] == b'"' => {
                    at += length + 2;
                    TokenKind::Symbol(rest[1..=length].into())
                }
                _ => {
                    at += 1;
                    let message = "a name between double quotes was expected, such as \"X\"".to_owned();
                    errors.push(Diagnostic { message, span: span(at) });
                    continue;
                }
            }
        } else if is_alpha(c) {
            // α₁, α₂, … are symbols without quotes, as they are printed.
            let length = rest.find(|it: char| !is_alpha(it)).unwrap_or(rest.len());
            at += length;
            TokenKind::Symbol(rest[..length].into())
        } else if let Some((text, kind)) = SIGNS.iter().find(|it| rest.starts_with(it.0)) {
            at += text.len();
            kind.clone()
        } else {
            at += c.len_utf8();
            let message = format!("`{}` means nothing here", c.escape_debug());
            errors.push(Diagnostic { message, span: span(at) });
            continue;
        };
        res.push(Token { kind, span: span(at) });
    }
    let end = source.len() as u32;
    res.push(Token { kind: TokenKind::End, span: Span { start: end, end } });
    res
}

/// Whether a character is one of King's names for inputs.
pub(crate) fn is_alpha(c: char) -> bool {
    c == 'α' || ('₀'..='₉').contains(&c)
}
