//! From tokens to the syntax tree: classes, members, contracts.
//!
//! Knows: grammar. Never: what names mean. The first error ends the reading.
//! Source: Smans et al. (2010), figure 4, and the notation of figures 1 to 10.

mod expression;
mod statement;

use crate::ReadError;
use crate::syntax::{Class, Expr, Name, Routine, RoutineKind, Source, TypeName, join};
use crate::token::{Sign, Token, TokenKind};
use effigy_heap::Span;

/// Words that are no names.
const KEYWORDS: &[&str] = &[
    "acc",
    "assert",
    "bool",
    "class",
    "close",
    "else",
    "ensures",
    "false",
    "if",
    "in",
    "int",
    "invariant",
    "join",
    "new",
    "null",
    "old",
    "open",
    "opening",
    "predicate",
    "pure",
    "requires",
    "result",
    "return",
    "this",
    "true",
    "untouched",
    "use",
    "using",
    "void",
    "while",
];

/// Deeper nesting is an error: everything after the parser recurses over the tree. A thread's two megabytes suffice.
pub(crate) const MOST_LEVELS: u32 = 200;

pub(crate) type Parsed<T> = Result<T, Box<ReadError>>;

pub(crate) struct Parser {
    /// Never empty: the last one is the end.
    tokens: Vec<Token>,
    at: usize,
    levels: u32,
}

/// Reads a whole text.
pub(crate) fn parse(tokens: Vec<Token>) -> Parsed<Source> {
    let mut parser = Parser { tokens, at: 0, levels: 0 };
    let mut classes = Vec::new();
    while parser.takes_word("class") {
        classes.push(parser.class()?);
    }
    let mut main = Vec::new();
    while *parser.kind() != TokenKind::End {
        if parser.is_word("class") {
            return Err(parser.wrong("a statement (classes come before the main routine)"));
        }
        main.push(parser.statement()?);
    }
    Ok(Source { classes, main })
}

impl Parser {
    fn token(&self, ahead: usize) -> &Token {
        &self.tokens[(self.at + ahead).min(self.tokens.len() - 1)]
    }

    fn kind(&self) -> &TokenKind {
        &self.token(0).kind
    }

    fn span(&self) -> Span {
        self.token(0).span
    }

    /// From a place to the last token that was taken.
    fn since(&self, start: Span) -> Span {
        join(start, self.tokens[self.at.saturating_sub(1)].span)
    }

    fn advance(&mut self) {
        self.at = (self.at + 1).min(self.tokens.len() - 1);
    }

    fn wrong(&self, expected: &str) -> Box<ReadError> {
        Box::new(ReadError::parser(self.span(), format!("{expected} was expected, not {}", self.kind().name())))
    }

    fn is_sign(&self, sign: Sign) -> bool {
        *self.kind() == TokenKind::Sign(sign)
    }

    fn takes(&mut self, sign: Sign) -> bool {
        let res = self.is_sign(sign);
        if res {
            self.advance();
        }
        res
    }

