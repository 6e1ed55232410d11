//! What it is worth to keep what was evaluated along a path: one path of n branches over a term that grows from one to
//! the next, with the valuation of the path and with a fresh one at each question. `make bench` prints the table.

use effigy_engine::Valuation;
use effigy_term::{Model, Sort, SymbolKind, Term, Terms, Width};
use std::time::Instant;

/// The conditions of a path of `n` branches: x ← x · (x + in), in < x.
fn conditions(terms: &Terms, n: usize) -> Vec<Term> {
    let input = terms.of_symbol(terms.symbol("in", Sort::BitVec(Width::W32), SymbolKind::Input));
    let mut x = input;
    let next = |_| {
        x = terms.bv_mul(x, terms.bv_add(x, input));
        terms.bv_ult(input, x)
    };
    (0..n).map(next).collect()
}

#[allow(clippy::print_stdout, reason = "an example")]
fn main() {
    println!("{:>8} {:>12} {:>12} {:>7}", "branches", "kept ms", "afresh ms", "times");
    for n in [1_000, 2_000, 4_000, 10_000] {
        let terms = Terms::new();
        let conditions = conditions(&terms, n);
        let valuation = Valuation::from(Model::new());
        let since = Instant::now();
        conditions.iter().for_each(|it| assert!(valuation.truth(&terms, *it).is_some()));
        let kept = since.elapsed().as_secs_f64() * 1e3;
        let since = Instant::now();
        conditions.iter().for_each(|it| assert!(Valuation::from(Model::new()).truth(&terms, *it).is_some()));
        let afresh = since.elapsed().as_secs_f64() * 1e3;
        println!("{n:>8} {kept:>12.2} {afresh:>12.2} {:>7.0}", afresh / kept);
    }
}
