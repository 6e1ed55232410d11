//! Expressions that no operator takes apart: literals, calls, quantifiers and all that begins with a keyword.
//!
//! Knows: their grammar. Never: what a call calls.
//! The rules are not inlined into one another: the stack is what bounds how deep expressions may be.
//! Source: `atom` of silver's `FastParser.scala`.

use crate::ast::{Collection, Exp, ExpKind, NewFields, OldLabel, Quantified, Trigger, UnaryOp};
use crate::error::ReadError;
use crate::lexer::{Sym, Tok, is_keyword};
use crate::parser::{MAX_DIGITS, ParseResult, Parser};
use num_bigint::BigInt;

impl Parser<'_> {
    /// Whether an expression could begin here.
    pub(in crate::parser) fn at_exp(&self) -> bool {
        match self.tok() {
            Tok::Int(_) | Tok::Annotation(_) => true,
            Tok::Sym(sym) => {
                matches!(sym, Sym::LParen | Sym::LBracket | Sym::Bar | Sym::OrOr | Sym::Minus | Sym::Not | Sym::Hash)
            }
            Tok::Word(word) => !is_keyword(word) || begins_atom(word),
            _ => false,
        }
    }

    /// `(e)` or an atom. The parentheses leave no trace.
    pub(super) fn atom_or_parens(&mut self) -> ParseResult<Exp> {
        if !self.eat(Sym::LParen) {
            return self.atom();
        }
        self.typed_call_at = self.at;
        let res = self.exp()?;
        self.expect(Sym::RParen, "after the expression in parentheses")?;
        Ok(res)
    }

    #[inline(never)]
    fn atom(&mut self) -> ParseResult<Exp> {
        let start = self.span();
        let kind = match self.tok() {
            Tok::Int(digits) => self.integer(digits)?,
            Tok::Annotation(_) => self.annotated()?,
            Tok::Sym(Sym::Minus) => self.unary(UnaryOp::Neg)?,
            Tok::Sym(Sym::Not) => self.unary(UnaryOp::Not)?,
            Tok::Sym(Sym::Bar) => {
                self.advance();
                self.size()?
            }
            // `||s| + 1|`: two bars that the lexer took for one symbol.
            Tok::Sym(Sym::OrOr) => {
                let token = &mut self.tokens[self.at];
                token.tok = Tok::Sym(Sym::Bar);
                token.span.column += 1;
                self.size()?
            }
            Tok::Sym(Sym::LBracket) => self.bracketed()?,
            Tok::Sym(Sym::Hash) => {
                self.advance();
                let name = self.name("the name of a predicate after `#`")?;
                ExpKind::PredicateInstance(name, self.arguments()?)
            }
            Tok::Word(word) => match self.keyword_atom(word)? {
                Some(kind) => kind,
                None => self.name_or_call()?,
            },
            _ => return Err(self.expected("an expression")),
        };
        self.build(kind, self.since(start))
    }

    #[inline(never)]
    fn annotated(&mut self) -> ParseResult<ExpKind> {
        self.enter()?;
        let annotation = self.annotation()?;
        let inner = self.atom_or_parens()?;
        self.leave();
        Ok(ExpKind::Annotated(Box::new(annotation), Box::new(inner)))
    }

    /// `e|`, after its first bar.
    #[inline(never)]
    fn size(&mut self) -> ParseResult<ExpKind> {
        let inner = self.exp()?;
        self.expect(Sym::Bar, "after the collection whose size is asked for")?;
        Ok(ExpKind::Size(Box::new(inner)))
    }

    #[inline(never)]
    fn integer(&mut self, digits: &str) -> ParseResult<ExpKind> {
        let value = if digits.len() > MAX_DIGITS { None } else { digits.parse::<BigInt>().ok() };
        let Some(value) = value else {
            return Err(Box::new(ReadError::parser(self.span(), "this number has too many digits")));
        };
        self.advance();
        Ok(ExpKind::Int(value))
    }

    #[inline(never)]
    fn unary(&mut self, op: UnaryOp) -> ParseResult<ExpKind> {
        self.enter()?;
        self.advance();
        let operand = self.suffixed()?;
        self.leave();
        Ok(ExpKind::Unary(op, Box::new(operand)))
    }

    /// Parses an inhale-exhale expression `[a, b]` or a range `[a..b)`.
    #[inline(never)]
    fn bracketed(&mut self) -> ParseResult<ExpKind> {
        self.advance();
        let left = Box::new(self.exp()?);
        if self.eat(Sym::Comma) {
            let right = Box::new(self.exp()?);
            self.expect(Sym::RBracket, "after an assertion with two readings")?;
            Ok(ExpKind::InhaleExhale(left, right))
        } else if self.eat(Sym::DotDot) {
            let right = Box::new(self.exp()?);
            self.expect(Sym::RParen, "after a range of integers")?;
            Ok(ExpKind::Range(left, right))
        } else {
            Err(self.expected("`,` or `..`"))
        }
    }

    #[inline(never)]
    fn name_or_call(&mut self) -> ParseResult<ExpKind> {
        let may_be_typed = self.typed_call_at == self.at;
        let name = self.name("an expression")?;
        if !(self.is(Sym::LParen) && self.tokens[self.at].beside) {
            return Ok(ExpKind::Var(name));
        }
        let args = self.arguments()?;
        let typ = if may_be_typed && self.eat(Sym::Colon) { Some(Box::new(self.typ()?)) } else { None };
        Ok(ExpKind::Call(name, args, typ))
    }

    /// Parses a call `f(e, ...)`, which nothing may follow.
    pub(in crate::parser) fn call(&mut self, what: &str) -> ParseResult<Exp> {
        let start = self.span();
        let name = self.name(what)?;
        let args = self.arguments()?;
        self.build(ExpKind::Call(name, args, None), self.since(start))
    }

    fn arguments(&mut self) -> ParseResult<Vec<Exp>> {
        self.expect(Sym::LParen, "and arguments after the name")?;
        self.list(Sym::RParen, "in the arguments", Self::exp)
    }

    fn in_parens(&mut self, place: &str) -> ParseResult<Box<Exp>> {
        self.expect(Sym::LParen, place)?;
        self.typed_call_at = self.at;
        let res = self.exp()?;
        self.expect(Sym::RParen, &format!("that ends what stands {place}"))?;
        Ok(Box::new(res))
    }

    /// An atom that begins with a keyword; the keyword is the current token.
    #[inline(never)]
    fn keyword_atom(&mut self, word: &str) -> ParseResult<Option<ExpKind>> {
        if !begins_atom(word) {
            return Ok(None);
        }
        self.advance();
        Ok(Some(match word {
            "true" => ExpKind::Bool(true),
            "false" => ExpKind::Bool(false),
            "null" => ExpKind::Null,
            "result" => ExpKind::Result,
            "none" => ExpKind::NoPerm,
            "write" => ExpKind::Write,
            "wildcard" => ExpKind::Wildcard,
            "epsilon" => ExpKind::Epsilon,
            "acc" => self.access()?,
            "perm" => self.held_amount()?,
            "old" => self.old()?,
            "let" => self.let_in()?,
            "forall" => self.quantified(true)?,
            "exists" => self.quantified(false)?,
            "forperm" => self.for_perm()?,
            "unfolding" => self.unfolding()?,
            "applying" => self.applying()?,
            "asserting" => self.asserting()?,
            "Seq" => self.collection(Collection::Seq)?,
            "Set" => self.collection(Collection::Set)?,
            "Multiset" => self.collection(Collection::Multiset)?,
            "Map" => self.map()?,
            "domain" => ExpKind::MapDomain(self.in_parens("after `domain`")?),
            "range" => ExpKind::MapRange(self.in_parens("after `range`")?),
            _ => self.new_object()?,
        }))
    }

    /// Parses an accessibility predicate after `acc`.
    #[inline(never)]
    fn access(&mut self) -> ParseResult<ExpKind> {
        self.expect(Sym::LParen, "after `acc`")?;
        let location = Box::new(self.location()?);
        let amount = if self.eat(Sym::Comma) { Some(Box::new(self.exp()?)) } else { None };
        self.expect(Sym::RParen, "after the permission")?;
        Ok(ExpKind::Acc(location, amount))
    }

    /// Parses a location, `e.f` or `P(e)`.
    fn location(&mut self) -> ParseResult<Exp> {
        let start = self.span();
        let res = self.suffixed()?;
        match res.kind {
            ExpKind::Field(..) | ExpKind::Call(_, _, None) => Ok(res),
            _ => Err(Box::new(ReadError::parser(
                super::join(start, self.since(start)),
                "expected a location: a field `e.f` or a predicate `P(e)`",
            ))),
        }
    }

    /// `e.f`, `P(e)` or `a --* b`: what `perm` and `forperm` ask about.
    #[inline(never)]
    fn resource(&mut self) -> ParseResult<Exp> {
        let start = self.span();
        let res = self.wand()?;
        match res.kind {
            ExpKind::Field(..) | ExpKind::Call(_, _, None) | ExpKind::Binary(crate::ast::BinaryOp::Wand, ..) => Ok(res),
            _ => Err(Box::new(ReadError::parser(
                super::join(start, self.since(start)),
                "expected a resource: a field `e.f`, a predicate `P(e)` or a magic wand `a --* b`",
            ))),
        }
    }

    /// `acc(P(e), p)` or `P(e)`: what is folded and unfolded.
    pub(in crate::parser) fn predicate_access(&mut self) -> ParseResult<Exp> {
        let start = self.span();
        if !self.eat_word("acc") {
            return self.call("a predicate");
        }
        let kind = self.access()?;
        self.build(kind, self.since(start))
    }

    /// Parses the amount of permission held, after `perm`.
    #[inline(never)]
    fn held_amount(&mut self) -> ParseResult<ExpKind> {
        self.expect(Sym::LParen, "after `perm`")?;
        let resource = self.resource()?;
        self.expect(Sym::RParen, "after the resource")?;
        Ok(ExpKind::Perm(Box::new(resource)))
    }

    /// Parses an unfolding expression after `unfolding`.
    #[inline(never)]
    fn unfolding(&mut self) -> ParseResult<ExpKind> {
        let predicate = self.predicate_access()?;
        self.expect_word("in", "after the predicate that is unfolded")?;
        Ok(ExpKind::Unfolding(Box::new(predicate), Box::new(self.exp()?)))
    }

    /// Parses an applying expression after `applying`.
    #[inline(never)]
    fn applying(&mut self) -> ParseResult<ExpKind> {
        self.expect(Sym::LParen, "after `applying`")?;
        let wand = self.wand()?;
        self.expect(Sym::RParen, "after the magic wand")?;
        self.expect_word("in", "after the magic wand that is applied")?;
        Ok(ExpKind::Applying(Box::new(wand), Box::new(self.exp()?)))
    }

    /// Parses an asserting expression after `asserting`.
    #[inline(never)]
    fn asserting(&mut self) -> ParseResult<ExpKind> {
        let asserted = self.in_parens("after `asserting`")?;
        self.expect_word("in", "after what is asserted")?;
        Ok(ExpKind::Asserting(asserted, Box::new(self.exp()?)))
    }

    #[inline(never)]
    fn old(&mut self) -> ParseResult<ExpKind> {
        let mut label = None;
        if self.eat(Sym::LBracket) {
            let span = self.span();
            label = Some(match self.eat_word("lhs") {
                true => OldLabel::Lhs(span),
                false => OldLabel::Label(self.name("a label or `lhs`")?),
            });
            self.expect(Sym::RBracket, "after the label")?;
        }
        Ok(ExpKind::Old(label, self.in_parens("after `old`")?))
    }

    #[inline(never)]
    fn let_in(&mut self) -> ParseResult<ExpKind> {
        let name = self.name("a name after `let`")?;
        self.expect(Sym::EqEq, "and its value after the name that `let` binds")?;
        let value = self.in_parens("around the value that `let` binds")?;
        self.expect_word("in", "after the value that `let` binds")?;
        Ok(ExpKind::Let(name, value, Box::new(self.exp()?)))
    }

    #[inline(never)]
    fn quantified(&mut self, universal: bool) -> ParseResult<ExpKind> {
        let variables = self.bindings()?;
        self.expect(Sym::ColonColon, "after the variables of the quantifier")?;
        let mut triggers = Vec::new();
        while self.is(Sym::LBrace) {
            let start = self.span();
            self.advance();
            let exps = self.list(Sym::RBrace, "in the trigger", Self::exp)?;
            triggers.push(Trigger { exps, span: self.since(start) });
        }
        let body = self.exp()?;
        Ok(ExpKind::Quantified(Box::new(Quantified { universal, variables, triggers, body })))
    }

    #[inline(never)]
    fn for_perm(&mut self) -> ParseResult<ExpKind> {
        let variables = self.bindings()?;
        self.expect(Sym::LBracket, "before the resource of `forperm`")?;
        let resource = Box::new(self.resource()?);
        self.expect(Sym::RBracket, "after the resource of `forperm`")?;
        self.expect(Sym::ColonColon, "after the resource of `forperm`")?;
        Ok(ExpKind::ForPerm(variables, resource, Box::new(self.exp()?)))
    }

    /// What follows `Seq`, `Set`, `Multiset`.
    #[inline(never)]
    fn collection(&mut self, which: Collection) -> ParseResult<ExpKind> {
        let mut typ = None;
        if self.eat(Sym::LBracket) {
            typ = Some(Box::new(self.typ()?));
            self.expect(Sym::RBracket, "after the type of the elements")?;
        }
        self.expect(Sym::LParen, "before the elements")?;
        if typ.is_some() && !self.is(Sym::RParen) {
            return Err(self.expected("`)`: a collection that names its elements' type is empty"));
        }
        Ok(ExpKind::Collection(which, typ, self.list(Sym::RParen, "in the elements", Self::exp)?))
    }

    /// Parses a map literal after `Map`.
    #[inline(never)]
    fn map(&mut self) -> ParseResult<ExpKind> {
        let types = if self.eat(Sym::LBracket) { Some(Box::new(self.map_types()?)) } else { None };
        self.expect(Sym::LParen, "before the entries of the map")?;
        if types.is_some() && !self.is(Sym::RParen) {
            return Err(self.expected("`)`: a map that names its types is empty"));
        }
        let entries = self.list(Sym::RParen, "in the entries of the map", |it| {
            let key = it.exp()?;
            it.expect(Sym::Assign, "between a key and its value")?;
            Ok((key, it.exp()?))
        })?;
        Ok(ExpKind::Map(types, entries))
    }

    /// Parses a new object after `new`.
    #[inline(never)]
    fn new_object(&mut self) -> ParseResult<ExpKind> {
        self.expect(Sym::LParen, "after `new`")?;
        if self.eat(Sym::Star) {
            self.expect(Sym::RParen, "after `new(*`")?;
            return Ok(ExpKind::New(NewFields::All));
        }
        let fields = self.list(Sym::RParen, "in the fields of the new object", |it| it.name("the name of a field"))?;
        Ok(ExpKind::New(NewFields::These(fields)))
    }
}

/// Whether an atom begins with this word; `perm` does and still may be a name elsewhere.
fn begins_atom(word: &str) -> bool {
    matches!(
        word,
        "true"
            | "false"
            | "null"
            | "old"
            | "result"
            | "acc"
            | "none"
            | "wildcard"
            | "write"
            | "epsilon"
            | "perm"
            | "let"
            | "forall"
            | "exists"
            | "forperm"
            | "unfolding"
            | "applying"
            | "asserting"
            | "Set"
            | "Seq"
            | "Multiset"
            | "Map"
            | "range"
            | "domain"
            | "new"
    )
}
