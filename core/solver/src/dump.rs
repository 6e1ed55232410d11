//! One formula for other tools: as a script of SMT-LIB 2, as clauses in the format of DIMACS.
//!
//! Knows: the formats. Never: answers.

pub use crate::backends::bits::dimacs;
use crate::theories::powers::Powers;
use effigy_term::print::SmtPrinter;
use effigy_term::{Symbol, Term, Terms};

/// A symbol, its name for people, and the term that it is equal to.
pub type Definition = (Symbol, String, Term);

/// A script of SMT-LIB 2 that asks whether all `roots` can hold; `head` comes first, then an equation for each
/// definition, the sides of which stay where they are.
pub fn smt2(terms: &Terms, definitions: &[Definition], roots: Vec<Term>, head: &str) -> String {
    let mut printer = SmtPrinter::new();
    let mut text = head.to_owned();
    for (symbol, name, value) in definitions {
        printer.declare_as(terms, *symbol, name, &mut text);
        let (left, right) = (terms.of_symbol(*symbol), printer.written_out(terms, *value, &mut text));
        let left = printer.define(terms, left, &mut text);
        text.push_str(&format!("(assert (= {left} {right}))\n"));
    }
    let all: Vec<Term> = roots.iter().copied().chain(definitions.iter().map(|it| it.2)).collect();
    let powers = Powers::of(terms, &all).instances(terms);
    for root in roots.into_iter().chain(powers) {
        let name = printer.define(terms, root, &mut text);
        text.push_str(&format!("(assert {name})\n"));
    }
    text.push_str("(check-sat)\n");
    text
}
