//! The types in members.
//!
//! Knows: what is allowed in which part of a member. Never: kinds of expressions and statements, consistency.
//! Source: `checkBody` in silver's `Resolver.scala`.

use super::checker::{Checker, ExpPosition};
use super::table::{Table, TypeScope};
use super::tree::{Axiom, Bodies, Function, Labels, Method, Node, Predicate, Role};
use super::types::{AdtId, Ty};
use crate::ReadError;
use crate::ast::{self, StmtKind};
use effigy_contracts::program::DomainId;
use rustc_hash::FxHashSet;

/// Checks all bodies; what is wrong is in the second.
pub fn bodies<'a>(table: &Table<'a>, errors: Vec<ReadError>) -> (Bodies<'a>, Vec<ReadError>) {
    let mut checker = Checker::new(table, errors);
    let mut bodies = Bodies::default();
    for (idx, adt) in table.adts.iter().enumerate() {
        checker.adt(adt);
        bodies.adts.push((AdtId(idx as u32), adt));
    }
    for (idx, domain) in table.domains.iter().enumerate() {
        for axiom in &domain.axioms {
            bodies.axioms.push(checker.axiom(DomainId(idx as u32), domain, axiom));
        }
    }
    for (function, signature) in &table.functions {
        bodies.functions.push(checker.function(function, &signature.parameters, &signature.result));
    }
    for (predicate, parameters) in &table.predicates {
        bodies.predicates.push(checker.predicate(predicate, parameters));
    }
    for (method, signature) in &table.methods {
        bodies.methods.push(checker.method(method, &signature.parameters, &signature.results));
    }
    (bodies, checker.errors)
}

impl<'a> Checker<'_, 'a> {
    fn adt(&mut self, decl: &'a ast::Adt) {
        for constructor in &decl.constructors {
            let discriminator = format!("is{}", constructor.name.text);
            if !self.table.callables(&discriminator).is_empty() || !self.table.fields(&discriminator).is_empty() {
                self.error(constructor.name.span, format!("the discriminator `{discriminator}` is declared otherwise"));
            }
        }
        self.start(ExpPosition { types: TypeScope { variables: &decl.type_variables }, ..ExpPosition::default() });
        let fields: FxHashSet<&str> =
            decl.constructors.iter().flat_map(|it| &it.parameters).map(|it| &*it.name.text).collect();
        let mut derived: FxHashSet<&str> = FxHashSet::default();
        for derive in decl.derives.iter().flatten() {
            if let Some(typ) = &derive.parameter {
                self.resolve(typ);
            }
            if !derived.insert(&derive.name.text) {
                self.error(derive.name.span, format!("duplicate derivation of function `{}`", derive.name.text));
            }
            for name in derive.without.iter().filter(|it| !fields.contains(&*it.text)) {
                self.error(name.span, format!("undeclared adt field `{}`", name.text));
            }
        }
    }

    fn axiom(&mut self, domain: DomainId, decl: &'a ast::Domain, axiom: &'a ast::Axiom) -> Axiom<'a> {
        let types = TypeScope { variables: &decl.type_variables };
        self.start(ExpPosition { axiom_of: Some(domain), types, ..ExpPosition::default() });
        let body = self.check(&axiom.body, Some(&Ty::Bool));
        Axiom { domain, decl: axiom, variables: self.take_variables(), body }
    }

    fn function(&mut self, decl: &'a ast::Function, parameters: &[Ty], result: &Ty) -> Function<'a> {
        self.start(ExpPosition::default());
        self.declare_all(&decl.parameters, parameters, Role::Parameter);
        let pre: Vec<_> = decl.pre.iter().map(|it| self.contract(it, false)).collect();
        pre.iter().for_each(|it| self.no_wands(it));
        let decreases = self.decreases(&decl.decreases);
        self.place.result = Some(result.clone());
        self.place.perm_ban = Some("function postconditions");
        let mut post = Vec::new();
        for it in &decl.post {
            let node = self.check(it, Some(&Ty::Bool));
            self.no_introspection(&node, true);
            post.push(node);
        }
        self.place.perm_ban = None;
        let body = decl.body.as_ref().map(|it| self.check(it, Some(result)));
        Function { decl, result: result.clone(), variables: self.take_variables(), pre, post, decreases, body }
    }

    fn predicate(&mut self, decl: &'a ast::Predicate, parameters: &[Ty]) -> Predicate<'a> {
        self.start(ExpPosition::default());
        self.declare_all(&decl.parameters, parameters, Role::Parameter);
        let body = decl.body.as_ref().map(|it| self.assertion(it));
        body.iter().for_each(|it| self.no_wands(it));
        Predicate { decl, variables: self.take_variables(), body }
    }

    fn method(&mut self, decl: &'a ast::Method, parameters: &[Ty], results: &[Ty]) -> Method<'a> {
        self.start(ExpPosition::default());
        self.declare_all(&decl.parameters, parameters, Role::Parameter);
        self.declare_all(&decl.results, results, Role::Result);
        let pre = decl.pre.iter().map(|it| self.contract(it, false)).collect();
        let post = decl.post.iter().map(|it| self.contract(it, false)).collect();
        let decreases = self.decreases(&decl.decreases);
        let body = decl.body.as_ref().map(|it| self.block(it));
        let mut labels = Labels::default();
        decl.body.iter().for_each(|it| collect_labels(it, &mut labels));
        Method { decl, variables: self.take_variables(), labels, pre, post, decreases, body }
    }

    fn no_wands(&mut self, node: &Node) {
        if node.is_wand() {
            self.error(node.span, "magic wands are not supported in function preconditions or predicates");
        } else {
            node.parts().for_each(|it| self.no_wands(it));
        }
    }
}

/// The labels of a body, also those inside of proof scripts.
fn collect_labels(block: &ast::Block, out: &mut Labels) {
    for stmt in &block.stmts {
        let mut kind = &stmt.kind;
        while let StmtKind::Annotated(_, inner) = kind {
            kind = &inner.kind;
        }
        match kind {
            StmtKind::Label { name, .. } => out.add(&name.text, stmt.span),
            StmtKind::If(_, then, other) => {
                collect_labels(then, out);
                other.iter().for_each(|it| collect_labels(it, out));
            }
            StmtKind::While { body, .. } | StmtKind::Block(body) | StmtKind::Package(_, Some(body)) => {
                collect_labels(body, out)
            }
            _ => {}
        }
    }
}
