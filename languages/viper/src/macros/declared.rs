//! Which names are declared and used where: what a macro's own names must avoid.
//!
//! Knows: declarations and binders. Never: scopes' rules (the checker knows).

use super::blocks;
use crate::ast::{Block, Decreases, Exp, ExpKind, Item, Macro, MacroBody, Measure, Name, NewFields, OldLabel, Stmt};
use crate::ast::{StmtKind, Type, TypeKind};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Whose name a global name is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Global {
    /// A domain, function, predicate or method, which a macro must not be named after.
    Member,
    /// Something else that is visible everywhere.
    Other,
}

/// The names that are visible everywhere, macros apart.
pub(super) fn global_names(items: &[Item]) -> HashMap<Arc<str>, Global> {
    let mut res = HashMap::new();
    let mut add = |name: &Name, what| {
        let entry = res.entry(name.text.clone()).or_insert(what);
        if what == Global::Member {
            *entry = what;
        }
    };
    for item in items {
        match item {
            Item::Import(_) | Item::Macro(_) => {}
            Item::Fields(it) => it.fields.iter().for_each(|it| add(&it.name, Global::Other)),
            Item::Method(it) => add(&it.name, Global::Member),
            Item::Function(it) => add(&it.name, Global::Member),
            Item::Predicate(it) => add(&it.name, Global::Member),
            Item::Domain(it) => {
                add(&it.name, Global::Member);
                it.functions.iter().for_each(|it| add(&it.name, Global::Other));
                it.axioms.iter().filter_map(|it| it.name.as_ref()).for_each(|it| add(it, Global::Other));
            }
            Item::Adt(it) => {
                add(&it.name, Global::Other);
                for it in &it.constructors {
                    add(&it.name, Global::Other);
                    it.parameters.iter().for_each(|it| add(&it.name, Global::Other));
                }
            }
        }
    }
    res
}

/// The names that a declaration declares in itself: parameters, variables, labels, bound variables.
pub(super) fn names_in(item: &Item) -> HashSet<Arc<str>> {
    let mut res = HashSet::new();
    let mut exps: Vec<&Exp> = Vec::new();
    match item {
        Item::Import(_) | Item::Macro(_) | Item::Fields(_) | Item::Adt(_) => {}
        Item::Method(it) => {
            res.extend(it.parameters.iter().chain(&it.results).map(|it| it.name.text.clone()));
            exps.extend(it.pre.iter().chain(&it.post));
            it.decreases.iter().for_each(|it| measure_exps(it, &mut |it| exps.push(it)));
            it.body.iter().for_each(|it| declared_in_block(it, &mut res));
        }
        Item::Function(it) => {
            res.extend(it.parameters.iter().map(|it| it.name.text.clone()));
            exps.extend(it.pre.iter().chain(&it.post).chain(&it.body));
            it.decreases.iter().for_each(|it| measure_exps(it, &mut |it| exps.push(it)));
        }
        Item::Predicate(it) => {
            res.extend(it.parameters.iter().map(|it| it.name.text.clone()));
            exps.extend(&it.body);
        }
        Item::Domain(it) => {
            res.extend(it.type_variables.iter().map(|it| it.text.clone()));
            let parameters = it.functions.iter().flat_map(|it| &it.parameters).filter_map(|(name, _)| name.as_ref());
            res.extend(parameters.map(|it| it.text.clone()));
            exps.extend(it.axioms.iter().map(|it| &it.body));
        }
    }
    exps.into_iter().for_each(|it| declared_in_exp(it, &mut res));
    res
}

fn declared_in_exp(exp: &Exp, res: &mut HashSet<Arc<str>>) {
    match &exp.kind {
        ExpKind::Quantified(it) => res.extend(it.variables.iter().map(|it| it.name.text.clone())),
        ExpKind::ForPerm(variables, ..) => res.extend(variables.iter().map(|it| it.name.text.clone())),
        ExpKind::Let(name, ..) => drop(res.insert(name.text.clone())),
        _ => {}
    }
    exp.kind.each_child(&mut |it| declared_in_exp(it, res));
}

fn declared_in_block(block: &Block, res: &mut HashSet<Arc<str>>) {
    for stmt in &block.stmts {
        declared_in_stmt(stmt, res);
    }
}

fn declared_in_stmt(stmt: &Stmt, res: &mut HashSet<Arc<str>>) {
    match &stmt.kind {
        StmtKind::Var(variables, _) | StmtKind::Quasihavocall(variables, ..) => {
            res.extend(variables.iter().map(|it| it.name.text.clone()));
        }
        StmtKind::Label { name, .. } => drop(res.insert(name.text.clone())),
        StmtKind::Annotated(_, inner) => declared_in_stmt(inner, res),
        _ => {}
    }
    stmt_exps(stmt, &mut |it| declared_in_exp(it, res));
    blocks(stmt).for_each(|it| declared_in_block(it, res));
}

/// The labels that a macro's body declares.
pub(super) fn labels<'a>(block: &'a Block, found: &mut dyn FnMut(&'a Name)) {
    for mut stmt in &block.stmts {
        while let StmtKind::Annotated(_, inner) = &stmt.kind {
            stmt = inner;
        }
        if let StmtKind::Label { name, .. } = &stmt.kind {
            found(name);
        }
        blocks(stmt).for_each(|it| labels(it, found));
    }
}

