//! Expressions and assertions: operators by precedence, suffixes.
//!
//! Knows: which operator binds how. Never: types.
//! Source: `iteExpr` to `suffixExpr` of silver's `FastParser.scala`.

mod atom;

use super::{MAX_COPIES, ParseResult, Parser};
use crate::ast::{BinaryOp, Exp, ExpKind, Span};
use crate::error::ReadError;
use crate::lexer::{Sym, Tok};

/// How tight an operator binds; loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Iff,
    Implies,
    Wand,
    Or,
    And,
    Equality,
    Comparison,
    Sum,
    Product,
    Suffix,
}

impl Level {
    fn of(op: BinaryOp) -> Level {
        use BinaryOp::*;
        match op {
            Iff => Level::Iff,
            Implies => Level::Implies,
            Wand => Level::Wand,
            Or => Level::Or,
            And => Level::And,
            Eq | Ne => Level::Equality,
            Le | Ge | Lt | Gt | In => Level::Comparison,
            Add | Sub | Append | Union | Intersection | Setminus | Subset => Level::Sum,
            Mul | Div | IntDiv | Mod => Level::Product,
        }
    }

    fn tighter(self) -> Level {
        match self {
            Level::Iff => Level::Implies,
            Level::Implies => Level::Wand,
            Level::Wand => Level::Or,
            Level::Or => Level::And,
            Level::And => Level::Equality,
            Level::Equality => Level::Comparison,
            Level::Comparison => Level::Sum,
            Level::Sum => Level::Product,
            Level::Product | Level::Suffix => Level::Suffix,
        }
    }
}

/// Chains of more operands than this are balanced, where the operator is associative: as they stand they would be nested
/// too deeply.
const LONG_CHAIN: usize = 64;

/// From the start of `a` to the end of `b`.
pub(super) fn join(a: Span, b: Span) -> Span {
    Span { end_line: b.end_line, end_column: b.end_column, ..a }
}

