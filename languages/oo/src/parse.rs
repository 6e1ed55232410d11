//! From tokens to the syntax tree: classes, members, contracts, procedures.
//!
//! Knows: grammar. Never: what names mean. The first error ends the reading.
//! Source: Smans et al. (2010), figure 4, and the notation of figures 1 to 10; de Boer and Bonsangue (2021).
//!
//! The words of programs that are executed (`par`, `atomic`, `assume`, `skip`, `nat`, `nil`, `div`, `mod`, `then`, `fi`)
//! are no keywords: where one stands tells what it is, and a declaration of that name comes first.

mod expression;
mod statement;

use crate::ReadError;
use crate::syntax::{Class, Expr, Name, Routine, RoutineKind, Source, TypeName, join};
use crate::token::{Sign, Token, TokenKind};
use effigy_contracts::Span;

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

pub(crate) type ParseResult<T> = Result<T, Box<ReadError>>;

pub(crate) struct Parser {
    /// Never empty: the last one is the end.
    tokens: Vec<Token>,
    at: usize,
    levels: u32,
    /// The spans for [`Source::ambiguous`], so far.
    ambiguous: Vec<Span>,
    /// Whether the text declares a class `assume`, and a method or procedure.
    assume_is: (bool, bool),
}

/// Parses the tokens of a whole text.
pub(crate) fn parse(tokens: Vec<Token>) -> ParseResult<Source> {
    let assume_is = declared(&tokens, "assume");
    let mut parser = Parser { tokens, at: 0, levels: 0, ambiguous: Vec::new(), assume_is };
    let (mut classes, mut procedures, mut main) = (Vec::new(), Vec::new(), Vec::new());
    let mut late_class = None;
    loop {
        while parser.takes(Sign::Semicolon) {}
        let start = parser.span();
        if *parser.kind() == TokenKind::End {
            return Ok(Source { classes, procedures, main, late_class, ambiguous: parser.ambiguous, end: start });
        }
        if parser.takes_word("class") {
            if !main.is_empty() {
                late_class.get_or_insert(start);
            }
            classes.push(parser.class()?);
        } else if parser.is_procedure() {
            procedures.push(parser.procedure()?);
        } else {
            parser.statement(&mut main)?;
        }
    }
}

/// Reads an expression that is all of a text.
pub(crate) fn parse_expression(tokens: Vec<Token>) -> ParseResult<Expr> {
    let mut parser = Parser { tokens, at: 0, levels: 0, ambiguous: Vec::new(), assume_is: (false, false) };
    let res = parser.expression()?;
    if *parser.kind() == TokenKind::End { Ok(res) } else { Err(parser.wrong("the end of the expression")) }
}

