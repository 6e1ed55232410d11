//! Statements.
//!
//! Knows: the grammar of statements. Never: what they mean.
//!
//! `;` separates: the last one before `}` may be missing, those behind `}` are allowed.

use super::{ParseResult, Parser};
use crate::syntax::{Expr, ExprKind, Statement, StatementKind};
use crate::token::{Sign, TokenKind};

/// Makes a statement of the expression behind its keyword.
type Build = fn(Expr) -> StatementKind;

impl Parser {
    pub(super) fn block(&mut self) -> ParseResult<Vec<Statement>> {
        self.enter()?;
        self.expect(Sign::OpenBrace)?;
        let mut res = Vec::new();
        loop {
            while self.takes(Sign::Semicolon) {}
            if self.takes(Sign::CloseBrace) {
                self.leave();
                return Ok(res);
            }
            self.statement(&mut res)?;
        }
    }

    /// One statement; several, if it declares several variables.
    pub(super) fn statement(&mut self, out: &mut Vec<Statement>) -> ParseResult<()> {
        let start = self.span();
        let kind = if self.is_sign(Sign::OpenBrace) {
            StatementKind::Block(self.block()?)
        } else if self.takes_word("if") {
            self.conditional()?
        } else if self.takes_word("while") {
            let (condition, _) = self.condition()?;
            let mut invariants = Vec::new();
            while self.takes_word("invariant") {
                invariants.push(self.expression()?);
                self.expect(Sign::Semicolon)?;
            }
            StatementKind::While(condition, invariants, self.block()?)
        } else if self.begins_block("par") {
            self.advance();
            let mut threads = vec![self.block()?];
            while self.is_sign(Sign::OpenBrace) {
                threads.push(self.block()?);
            }
            if threads.len() < 2 {
                return Err(self.wrong("a second thread `{..}` of `par`"));
            }
            StatementKind::Par(threads)
        } else if self.begins_block("atomic") {
            self.advance();
            StatementKind::Atomic(self.block()?)
        } else if self.is_assume() {
            self.advance();
            let condition = self.expression()?;
            self.separator()?;
            StatementKind::Assume(condition)
        } else if self.is_declaration() {
            return self.declaration(out);
        } else {
            let res = self.simple()?;
            self.separator()?;
            res
        };
        out.push(Statement { kind, span: self.since(start) });
        Ok(())
    }

    /// Whether a word stands here with a block behind it.
    fn begins_block(&self, word: &str) -> bool {
        self.is_word(word) && self.token(1).kind == TokenKind::Sign(Sign::OpenBrace)
    }

    /// Whether `assume` stands here with an expression behind it, and is not what the text declares by that name.
    fn is_assume(&self) -> bool {
        let (class, routine) = self.assume_is;
        self.is_word("assume")
            && match &self.token(1).kind {
                TokenKind::Word(_) => !class,
                TokenKind::Sign(Sign::Open) => !routine,
                TokenKind::Sign(sign) => matches!(sign, Sign::Not | Sign::Minus | Sign::Bar),
                TokenKind::Number(_) => true,
                TokenKind::End => false,
            }
    }

    /// `T x, y := e;`, `T -> T' a;`.
    fn declaration(&mut self, out: &mut Vec<Statement>) -> ParseResult<()> {
        let start = self.span();
        let first = out.len();
        let typ = self.type_of_values()?;
        let element = if self.takes(Sign::Arrow) { Some(self.type_name()?) } else { None };
        loop {
            let name = self.name("the name of a variable")?;
            let kind = match &element {
                Some(_) if self.is_sign(Sign::Assign) => {
                    return Err(self.wrong("`;` (arrays `T -> T'` are assigned by element)"));
                }
                Some(element) => StatementKind::Map(typ.clone(), element.clone(), name),
                None => {
                    let value = if self.takes(Sign::Assign) { Some(self.expression()?) } else { None };
                    StatementKind::Local(typ.clone(), name, value)
                }
            };
            out.push(Statement { kind, span: start });
            if !self.takes(Sign::Comma) {
                break;
            }
        }
        self.separator()?;
        let span = self.since(start);
        out[first..].iter_mut().for_each(|it| it.span = span);
        Ok(())
    }

    /// A condition before a block, and whether all of it stands in parentheses, which belong to the statement then.
    fn condition(&mut self) -> ParseResult<(Expr, bool)> {
        let behind = self.closing(0).map(|it| &self.token(it + 1).kind);
        let whole = match behind {
            Some(TokenKind::Word(word)) => **word == *"invariant",
            Some(kind) => *kind == TokenKind::Sign(Sign::OpenBrace),
            None => false,
        };
        if !whole {
            return Ok((self.expression()?, false));
        }
        self.expect(Sign::Open)?;
        let res = self.expression()?;
        self.expect(Sign::Close)?;
        Ok((res, true))
    }

    fn conditional(&mut self) -> ParseResult<StatementKind> {
        self.enter()?;
        let (condition, whole) = self.condition()?;
        let positive = self.block()?;
        let start = self.span();
        let mut negative = Vec::new();
        if self.takes_word("else") {
            if self.takes_word("if") {
                let kind = self.conditional()?;
                negative.push(Statement { kind, span: self.since(start) });
            } else {
                negative = self.block()?;
            }
        } else if self.is_sign(Sign::OpenBrace) {
            if whole {
                self.ambiguous.push(start);
            } else {
                negative = self.block()?;
            }
        }
        self.leave();
        Ok(StatementKind::If(condition, positive, negative))
    }

    /// A statement with nothing but expressions inside, without what ends it.
    fn simple(&mut self) -> ParseResult<StatementKind> {
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
        let ends =
            |kind: &TokenKind| matches!(kind, TokenKind::End | TokenKind::Sign(Sign::Semicolon | Sign::CloseBrace));
        if self.takes_word("return") {
            let value = if ends(self.kind()) { None } else { Some(self.expression()?) };
            return Ok(StatementKind::Return(value));
        }
        if self.is_word("skip") && ends(&self.token(1).kind) {
            self.advance();
            return Ok(StatementKind::Skip);
        }
        if self.is_sign(Sign::Bar) {
            let name = self.bars()?;
            self.expect(Sign::Eq)?;
            return Ok(StatementKind::Bound(name, self.expression()?));
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
