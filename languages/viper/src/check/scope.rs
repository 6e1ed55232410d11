//! Which names clash.
//!
//! Knows: silver's rules of uniqueness. Never: what a name means at its uses.
//! Source: `DeclarationMap` in silver's `Resolver.scala`. Global names are unique in the program, also against locals;
//! parameters and results in their member; locals and bound variables in their scope and against all outer ones.

use crate::ReadError;
use crate::ast::{self, Block, Exp, ExpKind, Item, Name, Span, Stmt, StmtKind};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Where a name has to be unique.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unique {
    Program,
    Member,
    Scope,
    /// Labels and type variables: two of them may have the same name, as far as this goes.
    Nowhere,
}

/// The construct that opens a scope.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Program,
    Member,
    Inner,
}

struct Scope {
    kind: Kind,
    /// The last declaration of a name here or further inside; whether it still excludes others here.
    last: FxHashMap<Arc<str>, DeclaredName>,
    /// The order of first declaration, so that errors have an order.
    order: Vec<Arc<str>>,
}

#[derive(Clone, Copy)]
struct DeclaredName {
    binding: bool,
    unique: Unique,
    span: Span,
}

struct Names {
    scopes: Vec<Scope>,
    errors: Vec<ReadError>,
}

/// The clashes of a program.
pub fn clashes(program: &ast::Program) -> Vec<ReadError> {
    let mut names = Names { scopes: Vec::new(), errors: Vec::new() };
    names.open(Kind::Program);
    for item in &program.items {
        names.item(item);
    }
    names.errors
}

impl Names {
    fn open(&mut self, kind: Kind) {
        self.scopes.push(Scope { kind, last: FxHashMap::default(), order: Vec::new() });
    }

    fn close(&mut self) {
        let Some(inner) = self.scopes.pop() else { return };
        for name in inner.order {
            let it = inner.last[&name];
            let may_bind = match it.unique {
                Unique::Program => inner.kind != Kind::Program,
                Unique::Member => inner.kind == Kind::Inner,
                _ => false,
            };
            self.declare(name, it.span, it.unique, it.binding && may_bind);
        }
    }

    fn declare(&mut self, name: Arc<str>, span: Span, unique: Unique, may_bind: bool) {
        let Some(scope) = self.scopes.last_mut() else { return };
        let before = scope.last.get(&name).copied();
        let bound = |by: &[Unique]| before.is_some_and(|it| it.binding && by.contains(&it.unique));
        let binds = may_bind
            && match unique {
                Unique::Program => true,
                Unique::Member => !bound(&[Unique::Program]),
                Unique::Scope => !bound(&[Unique::Program, Unique::Member]),
                Unique::Nowhere => false,
            };
        let excluded = bound(&[Unique::Program, Unique::Member, Unique::Scope]);
        let clash = before.filter(|_| binds || excluded);
        if binds || clash.is_none() {
            if before.is_none() {
                scope.order.push(name.clone());
            }
            scope.last.insert(name.clone(), DeclaredName { binding: may_bind, unique, span });
        }
        if clash.is_some() {
            self.errors.push(ReadError::typechecker(span, format!("duplicate identifier `{name}`")));
        }
    }

    fn name(&mut self, name: &Name, unique: Unique) {
        self.declare(name.text.clone(), name.span, unique, true);
    }