/// Whether a class, and whether a method or procedure, of this name is declared somewhere.
fn declared(tokens: &[Token], name: &str) -> (bool, bool) {
    let word = |at: usize| match tokens.get(at).map(|it| &it.kind) {
        Some(TokenKind::Word(text)) => Some(&**text),
        _ => None,
    };
    let sign = |at: usize, sign| tokens.get(at).is_some_and(|it| it.kind == TokenKind::Sign(sign));
    let (mut class, mut routine) = (false, false);
    for at in (0..tokens.len()).filter(|at| word(*at) == Some(name)) {
        let before = at.checked_sub(1);
        class |= before.and_then(word) == Some("class");
        if sign(at + 1, Sign::Open) {
            let infix = |it: &str| ["div", "mod", "then"].contains(&it);
            let type_word = |it: &str| ["int", "bool", "void"].contains(&it) || !(KEYWORDS.contains(&it) || infix(it));
            let typed = before.and_then(word).is_some_and(type_word);
            let empty = sign(at + 2, Sign::Close) && sign(at + 3, Sign::Declares);
            let parameters = word(at + 2).is_some_and(type_word)
                && word(at + 3).is_some_and(|it| !(KEYWORDS.contains(&it) || infix(it)));
            routine |= typed || empty || parameters || before.is_some_and(|it| sign(it, Sign::CloseBracket));
        }
    }
    (class, routine)
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
        let mut message = format!("{expected} was expected, not {}", self.kind().name());
        if *self.kind() == TokenKind::End
            && let Some(open) = self.open_brace()
        {
            message.push_str(&format!(": the `{{` of line {} has no `}}`", open.line));
        }
        Box::new(ReadError::parser(self.span(), message))
    }

    /// The innermost brace that is open at the end.
    fn open_brace(&self) -> Option<Span> {
        let mut open = Vec::new();
        for token in &self.tokens {
            match token.kind {
                TokenKind::Sign(Sign::OpenBrace) => open.push(token.span),
                TokenKind::Sign(Sign::CloseBrace) => drop(open.pop()),
                _ => {}
            }
        }
        open.pop()
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

    fn expect(&mut self, sign: Sign) -> ParseResult<()> {
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

    /// Behind a statement: `;`, or nothing before `}` and the end.
    fn separator(&mut self) -> ParseResult<()> {
        let ends = self.is_sign(Sign::CloseBrace) || *self.kind() == TokenKind::End;
        if self.takes(Sign::Semicolon) || ends { Ok(()) } else { Err(self.wrong("`;`")) }
    }

    /// How far ahead the parenthesis that stands `from` tokens ahead is closed, if that is in the same statement.
    fn closing(&self, from: usize) -> Option<usize> {
        let mut open = 0u32;
        for ahead in from.. {
            match &self.token(ahead).kind {
                TokenKind::Sign(Sign::Open) => open += 1,
                TokenKind::Sign(Sign::Close) => {
                    open = open.checked_sub(1)?;
                    if open == 0 {
                        return Some(ahead);
                    }
                }
                TokenKind::Sign(Sign::Semicolon | Sign::OpenBrace | Sign::CloseBrace) | TokenKind::End => return None,
                _ if open == 0 => return None,
                _ => {}
            }
        }
        None
    }

    /// Whether `( ... ) ::` stands so many tokens ahead.
    fn is_declared(&self, from: usize) -> bool {
        self.closing(from).is_some_and(|it| self.token(it + 1).kind == TokenKind::Sign(Sign::Declares))
    }

    fn expect_word(&mut self, word: &str) -> ParseResult<()> {
        if self.takes_word(word) { Ok(()) } else { Err(self.wrong(&format!("`{word}`"))) }
    }

    fn is_name(&self, ahead: usize) -> bool {
        matches!(&self.token(ahead).kind, TokenKind::Word(text) if !KEYWORDS.contains(&&**text))
    }

    fn name(&mut self, what: &str) -> ParseResult<Name> {
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
    fn enter(&mut self) -> ParseResult<()> {
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

    /// Whether a type stands here, with a name or an arrow behind it.
    fn is_declaration(&self) -> bool {
        if self.is_word("int") || self.is_word("bool") {
            return true;
        }
        let behind = self.behind_type();
        self.is_name(0) && (self.is_name(behind) || self.token(behind).kind == TokenKind::Sign(Sign::Arrow))
    }

    /// How far ahead a type that stands here ends.
    fn behind_type(&self) -> usize {
        let mut ahead = 1;
        while self.token(ahead).kind == TokenKind::Sign(Sign::OpenBracket)
            && self.token(ahead + 1).kind == TokenKind::Sign(Sign::CloseBracket)
        {
            ahead += 2;
        }
        ahead
    }

    /// Whether a procedure begins here: `void P(`, `int P(`, `P(..) ::`.
    fn is_procedure(&self) -> bool {
        if self.is_word("void") {
            return true;
        }
        let behind = self.behind_type();
        if self.is_declaration() && self.is_name(behind) {
            return self.token(behind + 1).kind == TokenKind::Sign(Sign::Open);
        }
        self.is_name(0) && self.is_declared(1)
    }

    fn procedure(&mut self) -> ParseResult<Routine> {
        let result = if self.takes_word("void") || self.token(1).kind == TokenKind::Sign(Sign::Open) {
            None
        } else {
            Some(self.type_name()?)
        };
        let name = self.name("the name of a procedure")?;
        self.mutator(result, name)
    }

    /// A procedure or method, from its parameters on.
    fn mutator(&mut self, result: Option<TypeName>, name: Name) -> ParseResult<Routine> {
        let parameters = self.parameters()?;
        let (requires, ensures) = self.contract()?;
        self.takes(Sign::Declares);
        let kind = RoutineKind::Mutator(result, self.block()?);
        Ok(Routine { kind, name, parameters, requires, ensures })
    }

    /// `int`, `bool` or a class, without brackets.
    fn base_type(&mut self) -> ParseResult<Name> {
        for word in ["int", "bool"] {
            let span = self.span();
            if self.takes_word(word) {
                return Ok(Name { text: word.into(), span });
            }
        }
        self.name("a type")
    }

    fn type_name(&mut self) -> ParseResult<TypeName> {
        let res = self.type_of_values()?;
        if self.is_sign(Sign::Arrow) {
            let expected = "a type of values (arrays `T -> T'` are variables of the main statement, nothing else)";
            return Err(self.wrong(expected));
        }
        Ok(res)
    }

    /// A type before which no arrow was looked for.
    fn type_of_values(&mut self) -> ParseResult<TypeName> {
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

    fn class(&mut self) -> ParseResult<Class> {
        let name = self.name("the name of a class")?;
        self.expect(Sign::OpenBrace)?;
        let mut res = Class { name, fields: Vec::new(), routines: Vec::new() };
        loop {
            while self.takes(Sign::Semicolon) {}
            if self.takes(Sign::CloseBrace) {
                return Ok(res);
            }
            self.member(&mut res)?;
        }
    }

    fn member(&mut self, class: &mut Class) -> ParseResult<()> {
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
            let declared = self.is_declared(1);
            let name = self.name("the name of the class")?;
            if name.text != class.name.text && declared {
                class.routines.push(self.mutator(None, name)?);
                return Ok(());
            }
            if name.text != class.name.text {
                let message = format!("the constructor of class `{}` or a result type was expected", class.name.text);
                return Err(Box::new(ReadError::parser(name.span, message)));
            }
            let parameters = self.parameters()?;
            let (requires, ensures) = self.contract()?;
            self.takes(Sign::Declares);
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
                self.separator()
            }
            result => {
                class.routines.push(self.mutator(result, name)?);
                Ok(())
            }
        }
    }

    fn parameters(&mut self) -> ParseResult<Vec<(TypeName, Name)>> {
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

    fn contract(&mut self) -> ParseResult<(Vec<Expr>, Vec<Expr>)> {
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

    /// Parses the body of a pure method, `{ return e; }`.
    fn returned(&mut self) -> ParseResult<Expr> {
        self.expect(Sign::OpenBrace)?;
        self.expect_word("return")?;
        let res = self.expression()?;
        self.separator()?;
        self.expect(Sign::CloseBrace)?;
        Ok(res)
    }
}
