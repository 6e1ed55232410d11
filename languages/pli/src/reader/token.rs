//! Tokens.
//!
//! Knows: how words, numbers and signs are written, in every spelling that the README names. Never: grammar.

use crate::diagnostic::{Diagnostic, note};
use crate::syntax::{Comparison, Span};
use num_bigint::BigInt;
use std::sync::Arc;

/// Longer numbers are an error: reading them takes more than linear time.
const MOST_DIGITS: usize = 4000;

/// A token with its place.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    pub(crate) span: Span,
    /// It is the first on its line.
    pub(crate) begins_line: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum TokenKind {
    /// A name or keyword, in capitals.
    Word(Arc<str>),
    Number(BigInt),
    /// A name between double quotes, as written.
    Symbol(Arc<str>),
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
    /// The assignment arrow `←`; `=` is a [`TokenKind::Compare`].
    Arrow,
    Compare(Comparison),
    And,
    Or,
    Not,
    Implies,
    /// Something that could not be read; an error was reported.
    Wrong,
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
            Wrong => "this".to_owned(),
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

/// Signs of other languages, and what is written here.
const FOREIGN: &[(&str, &str, TokenKind)] = {
    use Comparison::*;
    use TokenKind::*;
    &[
        ("==", "=", Compare(Equal)),
        ("!=", "¬=", Compare(NotEqual)),
        ("~=", "¬=", Compare(NotEqual)),
        (":=", "=", Compare(Equal)),
        ("=<", "<=", Compare(LessEqual)),
        ("&&", "&", And),
        ("||", "|", Or),
        ("%", "MOD(a, b)", Star),
        ("!", "¬", Not),
        ("~", "¬", Not),
        ("[", "(", Open),
        ("]", ")", Close),
        ("{", "DO;", Semicolon),
        ("}", "END;", Semicolon),
    ]
};

/// The tokens of a text, with one [`TokenKind::End`] at its end; what is no token is reported and skipped.
/// False for a comment without an end: what is missing behind it is no error. In a text of `statements`, `<-` may be `←`.
pub(crate) fn tokens(source: &str, statements: bool, errors: &mut Vec<Diagnostic>) -> (Vec<Token>, bool) {
    let mut res = Vec::new();
    let mut whole = true;
    let mut begins_line = true;
    let mut at = 0;
    while let Some(c) = source[at..].chars().next() {
        let rest = &source[at..];
        let start = at;
        let span = |end: usize| Span { start: start as u32, end: end as u32 };
        if c.is_whitespace() {
            begins_line |= c == '\n';
            at += c.len_utf8();
            continue;
        }
        if let Some(comment) = rest.strip_prefix("/*") {
            match comment.find("*/") {
                Some(length) => at += length + 4,
                None => {
                    note(errors, span(at + 2), "this comment has no end: `*/` was expected".to_owned());
                    at = source.len();
                    whole = false;
                }
            }
            continue;
        }
        let kind = if c.is_ascii_digit() {
            let length = rest.find(|it: char| !it.is_ascii_digit()).unwrap_or(rest.len());
            at += length;
            let fraction = rest[length..].starts_with('.');
            let more = rest[length..].find(|it| !(is_part(it) || fraction && it == '.')).unwrap_or(rest.len() - length);
            at += more;
            let wrong = if length > MOST_DIGITS {
                Some(format!("a number of at most {MOST_DIGITS} digits was expected"))
            } else if fraction {
                Some("a whole number was expected: there are no fractions".to_owned())
            } else if more > 0 {
                Some("a number or a name was expected: names do not begin with a digit".to_owned())
            } else {
                None
            };
            match wrong {
                Some(message) => {
                    note(errors, span(at), message);
                    TokenKind::Wrong
                }
                None => TokenKind::Number(rest[..length].parse().unwrap_or_default()),
            }
        } else if is_part(c) {
            let length = rest.find(|it: char| !is_part(it)).unwrap_or(rest.len());
            at += length;
            if !rest[..length].is_ascii() {
                let message = "a name was expected: names are made of A to Z, 0 to 9 and _ $ # @".to_owned();
                note(errors, span(at), message);
            }
            TokenKind::Word(rest[..length].to_ascii_uppercase().into())
        } else if c == '"' {
            match rest[1..].find(['"', '\n', ';']) {
                Some(length) if length > 0 && rest.as_bytes()[length + 1] == b'"' => {
                    at += length + 2;
                    TokenKind::Symbol(rest[1..=length].into())
                }
                _ => {
                    let empty = rest[1..].starts_with('"');
                    at += if empty { 2 } else { rest.find(['\n', ';', ')']).unwrap_or(rest.len()) };
                    let message = match empty {
                        true => "a name between double quotes was expected, such as \"X\"".to_owned(),
                        false => "this name has no end: `\"` was expected".to_owned(),
                    };
                    note(errors, span(at), message);
                    TokenKind::Wrong
                }
            }
        } else if c == '\'' {
            let length = rest[1..].find(['\'', '\n', ';']).map_or(rest.len() - 1, |it| it);
            at += 1 + length + usize::from(rest[1 + length..].starts_with('\''));
            let message =
                "a number or an input was expected: there are no texts, and inputs have double quotes".to_owned();
            note(errors, span(at), message);
            TokenKind::Wrong
        } else if is_alpha(c) {
            // α₁, α₂, … are symbols without quotes, as they are printed.
            let length = rest.find(|it: char| !is_alpha(it)).unwrap_or(rest.len());
            at += length;
            TokenKind::Symbol(rest[..length].into())
        } else if statements && rest.starts_with("<-") && is_target(&res) {
            at += 2;
            TokenKind::Arrow
        } else if let Some((text, meant, kind)) = FOREIGN.iter().find(|it| rest.starts_with(it.0)) {
            at += text.len();
            note(errors, span(at), format!("`{meant}` was expected: `{text}` means nothing here"));
            kind.clone()
        } else if let Some((text, kind)) = SIGNS.iter().find(|it| rest.starts_with(it.0)) {
            at += text.len();
            kind.clone()
        } else {
            let known = |it: char| it.is_whitespace() || is_part(it) || is_alpha(it) || it.is_ascii_punctuation();
            let length = rest.char_indices().skip(1).find(|it| known(it.1)).map_or(rest.len(), |it| it.0);
            at += length;
            let shown: String = rest[..length].chars().take(20).flat_map(char::escape_debug).collect();
            note(errors, span(at), format!("`{shown}` means nothing here"));
            TokenKind::Wrong
        };
        res.push(Token { kind, span: span(at), begins_line });
        begins_line = false;
    }
    let end = source.trim_end().len() as u32;
    res.push(Token { kind: TokenKind::End, span: Span { start: end, end }, begins_line: true });
    (res, whole)
}

/// Whether what was read since the statement's beginning is what is assigned to: `<-` behind it is no comparison.
fn is_target(tokens: &[Token]) -> bool {
    let begin = tokens.iter().rposition(|it| begins_statement(&it.kind)).map_or(0, |it| it + 1);
    let mut target = tokens[begin..].iter().map(|it| &it.kind).peekable();
    // Its number in the margin.
    target.next_if(|it| matches!(it, TokenKind::Number(_)));
    let word = |it: &str| TokenKind::Word(it.into());
    target.next_if(|it| **it == word("DO"));
    let Some(TokenKind::Word(name)) = target.next() else { return false };
    let (mut depth, mut listed) = (0, false);
    &**name != "IF"
        && target.all(|it| {
            let within = depth > 0;
            depth += i32::from(*it == TokenKind::Open) - i32::from(*it == TokenKind::Close);
            // `A(1), X`
            let next = std::mem::replace(&mut listed, *it == TokenKind::Comma);
            within || matches!(it, TokenKind::Open | TokenKind::Comma) || next && matches!(it, TokenKind::Word(_))
        })
        && depth == 0
}

/// Whether a statement begins behind this.
fn begins_statement(kind: &TokenKind) -> bool {
    match kind {
        TokenKind::Semicolon | TokenKind::Colon => true,
        TokenKind::Word(word) => matches!(&**word, "THEN" | "ELSE"),
        _ => false,
    }
}

/// Whether an operand may end here: a number right behind it is none of the expression's.
fn ends_operand(kind: &TokenKind) -> bool {
    matches!(kind, TokenKind::Close | TokenKind::Number(_) | TokenKind::Word(_))
}

/// The tokens without the numbers of statements that stand in the margin of a figure: no statement begins with a number.
pub(crate) fn without_margin(tokens: Vec<Token>) -> Vec<Token> {
    let mut res: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut rest = tokens.into_iter().peekable();
    while let Some(token) = rest.next() {
        let numbered = token.begins_line && matches!(token.kind, TokenKind::Number(_));
        if numbered
            && let Some(next) = rest.peek_mut().filter(|it| !it.begins_line && matches!(it.kind, TokenKind::Word(_)))
            && (res.last().is_none_or(|it| begins_statement(&it.kind))
                || next.kind == TokenKind::Word("ELSE".into())
                || next.kind == TokenKind::Word("THEN".into()) && res.last().is_some_and(|it| ends_operand(&it.kind)))
        {
            next.begins_line = true;
            continue;
        }
        res.push(token);
    }
    res
}

/// Whether a character is part of a word; those beyond ASCII are reported.
fn is_part(c: char) -> bool {
    (c.is_alphanumeric() && !is_alpha(c)) || matches!(c, '_' | '$' | '#' | '@')
}

/// Whether a character is one of King's names for inputs.
pub(crate) fn is_alpha(c: char) -> bool {
    c == 'α' || ('₀'..='₉').contains(&c)
}
