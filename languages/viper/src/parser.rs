//! From tokens to the syntax tree of one file.
//!
//! Knows: the grammar. Never: what names mean, imports, macros' expansion.
//! Source: silver's `FastParser.scala` and the parsers of its standard plugins.
//!
//! No backtracking: at most a few tokens are looked ahead. After an error the next declaration is looked for, so that
//! every declaration reports its first error.

mod exp;
mod item;
mod stmt;
mod typ;

use crate::ast::{self, Annotation, Exp, ExpKind, Name, Span, Text};
use crate::error::ReadError;
use crate::lexer::{Sym, Tok, Token, is_keyword, tokens};
use std::collections::HashMap;
use std::sync::Arc;

/// So many rules of the grammar may be under way at once; a parenthesis takes two.
/// Measured in the dev profile: 500 fit into the two megabytes of stack of any thread, 650 do not.
const MAX_NESTING: u32 = 500;

/// So many expressions may be copied for chained comparisons (`a < b < c` mentions `b` twice) in one file.
const MAX_COPIES: u32 = 100_000;

/// So many digits may a number have: reading them takes quadratic time.
const MAX_DIGITS: usize = 10_000;

/// What a rule gives; the error is boxed so that trees are moved and not errors.
type ParseResult<T> = Result<T, Box<ReadError>>;

struct Parser<'a> {
    tokens: Vec<Token<'a>>,
    at: usize,
    nesting: u32,
    copies: u32,
    /// The token behind the last `(`: a call there may be followed by its type.
    typed_call_at: usize,
    names: HashMap<&'a str, Arc<str>>,
}

/// The declarations of a file, as far as they can be read, and what is wrong.
pub(crate) fn parse(text: &str, file: u32) -> (Vec<ast::Item>, Vec<ReadError>) {
    let mut parser = Parser {
        tokens: tokens(text, file),
        at: 0,
        nesting: 0,
        copies: 0,
        typed_call_at: usize::MAX,
        names: HashMap::new(),
    };
    let (mut items, mut errors) = (Vec::new(), Vec::new());
    while parser.tok() != Tok::End {
        let start = parser.at;
        match parser.item() {
            Ok(item) => items.push(item),
            Err(error) => {
                errors.push(*error);
                parser.nesting = 0;
                parser.skip_to_item(start);
            }
        }
    }
    (items, errors)
}

