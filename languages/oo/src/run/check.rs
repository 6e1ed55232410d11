//! From the text of a program that is executed to a checked [`Program`].
//!
//! Knows: names, types, the order of effects. Never: states, terms.
//! Source: de Boer and Bonsangue (2021), the grammars of sections 2, 2.1, 3 and 4.
//!
//! *Variables.* What the main statement declares is global, in nested blocks, too, and its value at the start is an
//! input; a nested declaration without a value keeps the value of the last time in a loop. What stands at the main
//! statement's top level is known in every procedure and method, unless a local variable or a field has its name.
//! Locals of routines are known in their block, and `0`, `false` or `nil` whenever their declaration is reached.
//!
//! *Results.* A routine with a result that ends without `return` gives `0`, `false` or `nil`.
//!
//! *Effects* inside of expressions (calls, `new`, `i++`) become statements with temporaries. They happen from left to
//! right; what stands to the left keeps its value. Where evaluation is conditional, so is the effect. What has no effect
//! stays an expression. Calls and creations that are all that is assigned go right into the target, whose
//! subexpressions are evaluated after the call then, as section 4's `h := r`, unless they have effects themselves.
//!
//! *Contracts* (`requires`, `ensures`, `invariant`, predicates, `open`, `close`, `use`, `join`) have no effect and are
//! not checked; an `assert` that only a verifier understands (access, predicates, `old`, the separating `*`) is skipped.

mod call;
mod chain;
mod connective;
mod declare;
mod expression;
mod scope;
mod statement;
mod value;

use super::program::{Expr, Program, RoutineId, Type};
use crate::token::{TokenKind, tokens};
use crate::{ReadError, parse};
use scope::Checker;

/// Reads and checks a program that is executed. The errors are never empty, and in the order of the text.
pub fn read(name: &str, text: &str) -> Result<Program, Vec<ReadError>> {
    let tokens = tokens(text).map_err(|it| vec![it])?;
    let words = tokens.iter().filter_map(|it| match &it.kind {
        TokenKind::Word(word) => Some(word.clone()),
        _ => None,
    });
    let mut checker = Checker::new(name, text, words.collect());
    let source = parse::parse(tokens).map_err(|it| vec![*it])?;
    checker.program(&source);
    checker.finish()
}

/// Reads an expression that stands in a routine of a program: its variables and the global ones are known. It has no
/// effects.
pub fn read_expression(program: &Program, routine: RoutineId, text: &str) -> Result<(Expr, Type), ReadError> {
    let source = parse::parse_expression(tokens(text)?).map_err(|it| *it)?;
    Checker::inside(program, routine).lone_expression(&source)
}
