//! What the type checker knows while it walks through a member: variables in scope, what is allowed where.
//!
//! Knows: scopes, errors, which type is wanted. Never: the kinds of expressions and statements.

use super::table::{Table, TypeScope};
use super::tree::{Node, Op, Role, Var};
use super::types::{Steps, Ty, Unifier};
use crate::ReadError;
use crate::ast::{self, Exp, Name, Span};
use effigy_contracts::program::{DomainId, VarId};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Checks the body of one member after the other.
pub struct Checker<'t, 'a> {
    pub table: &'t Table<'a>,
    pub errors: Vec<ReadError>,
    pub unifier: Unifier,
    /// The variables of the current member, in scope or not.
    pub variables: Vec<Var>,
    pub place: ExpPosition<'a>,
    in_scope: FxHashMap<Arc<str>, Vec<VarId>>,
    /// The names in scope, innermost last.
    names: Vec<Arc<str>>,
}

/// The constructs that are allowed where an expression stands.
#[derive(Clone, Default)]
pub struct ExpPosition<'a> {
    /// The domain whose axiom this is.
    pub axiom_of: Option<DomainId>,
    /// The type of `result`, where that is allowed.
    pub result: Option<Ty>,
    /// What may not contain `perm` and `forperm`, if this is in it.
    pub perm_ban: Option<&'static str>,
    pub types: TypeScope<'a>,
}

/// A checked expression whose type may still be one of several.
pub struct InferredNode<'a> {
    pub node: Node<'a>,
    /// What has to be taken for each possibility, the preferred one first; none: there is but one, and it was taken.
    pub choices: Vec<Steps>,
}

/// How many variables there were.
pub struct ScopeMark(usize);

/// What a name means as a variable.
pub enum NameLookup {
    Nothing,
    One(VarId),
    /// Several, which is an error.
    Many,
}

impl<'t, 'a> Checker<'t, 'a> {
    pub fn new(table: &'t Table<'a>, errors: Vec<ReadError>) -> Checker<'t, 'a> {
        Checker {
            table,
            errors,
            unifier: Unifier::default(),
            variables: Vec::new(),
            place: ExpPosition::default(),
            in_scope: FxHashMap::default(),
            names: Vec::new(),
        }
    }

    /// Starts a member: no variables, nothing inferred.
    pub fn start(&mut self, place: ExpPosition<'a>) {
        self.unifier = Unifier::default();
        self.variables = Vec::new();
        self.in_scope.clear();
        self.names.clear();
        self.place = place;
    }

    pub fn error(&mut self, span: Span, message: impl Into<String>) {
        self.errors.push(ReadError::typechecker(span, message));
    }

    pub fn open(&mut self) -> ScopeMark {
        ScopeMark(self.names.len())
    }

    pub fn close(&mut self, mark: ScopeMark) {
        for name in self.names.drain(mark.0..) {
            self.in_scope.entry(name).and_modify(|it| {
                it.pop();
            });
        }
    }

    /// A variable that is in scope from here on.
    pub fn declare(&mut self, name: &Name, ty: Ty, role: Role) -> VarId {
        let id = VarId(self.variables.len() as u32);
        self.variables.push(Var { name: name.text.clone(), ty, span: name.span, role });
        self.in_scope.entry(name.text.clone()).or_default().push(id);
        self.names.push(name.text.clone());
        id
    }

    /// Parameters and the like, with their types from the table.
    pub fn declare_all(&mut self, bindings: &'a [ast::Binding], types: &[Ty], role: Role) {
        for (it, ty) in bindings.iter().zip(types) {
            self.declare(&it.name, ty.clone(), role);
        }
    }

    /// Declares local or bound variables, with the types that they are written with.
    pub fn declare_typed(&mut self, bindings: &'a [ast::Binding], role: Role) -> Vec<(VarId, Span)> {
        let mut res = Vec::new();
        for it in bindings {
            let ty = self.resolve(&it.typ);
            res.push((self.declare(&it.name, ty, role), it.name.span));
        }
        res
    }

    pub fn resolve(&mut self, typ: &ast::Type) -> Ty {
        self.table.resolve(typ, self.place.types, &mut self.errors)
    }

    pub fn lookup(&self, name: &str, is: impl Fn(Role) -> bool) -> NameLookup {
        let ids = self.in_scope.get(name).map_or(&[][..], |it| it);
        let mut fitting = ids.iter().filter(|it| is(self.variables[it.index()].role));
        match (fitting.next(), fitting.next()) {
            (None, _) => NameLookup::Nothing,
            (Some(it), None) => NameLookup::One(*it),
            _ => NameLookup::Many,
        }
    }

    /// Checks an expression that stands for itself, where this type is wanted.
    pub fn check(&mut self, exp: &'a Exp, wanted: Option<&Ty>) -> Node<'a> {
        let horizon = self.unifier.horizon();
        let InferredNode { node, choices } = self.infer(exp);
        let mut node = node;
        if !matches!(node.ty, Ty::Error) && !self.choose(&node, &choices, wanted) {
            let actual = self.unifier.whole(&node.ty);
            let wanted = wanted.cloned().unwrap_or(Ty::Error);
            let message = format!("found {}, expected {}", actual.show(self.table), wanted.show(self.table));
            self.error(exp.span, message);
            node = Node::error(exp.span);
        }
        self.unifier.settle(horizon, self.place.axiom_of);
        self.finish(&mut node);
        node
    }

    /// Takes the first choice that is wanted.
    fn choose(&mut self, node: &Node<'a>, choices: &[Steps], wanted: Option<&Ty>) -> bool {
        let mark = self.unifier.mark();
        let nothing: [Steps; 1] = [[].into()];
        for steps in if choices.is_empty() { &nothing } else { choices } {
            if self.unifier.apply(steps) && wanted.is_none_or(|it| self.unifier.fits(&node.ty, it)) {
                return true;
            }
            self.unifier.undo(mark);
        }
        if let Some(first) = choices.first() {
            self.unifier.apply(first);
        }
        false
    }

    /// Writes down the types that were found out.
    fn finish(&self, node: &mut Node<'a>) {
        node.ty = self.unifier.whole(&node.ty);
        match &mut node.op {
            Op::DomainFunction(_, types) => types.iter_mut().for_each(|it| *it = self.unifier.whole(it)),
            Op::Quantified { triggers, .. } => {
                triggers.iter_mut().flat_map(|it| &mut it.exps).for_each(|it| self.finish(it))
            }
            _ => {}
        }
        node.args.iter_mut().for_each(|it| self.finish(it));
    }

    /// The variables of the member that ends here, with what was found out about their types.
    pub fn take_variables(&mut self) -> Vec<Var> {
        let mut res = std::mem::take(&mut self.variables);
        res.iter_mut().for_each(|it| it.ty = self.unifier.whole(&it.ty));
        res
    }
}

impl Node<'_> {
    /// In place of an expression with which something is wrong.
    pub fn error(span: Span) -> Self {
        Node { op: Op::Error, args: Vec::new(), ty: Ty::Error, span }
    }
}
