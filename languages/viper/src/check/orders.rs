//! The orders of the standard library that measures need and the program does not import.
//!
//! Knows: which order is of which type. Never: what an order says.
//! Source: silver's `TerminationPlugin.scala`, which adds these imports by itself.

use super::table::Table;
use super::tree::{Bodies, Decreases, Node, Stmt, StmtKind};
use super::types::Ty;
use crate::ast::Program;
use std::collections::BTreeSet;

/// What every order is declared in.
const DECLARATION: &str = "WellFoundedOrder";

/// The files of the standard library that are missing.
pub fn missing(program: &Program, table: &Table, bodies: &Bodies) -> BTreeSet<&'static str> {
    let declared = |name: &str| table.domains.iter().any(|it| &*it.name.text == name);
    let mut res = BTreeSet::new();
    // Who declares what an order is, in any file that is not of our library, has orders of their own.
    let is_own = |file: u32| program.files.get(file as usize).is_some_and(|it| !it.starts_with('<'));
    if table.domains.iter().any(|it| &*it.name.text == DECLARATION && is_own(it.span.file)) {
        return res;
    }
    for node in tuples(bodies) {
        let order = match &node.ty {
            Ty::Int => ("IntWellFoundedOrder", "decreases/int.vpr"),
            Ty::Bool => ("BoolWellFoundedOrder", "decreases/bool.vpr"),
            Ty::Ref => ("RefWellFoundedOrder", "decreases/ref.vpr"),
            Ty::Perm if declared("RationalWellFoundedOrder") => continue,
            Ty::Perm => ("PermWellFoundedOrder", "decreases/perm.vpr"),
            Ty::Seq(_) => ("SeqWellFoundedOrder", "decreases/seq.vpr"),
            Ty::Set(_) => ("SetWellFoundedOrder", "decreases/set.vpr"),
            Ty::Multiset(_) => ("MultisetWellFoundedOrder", "decreases/multiset.vpr"),
            Ty::Error | Ty::Undeclared(_) => continue,
            _ => (DECLARATION, "decreases/declaration.vpr"),
        };
        if !declared(order.0) {
            res.insert(order.1);
        }
    }
    res
}

/// The expressions of all tuples.
fn tuples<'b, 'a>(bodies: &'b Bodies<'a>) -> Vec<&'b Node<'a>> {
    let functions = bodies.functions.iter().flat_map(|it| &it.decreases);
    let methods = bodies.methods.iter().flat_map(|it| &it.decreases);
    let mut clauses: Vec<&Decreases<'a>> = functions.chain(methods).collect();
    let mut todo: Vec<&Stmt<'a>> = bodies.methods.iter().flat_map(|it| it.body.iter().flatten()).collect();
    while let Some(it) = todo.pop() {
        if let StmtKind::While { decreases, .. } | StmtKind::Label { decreases, .. } = &it.kind {
            clauses.extend(decreases);
        }
        it.parts(&mut |_| {}, &mut |it| todo.push(it));
    }
    clauses.into_iter().flat_map(|it| &it.tuple).collect()
}
