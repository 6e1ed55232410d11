//! SMT-LIB 2, with sharing: every node is defined once.
//!
//! Knows: what must be declared and defined before a term, and what was already. Never: the notation of an operator
//! (`shape`), the solver that reads it.
//! Source: The SMT-LIB Standard 2.6.

use super::names::{POWER, function_name, quoted_if_needed, sort_text, symbol_name, uninterpreted_name};
use super::quantified::{self, Open};
use super::shape::shape;
use crate::node::{Node, Term};
use crate::sort::Sort;
use crate::symbol::{FunctionSymbol, Symbol};
use crate::terms::Terms;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;

/// Remembers what it has declared and defined, so that one solver process is told everything once.
#[derive(Debug, Default)]
pub struct SmtPrinter {
    defined: FxHashMap<Term, String>,
    symbols: FxHashSet<Symbol>,
    functions: FxHashSet<FunctionSymbol>,
    sorts: FxHashSet<Sort>,
    powers: bool,
    /// The names of symbols that its user has chosen.
    named: FxHashMap<Symbol, String>,
}

/// A term of at most so many nodes is written where it stands; chosen without measuring.
const MOST_NODES: usize = 24;

impl SmtPrinter {
    /// A printer that has printed nothing.
    pub fn new() -> SmtPrinter {
        SmtPrinter::default()
    }

    /// Declares a symbol under a name for people, which is no other symbol's and no reserved word. The names that the
    /// printer chooses have a `!` in them.
    pub fn declare_as(&mut self, terms: &Terms, symbol: Symbol, name: &str, text: &mut String) {
        let name = quoted_if_needed(name);
        let sort = terms.symbol_info(symbol).sort;
        self.declare_sort(terms, sort, text);
        let _ = writeln!(text, "(declare-fun {name} () {})", sort_text(terms, sort));
        self.symbols.insert(symbol);
        self.named.insert(symbol, name);
    }

    /// The text of `term`: written out where it is small, by its name otherwise. Appends what it needs to `text`.
    pub fn written_out(&mut self, terms: &Terms, term: Term, text: &mut String) -> String {
        let mut left = MOST_NODES;
        if is_small(terms, term, &mut left) { self.inline(terms, term, text) } else { self.define(terms, term, text) }
    }

    /// The text of a term that [`is_small`].
    fn inline(&mut self, terms: &Terms, term: Term, text: &mut String) -> String {
        match terms.node(term) {
            Node::Symbol(_) | Node::Quantifier(_) | Node::ConstArray(..) => return self.define(terms, term, text),
            Node::Apply(function, _) => self.declare_function(terms, *function, text),
            Node::IntPow(..) => self.declare_powers(text),
            _ => {}
        }
        shape(terms, term, &mut |it| self.inline(terms, it, text))
    }

    /// The number of terms that are defined.
    pub fn len(&self) -> usize {
        self.defined.len()
    }

    /// Whether nothing was defined yet.
    pub fn is_empty(&self) -> bool {
        self.defined.is_empty()
    }

    /// Appends the declarations and definitions that `term` needs and returns the name by which it goes.
    pub fn define(&mut self, terms: &Terms, term: Term, text: &mut String) -> String {
        let mut work = vec![term];
        while let Some(&next) = work.last() {
            if self.defined.contains_key(&next) {
                work.pop();
                continue;
            }
            let node = terms.node(next);
            let before = work.len();
            let mut needed = |it: Term| {
                if !self.defined.contains_key(&it) {
                    work.push(it);
                }
            };
            match node {
                Node::Quantifier(_) => Open::of(terms, next).closed.into_iter().for_each(needed),
                _ => node.for_each_argument(&mut needed),
            }
            if work.len() > before {
                continue;
            }
            let name = self.define_one(terms, next, text);
            self.defined.insert(next, name);
            work.pop();
        }
        self.defined[&term].clone()
    }

