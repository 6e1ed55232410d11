//! Formulas without applications and quantifiers: in a walk each of these is a symbol that is written as it is.
//!
//! Knows: what a walk need not understand. Never: what follows from what.
//!
//! The verifier has decided already what is possible; a walk only tells its sides apart. So what snapshots and
//! functions say of one another may be left out, and no solver has to find a model for it.

use effigy_term::{Node, SymbolKind, Term, Terms, print};

/// `term` with a symbol for each application and each quantified formula in it.
pub(crate) fn plain(terms: &Terms, term: Term) -> Term {
    let stop = |it: Term| matches!(terms.node(it), Node::Apply(..) | Node::Quantifier(_)).then(|| symbol(terms, it));
    terms.fold(term, stop, |it, done| terms.with_arguments(it, &|it| done[&it]))
}

fn symbol(terms: &Terms, term: Term) -> Term {
    let mut name = print::math(terms, term);
    // What is not shown to its end is not told apart by what is shown.
    if name.contains('…') {
        name.push_str(&format!("#{}", term.index()));
    }
    terms.of_symbol(terms.symbol(&name, terms.sort(term), SymbolKind::Fresh))
}

/// Whether a formula says something that [`plain`] keeps: it is no quantified formula, nor has one in it.
pub(crate) fn is_kept(terms: &Terms, term: Term) -> bool {
    let mut work = vec![term];
    let mut seen = rustc_hash::FxHashSet::default();
    while let Some(next) = work.pop() {
        match terms.node(next) {
            Node::Quantifier(_) => return false,
            node => node.for_each_argument(|it| {
                if seen.insert(it) {
                    work.push(it);
                }
            }),
        }
    }
    true
}