impl<'a> Parser<'a> {
    fn tok(&self) -> Tok<'a> {
        self.tokens[self.at].tok
    }

    /// The token that is `ahead` tokens further on; the end of the file is endless.
    fn tok_ahead(&self, ahead: usize) -> Tok<'a> {
        self.tokens[(self.at + ahead).min(self.tokens.len() - 1)].tok
    }

    fn advance(&mut self) {
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
    }

    /// Where the current token stands.
    fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    /// From `start` to the last token that was taken.
    fn since(&self, start: Span) -> Span {
        let end = self.tokens[self.at.saturating_sub(1)].span;
        Span { end_line: end.end_line, end_column: end.end_column, ..start }
    }

    fn is(&self, sym: Sym) -> bool {
        self.tok() == Tok::Sym(sym)
    }

    fn is_word(&self, word: &str) -> bool {
        self.tok() == Tok::Word(word)
    }

    /// Takes the symbol if it is the current token.
    fn eat(&mut self, sym: Sym) -> bool {
        let res = self.is(sym);
        if res {
            self.advance();
        }
        res
    }

    /// Takes the word if it is the current token.
    fn eat_word(&mut self, word: &str) -> bool {
        let res = self.is_word(word);
        if res {
            self.advance();
        }
        res
    }

    /// Takes the symbol, which must come; `place` says where we are: `after the condition`.
    fn expect(&mut self, sym: Sym, place: &str) -> ParseResult<()> {
        if self.eat(sym) { Ok(()) } else { Err(self.expected(&format!("`{}` {place}", sym.text()))) }
    }

    /// Takes the keyword, which must come.
    fn expect_word(&mut self, word: &str, place: &str) -> ParseResult<()> {
        if self.eat_word(word) { Ok(()) } else { Err(self.expected(&format!("`{word}` {place}"))) }
    }

    /// The error that something else stands at the current token.
    fn expected(&self, what: &str) -> Box<ReadError> {
        let found = match self.tok() {
            Tok::Word(word) if is_keyword(word) => format!("the keyword `{}`", excerpt(word)),
            Tok::Word(word) => format!("`{}`", excerpt(word)),
            Tok::Int(digits) => format!("`{}`", excerpt(digits)),
            Tok::Text(_) => "a string".to_string(),
            Tok::Path(_) => "a path".to_string(),
            Tok::Annotation(key) => format!("`@{}`", excerpt(key)),
            Tok::Sym(sym) => format!("`{}`", sym.text()),
            Tok::Bad(what) => what.to_string(),
            Tok::End => "the end of the file".to_string(),
        };
        Box::new(ReadError::parser(self.span(), format!("expected {what}, found {found}")))
    }

    /// One rule more is under way; [`Parser::leave`] ends it.
    fn enter(&mut self) -> ParseResult<()> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING { Err(self.too_deep(self.span())) } else { Ok(()) }
    }

    fn leave(&mut self) {
        self.nesting -= 1;
    }

    fn too_deep(&self, span: Span) -> Box<ReadError> {
        Box::new(ReadError::parser(span, "this is nested too deeply"))
    }

    fn build(&self, kind: ExpKind, span: Span) -> ParseResult<Exp> {
        Exp::new(kind, span).map_err(|_| self.too_deep(span))
    }

    fn intern(&mut self, text: &'a str) -> Arc<str> {
        self.names.entry(text).or_insert_with(|| text.into()).clone()
    }

    /// The word that is the current token, if it may be a name.
    fn peek_name(&self) -> Option<&'a str> {
        match self.tok() {
            Tok::Word(word) if !is_keyword(word) => Some(word),
            _ => None,
        }
    }

    /// A name; `what` says whose: `the name of a method`.
    fn name(&mut self, what: &str) -> ParseResult<Name> {
        let Some(word) = self.peek_name() else { return Err(self.expected(what)) };
        let span = self.span();
        self.advance();
        Ok(Name { text: self.intern(word), span })
    }

    /// Parses a string between quotes.
    fn text(&mut self, what: &str) -> ParseResult<Text> {
        let Tok::Text(text) = self.tok() else { return Err(self.expected(what)) };
        let span = self.span();
        self.advance();
        Ok(Text { text: text.into(), span })
    }

    /// Elements separated by commas until `close`, which is taken too; there may be none.
    fn list<T>(
        &mut self,
        close: Sym,
        what: &str,
        mut element: impl FnMut(&mut Self) -> ParseResult<T>,
    ) -> ParseResult<Vec<T>> {
        let mut res = Vec::new();
        if self.eat(close) {
            return Ok(res);
        }
        loop {
            res.push(element(self)?);
            if self.eat(close) {
                return Ok(res);
            }
            if !self.eat(Sym::Comma) {
                return Err(self.expected(&format!("`,` or `{}` {what}", close.text())));
            }
        }
    }

    fn annotations(&mut self) -> ParseResult<Vec<Annotation>> {
        let mut res = Vec::new();
        while let Tok::Annotation(_) = self.tok() {
            res.push(self.annotation()?);
        }
        Ok(res)
    }

    fn annotation(&mut self) -> ParseResult<Annotation> {
        let Tok::Annotation(key) = self.tok() else { return Err(self.expected("an annotation")) };
        let span = self.span();
        self.advance();
        let key = Name { text: self.intern(key), span };
        self.expect(Sym::LParen, "after the name of an annotation")?;
        let values = self.list(Sym::RParen, "in the values of an annotation", |it| it.text("a string"))?;
        Ok(Annotation { key, values, span: self.since(span) })
    }
}

/// Names may be long; messages should not be.
fn excerpt(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}
