//! One declaration's macros: which names are taken, what a macro's names stand for, how much was expanded.
//!
//! Knows: hygiene and bounds. Never: other declarations.

use super::{Macros, declared};
use crate::ast::{
    Binding, Decreases, Exp, ExpKind, Item, MAX_DEPTH, Macro, MacroBody, Measure, Name, Span, Type, TypeKind,
};
use crate::error::ReadError;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// So many expressions and statements may come out of a program's macros.
pub(super) const MAX_SIZE: u32 = 1_000_000;

pub(super) type ExpandResult<T> = Result<T, Box<ReadError>>;

/// What a name in a macro's body stands for.
#[derive(Clone)]
pub(super) enum Meaning {
    /// A parameter, which stands for this argument.
    Argument(Arc<Exp>),
    /// Something that the macro declares, under this name.
    Declared(Arc<str>),
}

/// Expands the macros of one declaration.
pub(super) struct Expander<'a> {
    pub(super) macros: &'a Macros<'a>,
    /// Names that are visible everywhere.
    global: &'a HashSet<Arc<str>>,
    /// Names that the declaration itself declares anywhere.
    own: HashSet<Arc<str>>,
    /// Names that expansions declared, scope by scope, outermost first.
    scopes: Vec<HashSet<Arc<str>>>,
    /// The scope in which the innermost macro is used: what it declares belongs there.
    home: usize,
    /// What names stand for in the body of the innermost macro; the last meaning counts.
    meanings: HashMap<Arc<str>, Vec<Meaning>>,
    /// Names that got a meaning since a scope began; the scope's end takes it back.
    declared: Vec<Arc<str>>,
    /// The numbers of fresh names.
    numbers: HashMap<Arc<str>, u32>,
    /// The macros that are being expanded, outermost first.
    active: Vec<&'a Macro>,
    /// Where the outermost one is used.
    at: Option<Span>,
    depth: u32,
    budget: &'a mut u32,
}

/// The state before [`Expander::begin`], which [`Expander::end`] restores.
pub(super) struct Outer {
    home: usize,
    meanings: HashMap<Arc<str>, Vec<Meaning>>,
    declared: Vec<Arc<str>>,
    at: Option<Span>,
}

