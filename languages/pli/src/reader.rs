//! The reader: text to syntax, with all errors.
//!
//! Knows: the grammar. Never: what a name means (`lower`).
//! It never fails: what cannot be read becomes an error and a hole in the tree. Recursion is bounded.

mod declare;
mod expression;
mod statement;
mod token;

use crate::diagnostic::{Diagnostic, Lines, note};
use crate::syntax::{Expr, Name, Procedure, Span, Statement, StatementKind};
use token::{Token, TokenKind};

/// Deeper nesting is an error: the tree is walked recursively.
const MOST_DEPTH: u32 = 120;

/// So are more operators in one statement: `1 + 1 + ...` nests too.
const MOST_OPERATORS: u32 = 500;

/// Larger files are an error.
const MOST_BYTES: usize = 4 << 20;

/// The procedures of a file, what is wrong with it, and whether it was read to its end.
pub fn read(source: &str) -> (Vec<Procedure>, Vec<Diagnostic>, bool) {
    let mut errors = Vec::new();
    let mut reader = Reader::new(source, true, &mut errors);
    reader.tokens = token::without_margin(std::mem::take(&mut reader.tokens));
    let procedures = reader.file();
    let whole = !reader.given_up && reader.has_end;
    errors.sort_by_key(|it| it.span);
    (procedures, errors, whole)
}

/// A call as the user types it: declarations, then `CALL P(...)`, `P(...)` or `TEST (n) P(...)`.
pub(crate) fn read_call(source: &str) -> (Vec<Statement>, Option<u64>, Vec<Diagnostic>) {
    let mut errors = Vec::new();
    let mut reader = Reader::new(source, false, &mut errors);
    let mut statements = Vec::new();
    let mut limit = None;
    loop {
        while reader.take(&TokenKind::Semicolon) {}
        if reader.at(&TokenKind::End) {
            break;
        }
        if reader.at_word("DCL") || reader.at_word("DECLARE") {
            statements.push(reader.statement());
            continue;
        }
        if reader.at_word("TEST") && reader.peek_is(1, &TokenKind::Open) && reader.peek_is(3, &TokenKind::Close) {
            reader.advance();
            reader.advance();
            let token = reader.advance();
            match token.kind {
                TokenKind::Number(number) => limit = u64::try_from(number).ok(),
                other => {
                    reader.error_at(token.span, format!("a number of statements was expected, not {}", other.name()))
                }
            }
            reader.advance();
        }
        let start = reader.span();
        if reader.at_word("CALL") {
            reader.advance();
        }
        let name = reader.name("the name of a procedure");
        let arguments = if reader.take(&TokenKind::Open) { reader.arguments() } else { Vec::new() };
        reader.take(&TokenKind::Semicolon);
        if !reader.at(&TokenKind::End) {
            reader.expected("the end of the call");
            reader.skip_all();
        }
        let span = start.to(reader.before());
        statements.push(Statement { labels: Vec::new(), kind: StatementKind::Call(name, arguments), span });
        break;
    }
    (statements, limit, errors)
}

/// One expression or condition, to the end of the text.
pub(crate) fn read_expression(source: &str) -> (Expr, Vec<Diagnostic>) {
    let mut errors = Vec::new();
    let mut reader = Reader { typed: true, ..Reader::new(source, false, &mut errors) };
    let expr = reader.expression();
    if !reader.at(&TokenKind::End) {
        reader.expected("an operator or the end");
    }
    (expr, errors)
}

struct Reader<'a> {
    tokens: Vec<Token>,
    at: usize,
    depth: u32,
    /// Operators of the statement so far.
    operators: u32,
    /// It was nested too deep, and the rest is not read.
    given_up: bool,
    /// It reads a procedure inside of another.
    nested: bool,
    /// It reads what a person typed, not a program.
    typed: bool,
    /// The text does not end in a comment.
    has_end: bool,
    lines: Lines<'a>,
    /// One error for each place is enough.
    last_error: Option<usize>,
    errors: &'a mut Vec<Diagnostic>,
}