impl Parser<'_> {
    /// Any expression: `c ? a : b` is the loosest.
    pub(super) fn exp(&mut self) -> ParseResult<Exp> {
        self.enter()?;
        let start = self.span();
        let mut res = self.operators(Level::Iff)?;
        if self.eat(Sym::Question) {
            let then = self.exp()?;
            self.expect(Sym::Colon, "and the other case of the conditional expression")?;
            let otherwise = self.exp()?;
            let kind = ExpKind::Cond(Box::new(res), Box::new(then), Box::new(otherwise));
            res = self.build(kind, self.since(start))?;
        }
        self.leave();
        Ok(res)
    }

    /// `a --* b`, `a`, but nothing looser: what `package` and `apply` take.
    pub(super) fn wand(&mut self) -> ParseResult<Exp> {
        self.operators(Level::Wand)
    }

    fn operators(&mut self, loosest: Level) -> ParseResult<Exp> {
        self.enter()?;
        let start = self.span();
        let mut res = self.suffixed()?;
        while let Some(op) = self.operator() {
            let level = Level::of(op);
            if level < loosest {
                break;
            }
            res = match level {
                Level::Comparison => self.comparisons(res)?,
                Level::Sum if op == BinaryOp::Add => self.sum(res)?,
                Level::Sum | Level::Product => {
                    self.advance();
                    let right = self.operators(level.tighter())?;
                    self.binary(op, res, right)?
                }
                Level::Wand => {
                    self.advance();
                    let right = self.exp()?;
                    self.build(ExpKind::Binary(op, Box::new(res), Box::new(right)), self.since(start))?
                }
                _ => self.right_operators(level, res, start)?,
            };
        }
        self.leave();
        Ok(res)
    }

    #[inline(never)]
    fn binary(&self, op: BinaryOp, left: Exp, right: Exp) -> ParseResult<Exp> {
        let span = join(left.span, self.since(left.span));
        self.build(ExpKind::Binary(op, Box::new(left), Box::new(right)), span)
    }

    /// `first + b + c`: a long one is a balanced tree, which has the same value.
    #[inline(never)]
    fn sum(&mut self, first: Exp) -> ParseResult<Exp> {
        let mut operands = vec![first];
        while self.operator() == Some(BinaryOp::Add) {
            self.advance();
            operands.push(self.operators(Level::Sum.tighter())?);
        }
        if operands.len() > LONG_CHAIN {
            return self.balanced(BinaryOp::Add, operands);
        }
        let mut operands = operands.into_iter();
        let Some(first) = operands.next() else { return Err(self.too_deep(self.span())) };
        operands.try_fold(first, |sum, it| self.binary(BinaryOp::Add, sum, it))
    }

    /// The operands of one associative operator as a tree that is no deeper than it must be.
    fn balanced(&mut self, op: BinaryOp, mut operands: Vec<Exp>) -> ParseResult<Exp> {
        while operands.len() > 1 {
            let mut next = Vec::with_capacity(operands.len().div_ceil(2));
            let mut rest = operands.into_iter();
            while let Some(left) = rest.next() {
                next.push(match rest.next() {
                    Some(right) => {
                        let span = join(left.span, right.span);
                        self.build(ExpKind::Binary(op, Box::new(left), Box::new(right)), span)?
                    }
                    None => left,
                });
            }
            operands = next;
        }
        operands.pop().ok_or_else(|| self.too_deep(self.span()))
    }

    /// `first op b op c`, which is `first op (b op c)`: long chains without recursion.
    #[inline(never)]
    fn right_operators(&mut self, level: Level, first: Exp, start: Span) -> ParseResult<Exp> {
        let mut before = Vec::new();
        let (mut last, mut last_start) = (first, start);
        while let Some(op) = self.operator().filter(|it| Level::of(*it) == level) {
            self.advance();
            let start = self.span();
            let operand = self.operators(level.tighter())?;
            before.push((std::mem::replace(&mut last, operand), op, std::mem::replace(&mut last_start, start)));
        }
        if before.len() >= LONG_CHAIN
            && let Some(&(_, op, _)) = before.first()
            && matches!(op, BinaryOp::And | BinaryOp::Or)
            && before.iter().all(|it| it.1 == op)
        {
            let operands = before.into_iter().map(|it| it.0).chain([last]).collect();
            return self.balanced(op, operands);
        }
        let mut res = last;
        for (left, op, start) in before.into_iter().rev() {
            res = self.build(ExpKind::Binary(op, Box::new(left), Box::new(res)), self.since(start))?;
        }
        Ok(res)
    }

    /// `a < b <= c`, which is `a < b && b <= c`.
    #[inline(never)]
    fn comparisons(&mut self, first: Exp) -> ParseResult<Exp> {
        let mut res = first;
        let mut middle: Option<Exp> = None;
        while let Some(op) = self.operator().filter(|it| Level::of(*it) == Level::Comparison) {
            self.advance();
            let right = self.operators(Level::Sum)?;
            let chained = matches!(self.operator(), Some(op) if Level::of(op) == Level::Comparison);
            let next_middle = if chained { Some(self.copy(&right)?) } else { None };
            res = match middle.take() {
                None => self.binary(op, res, right)?,
                Some(middle) => {
                    let comparison = self.binary(op, middle, right)?;
                    self.binary(BinaryOp::And, res, comparison)?
                }
            };
            middle = next_middle;
        }
        Ok(res)
    }

    /// Copies are counted: nested chains would double the tree again and again.
    #[inline(never)]
    fn copy(&mut self, exp: &Exp) -> ParseResult<Exp> {
        self.copies = self.copies.saturating_add(exp.size());
        match self.copies > MAX_COPIES {
            true => Err(Box::new(ReadError::parser(exp.span, "too many chained comparisons in one file"))),
            false => Ok(exp.clone()),
        }
    }

    fn operator(&self) -> Option<BinaryOp> {
        use BinaryOp::*;
        Some(match self.tok() {
            Tok::Sym(sym) => match sym {
                Sym::Iff => Iff,
                Sym::Implies => Implies,
                Sym::Wand => Wand,
                Sym::OrOr => Or,
                Sym::AndAnd => And,
                Sym::EqEq => Eq,
                Sym::Ne => Ne,
                Sym::Le => Le,
                Sym::Ge => Ge,
                Sym::Lt => Lt,
                Sym::Gt => Gt,
                Sym::Plus => Add,
                Sym::Minus => Sub,
                Sym::Append => Append,
                Sym::Star => Mul,
                Sym::Slash => Div,
                Sym::Backslash => IntDiv,
                Sym::Percent => Mod,
                _ => return None,
            },
            Tok::Word(word) => match word {
                "in" => In,
                "union" => Union,
                "intersection" => Intersection,
                "setminus" => Setminus,
                "subset" => Subset,
                _ => return None,
            },
            _ => return None,
        })
    }

    /// An atom with `.f`, `[i]`, `[i := e]`, `[a..b]` after it.
    pub(super) fn suffixed(&mut self) -> ParseResult<Exp> {
        let mut res = self.atom_or_parens()?;
        loop {
            let kind = if self.eat(Sym::Dot) {
                ExpKind::Field(Box::new(res), self.name("the name of a field after `.`")?)
            } else if self.eat(Sym::LBracket) {
                self.index(res)?
            } else {
                return Ok(res);
            };
            let start = match &kind {
                ExpKind::Field(of, _) | ExpKind::Index(of, _) | ExpKind::Update(of, ..) | ExpKind::Slice(of, ..) => {
                    of.span
                }
                _ => self.span(),
            };
            res = self.build(kind, self.since(start))?;
        }
    }

    /// Parses an index, a slice or an update after `of[`.
    #[inline(never)]
    fn index(&mut self, of: Exp) -> ParseResult<ExpKind> {
        let of = Box::new(of);
        let kind = if self.eat(Sym::DotDot) {
            ExpKind::Slice(of, None, Some(Box::new(self.exp()?)))
        } else {
            let index = Box::new(self.exp()?);
            if self.eat(Sym::Assign) {
                ExpKind::Update(of, index, Box::new(self.exp()?))
            } else if self.eat(Sym::DotDot) {
                let to = if self.is(Sym::RBracket) { None } else { Some(Box::new(self.exp()?)) };
                ExpKind::Slice(of, Some(index), to)
            } else {
                ExpKind::Index(of, index)
            }
        };
        self.expect(Sym::RBracket, "after an index")?;
        Ok(kind)
    }
}
