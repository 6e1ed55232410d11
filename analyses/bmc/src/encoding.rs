//! The memoryless encoding: a formula in which each value that is computed has a variable of its own.
//!
//! Knows: which terms get a version, the equations of all of them. Never: paths, what is asked.
//! Source: Strejček, IA159, "Memoryless version of symbolic execution": assignments are conjuncts of the path condition,
//! on versions of the variables. Here a value is one wherever it is assigned to, and what is only moved has no version.

use effigy_term::{Node, Sort, Symbol, SymbolKind, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// How a formula represents the values of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Encoding {
    /// By their terms, which are conditional where paths were merged.
    #[default]
    Values,
    /// By equations of versions: the memoryless encoding.
    Equations,
}

/// The versions of one check.
#[derive(Default)]
pub(crate) struct Equations {
    /// The version that stands for each term.
    written: FxHashMap<Term, Term>,
    /// What each version is equal to.
    of: FxHashMap<Symbol, Term>,
}

impl Equations {
    /// A formula with the same models, but for the versions: the goal on versions, and the equations of those that it
    /// rests on.
    pub(crate) fn formula(&mut self, terms: &Terms, goal: Term) -> Term {
        let Equations { written, of } = self;
        let stop = |it: Term| {
            let same = terms.symbols(it).is_empty() || matches!(terms.node(it), Node::Quantifier(_));
            same.then_some(it)
        };
        let goal = terms.fold_into(written, goal, stop, |was, done| {
            let res = terms.with_arguments(was, &|it| done[&it]);
            // Built of versions it may be a value that was there before.
            if !is_computed(terms, was) || !is_computed(terms, res) {
                return res;
            }
            let version = terms.symbol(&format!("version!{}", of.len()), terms.sort(res), SymbolKind::Fresh);
            of.insert(version, res);
            terms.of_symbol(version)
        });
        let mut needed: FxHashSet<Symbol> = FxHashSet::default();
        let mut work: Vec<Symbol> = terms.symbols(goal).to_vec();
        let mut equations = Vec::new();
        while let Some(symbol) = work.pop() {
            let Some(&value) = of.get(&symbol) else { continue };
            if needed.insert(symbol) {
                equations.push((symbol, value));
                work.extend(terms.symbols(value));
            }
        }
        // The order does not depend on that of a table.
        equations.sort();
        let equations = equations.into_iter().map(|(symbol, value)| terms.eq(terms.of_symbol(symbol), value));
        terms.and(terms.and_all(equations.collect::<Vec<_>>()), goal)
    }
}

/// Whether a term is what an assignment computes or what merging made: neither a condition, nor moved bits, nor memory.
fn is_computed(terms: &Terms, term: Term) -> bool {
    matches!(terms.sort(term), Sort::BitVec(_) | Sort::Int | Sort::Real)
        && matches!(
            terms.node(term),
            Node::Ite(..)
                | Node::BvSum(_)
                | Node::Bv(..)
                | Node::IntPoly(_)
                | Node::IntQuot(..)
                | Node::IntRem(..)
                | Node::IntDiv(..)
                | Node::IntMod(..)
                | Node::IntPow(..)
                | Node::RealPoly(_)
                | Node::RealDiv(..)
                | Node::Float(_)
        )
}

#[cfg(test)]
mod tests {
    use super::*;
    use effigy_term::eval::Evaluator;
    use effigy_term::{Model, Value, Width};

    /// Each assignment to the symbols of `goal` satisfies it exactly if, with the values of the versions, it satisfies the
    /// formula.
    #[test]
    fn what_satisfies_one_satisfies_the_other() {
        let terms = Terms::new();
        let input = |name: &str| terms.symbol(name, Sort::BitVec(Width::of(3)), SymbolKind::Input);
        let (x, y) = (input("x"), input("y"));
        let (a, b) = (terms.of_symbol(x), terms.of_symbol(y));
        let sum = terms.bv_add(a, terms.bv_mul(b, b));
        let either = terms.ite(terms.bv_ult(a, b), sum, terms.bv_add(b, terms.bv_u64(Width::of(3), 1)));
        let again = terms.bv_add(either, sum);
        let goal = terms.and(terms.bv_ult(either, again), terms.not(terms.eq(again, a)));
        let mut equations = Equations::default();
        let formula = equations.formula(&terms, goal);
        assert_ne!(formula, goal);
        assert_eq!(equations.formula(&terms, goal), formula, "versions are kept");
        for bits in 0..64u64 {
            let mut model = Model::new();
            for (symbol, value) in [(x, bits & 7), (y, bits >> 3)] {
                let value = terms.bv_u64(Width::of(3), value);
                let Some(value) = Evaluator::new(&terms, &Model::new()).value(value) else { panic!("a constant") };
                model.set(symbol, value);
            }
            let expected = Evaluator::new(&terms, &model).truth(goal);
            let mut left: Vec<(Symbol, Term)> = equations.of.iter().map(|it| (*it.0, *it.1)).collect();
            // The later ones rest on the earlier ones.
            left.sort();
            for (symbol, value) in left {
                let value: Value = Evaluator::new(&terms, &model).value(value).expect("a value");
                model.set(symbol, value);
            }
            assert_eq!(Evaluator::new(&terms, &model).truth(formula), expected, "{bits:06b}");
        }
    }
}