impl<'a> Reader<'a> {
    fn new(source: &'a str, statements: bool, errors: &'a mut Vec<Diagnostic>) -> Reader<'a> {
        let source = if source.len() > MOST_BYTES {
            let message = format!("a text of at most {} MB was expected", MOST_BYTES >> 20);
            errors.push(Diagnostic { message, span: Span::default() });
            ""
        } else {
            source
        };
        let (tokens, has_end) = token::tokens(source, statements, errors);
        let lines = Lines::new(source);
        Reader {
            tokens,
            at: 0,
            depth: 0,
            operators: 0,
            given_up: false,
            nested: false,
            typed: false,
            has_end,
            lines,
            last_error: None,
            errors,
        }
    }

    fn kind(&self) -> &TokenKind {
        &self.tokens[self.at].kind
    }

    fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    /// The last token that was taken.
    fn before(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    fn at(&self, kind: &TokenKind) -> bool {
        self.kind() == kind
    }

    fn peek(&self, ahead: usize) -> &TokenKind {
        &self.tokens[(self.at + ahead).min(self.tokens.len() - 1)].kind
    }

    fn peek_is(&self, ahead: usize, kind: &TokenKind) -> bool {
        self.peek(ahead) == kind
    }

    fn at_word(&self, word: &str) -> bool {
        matches!(self.kind(), TokenKind::Word(it) if **it == *word)
    }

    /// Takes a token; the last one stays.
    fn advance(&mut self) -> Token {
        let token = self.tokens[self.at].clone();
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        token
    }

    fn take(&mut self, kind: &TokenKind) -> bool {
        let found = self.at(kind);
        if found {
            self.advance();
        }
        found
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.advance();
        }
        found
    }

    fn skip_all(&mut self) {
        self.at = self.tokens.len() - 1;
    }

    fn error_at(&mut self, span: Span, message: String) {
        if !self.given_up {
            note(self.errors, span, message);
        }
    }

    /// Reports that this is too large, and reads no further: what follows would be nonsense.
    fn give_up(&mut self, message: String) {
        self.error_at(self.span(), message);
        self.given_up = true;
        self.skip_all();
    }

    /// Reports that something else stands here.
    fn expected(&mut self, what: &str) {
        let message = format!("{what} was expected, not {}", self.kind().name());
        self.wrong_here(self.span(), message);
    }

    /// Reports an error that is about the next token.
    fn wrong_here(&mut self, span: Span, message: String) {
        // What could not be read as a token was reported already, as was a comment without an end.
        let reported = self.at(&TokenKind::Wrong)
            || self.tokens[self.at.saturating_sub(1)].kind == TokenKind::Wrong
            || (self.at(&TokenKind::End) && !self.has_end);
        if self.last_error != Some(self.at) && !reported {
            self.last_error = Some(self.at);
            self.error_at(span, message);
        }
    }

    fn begins_line(&self) -> bool {
        self.tokens[self.at].begins_line
    }

    /// Skips to a sign that is not within further parentheses, or to the end of the statement.
    fn skip_to(&mut self, wanted: &[TokenKind]) {
        let mut open = 0;
        while !matches!(self.kind(), TokenKind::Semicolon | TokenKind::End) {
            if open == 0 && wanted.contains(self.kind()) {
                return;
            }
            match self.kind() {
                TokenKind::Open => open += 1,
                TokenKind::Close => open -= 1,
                _ => {}
            }
            self.advance();
        }
    }

    fn expect(&mut self, kind: &TokenKind, what: &str) -> bool {
        let found = self.take(kind);
        if !found {
            self.expected(what);
        }
        found
    }

    fn name(&mut self, what: &str) -> Name {
        let span = self.span();
        match self.kind().clone() {
            TokenKind::Word(text) => {
                self.advance();
                Name { text, span }
            }
            _ => {
                self.expected(what);
                Name { text: "".into(), span }
            }
        }
    }

    /// Runs `read` one level deeper, or reports that this is too deep.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth >= MOST_DEPTH {
            self.give_up(format!("this is nested more than {MOST_DEPTH} deep; make a procedure of the inner part"));
            return None;
        }
        self.depth += 1;
        let res = read(self);
        self.depth -= 1;
        Some(res)
    }

    fn file(&mut self) -> Vec<Procedure> {
        let mut res = Vec::new();
        while !self.at(&TokenKind::End) {
            if self.take(&TokenKind::Semicolon) {
                continue;
            }
            let before = self.at;
            match self.procedure() {
                Some(procedure) => res.push(procedure),
                // Go on at the next thing that looks like a procedure.
                None => {
                    if self.at == before {
                        self.advance();
                    }
                    while !self.at(&TokenKind::End) && !self.at_procedure() && !self.at_wrong_head() {
                        self.advance();
                    }
                }
            }
        }
        res
    }

    /// `NAME PROCEDURE` or `PROCEDURE NAME` at the beginning of a line.
    fn at_wrong_head(&self) -> bool {
        let keyword = |it: &TokenKind| matches!(it, TokenKind::Word(it) if matches!(&**it, "PROCEDURE" | "PROC"));
        let word = |it: &TokenKind| matches!(it, TokenKind::Word(_));
        let (first, second) = (self.kind(), self.peek(1));
        self.begins_line() && word(first) && word(second) && (keyword(first) != keyword(second))
    }

    /// Whether a procedure starts here: `NAME: PROCEDURE`.
    fn at_procedure(&self) -> bool {
        matches!(self.kind(), TokenKind::Word(_))
            && self.peek_is(1, &TokenKind::Colon)
            && matches!(self.peek(2), TokenKind::Word(it) if matches!(&**it, "PROCEDURE" | "PROC"))
    }

    fn procedure(&mut self) -> Option<Procedure> {
        let start = self.span();
        let name;
        if self.at_procedure() {
            name = self.name("a name");
            self.advance();
            self.advance();
        } else if self.at_wrong_head() {
            self.error_at(
                start,
                "a name, `:` and PROCEDURE were expected, such as `NAME: PROCEDURE (X, Y);`".to_owned(),
            );
            let (first, second) = (self.name("a name"), self.name("a name"));
            name = if matches!(&*first.text, "PROCEDURE" | "PROC") { second } else { first };
        } else if self.at_word("END") {
            self.error_at(start, "this END ends nothing: a procedure or the end of the text was expected".to_owned());
            return None;
        } else {
            self.expected("a procedure, such as `NAME: PROCEDURE (X, Y);`,");
            return None;
        }
        let mut parameters = Vec::new();
        if self.take(&TokenKind::Open) {
            while !self.at(&TokenKind::Close) {
                parameters.push(self.name("a parameter"));
                if parameters[parameters.len() - 1].text.is_empty() {
                    self.skip_to(&[TokenKind::Comma, TokenKind::Close]);
                }
                if !self.take(&TokenKind::Comma) {
                    break;
                }
            }
            self.expect(&TokenKind::Close, "`)`");
        }
        self.options();
        if matches!(self.kind(), TokenKind::Word(_)) && !self.begins_line() {
            self.expected("`;` or parameters between `(` and `)`");
        }
        let head = start.to(self.span());
        self.end_of_statement();
        let body = self.statements();
        let end = self.end(Some(&name), start, &format!("the procedure {}", name.text));
        Some(Procedure { name, parameters, body, head, end })
    }

    /// `RETURNS (FIXED BINARY)`, `RECURSIVE`, `OPTIONS (MAIN)`: read, and of no consequence.
    fn options(&mut self) {
        loop {
            match self.kind() {
                TokenKind::Word(it) if matches!(&**it, "RETURNS" | "OPTIONS" | "RECURSIVE") => {
                    let plain = &**it == "RECURSIVE";
                    self.advance();
                    if plain {
                        continue;
                    }
                    if self.expect(&TokenKind::Open, "`(`") {
                        let mut open = 1;
                        while open > 0 && !self.at(&TokenKind::End) && !self.at(&TokenKind::Semicolon) {
                            match self.advance().kind {
                                TokenKind::Open => open += 1,
                                TokenKind::Close => open -= 1,
                                _ => {}
                            }
                        }
                    }
                }
                _ => return,
            }
        }
    }
}
