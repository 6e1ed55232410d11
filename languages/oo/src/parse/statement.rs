//! Statements.
//!
//! Knows: the grammar of statements. Never: what they mean.

use super::{Parsed, Parser};
use crate::syntax::{Expr, ExprKind, Statement, StatementKind};
use crate::token::Sign;

/// Makes a statement of the expression behind its keyword.
type Build = fn(Expr) -> StatementKind;

impl Parser {
    pub(super) fn block(&mut self) -> Parsed<Vec<Statement>> {
        self.enter()?;
        self.expect(Sign::OpenBrace)?;
        let mut res = Vec::new();
        while !self.takes(Sign::CloseBrace) {
            res.push(self.statement()?);
        }
        self.leave();
        Ok(res)
    }

    pub(super) fn statement(&mut self) -> Parsed<Statement> {
        let start = self.span();
        let kind = if self.is_sign(Sign::OpenBrace) {
            StatementKind::Block(self.block()?)
        } else if self.takes_word("if") {
            self.conditional()?
        } else if self.takes_word("while") {
            self.expect(Sign::Open)?;
            let condition = self.expression()?;
            self.expect(Sign::Close)?;
            let mut invariants = Vec::new();
            while self.takes_word("invariant") {
                invariants.push(self.expression()?);
                self.expect(Sign::Semicolon)?;
            }
            StatementKind::While(condition, invariants, self.block()?)
        } else {
            let res = self.simple()?;
            self.expect(Sign::Semicolon)?;
            res
        };
        Ok(Statement { kind, span: self.since(start) })
    }

    fn conditional(&mut self) -> Parsed<StatementKind> {
        self.enter()?;
        self.expect(Sign::Open)?;
        let condition = self.expression()?;
        self.expect(Sign::Close)?;
        let positive = self.block()?;
        let start = self.span();
        let negative = if !self.takes_word("else") {
            Vec::new()
        } else if self.takes_word("if") {
            let kind = self.conditional()?;
            vec![Statement { kind, span: self.since(start) }]
        } else {
            self.block()?
        };
        self.leave();
        Ok(StatementKind::If(condition, positive, negative))
    }

    /// A statement that ends with a semicolon, without it.
    fn simple(&mut self) -> Parsed<StatementKind> {
        let with_expression: [(&str, Build); 5] = [
            ("assert", StatementKind::Assert),
            ("open", StatementKind::Open),
            ("close", StatementKind::Close),
            ("use", StatementKind::Use),
            ("join", StatementKind::Join),
        ];
        for (word, kind) in with_expression {
            if self.takes_word(word) {
                return Ok(kind(self.expression()?));
            }
        }
        if self.takes_word("return") {
            let value = if self.is_sign(Sign::Semicolon) { None } else { Some(self.expression()?) };
            return Ok(StatementKind::Return(value));
        }
        if self.is_declaration() {
            let typ = self.type_name()?;
            let name = self.name("the name of a variable")?;
            let value = if self.takes(Sign::Assign) { Some(self.expression()?) } else { None };
            return Ok(StatementKind::Local(typ, name, value));
        }
        let target = self.operand("a statement")?;
        if self.takes(Sign::Assign) {
            return Ok(StatementKind::Assign(target, self.expression()?));
        }
        match *target.kind {
            ExprKind::Call(..) | ExprKind::Step(..) | ExprKind::New(..) => Ok(StatementKind::Effect(target)),
            _ => Err(self.wrong("`:=`")),
        }
    }
}
