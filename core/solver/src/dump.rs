//! One formula for other tools: as a script of SMT-LIB 2, as clauses in the format of DIMACS.
//!
//! Knows: the formats. Never: answers.

pub use crate::backends::bits::dimacs;
use crate::theories::powers::Powers;
use effigy_term::print::SmtPrinter;
use effigy_term::{Term, Terms};

/// A script of SMT-LIB 2 that asks whether all `roots` can hold; `head` comes first.
pub fn smt2(terms: &Terms, roots: Vec<Term>, head: &str) -> String {
    let mut printer = SmtPrinter::new();
    let mut text = head.to_owned();
    let powers = Powers::of(terms, &roots).instances(terms);
    for root in roots.into_iter().chain(powers) {
        let name = printer.define(terms, root, &mut text);
        text.push_str(&format!("(assert {name})\n"));
    }
    text.push_str("(check-sat)\n");
    text
}
