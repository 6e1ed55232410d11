//! Statements.
//!
//! Knows: their grammar; semicolons are never needed. Never: what a statement does.
//! Source: `stmt` of silver's `FastParser.scala`.

use super::{ParseResult, Parser};
use crate::ast::{Block, Decreases, Exp, ExpKind, Measure, Stmt, StmtKind};
use crate::error::ReadError;
use crate::lexer::{Sym, Tok};

impl Parser<'_> {
    /// `{ s; ... }`. Directly in a macro's body there is no `define`.
    pub(super) fn block(&mut self, macros: bool) -> ParseResult<Block> {
        self.enter()?;
        let start = self.span();
        self.expect(Sym::LBrace, "and statements")?;
        let mut stmts = Vec::new();
        while !self.eat(Sym::RBrace) {
            stmts.push(self.stmt(macros)?);
            self.eat(Sym::Semi);
        }
        self.leave();
        Ok(Block { stmts, span: self.since(start) })
    }

    fn stmt(&mut self, macros: bool) -> ParseResult<Stmt> {
        let start = self.span();
        let kind = match self.tok() {
            Tok::Annotation(_) => {
                self.enter()?;
                let annotation = self.annotation()?;
                let inner = self.stmt(true)?;
                self.leave();
                StmtKind::Annotated(annotation, Box::new(inner))
            }
            Tok::Sym(Sym::LBrace) => StmtKind::Block(self.block(macros)?),
            Tok::Word("define") if !macros => {
                self.advance();
                return Err(Box::new(ReadError::parser(start, "a macro cannot be defined in a macro")));
            }
            Tok::Word(word) => match self.keyword_stmt(word)? {
                Some(kind) => kind,
                None => self.assignment()?,
            },
            _ => self.assignment()?,
        };
        Ok(Stmt { kind, span: self.since(start) })
    }

    /// A statement that begins with a keyword; the keyword is the current token.
    fn keyword_stmt(&mut self, word: &str) -> ParseResult<Option<StmtKind>> {
        let start = self.span();
        self.advance();
        Ok(Some(match word {
            "fold" => StmtKind::Fold(self.predicate_access()?),
            "unfold" => StmtKind::Unfold(self.predicate_access()?),
            "assert" => StmtKind::Assert(self.exp()?),
            "assume" => StmtKind::Assume(self.exp()?),
            "inhale" => StmtKind::Inhale(self.exp()?),
            "exhale" => StmtKind::Exhale(self.exp()?),
            "refute" => StmtKind::Refute(self.exp()?),
            "if" => self.conditional()?,
            "while" => {
                let cond = self.condition("after `while`")?;
                let (invariants, decreases) = self.specifications("invariant")?;
                StmtKind::While { cond, invariants, decreases, body: self.block(true)? }
            }
            "var" => {
                let variables = self.bindings()?;
                let value = if self.eat(Sym::Assign) { Some(self.exp()?) } else { None };
                StmtKind::Var(variables, value)
            }
            "define" => StmtKind::Define(Box::new(self.macro_definition(Vec::new(), start)?)),
            "goto" => StmtKind::Goto(self.name("a label")?),
            "label" => {
                let name = self.name("the name of the label")?;
                let (invariants, decreases) = self.specifications("invariant")?;
                StmtKind::Label { name, invariants, decreases }
            }
            "package" => {
                let wand = self.wand()?;
                let script = if self.is(Sym::LBrace) { Some(self.block(true)?) } else { None };
                StmtKind::Package(wand, script)
            }
            "apply" => StmtKind::Apply(self.wand()?),
            "quasihavoc" => {
                let (cond, resource) = self.havocked()?;
                StmtKind::Quasihavoc(cond, resource)
            }
            "quasihavocall" => {
                let variables = self.bindings()?;
                self.expect(Sym::ColonColon, "after the variables")?;
                let (cond, resource) = self.havocked()?;
                StmtKind::Quasihavocall(variables, cond, resource)
            }
            _ => {
                self.at -= 1;
                return Ok(None);
            }
        }))
    }

    fn condition(&mut self, place: &str) -> ParseResult<Exp> {
        self.expect(Sym::LParen, &format!("and a condition {place}"))?;
        self.typed_call_at = self.at;
        let res = self.exp()?;
        self.expect(Sym::RParen, "after the condition")?;
        Ok(res)
    }

    /// What follows `if` or `elseif`.
    fn conditional(&mut self) -> ParseResult<StmtKind> {
        self.enter()?;
        let cond = self.condition("after `if`")?;
        let then = self.block(true)?;
        let start = self.span();
        let otherwise = if self.eat_word("elseif") {
            let kind = self.conditional()?;
            let span = self.since(start);
            Some(Block { stmts: vec![Stmt { kind, span }], span })
        } else if self.eat_word("else") {
            Some(self.block(true)?)
        } else {
            None
        };
        self.leave();
        Ok(StmtKind::If(cond, then, otherwise))
    }

    /// `c ==> resource` or `resource`. The first arrow ends the condition.
    fn havocked(&mut self) -> ParseResult<(Option<Exp>, Exp)> {
        let first = self.wand()?;
        match self.eat(Sym::Implies) {
            true => Ok((Some(first), self.exp()?)),
            false => Ok((None, first)),
        }
    }

    /// `a, b := e`, `m(e)`, or a lone name.
    fn assignment(&mut self) -> ParseResult<StmtKind> {
        let first = self.target("a statement or `}`")?;
        if !self.is(Sym::Comma) && !self.is(Sym::Assign) {
            return match first.kind {
                ExpKind::Field(..) => Err(self.expected("`:=` after the target of an assignment")),
                _ => Ok(StmtKind::Call(first)),
            };
        }
        let mut targets = vec![first];
        while self.eat(Sym::Comma) {
            targets.push(self.target("a target of the assignment")?);
        }
        self.expect(Sym::Assign, "after the targets of an assignment")?;
        Ok(StmtKind::Assign(targets, self.exp()?))
    }

    /// Parses the target of an assignment or a call: `e.f`, `m(e)` or `x`.
    fn target(&mut self, what: &str) -> ParseResult<Exp> {
        if !self.at_exp() {
            return Err(self.expected(what));
        }
        let start = self.span();
        let res = self.suffixed()?;
        match res.kind {
            ExpKind::Field(..) | ExpKind::Call(_, _, None) | ExpKind::Var(_) => Ok(res),
            _ => Err(Box::new(ReadError::parser(
                super::exp::join(start, self.since(start)),
                "this is neither a statement nor the target of an assignment",
            ))),
        }
    }

    /// `invariant e; decreases e; ...`, likewise with `requires` and `ensures`: conditions and measures.
    pub(super) fn specifications(&mut self, keyword: &str) -> ParseResult<(Vec<Exp>, Vec<Decreases>)> {
        let (mut conditions, mut decreases) = (Vec::new(), Vec::new());
        loop {
            let start = self.span();
            if self.eat_word(keyword) {
                conditions.push(self.exp()?);
            } else if self.eat_word("decreases") {
                let measure = self.measure()?;
                let star = matches!(measure, Measure::Star);
                let condition = if !star && self.eat_word("if") { Some(self.exp()?) } else { None };
                decreases.push(Decreases { measure, condition, span: self.since(start) });
            } else {
                return Ok((conditions, decreases));
            }
            self.eat(Sym::Semi);
        }
    }

    /// Parses a termination measure after `decreases`.
    fn measure(&mut self) -> ParseResult<Measure> {
        if self.eat(Sym::Star) {
            return Ok(Measure::Star);
        }
        if self.eat_word("_") {
            return Ok(Measure::Wildcard);
        }
        let mut res = Vec::new();
        if self.at_exp() && !self.at_annotated_item() {
            res.push(self.exp()?);
            while self.eat(Sym::Comma) {
                res.push(self.exp()?);
            }
        }
        Ok(Measure::Tuple(res))
    }
}
