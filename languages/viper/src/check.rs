//! Names, types and consistency: from the syntax tree to the program that is verified.
//!
//! Knows: what names mean, types, Viper's consistency rules. Never: text, macros, imports, verification.
//! Source: silver's phases, each of which runs only if the one before found nothing: names and types
//! (`Resolver.scala`), what its translation reports (`Translator.scala`, still type errors), consistency
//! (`Consistency.scala` and the `check` of each node), what its plugins report.

mod call;
mod checker;
mod consistency;
mod emit;
mod exp;
mod member;
mod orders;
mod overload;
mod scope;
mod stmt;
mod table;
mod tree;
mod types;

use crate::{ReadError, ast};
use std::collections::BTreeSet;

/// Trees are up to [`ast::MAX_DEPTH`] deep, in blocks that nest as well, and each level takes a few kilobytes: more than
/// the stack of an ordinary thread. Memory that is not needed is only reserved.
const STACK: usize = 128 << 20;

/// Checks a program whose imports were followed and whose macros were expanded.
pub fn check(program: &ast::Program) -> Result<effigy_contracts::Program, Vec<ReadError>> {
    let no_thread = |it| Err(vec![ReadError::consistency(ast::Span::default(), it)]);
    on_large_stack(|| phases(program)).unwrap_or_else(no_thread)
}

/// The files of the standard library in which the orders of the program's measures are, if it does not have them.
pub fn missing_orders(program: &ast::Program) -> BTreeSet<&'static str> {
    let find = || {
        let mut errors = Vec::new();
        let table = table::Table::new(program, &mut errors);
        let (bodies, _) = member::bodies(&table, errors);
        orders::missing(program, &table, &bodies)
    };
    on_large_stack(find).unwrap_or_default()
}

fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, String> {
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().name("viper-check".to_owned()).stack_size(STACK);
        let thread = builder.spawn_scoped(scope, work);
        let thread = thread.map_err(|it| format!("the checker's thread cannot be started: {it}"))?;
        thread.join().map_err(|panic| std::panic::resume_unwind(panic))
    })
}

fn phases(program: &ast::Program) -> Result<effigy_contracts::Program, Vec<ReadError>> {
    let mut errors = scope::clashes(program);
    let table = table::Table::new(program, &mut errors);
    let (bodies, errors) = member::bodies(&table, errors);
    some(errors)?;
    some(consistency::translation_errors(&table, &bodies))?;
    some(consistency::errors(program, &table, &bodies))?;
    some(consistency::plugin_errors(&table, &bodies))?;
    Ok(emit::program(program, &table, &bodies))
}

/// Errors in the order of the source, if there are any.
fn some(mut errors: Vec<ReadError>) -> Result<(), Vec<ReadError>> {
    errors.sort_by_key(|it| (it.span.file, it.span.line, it.span.column));
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}
