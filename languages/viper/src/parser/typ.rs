//! Types, and names with types.
//!
//! Knows: the grammar of types. Never: whether a type exists.

use super::{ParseResult, Parser};
use crate::ast::{Binding, Type, TypeKind};
use crate::lexer::{Sym, Tok};

impl Parser<'_> {
    /// Parses a type: `Int`, `Seq[T]`, `Pair[A, B]`.
    pub(super) fn typ(&mut self) -> ParseResult<Type> {
        self.enter()?;
        let start = self.span();
        let Tok::Word(word) = self.tok() else { return Err(self.expected("a type")) };
        let kind = match word {
            "Int" | "Bool" | "Ref" | "Perm" | "Rational" => {
                self.advance();
                match word {
                    "Int" => TypeKind::Int,
                    "Bool" => TypeKind::Bool,
                    "Ref" => TypeKind::Ref,
                    _ => TypeKind::Perm,
                }
            }
            "Seq" | "Set" | "Multiset" => {
                self.advance();
                self.expect(Sym::LBracket, "before the type of the elements")?;
                let element = Box::new(self.typ()?);
                self.expect(Sym::RBracket, "after the type of the elements")?;
                match word {
                    "Seq" => TypeKind::Seq(element),
                    "Set" => TypeKind::Set(element),
                    _ => TypeKind::Multiset(element),
                }
            }
            "Map" => {
                self.advance();
                self.expect(Sym::LBracket, "before the types of keys and values")?;
                let (key, value) = self.map_types()?;
                TypeKind::Map(Box::new(key), Box::new(value))
            }
            _ => {
                let name = self.name("a type")?;
                let args = match self.eat(Sym::LBracket) {
                    true => self.list(Sym::RBracket, "in the arguments of a type", Self::typ)?,
                    false => Vec::new(),
                };
                TypeKind::Named(name, args)
            }
        };
        self.leave();
        Ok(Type { kind, span: self.since(start) })
    }

    /// Parses the types of a map after the bracket: `K, V]`.
    pub(super) fn map_types(&mut self) -> ParseResult<(Type, Type)> {
        let key = self.typ()?;
        self.expect(Sym::Comma, "after the type of the keys")?;
        let value = self.typ()?;
        self.expect(Sym::RBracket, "after the type of the values")?;
        Ok((key, value))
    }

    /// Parses a name with its type: `name: T`.
    pub(super) fn binding(&mut self) -> ParseResult<Binding> {
        let start = self.span();
        let name = self.name("a name with its type")?;
        self.expect(Sym::Colon, "and a type after the name")?;
        let typ = self.typ()?;
        Ok(Binding { name, typ, span: self.since(start) })
    }

    /// `a: T, b: U`: at least one.
    pub(super) fn bindings(&mut self) -> ParseResult<Vec<Binding>> {
        let mut res = vec![self.binding()?];
        while self.eat(Sym::Comma) {
            res.push(self.binding()?);
        }
        Ok(res)
    }

    /// `(a: T, b: U)`: there may be none.
    pub(super) fn parameters(&mut self, place: &str) -> ParseResult<Vec<Binding>> {
        self.expect(Sym::LParen, place)?;
        self.list(Sym::RParen, "in the parameters", Self::binding)
    }
}