    fn names<'a>(&mut self, bindings: impl IntoIterator<Item = &'a ast::Binding>, unique: Unique) {
        for it in bindings {
            self.name(&it.name, unique);
        }
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Import(_) | Item::Macro(_) => {}
            Item::Fields(it) => {
                self.open(Kind::Member);
                self.names(&it.fields, Unique::Program);
                self.close();
            }
            Item::Method(it) => self.member(&it.name, |names| {
                names.names(it.parameters.iter().chain(&it.results), Unique::Member);
                names.contract(it.pre.iter().chain(&it.post), &it.decreases);
                if let Some(body) = &it.body {
                    names.block(body);
                }
            }),
            Item::Function(it) => self.member(&it.name, |names| {
                names.names(&it.parameters, Unique::Member);
                names.contract(it.pre.iter().chain(&it.post).chain(&it.body), &it.decreases);
            }),
            Item::Predicate(it) => self.member(&it.name, |names| {
                names.names(&it.parameters, Unique::Member);
                names.contract(&it.body, &[]);
            }),
            Item::Domain(it) => self.member(&it.name, |names| {
                it.type_variables.iter().for_each(|var| names.name(var, Unique::Nowhere));
                for function in &it.functions {
                    names.name(&function.name, Unique::Program);
                }
                for axiom in &it.axioms {
                    names.open(Kind::Inner);
                    names.exp(&axiom.body);
                    names.close();
                }
            }),
            Item::Adt(it) => self.member(&it.name, |names| {
                it.type_variables.iter().for_each(|var| names.name(var, Unique::Nowhere));
                for constructor in &it.constructors {
                    names.name(&constructor.name, Unique::Program);
                    names.open(Kind::Inner);
                    names.names(&constructor.parameters, Unique::Member);
                    names.close();
                }
            }),
        }
    }

    fn member(&mut self, name: &Name, inside: impl FnOnce(&mut Names)) {
        self.name(name, Unique::Program);
        self.open(Kind::Member);
        inside(self);
        self.close();
    }

    fn contract<'a>(&mut self, exps: impl IntoIterator<Item = &'a Exp>, decreases: &[ast::Decreases]) {
        exps.into_iter().for_each(|it| self.exp(it));
        for it in decreases {
            if let ast::Measure::Tuple(exps) = &it.measure {
                exps.iter().for_each(|it| self.exp(it));
            }
            it.condition.iter().for_each(|it| self.exp(it));
        }
    }

    fn block(&mut self, block: &Block) {
        self.open(Kind::Inner);
        block.stmts.iter().for_each(|it| self.stmt(it));
        self.close();
    }

    fn stmt(&mut self, stmt: &Stmt) {
        use StmtKind::*;
        match &stmt.kind {
            Var(variables, init) => {
                self.names(variables, Unique::Scope);
                init.iter().for_each(|it| self.exp(it));
            }
            Assign(targets, rhs) => targets.iter().chain([rhs]).for_each(|it| self.exp(it)),
            Call(e) | Assert(e) | Assume(e) | Inhale(e) | Exhale(e) | Refute(e) | Fold(e) | Unfold(e) | Apply(e) => {
                self.exp(e)
            }
            If(cond, then, other) => {
                self.exp(cond);
                self.block(then);
                other.iter().for_each(|it| self.block(it));
            }
            While { cond, invariants, decreases, body } => {
                self.exp(cond);
                self.contract(invariants, decreases);
                self.block(body);
            }
            Goto(_) | Define(_) => {}
            Label { name, invariants, decreases } => {
                self.declare(name.text.clone(), name.span, Unique::Nowhere, true);
                self.contract(invariants, decreases);
            }
            Package(wand, script) => {
                self.exp(wand);
                script.iter().for_each(|it| self.block(it));
            }
            Block(block) => self.block(block),
            Quasihavoc(cond, resource) => cond.iter().chain([resource]).for_each(|it| self.exp(it)),
            Quasihavocall(variables, cond, resource) => {
                self.open(Kind::Inner);
                self.names(variables, Unique::Scope);
                cond.iter().chain([resource]).for_each(|it| self.exp(it));
                self.close();
            }
            Annotated(_, stmt) => self.stmt(stmt),
        }
    }

    fn exp(&mut self, exp: &Exp) {
        match &exp.kind {
            ExpKind::Quantified(it) => self.binder(&it.variables, exp),
            ExpKind::ForPerm(variables, ..) => self.binder(variables, exp),
            ExpKind::Let(name, bound, body) => {
                self.open(Kind::Inner);
                self.exp(bound);
                self.name(name, Unique::Scope);
                self.exp(body);
                self.close();
            }
            kind => kind.each_child(&mut |it| self.exp(it)),
        }
    }

    fn binder(&mut self, variables: &[ast::Binding], exp: &Exp) {
        self.open(Kind::Inner);
        self.names(variables, Unique::Scope);
        exp.kind.each_child(&mut |it| self.exp(it));
        self.close();
    }
}
