//! Expressions and assertions, which have one grammar.
//!
//! Knows: precedences, loosest first: `? :`, `==>`, `||`, `&&`, then the separating `*`, comparisons (chained),
//! `+ -`, `* / %` (`div`, `mod`), prefix, postfix. Never: which `*` separates; types tell.

use super::{ParseResult, Parser};
use crate::syntax::{ChainOp, Expr, ExprKind, Name, TypeName, join};
use crate::token::{Sign, TokenKind};

fn node(kind: ExprKind, span: effigy_contracts::Span) -> Expr {
    Expr { kind: Box::new(kind), span }
}

fn chain_op(kind: &TokenKind) -> Option<ChainOp> {
    let sign = match kind {
        TokenKind::Sign(sign) => sign,
        // No name can stand behind an operand.
        TokenKind::Word(word) if **word == *"div" => return Some(ChainOp::Div),
        TokenKind::Word(word) if **word == *"mod" => return Some(ChainOp::Mod),
        _ => return None,
    };
    Some(match sign {
        Sign::Star => ChainOp::Star,
        Sign::Slash => ChainOp::Div,
        Sign::Percent => ChainOp::Mod,
        Sign::Plus => ChainOp::Add,
        Sign::Minus => ChainOp::Sub,
        Sign::Eq => ChainOp::Eq,
        Sign::Ne => ChainOp::Ne,
        Sign::Lt => ChainOp::Lt,
        Sign::Le => ChainOp::Le,
        Sign::Gt => ChainOp::Gt,
        Sign::Ge => ChainOp::Ge,
        _ => return None,
    })
}

impl Parser {
    pub(super) fn expression(&mut self) -> ParseResult<Expr> {
        self.enter()?;
        let start = self.span();
        let condition = self.implication()?;
        let res = if self.takes(Sign::Question) {
            let positive = self.expression()?;
            self.expect(Sign::Colon)?;
            let negative = self.expression()?;
            node(ExprKind::Cond(condition, positive, negative), self.since(start))
        } else {
            condition
        };
        self.leave();
        Ok(res)
    }

    fn implication(&mut self) -> ParseResult<Expr> {
        let left = self.listed(Sign::Or, ExprKind::Or, |it| it.listed(Sign::And, ExprKind::And, Self::chain))?;
        if !self.takes(Sign::Implies) {
            return Ok(left);
        }
        self.enter()?;
        let right = self.implication()?;
        self.leave();
        let span = join(left.span, right.span);
        Ok(node(ExprKind::Implies(left, right), span))
    }

    /// Operands with one sign between them.
    fn listed(
        &mut self,
        sign: Sign,
        kind: fn(Vec<Expr>) -> ExprKind,
        part: fn(&mut Self) -> ParseResult<Expr>,
    ) -> ParseResult<Expr> {
        let first = part(self)?;
        if !self.is_sign(sign) {
            return Ok(first);
        }
        let mut parts = vec![first];
        while self.takes(sign) {
            parts.push(part(self)?);
        }
        let span = self.since(parts[0].span);
        Ok(node(kind(parts), span))
    }

    fn chain(&mut self) -> ParseResult<Expr> {
        let first = self.prefixed()?;
        let mut ops = Vec::new();
        let mut parts = vec![first];
        while let Some(op) = chain_op(self.kind()) {
            self.advance();
            ops.push(op);
            parts.push(self.prefixed()?);
        }
        if ops.is_empty() {
            return parts.pop().ok_or_else(|| self.wrong("an expression"));
        }
        let span = self.since(parts[0].span);
        Ok(node(ExprKind::Chain(parts, ops), span))
    }

    fn prefixed(&mut self) -> ParseResult<Expr> {
        let start = self.span();
        for (sign, kind) in [(Sign::Not, ExprKind::Not as fn(Expr) -> ExprKind), (Sign::Minus, ExprKind::Neg)] {
            if self.takes(sign) {
                self.enter()?;
                let operand = self.prefixed()?;
                self.leave();
                return Ok(node(kind(operand), self.since(start)));
            }
        }
        self.operand("an expression")
    }