/// The macros that statements define, and whether that is in the script of a magic wand.
pub(super) fn local_macros<'a>(
    stmts: impl IntoIterator<Item = &'a Stmt>,
    in_script: bool,
    found: &mut dyn FnMut(&'a Macro, bool),
) {
    for mut stmt in stmts {
        while let StmtKind::Annotated(_, inner) = &stmt.kind {
            stmt = inner;
        }
        if let StmtKind::Define(it) = &stmt.kind {
            found(it, in_script);
            if let MacroBody::Block(body) = &it.body {
                local_macros(&body.stmts, in_script, found);
            }
        }
        let in_script = in_script || matches!(stmt.kind, StmtKind::Package(..));
        blocks(stmt).for_each(|it| local_macros(&it.stmts, in_script, found));
    }
}

/// Whether a call is the target of an assignment somewhere, which only a macro's may be.
pub(super) fn assigns_to_call(item: &Item) -> bool {
    fn in_block(block: &Block) -> bool {
        block.stmts.iter().any(|mut stmt| {
            while let StmtKind::Annotated(_, inner) = &stmt.kind {
                stmt = inner;
            }
            match &stmt.kind {
                StmtKind::Assign(targets, _) => targets.iter().any(|it| matches!(it.kind, ExpKind::Call(..))),
                _ => blocks(stmt).any(in_block),
            }
        })
    }
    matches!(item, Item::Method(it) if it.body.as_ref().is_some_and(in_block))
}

/// The expressions directly in a statement.
fn stmt_exps<'a>(stmt: &'a Stmt, visit: &mut dyn FnMut(&'a Exp)) {
    use StmtKind::*;
    match &stmt.kind {
        Var(_, value) => value.iter().for_each(visit),
        Assign(targets, value) => targets.iter().chain([value]).for_each(visit),
        Call(it)
        | Assert(it)
        | Assume(it)
        | Inhale(it)
        | Exhale(it)
        | Refute(it)
        | Fold(it)
        | Unfold(it)
        | Apply(it)
        | If(it, ..)
        | Package(it, _) => visit(it),
        While { cond, invariants, decreases, .. } => {
            visit(cond);
            invariants.iter().for_each(&mut *visit);
            decreases.iter().for_each(|it| measure_exps(it, visit));
        }
        Label { invariants, decreases, .. } => {
            invariants.iter().for_each(&mut *visit);
            decreases.iter().for_each(|it| measure_exps(it, visit));
        }
        Quasihavoc(cond, it) | Quasihavocall(_, cond, it) => cond.iter().chain([it]).for_each(visit),
        Goto(_) | Block(_) | Define(_) | Annotated(..) => {}
    }
}

fn measure_exps<'a>(decreases: &'a Decreases, visit: &mut dyn FnMut(&'a Exp)) {
    if let Measure::Tuple(exps) = &decreases.measure {
        exps.iter().for_each(&mut *visit);
    }
    decreases.condition.iter().for_each(visit);
}

/// All names that an expression mentions, bound or not.
pub(super) fn used_in_exp<'a>(exp: &'a Exp, res: &mut HashSet<&'a str>) {
    match &exp.kind {
        ExpKind::Var(name) | ExpKind::Field(_, name) | ExpKind::PredicateInstance(name, _) => {
            res.insert(&name.text);
        }
        ExpKind::Call(name, _, typ) => {
            res.insert(&name.text);
            typ.iter().for_each(|it| used_in_type(it, res));
        }
        ExpKind::Old(Some(OldLabel::Label(name)), _) => drop(res.insert(&name.text)),
        ExpKind::New(NewFields::These(fields)) => res.extend(fields.iter().map(|it| &*it.text)),
        ExpKind::Collection(_, typ, _) => typ.iter().for_each(|it| used_in_type(it, res)),
        ExpKind::Map(Some(types), _) => {
            used_in_type(&types.0, res);
            used_in_type(&types.1, res);
        }
        ExpKind::Quantified(it) => it.variables.iter().for_each(|it| used_in_type(&it.typ, res)),
        ExpKind::ForPerm(variables, ..) => variables.iter().for_each(|it| used_in_type(&it.typ, res)),
        _ => {}
    }
    exp.kind.each_child(&mut |it| used_in_exp(it, res));
}

fn used_in_type<'a>(typ: &'a Type, res: &mut HashSet<&'a str>) {
    match &typ.kind {
        TypeKind::Seq(it) | TypeKind::Set(it) | TypeKind::Multiset(it) => used_in_type(it, res),
        TypeKind::Map(key, value) => {
            used_in_type(key, res);
            used_in_type(value, res);
        }
        TypeKind::Named(name, args) => {
            res.insert(&name.text);
            args.iter().for_each(|it| used_in_type(it, res));
        }
        TypeKind::Int | TypeKind::Bool | TypeKind::Ref | TypeKind::Perm => {}
    }
}

/// All names that statements mention.
pub(super) fn used_in_block<'a>(block: &'a Block, res: &mut HashSet<&'a str>) {
    for mut stmt in &block.stmts {
        while let StmtKind::Annotated(_, inner) = &stmt.kind {
            stmt = inner;
        }
        match &stmt.kind {
            StmtKind::Goto(name) | StmtKind::Label { name, .. } => drop(res.insert(&name.text)),
            StmtKind::Var(variables, _) | StmtKind::Quasihavocall(variables, ..) => {
                variables.iter().for_each(|it| used_in_type(&it.typ, res));
            }
            _ => {}
        }
        stmt_exps(stmt, &mut |it| used_in_exp(it, res));
        blocks(stmt).for_each(|it| used_in_block(it, res));
    }
}
