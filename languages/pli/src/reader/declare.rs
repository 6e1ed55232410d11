//! Declarations: `DCL (A, B) FIXED BINARY(31,0) STATIC INITIAL(1), C(0:9) INTEGER;`

use super::Reader;
use super::token::TokenKind;
use crate::syntax::{Declaration, DeclaredBounds, Expr, ExprKind, Prefix};

/// Longer initial lists are an error.
const MOST_INITIAL: u32 = 100_000;

impl Reader<'_> {
    pub(super) fn declarations(&mut self) -> Vec<Declaration> {
        let mut res = Vec::new();
        loop {
            let first = res.len();
            if self.take(&TokenKind::Open) {
                loop {
                    let declared = self.declared();
                    res.push(declared);
                    if !self.take(&TokenKind::Comma) {
                        break;
                    }
                }
                self.expect(&TokenKind::Close, "`,` or `)`");
                if let Some(bounds) = self.bounds() {
                    for it in &mut res[first..] {
                        it.bounds = Some(bounds.clone());
                    }
                }
            } else {
                let declared = self.declared();
                res.push(declared);
            }
            self.attributes(&mut res[first..]);
            if !self.take(&TokenKind::Comma) {
                return res;
            }
        }
    }

    fn declared(&mut self) -> Declaration {
        let name = self.name("a variable");
        let bounds = self.bounds();
        Declaration { name, bounds, is_static: false, initial: Vec::new() }
    }

    fn bounds(&mut self) -> Option<DeclaredBounds> {
        if !self.take(&TokenKind::Open) {
            return None;
        }
        let bounds = if self.take(&TokenKind::Star) {
            DeclaredBounds::Argument
        } else {
            let first = self.expression();
            match self.take(&TokenKind::Colon) {
                true => DeclaredBounds::Range(Some(first), self.expression()),
                false => DeclaredBounds::Range(None, first),
            }
        };
        if self.at(&TokenKind::Comma) {
            let message = "`)` was expected: arrays have one dimension".to_owned();
            self.wrong_here(self.span(), message);
            self.skip_to(&[TokenKind::Close]);
        }
        self.expect(&TokenKind::Close, "`)`");
        Some(bounds)
    }

    fn attributes(&mut self, of: &mut [Declaration]) {
        while let TokenKind::Word(word) = self.kind().clone() {
            let span = self.span();
            // A word on the next line begins the next statement.
            let known = matches!(
                &*word,
                "FIXED" | "BINARY" | "BIN" | "INTEGER" | "STATIC" | "AUTOMATIC" | "AUTO" | "INITIAL" | "INIT"
            );
            if !known && self.begins_line() {
                return;
            }
            self.advance();
            match &*word {
                "FIXED" | "BINARY" | "BIN" | "INTEGER" => self.precision(),
                "STATIC" => of.iter_mut().for_each(|it| it.is_static = true),
                "AUTOMATIC" | "AUTO" => of.iter_mut().for_each(|it| it.is_static = false),
                "INITIAL" | "INIT" => {
                    let values = self.initial();
                    of.iter_mut().for_each(|it| it.initial = values.clone());
                }
                _ => {
                    self.error_at(
                        span,
                        format!("FIXED, BINARY, INTEGER, STATIC, AUTOMATIC or INITIAL was expected, not {word}"),
                    );
                    if self.at(&TokenKind::Open) {
                        self.advance();
                        self.skip_to(&[TokenKind::Close]);
                        self.take(&TokenKind::Close);
                    }
                }
            }
        }
    }

    /// `(31,0)`: read, and of no consequence.
    fn precision(&mut self) {
        if !self.take(&TokenKind::Open) {
            return;
        }
        while matches!(self.kind(), TokenKind::Number(_) | TokenKind::Comma) {
            self.advance();
        }
        self.expect(&TokenKind::Close, "`)`");
    }

    /// Reads a list of initial values with repetitions: `(1, -2, (3) 0)`.
    fn initial(&mut self) -> Vec<(Expr, u32)> {
        let mut res = Vec::new();
        let mut count = 0;
        if !self.expect(&TokenKind::Open, "`(`") {
            return res;
        }
        loop {
            let at = self.span();
            let mut times = self.times();
            if count <= MOST_INITIAL {
                count += times;
                if count > MOST_INITIAL {
                    self.error_at(at, format!("at most {MOST_INITIAL} initial values were expected"));
                }
            }
            if count > MOST_INITIAL {
                times = 0;
            }
            let start = self.span();
            let negative = self.take(&TokenKind::Minus);
            let span = self.span();
            let kind = match self.kind().clone() {
                TokenKind::Number(value) => ExprKind::Number(value),
                TokenKind::Symbol(name) => ExprKind::Symbol(name),
                _ => {
                    self.expected("a number or an input such as \"X\"");
                    self.skip_to(&[TokenKind::Comma, TokenKind::Close]);
                    ExprKind::Error
                }
            };
            if !matches!(kind, ExprKind::Error) {
                self.advance();
            }
            let value = Expr { kind, span };
            let value = match negative {
                true => Expr { kind: ExprKind::Prefix(Prefix::Minus, Box::new(value)), span: start.to(span) },
                false => value,
            };
            res.push((value, times));
            if !self.take(&TokenKind::Comma) {
                self.expect(&TokenKind::Close, "`,` or `)`");
                return res;
            }
        }
    }

    /// `(5)` before a value: so often.
    fn times(&mut self) -> u32 {
        if !self.at(&TokenKind::Open) {
            return 1;
        }
        let TokenKind::Number(number) = self.peek(1).clone() else { return 1 };
        let span = self.span();
        self.advance();
        self.advance();
        self.expect(&TokenKind::Close, "`)`");
        u32::try_from(number).ok().filter(|it| *it <= MOST_INITIAL).unwrap_or_else(|| {
            self.error_at(span, format!("a number of at most {MOST_INITIAL} was expected"));
            1
        })
    }
}