impl<'a> Expander<'a> {
    pub(super) fn new(
        macros: &'a Macros<'a>,
        global: &'a HashSet<Arc<str>>,
        item: &Item,
        budget: &'a mut u32,
    ) -> Expander<'a> {
        Expander {
            macros,
            global,
            own: declared::names_in(item),
            scopes: vec![HashSet::new()],
            home: 0,
            meanings: HashMap::new(),
            declared: Vec::new(),
            numbers: HashMap::new(),
            active: Vec::new(),
            at: None,
            depth: 0,
            budget,
        }
    }

    /// A declaration with its macros expanded.
    pub(super) fn item(&mut self, mut item: Item) -> ExpandResult<Item> {
        match &mut item {
            Item::Import(_) | Item::Macro(_) | Item::Fields(_) | Item::Adt(_) => {}
            Item::Method(it) => {
                self.types(&mut it.parameters)?;
                self.types(&mut it.results)?;
                self.replace(&mut it.pre)?;
                self.replace(&mut it.post)?;
                it.decreases = self.measures(&it.decreases)?;
                if let Some(body) = &mut it.body {
                    *body = self.block(body)?;
                }
            }
            Item::Function(it) => {
                self.types(&mut it.parameters)?;
                it.result = self.typ(&it.result)?;
                self.replace(&mut it.pre)?;
                self.replace(&mut it.post)?;
                it.decreases = self.measures(&it.decreases)?;
                if let Some(body) = &mut it.body {
                    *body = self.exp(body)?;
                }
            }
            Item::Predicate(it) => {
                self.types(&mut it.parameters)?;
                if let Some(body) = &mut it.body {
                    *body = self.exp(body)?;
                }
            }
            Item::Domain(it) => {
                for function in &mut it.functions {
                    for (_, typ) in &mut function.parameters {
                        *typ = self.typ(typ)?;
                    }
                    function.result = self.typ(&function.result)?;
                }
                for axiom in &mut it.axioms {
                    axiom.body = self.exp(&axiom.body)?;
                }
            }
        }
        Ok(item)
    }

    fn types(&mut self, bindings: &mut [Binding]) -> ExpandResult<()> {
        for it in bindings {
            it.typ = self.typ(&it.typ)?;
        }
        Ok(())
    }

    fn replace(&mut self, exps: &mut [Exp]) -> ExpandResult<()> {
        for it in exps {
            *it = self.exp(it)?;
        }
        Ok(())
    }

    pub(super) fn measures(&mut self, clauses: &[Decreases]) -> ExpandResult<Vec<Decreases>> {
        let mut res = Vec::with_capacity(clauses.len());
        for it in clauses {
            let measure = match &it.measure {
                Measure::Tuple(exps) => Measure::Tuple(self.exps(exps)?),
                other => other.clone(),
            };
            let condition = it.condition.as_ref().map(|it| self.exp(it)).transpose()?;
            res.push(Decreases { measure, condition, span: self.span(it.span) });
        }
        Ok(res)
    }

    pub(super) fn typ(&mut self, typ: &Type) -> ExpandResult<Type> {
        let kind = match &typ.kind {
            TypeKind::Int => TypeKind::Int,
            TypeKind::Bool => TypeKind::Bool,
            TypeKind::Ref => TypeKind::Ref,
            TypeKind::Perm => TypeKind::Perm,
            TypeKind::Seq(it) => TypeKind::Seq(Box::new(self.typ(it)?)),
            TypeKind::Set(it) => TypeKind::Set(Box::new(self.typ(it)?)),
            TypeKind::Multiset(it) => TypeKind::Multiset(Box::new(self.typ(it)?)),
            TypeKind::Map(key, value) => TypeKind::Map(Box::new(self.typ(key)?), Box::new(self.typ(value)?)),
            TypeKind::Named(name, args) => {
                let name = self.reference(name, "a type")?;
                TypeKind::Named(name, args.iter().map(|it| self.typ(it)).collect::<ExpandResult<_>>()?)
            }
        };
        Ok(Type { kind, span: self.span(typ.span) })
    }

    /// Where something of the declaration or of a macro's body stands.
    pub(super) fn span(&self, span: Span) -> Span {
        self.at.unwrap_or(span)
    }

    /// A parser error at the place of the expansion.
    pub(super) fn error<T>(&self, span: Span, what: impl Into<String>) -> ExpandResult<T> {
        Err(Box::new(ReadError::parser(self.span(span), what)))
    }

    /// Goes one expression or statement deeper; [`Expander::leave`] comes back.
    pub(super) fn enter(&mut self, span: Span) -> ExpandResult<()> {
        self.depth += 1;
        match self.depth > MAX_DEPTH {
            true => self.error(span, "this is nested too deeply once macros are expanded"),
            false => self.spend(1, span),
        }
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    /// Only what macros add is counted: without them, the tree is as large as the text.
    pub(super) fn spend(&mut self, size: u32, span: Span) -> ExpandResult<()> {
        if self.active.is_empty() {
            return Ok(());
        }
        match self.budget.checked_sub(size) {
            Some(rest) => {
                *self.budget = rest;
                Ok(())
            }
            None => self.error(span, "macros expand to too much"),
        }
    }

    pub(super) fn meaning(&self, name: &str) -> Option<&Meaning> {
        self.meanings.get(name).and_then(|it| it.last())
    }

    /// A name that is neither declared nor an expression: of a field, type, function. A macro cannot stand there, an
    /// argument that is a name can.
    pub(super) fn reference(&self, name: &Name, place: &str) -> ExpandResult<Name> {
        let text = match self.meaning(&name.text) {
            Some(Meaning::Argument(argument)) => match &argument.kind {
                ExpKind::Var(name) => name.text.clone(),
                _ => return self.not_a_name(name, place),
            },
            _ => name.text.clone(),
        };
        if self.macros.get(&text).is_some() {
            return self.error(name.span, format!("the macro `{text}` cannot stand here: this must be {place}"));
        }
        Ok(Name { text, span: self.span(name.span) })
    }

    /// A label, where it is declared or used.
    pub(super) fn label(&self, name: &Name) -> ExpandResult<Name> {
        match self.meaning(&name.text) {
            Some(Meaning::Declared(text)) => Ok(Name { text: text.clone(), span: self.span(name.span) }),
            _ => self.reference(name, "a label"),
        }
    }

    fn not_a_name<T>(&self, parameter: &Name, place: &str) -> ExpandResult<T> {
        let what = format!("the argument for `{}` must be a name: it is used as {place}", parameter.text);
        self.error(parameter.span, what)
    }

    /// A scope of the program begins.
    pub(super) fn open_scope(&mut self) -> usize {
        self.scopes.push(HashSet::new());
        self.declared.len()
    }

    /// It ends; what the macro's body declared in it is forgotten.
    pub(super) fn close_scope(&mut self, mark: usize) {
        self.scopes.pop();
        for name in self.declared.drain(mark..) {
            if let Some(meanings) = self.meanings.get_mut(&name) {
                meanings.pop();
            }
        }
    }

    /// A variable or label is declared here; in a macro's body it gets another name if this one is taken.
    pub(super) fn declare(&mut self, name: &Name) -> Name {
        let span = self.span(name.span);
        if self.active.is_empty() {
            return name.clone();
        }
        let mut text = name.text.clone();
        if self.is_taken(&text) {
            let mut number = self.numbers.get(&text).map_or(0, |it| it + 1);
            while self.is_taken(&format!("{text}${number}")) {
                number += 1;
            }
            self.numbers.insert(text.clone(), number);
            text = format!("{text}${number}").into();
        }
        if let Some(scope) = self.scopes.get_mut(self.home) {
            scope.insert(text.clone());
        }
        self.meanings.entry(name.text.clone()).or_default().push(Meaning::Declared(text.clone()));
        self.declared.push(name.text.clone());
        Name { text, span }
    }

    fn is_taken(&self, name: &str) -> bool {
        self.global.contains(name) || self.own.contains(name) || self.scopes.iter().any(|it| it.contains(name))
    }

    /// The body of a macro that is used at `span` begins, or what is wrong with this use.
    pub(super) fn begin(&mut self, it: &'a Macro, args: Option<&[Exp]>, span: Span) -> ExpandResult<Outer> {
        let name = &it.name.text;
        if self.active.iter().any(|other| std::ptr::eq(*other, it)) {
            return Err(Box::new(ReadError::parser(it.name.span, format!("the macro `{name}` expands to itself"))));
        }
        let (given, wanted) = (args.map(<[Exp]>::len), it.parameters.as_ref().map(Vec::len));
        if given != wanted {
            let what = match (given, wanted) {
                (None, _) => format!("the macro `{name}` is used without its arguments"),
                (Some(given), wanted) => {
                    format!("the macro `{name}` takes {} arguments, not {given}", wanted.unwrap_or(0))
                }
            };
            return self.error(span, what);
        }
        let at = self.span(span);
        let outer_at = self.at.replace(at);
        let mut meanings: HashMap<Arc<str>, Vec<Meaning>> = HashMap::new();
        for (parameter, arg) in it.parameters.iter().flatten().zip(args.into_iter().flatten()) {
            let arg = Arc::new(self.exp(arg)?);
            meanings.insert(parameter.text.clone(), vec![Meaning::Argument(arg)]);
        }
        self.active.push(it);
        let home = self.scopes.len() - 1;
        let outer = Outer {
            home: std::mem::replace(&mut self.home, home),
            meanings: std::mem::replace(&mut self.meanings, meanings),
            declared: std::mem::take(&mut self.declared),
            at: outer_at,
        };
        if let MacroBody::Block(body) = &it.body {
            let mut labels = Vec::new();
            declared::labels(body, &mut |it| labels.push(it));
            for label in labels {
                if self.meaning(&label.text).is_none() {
                    self.declare(label);
                }
            }
        }
        Ok(outer)
    }

    /// Ends the expansion of a body and restores the state before it.
    pub(super) fn end(&mut self, outer: Outer) {
        self.active.pop();
        self.home = outer.home;
        self.meanings = outer.meanings;
        self.declared = outer.declared;
        self.at = outer.at;
    }
}
