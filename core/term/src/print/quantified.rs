//! Quantified formulas in SMT-LIB 2: variables, body, patterns.
//!
//! Knows: which terms mention a bound variable, and must be written inside; what is shared among them is written once,
//! by `let`. Never: what is defined outside.

use super::names::{sort_text, symbol_name};
use super::shape::shape;
use crate::node::{Node, Quantification, Term};
use crate::symbol::Symbol;
use crate::terms::Terms;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;

/// A longer text is written once too: an unshared chain would be copied at each of its links.
const MOST_BYTES: usize = 2_000;

/// The terms of a quantified formula.
#[derive(Debug, Default)]
pub(super) struct Open {
    /// Those that mention a bound variable, and symbols.
    pub(super) open: Vec<Term>,
    /// The largest that do not.
    pub(super) closed: Vec<Term>,
}

impl Open {
    /// The terms below a quantified formula.
    pub(super) fn of(terms: &Terms, term: Term) -> Open {
        let bound = bound(terms, term);
        let mut res = Open::default();
        let mut work = vec![term];
        let mut seen = FxHashSet::default();
        while let Some(next) = work.pop() {
            if !seen.insert(next) {
                continue;
            }
            if next == term || mentions(terms, next, &bound) {
                res.open.push(next);
                terms.node(next).for_each_argument(|it| work.push(it));
            } else {
                res.closed.push(next);
            }
        }
        res
    }
}

/// The variables that are bound somewhere in a formula.
fn bound(terms: &Terms, term: Term) -> FxHashSet<Symbol> {
    let mut res = FxHashSet::default();
    let mut work = vec![term];
    let mut seen = FxHashSet::default();
    while let Some(next) = work.pop() {
        if !seen.insert(next) {
            continue;
        }
        if let Node::Quantifier(quantified) = terms.node(next) {
            res.extend(quantified.variables.iter().copied());
        }
        terms.node(next).for_each_argument(|it| work.push(it));
    }
    res
}

fn mentions(terms: &Terms, term: Term, bound: &FxHashSet<Symbol>) -> bool {
    terms.symbols(term).iter().any(|it| bound.contains(it))
}

/// The text of a quantified formula; `defined` has the names of terms that are written outside.
pub(super) fn text(terms: &Terms, term: Term, defined: &dyn Fn(Term) -> Option<String>) -> String {
    let Node::Quantifier(quantified) = terms.node(term) else { return one(terms, term, defined, false) };
    let Quantification { universal, variables, triggers, body } = &**quantified;
    let variables: Vec<String> = variables
        .iter()
        .map(|&it| format!("({} {})", symbol_name(terms, it), sort_text(terms, terms.symbol_info(it).sort)))
        .collect();
    let quantifier = if *universal { "forall" } else { "exists" };
    let outside = |it: Term| defined(it).filter(|_| !mentions_variable(terms, quantified, it));
    let body = one(terms, *body, &outside, true);
    if triggers.is_empty() {
        return format!("({quantifier} ({}) {body})", variables.join(" "));
    }
    let mut patterns = String::new();
    for trigger in triggers {
        let parts: Vec<String> = trigger.iter().map(|&it| one(terms, it, &outside, false)).collect();
        let _ = write!(patterns, " :pattern ({})", parts.join(" "));
    }
    format!("({quantifier} ({}) (! {body}{patterns}))", variables.join(" "))
}

/// A term with a variable may be defined outside too, where the variable is a symbol like any other.
fn mentions_variable(terms: &Terms, quantified: &Quantification, term: Term) -> bool {
    quantified.variables.iter().any(|it| terms.symbols(term).binary_search(it).is_ok())
}

/// The text of one term, with `let` for what is shared in it.
fn one(terms: &Terms, term: Term, defined: &dyn Fn(Term) -> Option<String>, sharing: bool) -> String {
    let uses = uses(terms, term, defined);
    let mut texts: FxHashMap<Term, String> = FxHashMap::default();
    let (mut lets, mut open) = (String::new(), 0);
    let mut work = vec![term];
    while let Some(&next) = work.last() {
        if texts.contains_key(&next) {
            work.pop();
            continue;
        }
        let before = work.len();
        let known = defined(next);
        let quantified = matches!(terms.node(next), Node::Quantifier(_));
        if known.is_none() && !quantified {
            terms.node(next).for_each_argument(|it| {
                if !texts.contains_key(&it) {
                    work.push(it);
                }
            });
        }
        if work.len() > before {
            continue;
        }
        work.pop();
        let written = match known {
            Some(name) => name,
            None if quantified => text(terms, next, defined),
            None => shape(terms, next, &mut |it| texts[&it].clone()),
        };
        let shared = uses.get(&next).is_some_and(|it| *it > 1) && written.starts_with('(');
        let written = if sharing && next != term && (shared || written.len() > MOST_BYTES) {
            let name = format!("l!{}", next.index());
            let _ = write!(lets, "(let (({name} {written})) ");
            open += 1;
            name
        } else {
            written
        };
        texts.insert(next, written);
    }
    let written = texts.remove(&term).unwrap_or_default();
    format!("{lets}{written}{}", ")".repeat(open))
}

/// How often each term is an argument.
fn uses(terms: &Terms, term: Term, defined: &dyn Fn(Term) -> Option<String>) -> FxHashMap<Term, usize> {
    let mut res: FxHashMap<Term, usize> = FxHashMap::default();
    let mut work = vec![term];
    while let Some(next) = work.pop() {
        let count = res.entry(next).or_insert(0);
        *count += 1;
        if *count == 1 && defined(next).is_none() && !matches!(terms.node(next), Node::Quantifier(_)) {
            terms.node(next).for_each_argument(|it| work.push(it));
        }
    }
    res
}
