//! Expands macros (`define`).
//!
//! Knows: macros of the program and of a method, hygiene, bounds. Never: types, what a name means.
//! Source: silver's `MacroExpander.scala`.
//!
//! Like silver: what a macro declares is renamed (`x$0`) only if the name is taken where it is used, so that a
//! statement macro may declare a variable for its user; everything in an expansion stands where the macro is used.
//! Unlike silver: names that a macro binds hide its parameters in all binders alike, and only there.

mod declared;
mod expand;
mod exps;
mod stmts;

use crate::ast::{Item, Macro, MacroBody, Stmt, StmtKind};
use crate::error::ReadError;
use expand::Expander;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The macros of a program, by name.
type ByName<'a> = HashMap<&'a str, &'a Macro>;

/// The macros that may be used somewhere.
struct Macros<'a> {
    global: &'a ByName<'a>,
    /// Those of the method, which hide global ones.
    local: ByName<'a>,
}

impl<'a> Macros<'a> {
    fn get(&self, name: &str) -> Option<&'a Macro> {
        self.local.get(name).or_else(|| self.global.get(name)).copied()
    }
}

/// The declarations with macros expanded, and warnings.
pub(crate) fn expand(items: Vec<Item>) -> Result<(Vec<Item>, Vec<ReadError>), Vec<ReadError>> {
    let (definitions, items): (Vec<Item>, Vec<Item>) = items.into_iter().partition(|it| matches!(it, Item::Macro(_)));
    let definitions: Vec<Macro> = definitions
        .into_iter()
        .filter_map(|it| match it {
            Item::Macro(it) => Some(it),
            _ => None,
        })
        .collect();
    let names = declared::global_names(&items);
    let (mut errors, mut warnings) = (Vec::new(), Vec::new());
    let global = global_macros(&definitions, &names, &mut errors);
    let all_names: HashSet<Arc<str>> =
        names.keys().cloned().chain(definitions.iter().map(|it| it.name.text.clone())).collect();
    warnings.extend(definitions.iter().filter_map(unused_parameters));

    let mut res = Vec::with_capacity(items.len());
    let mut budget = expand::MAX_SIZE;
    for item in items {
        let mut local: Vec<Macro> = Vec::new();
        if let Item::Method(method) = &item {
            let body = method.body.iter().flat_map(|it| &it.stmts);
            declared::local_macros(body, false, &mut |it, in_script| match in_script {
                true => errors
                    .push(ReadError::parser(it.name.span, "a macro cannot be defined in the script of a magic wand")),
                false => local.push(it.clone()),
            });
        }
        if local.is_empty() && global.is_empty() && !declared::assigns_to_call(&item) {
            res.push(item);
            continue;
        }
        warnings.extend(local.iter().filter_map(unused_parameters));
        // Of several in one method, the first one counts, wherever they are used.
        let local: ByName = local.iter().rev().map(|it| (&*it.name.text, it)).collect();
        let macros = Macros { global: &global, local };
        match Expander::new(&macros, &all_names, &item, &mut budget).item(item) {
            Ok(item) => res.push(item),
            Err(error) => {
                // Like silver: one error of an expansion, as the next one is likely to be the same one.
                errors.push(*error);
                break;
            }
        }
    }
    if errors.is_empty() {
        Ok((res, warnings))
    } else {
        errors.extend(warnings);
        Err(errors)
    }
}

/// The program's macros by name; says where names collide.
fn global_macros<'a>(
    definitions: &'a [Macro],
    names: &HashMap<Arc<str>, declared::Global>,
    errors: &mut Vec<ReadError>,
) -> ByName<'a> {
    let mut res = ByName::new();
    for it in definitions {
        let name = &it.name;
        if let Some(other) = res.get(&*name.text) {
            let line = other.name.span.line;
            errors.push(ReadError::parser(
                name.span,
                format!("there is a macro `{}` already, in line {line}", name.text),
            ));
            continue;
        }
        if names.get(&name.text) == Some(&declared::Global::Member) {
            let what = format!("`{}` is not only a macro: another declaration has the same name", name.text);
            errors.push(ReadError::parser(name.span, what));
        }
        res.insert(&name.text, it);
    }
    res
}

fn unused_parameters(it: &Macro) -> Option<ReadError> {
    let parameters = it.parameters.as_deref().unwrap_or_default();
    if parameters.is_empty() {
        return None;
    }
    let mut used = HashSet::new();
    match &it.body {
        MacroBody::Exp(body) => declared::used_in_exp(body, &mut used),
        MacroBody::Block(body) => declared::used_in_block(body, &mut used),
    }
    let unused: Vec<&str> = parameters.iter().map(|it| &*it.text).filter(|it| !used.contains(it)).collect();
    let what = format!("the macro `{}` does not use its parameters {}", it.name.text, unused.join(", "));
    if unused.is_empty() { None } else { Some(ReadError::parser_warning(it.name.span, what)) }
}

/// The statements directly in a statement, block by block, without those of macros.
fn blocks(stmt: &Stmt) -> impl Iterator<Item = &crate::ast::Block> {
    let (first, second) = match &stmt.kind {
        StmtKind::If(_, then, otherwise) => (Some(then), otherwise.as_ref()),
        StmtKind::While { body, .. } => (Some(body), None),
        StmtKind::Package(_, script) => (script.as_ref(), None),
        StmtKind::Block(body) => (Some(body), None),
        _ => (None, None),
    };
    first.into_iter().chain(second)
}