    fn expect(&mut self, sign: Sign) -> Parsed<()> {
        if self.takes(sign) { Ok(()) } else { Err(self.wrong(&format!("`{}`", sign.text()))) }
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.kind(), TokenKind::Word(text) if **text == *word)
    }

    fn takes_word(&mut self, word: &str) -> bool {
        let res = self.is_word(word);
        if res {
            self.advance();
        }
        res
    }

    fn expect_word(&mut self, word: &str) -> Parsed<()> {
        if self.takes_word(word) { Ok(()) } else { Err(self.wrong(&format!("`{word}`"))) }
    }

    fn is_name(&self, ahead: usize) -> bool {
        matches!(&self.token(ahead).kind, TokenKind::Word(text) if !KEYWORDS.contains(&&**text))
    }

    fn name(&mut self, what: &str) -> Parsed<Name> {
        match self.kind() {
            TokenKind::Word(text) if self.is_name(0) => {
                let res = Name { text: text.clone(), span: self.span() };
                self.advance();
                Ok(res)
            }
            _ => Err(self.wrong(what)),
        }
    }

    /// One level deeper; the way back is [`Parser::leave`].
    fn enter(&mut self) -> Parsed<()> {
        self.levels += 1;
        if self.levels > MOST_LEVELS {
            let message = format!("this is nested too deeply: at most {MOST_LEVELS} levels were expected");
            return Err(Box::new(ReadError::parser(self.span(), message)));
        }
        Ok(())
    }

    fn leave(&mut self) {
        self.levels -= 1;
    }

    /// Whether a type stands here, with a name behind it.
    fn is_declaration(&self) -> bool {
        if self.is_word("int") || self.is_word("bool") {
            return true;
        }
        let mut ahead = 1;
        while self.token(ahead).kind == TokenKind::Sign(Sign::OpenBracket)
            && self.token(ahead + 1).kind == TokenKind::Sign(Sign::CloseBracket)
        {
            ahead += 2;
        }
        self.is_name(0) && self.is_name(ahead)
    }

    /// `int`, `bool` or a class, without brackets.
    fn base_type(&mut self) -> Parsed<Name> {
        for word in ["int", "bool"] {
            let span = self.span();
            if self.takes_word(word) {
                return Ok(Name { text: word.into(), span });
            }
        }
        self.name("a type")
    }

    fn type_name(&mut self) -> Parsed<TypeName> {
        let base = self.base_type()?;
        let mut dimensions = 0;
        while self.is_sign(Sign::OpenBracket) {
            self.advance();
            self.expect(Sign::CloseBracket)?;
            dimensions += 1;
            if dimensions > MOST_LEVELS {
                return Err(self.wrong("a type of fewer dimensions"));
            }
        }
        Ok(TypeName { base, dimensions })
    }

    fn class(&mut self) -> Parsed<Class> {
        let name = self.name("the name of a class")?;
        self.expect(Sign::OpenBrace)?;
        let mut res = Class { name, fields: Vec::new(), routines: Vec::new() };
        while !self.takes(Sign::CloseBrace) {
            self.member(&mut res)?;
        }
        Ok(res)
    }

    fn member(&mut self, class: &mut Class) -> Parsed<()> {
        if self.takes_word("predicate") {
            let name = self.name("the name of a predicate")?;
            let parameters = self.parameters()?;
            if self.is_word("requires") || self.is_word("ensures") {
                return Err(self.wrong("`{` (predicates have no contracts)"));
            }
            let kind = RoutineKind::Predicate(self.returned()?);
            class.routines.push(Routine { kind, name, parameters, requires: Vec::new(), ensures: Vec::new() });
            return Ok(());
        }
        if self.takes_word("pure") {
            let typ = self.type_name()?;
            let name = self.name("the name of a pure method")?;
            let parameters = self.parameters()?;
            let (requires, ensures) = self.contract()?;
            let kind = RoutineKind::Pure(typ, self.returned()?);
            class.routines.push(Routine { kind, name, parameters, requires, ensures });
            return Ok(());
        }
        let constructs = self.is_name(0) && self.token(1).kind == TokenKind::Sign(Sign::Open);
        if constructs {
            let name = self.name("the name of the class")?;
            if name.text != class.name.text {
                let message = format!("the constructor of class `{}` or a result type was expected", class.name.text);
                return Err(Box::new(ReadError::parser(name.span, message)));
            }
            let parameters = self.parameters()?;
            let (requires, ensures) = self.contract()?;
            let kind = RoutineKind::Constructor(self.block()?);
            class.routines.push(Routine { kind, name, parameters, requires, ensures });
            return Ok(());
        }
        let result = if self.takes_word("void") {
            None
        } else if self.is_declaration() {
            Some(self.type_name()?)
        } else {
            return Err(self.wrong("a member of the class"));
        };
        let name = self.name("a name")?;
        match result {
            Some(typ) if !self.is_sign(Sign::Open) => {
                class.fields.push((typ.clone(), name));
                while self.takes(Sign::Comma) {
                    class.fields.push((typ.clone(), self.name("the name of a field")?));
                }
                self.expect(Sign::Semicolon)
            }
            result => {
                let parameters = self.parameters()?;
                let (requires, ensures) = self.contract()?;
                let kind = RoutineKind::Mutator(result, self.block()?);
                class.routines.push(Routine { kind, name, parameters, requires, ensures });
                Ok(())
            }
        }
    }

    fn parameters(&mut self) -> Parsed<Vec<(TypeName, Name)>> {
        self.expect(Sign::Open)?;
        let mut res = Vec::new();
        if self.takes(Sign::Close) {
            return Ok(res);
        }
        loop {
            res.push((self.type_name()?, self.name("the name of a parameter")?));
            if self.takes(Sign::Close) {
                return Ok(res);
            }
            self.expect(Sign::Comma)?;
        }
    }

    fn contract(&mut self) -> Parsed<(Vec<Expr>, Vec<Expr>)> {
        let (mut requires, mut ensures) = (Vec::new(), Vec::new());
        loop {
            if self.takes_word("requires") {
                requires.push(self.expression()?);
            } else if self.takes_word("ensures") {
                ensures.push(self.expression()?);
            } else {
                // Figure 2 has a semicolon behind a clause, and none where the contract is empty.
                return Ok((requires, ensures));
            }
            self.expect(Sign::Semicolon)?;
        }
    }

    /// `{ return e; }`.
    fn returned(&mut self) -> Parsed<Expr> {
        self.expect(Sign::OpenBrace)?;
        self.expect_word("return")?;
        let res = self.expression()?;
        self.expect(Sign::Semicolon)?;
        self.expect(Sign::CloseBrace)?;
        Ok(res)
    }
}
