//! The memoryless encoding: a formula in which each value that is computed has a variable of its own.
//!
//! Knows: which terms get a version, the equations of all of them. Never: paths, what is asked.
//! Source: Strejček, IA159, "Memoryless version of symbolic execution": assignments are conjuncts of the path condition,
//! on versions of the variables. Here a value is one wherever it is assigned to, and what is only moved has no version.

use effigy_term::{Node, Sort, Symbol, SymbolKind, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

/// How a formula represents the values of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Encoding {
    /// By their terms, which are conditional where paths were merged.
    #[default]
    Values,
    /// By equations of versions: the memoryless encoding.
    Equations,
}

/// A formula as it is given to the solver and to other tools.
#[derive(Clone, Debug)]
pub struct EncodedFormula {
    /// The equations of the versions on which the goal rests, each after those on which it rests itself.
    pub equations: Vec<VersionEquation>,
    /// The condition that is asked for, of sort Bool.
    pub goal: Term,
}

/// An assignment as an equation.
#[derive(Clone, Debug)]
pub struct VersionEquation {
    /// The version of the variable.
    pub version: Symbol,
    /// The variable and the number of the version, for people: `s.3`. No two versions of a check have one name.
    pub name: String,
    /// The value that is assigned.
    pub value: Term,
}

impl EncodedFormula {
    /// A formula without versions.
    pub(crate) fn of_values(goal: Term) -> EncodedFormula {
        EncodedFormula { equations: Vec::new(), goal }
    }

    /// The conjunction of the equations and the goal.
    pub fn term(&self, terms: &Terms) -> Term {
        let equation = |it: &VersionEquation| terms.eq(terms.of_symbol(it.version), it.value);
        terms.and(terms.and_all(self.equations.iter().map(equation).collect::<Vec<_>>()), self.goal)
    }
}

/// The versions of one check.
#[derive(Default)]
pub(crate) struct Equations {
    /// The version that stands for each term.
    written: FxHashMap<Term, Term>,
    /// What each version is equal to, with its name.
    of: FxHashMap<Symbol, (Term, String)>,
    assigned: AssignedValues,
}

/// The values that variables were given on the walk: the names of versions.
#[derive(Default)]
pub(crate) struct AssignedValues {
    /// The variable that had a value first, and how many values it had before.
    names: FxHashMap<Term, (Arc<str>, usize)>,
    /// The values of each variable, in the order of the walk.
    values: FxHashMap<Arc<str>, Vec<Term>>,
    /// All of them, in the order of the walk.
    all: Vec<Term>,
    /// The number of them that have versions.
    written: usize,
}

impl AssignedValues {
    /// A variable has a value. It is named by the first variable that had it.
    pub(crate) fn add(&mut self, terms: &Terms, variable: &Arc<str>, value: Term) {
        if !is_computed(terms, value) || terms.symbols(value).is_empty() || self.names.contains_key(&value) {
            return;
        }
        let values = self.values.entry(Arc::clone(variable)).or_default();
        self.names.insert(value, (Arc::clone(variable), values.len()));
        values.push(value);
        self.all.push(value);
    }

    /// The name of the version of a value, which is counted if no variable had it.
    fn name(&mut self, value: Term) -> String {
        if !self.names.contains_key(&value) {
            let variable: Arc<str> = UNNAMED.into();
            let values = self.values.entry(Arc::clone(&variable)).or_default();
            self.names.insert(value, (variable, values.len()));
            values.push(value);
        }
        self.names.get(&value).map_or_else(String::new, |(variable, before)| format!("{variable}.{}", before + 1))
    }

    /// The values that the variable of this value had before, the last one first.
    fn before(&self, value: Term) -> impl Iterator<Item = Term> + '_ {
        let values = self.names.get(&value).and_then(|(variable, before)| self.values.get(variable)?.get(..*before));
        values.unwrap_or_default().iter().rev().copied().take(MOST_BEFORE)
    }
}

/// The name of a version of a value that no variable had.
const UNNAMED: &str = "value";

/// The number of earlier values of a variable of which a new one may be the sum with something; chosen without measuring.
const MOST_BEFORE: usize = 4;

impl Equations {
    /// The values that variables have on the walk are told here.
    pub(crate) fn assigned(&mut self) -> &mut AssignedValues {
        &mut self.assigned
    }