    /// An atom with what is behind it.
    pub(super) fn operand(&mut self, what: &str) -> ParseResult<Expr> {
        let start = self.span();
        let mut res = self.atom(what)?;
        let mut levels = 0;
        loop {
            if self.takes(Sign::Dot) {
                let name = self.name("the name of a field or method")?;
                let args = self.optional_arguments()?;
                let kind = match args {
                    Some(args) => ExprKind::Call(Some(res), name, args),
                    None => ExprKind::Field(res, name),
                };
                res = node(kind, self.since(start));
            } else if self.takes(Sign::OpenBracket) {
                let index = self.expression()?;
                self.expect(Sign::CloseBracket)?;
                res = node(ExprKind::Index(res, index), self.since(start));
            } else if self.is_sign(Sign::Increment) || self.is_sign(Sign::Decrement) {
                let up = self.is_sign(Sign::Increment);
                self.advance();
                self.levels -= levels;
                return Ok(node(ExprKind::Step(res, up), self.since(start)));
            } else {
                self.levels -= levels;
                return Ok(res);
            }
            // Each is a level of the tree.
            levels += 1;
            self.enter()?;
        }
    }

    fn optional_arguments(&mut self) -> ParseResult<Option<Vec<Expr>>> {
        if !self.takes(Sign::Open) {
            return Ok(None);
        }
        let mut res = Vec::new();
        if self.takes(Sign::Close) {
            return Ok(Some(res));
        }
        loop {
            res.push(self.expression()?);
            if self.takes(Sign::Close) {
                return Ok(Some(res));
            }
            self.expect(Sign::Comma)?;
        }
    }

    fn in_parentheses(&mut self) -> ParseResult<Expr> {
        self.expect(Sign::Open)?;
        let res = self.expression()?;
        self.expect(Sign::Close)?;
        Ok(res)
    }

    fn atom(&mut self, what: &str) -> ParseResult<Expr> {
        let start = self.span();
        let kind = match self.kind().clone() {
            TokenKind::Number(value) => {
                self.advance();
                ExprKind::Int(value)
            }
            TokenKind::Sign(Sign::Open) => return self.in_parentheses(),
            TokenKind::Sign(Sign::Bar) => ExprKind::Length(self.bars()?),
            TokenKind::Word(_) if self.is_name(0) => {
                let name = self.name(what)?;
                match self.optional_arguments()? {
                    Some(args) => ExprKind::Call(None, name, args),
                    None => ExprKind::Name(name.text),
                }
            }
            TokenKind::Word(word) => self.keyword(&word, what)?,
            _ => return Err(self.wrong(what)),
        };
        Ok(node(kind, self.since(start)))
    }

    /// Parses the length of an array, `|a|`.
    pub(super) fn bars(&mut self) -> ParseResult<Name> {
        self.expect(Sign::Bar)?;
        let res = self.name("the name of an array")?;
        self.expect(Sign::Bar)?;
        Ok(res)
    }

    /// Behind the `if` of an expression: `b then e1 else e2 fi`.
    fn choice(&mut self) -> ParseResult<ExprKind> {
        let condition = self.expression()?;
        self.expect_word("then")?;
        let positive = self.expression()?;
        self.expect_word("else")?;
        let negative = self.expression()?;
        self.expect_word("fi")?;
        Ok(ExprKind::Cond(condition, positive, negative))
    }

    fn keyword(&mut self, word: &str, what: &str) -> ParseResult<ExprKind> {
        let constant = match word {
            "null" => Some(ExprKind::Null),
            "true" => Some(ExprKind::Bool(true)),
            "false" => Some(ExprKind::Bool(false)),
            "this" => Some(ExprKind::This),
            "result" => Some(ExprKind::Result),
            _ => None,
        };
        if let Some(kind) = constant {
            self.advance();
            return Ok(kind);
        }
        if !["old", "acc", "untouched", "opening", "using", "new", "if"].contains(&word) {
            return Err(self.wrong(what));
        }
        self.advance();
        Ok(match word {
            "old" => ExprKind::Old(self.in_parentheses()?),
            "acc" => ExprKind::Acc(self.in_parentheses()?),
            "untouched" => ExprKind::Untouched(self.in_parentheses()?),
            "new" => self.allocation()?,
            "if" => self.choice()?,
            _ => {
                let call = self.operand("a call")?;
                self.expect_word("in")?;
                let body = self.expression()?;
                if word == "opening" { ExprKind::Opening(call, body) } else { ExprKind::Using(call, body) }
            }
        })
    }

    /// Parses an allocation after the word `new`.
    fn allocation(&mut self) -> ParseResult<ExprKind> {
        let base: Name = self.base_type()?;
        if !self.takes(Sign::OpenBracket) {
            return Ok(ExprKind::New(base, self.optional_arguments()?));
        }
        let size = self.expression()?;
        self.expect(Sign::CloseBracket)?;
        let mut dimensions = 0;
        while self.is_sign(Sign::OpenBracket) && self.token(1).kind == TokenKind::Sign(Sign::CloseBracket) {
            self.advance();
            self.advance();
            dimensions += 1;
        }
        Ok(ExprKind::NewArray(TypeName { base, dimensions }, size))
    }
}
