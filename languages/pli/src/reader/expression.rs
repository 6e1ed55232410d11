//! Expressions, with PL/I's precedence: prefix operators and `**`; `* /`; `+ -`; comparisons; `&`; `|`; `⊃`.

use super::token::TokenKind;
use super::{MOST_OPERATORS, Reader};
use crate::syntax::{Comparison, Expr, ExprKind, Infix, Prefix};

impl Reader<'_> {
    pub(super) fn expression(&mut self) -> Expr {
        self.level(0)
    }

    fn infix(&self) -> Option<(Infix, u32)> {
        Some(match self.kind() {
            TokenKind::Implies => (Infix::Implies, 0),
            TokenKind::Or => (Infix::Or, 1),
            TokenKind::And => (Infix::And, 2),
            TokenKind::Compare(it) => (Infix::Compare(*it), 3),
            TokenKind::Plus => (Infix::Plus, 4),
            TokenKind::Minus => (Infix::Minus, 4),
            TokenKind::Star => (Infix::Times, 5),
            TokenKind::Slash => (Infix::Divide, 5),
            _ => return None,
        })
    }

    /// Operators of this level and tighter ones.
    fn level(&mut self, level: u32) -> Expr {
        let mut left = self.prefixed();
        let mut chained = false;
        while let Some((op, of)) = self.infix() {
            if of < level {
                break;
            }
            self.operators += 1;
            if self.operators > MOST_OPERATORS {
                self.give_up(format!("this statement has more than {MOST_OPERATORS} operators; divide it"));
                return left;
            }
            self.advance();
            // `⊃` alone groups to the right.
            let next = if of == 0 { 0 } else { of + 1 };
            let right = match self.deeper(|it| it.level(next)) {
                Some(right) => right,
                None => self.hole(),
            };
            let span = left.span.to(right.span);
            left = Expr { kind: ExprKind::Infix(op, Box::new(left), Box::new(right)), span };
            if of == 3
                && let Some((Infix::Compare(_), _)) = self.infix()
                && !std::mem::replace(&mut chained, true)
            {
                let message = "`&` was expected: write `a < b & b < c`, not `a < b < c`".to_owned();
                self.wrong_here(self.span(), message);
                left.kind = ExprKind::Error;
            }
        }
        left
    }

    fn hole(&mut self) -> Expr {
        Expr { kind: ExprKind::Error, span: self.span() }
    }

    /// Prefix operators and `**`, which group to the right.
    fn prefixed(&mut self) -> Expr {
        let start = self.span();
        let prefix = match self.kind() {
            TokenKind::Minus => Prefix::Minus,
            TokenKind::Plus => Prefix::Plus,
            TokenKind::Not => Prefix::Not,
            _ => {
                let base = self.primary();
                if !self.take(&TokenKind::Power) {
                    return base;
                }
                let exponent = match self.deeper(Self::prefixed) {
                    Some(it) => it,
                    None => self.hole(),
                };
                let span = base.span.to(exponent.span);
                return Expr { kind: ExprKind::Infix(Infix::Power, Box::new(base), Box::new(exponent)), span };
            }
        };
        self.advance();
        let operand = match self.deeper(Self::prefixed) {
            Some(it) => it,
            None => self.hole(),
        };
        let span = start.to(operand.span);
        Expr { kind: ExprKind::Prefix(prefix, Box::new(operand)), span }
    }

    /// What follows the word in `if c then a else b`.
    fn conditional_value(&mut self) -> Expr {
        let start = self.span();
        let cond = self.expression();
        let mut parts = [self.hole(), self.hole()];
        for (part, word) in parts.iter_mut().zip(["THEN", "ELSE"]) {
            if !self.take_word(word) {
                self.expected(&format!("`{word}`"));
                return self.hole();
            }
            *part = self.expression();
        }
        let [then, other] = parts.map(Box::new);
        Expr { kind: ExprKind::Conditional(Box::new(cond), then, other), span: start.to(self.before()) }
    }

    fn primary(&mut self) -> Expr {
        let start = self.span();
        match self.kind().clone() {
            TokenKind::Number(value) => {
                self.advance();
                Expr { kind: ExprKind::Number(value), span: start }
            }
            TokenKind::Symbol(name) => {
                self.advance();
                Expr { kind: ExprKind::Symbol(name), span: start }
            }
            TokenKind::Open => {
                self.advance();
                let is_conditional = self.typed && self.take_word("IF");
                let inner = match self.deeper(if is_conditional { Self::conditional_value } else { Self::expression }) {
                    Some(it) => it,
                    None => self.hole(),
                };
                self.expect(&TokenKind::Close, "`)`");
                Expr { kind: inner.kind, span: start.to(self.before()) }
            }
            TokenKind::Word(word)
                if matches!(&*word, "FORALL" | "EXISTS") && matches!(self.peek(1), TokenKind::Word(_)) =>
            {
                self.advance();
                let mut variables = vec![self.name("a variable")];
                while self.take(&TokenKind::Comma) {
                    variables.push(self.name("a variable"));
                }
                if !self.at(&TokenKind::Open) {
                    self.expected("a condition between `(` and `)`");
                    return self.hole();
                }
                let body = match self.deeper(Self::primary) {
                    Some(it) => it,
                    None => self.hole(),
                };
                let span = start.to(body.span);
                Expr { kind: ExprKind::Quantifier(&*word == "FORALL", variables, Box::new(body)), span }
            }
            TokenKind::Word(text) => {
                let name = self.name("a name");
                if self.take(&TokenKind::Open) {
                    let arguments = self.deeper(Self::arguments).unwrap_or_default();
                    let span = start.to(self.before());
                    return Expr { kind: ExprKind::Apply(name, arguments), span };
                }
                Expr { kind: ExprKind::Name(text), span: start }
            }
            TokenKind::Wrong => {
                self.advance();
                self.hole()
            }
            TokenKind::Compare(Comparison::Equal) => {
                self.expected("an expression before `=`");
                self.hole()
            }
            _ => {
                self.expected("an expression");
                self.hole()
            }
        }
    }
}