    /// A formula with the same models, but for the versions: the goal on versions, and the equations of those that it
    /// rests on.
    pub(crate) fn formula(&mut self, terms: &Terms, goal: Term) -> EncodedFormula {
        // In the order of the walk, so that a value can be told by those before it.
        while let Some(&value) = self.assigned.all.get(self.assigned.written) {
            self.assigned.written += 1;
            self.written(terms, value);
        }
        let goal = self.written(terms, goal);
        let mut needed: FxHashSet<Symbol> = FxHashSet::default();
        let mut work: Vec<Symbol> = terms.symbols(goal).to_vec();
        let mut equations = Vec::new();
        while let Some(symbol) = work.pop() {
            let Some((value, name)) = self.of.get(&symbol) else { continue };
            if needed.insert(symbol) {
                equations.push(VersionEquation { version: symbol, name: name.clone(), value: *value });
                work.extend(terms.symbols(*value));
            }
        }
        // The order does not depend on that of a table.
        equations.sort_by_key(|it| it.version);
        EncodedFormula { equations, goal }
    }

    /// A term on versions.
    fn written(&mut self, terms: &Terms, term: Term) -> Term {
        let Equations { written, of, assigned } = self;
        let stop = |it: Term| {
            let same = terms.symbols(it).is_empty() || matches!(terms.node(it), Node::Quantifier(_));
            same.then_some(it)
        };
        terms.fold_into(written, term, stop, |was, done| {
            let res = match assigned.before(was).find_map(|it| sum_with(terms, done, it, was)) {
                Some(sum) => sum,
                None => terms.with_arguments(was, &|it| done[&it]),
            };
            // Built of versions it may be a value that was there before.
            if !is_computed(terms, was) || !is_computed(terms, res) {
                return res;
            }
            let version = terms.symbol(&format!("version!{}", of.len()), terms.sort(res), SymbolKind::Fresh);
            of.insert(version, (res, assigned.name(was)));
            terms.of_symbol(version)
        })
    }
}

/// `now` as the sum of the version of an earlier value and of the rest, if that is shorter: `s.2 + v` for `u + v`.
fn sum_with(terms: &Terms, done: &FxHashMap<Term, Term>, earlier: Term, now: Term) -> Option<Term> {
    let (version, count) = (*done.get(&earlier)?, summands(terms, now)?);
    if !matches!(terms.node(version), Node::Symbol(_)) || terms.sort(earlier) != terms.sort(now) {
        return None;
    }
    let (rest, add): (Term, &dyn Fn(Term, Term) -> Term) = match terms.sort(now) {
        Sort::BitVec(_) => (terms.bv_sub(now, earlier), &|a, b| terms.bv_add(a, b)),
        Sort::Int => (terms.int_sub(now, earlier), &|a, b| terms.int_add(a, b)),
        _ => return None,
    };
    let rest = match done.get(&rest) {
        Some(rest) => *rest,
        // Only what the value itself is made of has been met.
        None => {
            let mut is_met = true;
            terms.node(rest).for_each_argument(|it| is_met = is_met && done.contains_key(&it));
            let is_shorter = summands(terms, rest).is_none_or(|it| it < count.saturating_sub(1));
            if !is_met || !is_shorter {
                return None;
            }
            terms.with_arguments(rest, &|it| done[&it])
        }
    };
    Some(add(version, rest))
}

/// The number of summands of a sum, the constant not counted.
fn summands(terms: &Terms, term: Term) -> Option<usize> {
    match terms.node(term) {
        Node::BvSum(sum) => Some(sum.summands.len()),
        Node::IntPoly(sum) => Some(sum.monomials.len()),
        _ => None,
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
        // As a walk meets them: `s = y * y`, `s += x`, `s = x < y ? s : y + 1`, `t = s`.
        for (variable, value) in [("s", terms.bv_mul(b, b)), ("s", sum), ("s", either), ("t", either)] {
            equations.assigned().add(&terms, &variable.into(), value);
        }
        let told = equations.formula(&terms, goal);
        let formula = told.term(&terms);
        assert_ne!(formula, goal);
        assert_eq!(equations.formula(&terms, goal).term(&terms), formula, "versions are kept");
        let names: Vec<&str> = told.equations.iter().map(|it| &*it.name).collect();
        assert_eq!(names, ["s.1", "s.2", "value.1", "s.3", "value.2", "value.3"]);
        let second = &told.equations[1];
        assert_eq!(second.value, terms.bv_add(terms.of_symbol(told.equations[0].version), a), "s.2 is s.1 + x");
        for bits in 0..64u64 {
            let mut model = Model::new();
            for (symbol, value) in [(x, bits & 7), (y, bits >> 3)] {
                let value = terms.bv_u64(Width::of(3), value);
                let Some(value) = Evaluator::new(&terms, &Model::new()).value(value) else { panic!("a constant") };
                model.set(symbol, value);
            }
            let expected = Evaluator::new(&terms, &model).truth(goal);
            let mut left: Vec<(Symbol, Term)> = equations.of.iter().map(|it| (*it.0, it.1.0)).collect();
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