    fn define_one(&mut self, terms: &Terms, term: Term, text: &mut String) -> String {
        let body = match terms.node(term) {
            Node::Quantifier(_) => {
                let open = Open::of(terms, term);
                self.declare_below(terms, term, &open, text);
                quantified::text(terms, term, &|it| self.defined.get(&it).cloned())
            }
            Node::Symbol(symbol) => {
                self.declare(terms, *symbol, text);
                return self.named.get(symbol).cloned().unwrap_or_else(|| symbol_name(terms, *symbol));
            }
            Node::Apply(function, _) => {
                self.declare_function(terms, *function, text);
                shape(terms, term, &mut |it| self.defined[&it].clone())
            }
            Node::IntPow(..) => {
                self.declare_powers(text);
                shape(terms, term, &mut |it| self.defined[&it].clone())
            }
            Node::Bool(_) | Node::BitVec(_) | Node::Int(_) | Node::Real(_) => {
                return shape(terms, term, &mut |_| String::new());
            }
            Node::ConstArray(..) => {
                self.declare_sort(terms, terms.sort(term), text);
                shape(terms, term, &mut |it| self.defined[&it].clone())
            }
            _ => shape(terms, term, &mut |it| self.defined[&it].clone()),
        };
        let name = format!("t!{}", term.index());
        let _ = writeln!(text, "(define-fun {name} () {} {body})", sort_text(terms, terms.sort(term)));
        name
    }

    /// Declares what a quantified formula mentions beside terms that are defined.
    fn declare_below(&mut self, terms: &Terms, term: Term, open: &Open, text: &mut String) {
        for &next in &open.open {
            if let Node::Apply(function, _) = terms.node(next) {
                self.declare_function(terms, *function, text);
            }
            if let Node::IntPow(..) = terms.node(next) {
                self.declare_powers(text);
            }
            self.declare_sort(terms, terms.sort(next), text);
        }
        for &symbol in terms.symbols(term) {
            self.declare(terms, symbol, text);
        }
    }

    fn declare(&mut self, terms: &Terms, symbol: Symbol, text: &mut String) {
        if self.symbols.insert(symbol) {
            let sort = terms.symbol_info(symbol).sort;
            self.declare_sort(terms, sort, text);
            let _ = writeln!(text, "(declare-fun {} () {})", symbol_name(terms, symbol), sort_text(terms, sort));
        }
    }

    fn declare_function(&mut self, terms: &Terms, function: FunctionSymbol, text: &mut String) {
        if self.functions.insert(function) {
            let info = terms.function_info(function);
            info.arguments.iter().chain([&info.result]).for_each(|&it| self.declare_sort(terms, it, text));
            let arguments: Vec<String> = info.arguments.iter().map(|&it| sort_text(terms, it)).collect();
            let result = sort_text(terms, info.result);
            let _ =
                writeln!(text, "(declare-fun {} ({}) {result})", function_name(terms, function), arguments.join(" "));
        }
    }

    fn declare_powers(&mut self, text: &mut String) {
        if !std::mem::replace(&mut self.powers, true) {
            let _ = writeln!(text, "(declare-fun {POWER} (Int Int) Int)");
        }
    }

    fn declare_sort(&mut self, terms: &Terms, sort: Sort, text: &mut String) {
        match sort {
            Sort::Uninterpreted(name) if self.sorts.insert(sort) => {
                let _ = writeln!(text, "(declare-sort {} 0)", uninterpreted_name(terms, name));
            }
            Sort::Array(parts) => {
                let (index, element) = terms.array_parts(parts);
                self.declare_sort(terms, index, text);
                self.declare_sort(terms, element, text);
            }
            _ => {}
        }
    }

    /// The symbols that are declared.
    pub fn symbols(&self) -> impl Iterator<Item = Symbol> + '_ {
        self.symbols.iter().copied()
    }
}

/// Whether a term has at most `left` nodes, each counted where it occurs; what is left of them afterwards.
fn is_small(terms: &Terms, term: Term, left: &mut usize) -> bool {
    let Some(rest) = left.checked_sub(1) else { return false };
    *left = rest;
    let mut res = true;
    terms.node(term).for_each_argument(|it| res = res && is_small(terms, it, left));
    res
}
