//! Declarations: members, macros, imports.
//!
//! Knows: their grammar. Never: other files.
//! Source: `programMember` of silver's `FastParser.scala`; the ADT plugin.

use super::{ParseResult, Parser};
use crate::ast::{
    Adt, Annotation, Axiom, Constructor, Derive, Domain, DomainFunction, Exp, Fields, Function, Import, Interpretation,
    Item, Macro, MacroBody, Method, Name, Predicate, Span, Text, Type,
};
use crate::lexer::{Sym, Tok, is_keyword};

const DECLARATIONS: [&str; 8] = ["import", "define", "field", "method", "domain", "function", "predicate", "adt"];

impl Parser<'_> {
    pub(super) fn item(&mut self) -> ParseResult<Item> {
        let start = self.span();
        let annotations = self.annotations()?;
        let Tok::Word(word) = self.tok() else { return Err(self.expected_item()) };
        if !DECLARATIONS.contains(&word) {
            return Err(self.expected_item());
        }
        self.advance();
        Ok(match word {
            "import" => Item::Import(self.import(annotations, start)?),
            "define" => Item::Macro(self.macro_definition(annotations, start)?),
            "field" => {
                let fields = self.bindings()?;
                let span = self.since(start);
                self.eat(Sym::Semi);
                Item::Fields(Fields { annotations, fields, span })
            }
            "method" => Item::Method(self.method(annotations, start)?),
            "domain" => Item::Domain(self.domain(annotations, start)?),
            "function" => Item::Function(self.function(annotations, start)?),
            "predicate" => {
                let name = self.name("the name of the predicate")?;
                let parameters = self.parameters("and parameters after the name of the predicate")?;
                let body = self.braced_body()?;
                Item::Predicate(Predicate { annotations, name, parameters, body, span: self.since(start) })
            }
            _ => Item::Adt(self.adt(annotations, start)?),
        })
    }

    /// Whether a declaration with annotations begins here: after an empty `decreases`, an annotation may be its or an
    /// expression's.
    pub(super) fn at_annotated_item(&self) -> bool {
        let mut ahead = 0;
        while let Tok::Annotation(_) = self.tok_ahead(ahead) {
            while !matches!(self.tok_ahead(ahead), Tok::Sym(Sym::RParen) | Tok::End) {
                ahead += 1;
            }
            ahead += 1;
        }
        match self.tok_ahead(ahead) {
            // `domain(m)` is an expression.
            Tok::Word("domain") => self.tok_ahead(ahead + 1) != Tok::Sym(Sym::LParen),
            Tok::Word(word) => ahead > 0 && DECLARATIONS.contains(&word),
            _ => false,
        }
    }

    fn expected_item(&self) -> Box<crate::ReadError> {
        self.expected("a declaration (`method`, `function`, `predicate`, `field`, `domain`, `adt`, `define`, `import`)")
    }

    /// After an error in the declaration that begins at the token `start`: to the next one. That is a keyword at the
    /// beginning of a line, either behind balanced braces or not further right than the broken declaration.
    pub(super) fn skip_to_item(&mut self, start: usize) {
        let brace = |tok| match tok {
            Tok::Sym(Sym::LBrace) => 1,
            Tok::Sym(Sym::RBrace) => -1,
            _ => 0,
        };
        let mut depth: i64 = self.tokens[start..self.at].iter().map(|it| brace(it.tok)).sum();
        let column = self.tokens[start].span.column;
        if self.at == start {
            depth += brace(self.tok());
            self.advance();
        }
        while self.tok() != Tok::End {
            let span = self.span();
            let line_begins = self.at == 0 || self.tokens[self.at - 1].span.end_line < span.line;
            let declares = matches!(self.tok(), Tok::Word(word) if DECLARATIONS.contains(&word));
            if line_begins && declares && (depth <= 0 || span.column <= column) {
                return;
            }
            depth += brace(self.tok());
            self.advance();
        }
    }

    fn import(&mut self, annotations: Vec<Annotation>, start: Span) -> ParseResult<Import> {
        let span = self.span();
        let (path, standard) = match self.tok() {
            Tok::Path(path) => {
                self.advance();
                (Text { text: path.into(), span }, true)
            }
            _ => (self.text("a path as \"file.vpr\" or <file.vpr>")?, false),
        };
        Ok(Import { annotations, path, standard, span: self.since(start) })
    }

    /// Parses a macro after `define`.
    pub(super) fn macro_definition(&mut self, annotations: Vec<Annotation>, start: Span) -> ParseResult<Macro> {
        let name = self.name("the name of the macro")?;
        let parameters = self.macro_parameters();
        let body = match self.is(Sym::LBrace) {
            true => MacroBody::Block(self.block(false)?),
            false => MacroBody::Exp(self.exp()?),
        };
        Ok(Macro { annotations, name, parameters, body, span: self.since(start) })
    }

    /// `(a, b)` if it comes: `(a + b)` is the body.
    fn macro_parameters(&mut self) -> Option<Vec<Name>> {
        let is_name = |it| matches!(it, Tok::Word(word) if !is_keyword(word));
        if !self.is(Sym::LParen) {
            return None;
        }
        let mut ahead = 1;
        if self.tok_ahead(1) != Tok::Sym(Sym::RParen) {
            while is_name(self.tok_ahead(ahead)) && self.tok_ahead(ahead + 1) == Tok::Sym(Sym::Comma) {
                ahead += 2;
            }
            if !is_name(self.tok_ahead(ahead)) || self.tok_ahead(ahead + 1) != Tok::Sym(Sym::RParen) {
                return None;
            }
        }
        self.advance();
        self.list(Sym::RParen, "in the parameters of the macro", |it| it.name("the name of a parameter")).ok()
    }

    fn method(&mut self, annotations: Vec<Annotation>, start: Span) -> ParseResult<Method> {
        let name = self.name("the name of the method")?;
        let parameters = self.parameters("and parameters after the name of the method")?;
        let results = if self.eat_word("returns") { self.parameters("after `returns`")? } else { Vec::new() };
        let (pre, mut decreases) = self.specifications("requires")?;
        let (post, more) = self.specifications("ensures")?;
        decreases.extend(more);
        let body = if self.is(Sym::LBrace) { Some(self.block(true)?) } else { None };
        let span = self.since(start);
        Ok(Method { annotations, name, parameters, results, pre, post, decreases, body, span })
    }

    fn function(&mut self, annotations: Vec<Annotation>, start: Span) -> ParseResult<Function> {
        let name = self.name("the name of the function")?;
        let parameters = self.parameters("and parameters after the name of the function")?;
        self.expect(Sym::Colon, "and the type of the function's result")?;
        let result = self.typ()?;
        let (pre, mut decreases) = self.specifications("requires")?;
        let (post, more) = self.specifications("ensures")?;
        decreases.extend(more);
        let body = self.braced_body()?;
        let span = self.since(start);
        Ok(Function { annotations, name, parameters, result, pre, post, decreases, body, span })
    }

    /// Parses the body `{ e }`, if there is one.
    fn braced_body(&mut self) -> ParseResult<Option<Exp>> {
        if !self.eat(Sym::LBrace) {
            return Ok(None);
        }
        let res = self.exp()?;
        self.expect(Sym::RBrace, "after the body")?;
        Ok(Some(res))
    }

    fn type_variables(&mut self) -> ParseResult<Vec<Name>> {
        match self.eat(Sym::LBracket) {
            true => self.list(Sym::RBracket, "in the type variables", |it| it.name("the name of a type variable")),
            false => Ok(Vec::new()),
        }
    }

    fn domain(&mut self, annotations: Vec<Annotation>, start: Span) -> ParseResult<Domain> {
        let name = self.name("the name of the domain")?;
        let type_variables = self.type_variables()?;
        let mut interpretations = None;
        if self.eat_word("interpretation") {
            self.expect(Sym::LParen, "after `interpretation`")?;
            interpretations = Some(self.list(Sym::RParen, "in the interpretations", |it| {
                let backend = it.name("the name of a backend")?;
                it.expect(Sym::Colon, "and a string after the name of a backend")?;
                Ok(Interpretation { backend, text: it.text("a string")? })
            })?);
        }
        self.expect(Sym::LBrace, "before the functions and axioms of the domain")?;
        let (mut functions, mut axioms) = (Vec::new(), Vec::new());
        while !self.eat(Sym::RBrace) {
            let start = self.span();
            let annotations = self.annotations()?;
            if self.eat_word("axiom") {
                axioms.push(self.axiom(annotations, start)?);
            } else {
                functions.push(self.domain_function(annotations, start)?);
            }
            self.eat(Sym::Semi);
        }
        let span = self.since(start);
        Ok(Domain { annotations, name, type_variables, interpretations, functions, axioms, span })
    }

    /// Parses an axiom after `axiom`.
    fn axiom(&mut self, annotations: Vec<Annotation>, start: Span) -> ParseResult<Axiom> {
        let name = if self.is(Sym::LBrace) { None } else { Some(self.name("the name of the axiom or `{`")?) };
        self.expect(Sym::LBrace, "before the axiom")?;
        let body = self.exp()?;
        self.expect(Sym::RBrace, "after the axiom")?;
        Ok(Axiom { annotations, name, body, span: self.since(start) })
    }

    fn domain_function(&mut self, annotations: Vec<Annotation>, start: Span) -> ParseResult<DomainFunction> {
        let unique = self.eat_word("unique");
        if !self.eat_word("function") {
            return Err(self.expected(if unique { "`function`" } else { "`function`, `axiom` or `}` in the domain" }));
        }
        let name = self.name("the name of the function")?;
        self.expect(Sym::LParen, "and parameters after the name of the function")?;
        let parameters = self.list(Sym::RParen, "in the parameters", Self::domain_parameter)?;
        self.expect(Sym::Colon, "and the type of the function's result")?;
        let result = self.typ()?;
        let interpretation = if self.eat_word("interpretation") { Some(self.text("a string")?) } else { None };
        let span = self.since(start);
        Ok(DomainFunction { annotations, unique, name, parameters, result, interpretation, span })
    }

    /// Parses a parameter of a domain function: `x: T` or `T`.
    fn domain_parameter(&mut self) -> ParseResult<(Option<Name>, Type)> {
        let named = self.peek_name().is_some() && self.tok_ahead(1) == Tok::Sym(Sym::Colon);
        if !named {
            return Ok((None, self.typ()?));
        }
        let binding = self.binding()?;
        Ok((Some(binding.name), binding.typ))
    }

    fn adt(&mut self, annotations: Vec<Annotation>, start: Span) -> ParseResult<Adt> {
        let name = self.name("the name of the data type")?;
        let type_variables = self.type_variables()?;
        self.expect(Sym::LBrace, "before the constructors")?;
        let mut constructors = Vec::new();
        while !self.eat(Sym::RBrace) {
            let start = self.span();
            let annotations = self.annotations()?;
            let name = self.name("the name of a constructor or `}`")?;
            let parameters = self.parameters("and parameters after the name of the constructor")?;
            constructors.push(Constructor { annotations, name, parameters, span: self.since(start) });
            self.eat(Sym::Semi);
        }
        let derives = if self.eat_word("derives") { Some(self.derives()?) } else { None };
        Ok(Adt { annotations, name, type_variables, constructors, derives, span: self.since(start) })
    }

    /// Parses the derived functions after `derives`.
    fn derives(&mut self) -> ParseResult<Vec<Derive>> {
        self.expect(Sym::LBrace, "after `derives`")?;
        let mut res = Vec::new();
        while !self.eat(Sym::RBrace) {
            let start = self.span();
            let name = self.name("the name of what is derived or `}`")?;
            let mut parameter = None;
            if self.eat(Sym::LBracket) {
                parameter = Some(self.typ()?);
                self.expect(Sym::RBracket, "after the type")?;
            }
            let mut without = Vec::new();
            if self.eat_word("without") {
                without.push(self.name("the name of a destructor")?);
                while self.eat(Sym::Comma) {
                    without.push(self.name("the name of a destructor")?);
                }
            }
            res.push(Derive { name, parameter, without, span: self.since(start) });
            self.eat(Sym::Semi);
        }
        Ok(res)
    }
}
