//! What a conjunction says of itself, before it becomes a circuit: equalities are substituted, what is known is put in.
//!
//! Knows: conjuncts, and how a model of what is left becomes a model of what was there. Never: circuits, clauses.
//!
//! Two passes in turn until nothing changes, each an equivalence by itself:
//! * *Solved*: a conjunct that is an equation with a symbol alone on one side, or that can be brought there, is taken out,
//!   and the symbol is replaced everywhere. Those of one pass do not mention each other's symbols.
//! * *Embedded*: a conjunct that occurs within another is true there, its negation false; a term that equals a constant is
//!   that constant elsewhere. Each conjunct keeps what it says itself, and only what is smaller than a conjunct is
//!   replaced in it, so that nothing is shown by itself.
//!
//! Arrays that differ do so at an index, which is a new symbol; arrays that are equal are substituted as other terms are.
//!
//! Source: Bitwuzla (Niemetz, Preiner, CAV 2023), its passes of the same names; Ganesh, Dill, CAV 2007 (odd factors).

#[cfg(test)]
mod tests;

use super::sat::Watch;
use effigy_term::eval::{Evaluator, default_value};
use effigy_term::node::BvSum;
use effigy_term::{BvOp, BvValue, Model, Node, Sort, Symbol, SymbolKind, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;

/// Passes over a query at most, and terms that are built again in all of them.
const MOST_PASSES: usize = 40;
const MOST_TERMS: usize = 200_000;

/// A conjunction that is satisfiable where another is.
pub(super) struct PreprocessedQuery {
    /// What is left of it.
    pub(super) roots: Vec<Term>,
    /// The symbols that were replaced, each by a term of those that were there then.
    replaced: Vec<(Symbol, Term)>,
}

impl PreprocessedQuery {
    /// The model, of what is left, with the values of the symbols that were replaced.
    pub(super) fn complete(&self, terms: &Terms, mut model: Model) -> Model {
        for &(symbol, term) in self.replaced.iter().rev() {
            let value = Evaluator::new(terms, &model).value(term);
            model.set(symbol, value.unwrap_or_else(|| default_value(terms, terms.symbol_info(symbol).sort)));
        }
        model
    }
}

/// The conjunction in a simpler form; `None` where there is nothing to be done, or no time.
pub(super) fn preprocess(terms: &Terms, roots: &[Term], watch: &Watch) -> Option<PreprocessedQuery> {
    let mut pass = Pass { terms, roots: roots.to_vec(), replaced: Vec::new(), left: MOST_TERMS };
    let mut changed = pass.tell_arrays_apart();
    for _ in 0..MOST_PASSES {
        let before = pass.roots.clone();
        pass.flatten();
        let solved = pass.substitute();
        pass.flatten();
        pass.embed();
        if pass.left == 0 || watch.is_over() {
            return None;
        }
        if !solved && pass.roots == before {
            break;
        }
        changed = true;
    }
    changed.then_some(PreprocessedQuery { roots: pass.roots, replaced: pass.replaced })
}

/// Whether some conjunct is an equation of arrays, which circuits do not know.
pub(super) fn equates_arrays(terms: &Terms, roots: &[Term]) -> bool {
    roots.iter().any(|&it| {
        let inner = if let Node::Not(inner) = terms.node(it) { *inner } else { it };
        matches!(terms.node(inner), Node::Eq(a, _) if matches!(terms.sort(*a), Sort::Array(_)))
    })
}

struct Pass<'a> {
    terms: &'a Terms,
    roots: Vec<Term>,
    replaced: Vec<(Symbol, Term)>,
    /// How many terms may still be built.
    left: usize,
}

impl Pass<'_> {
    fn flatten(&mut self) {
        let mut work: Vec<Term> = self.roots.drain(..).rev().collect();
        let mut seen = FxHashSet::default();
        while let Some(next) = work.pop() {
            match self.terms.node(next) {
                Node::Bool(true) => {}
                _ if !seen.insert(next) => {}
                Node::And(args) => work.extend(args.iter().rev()),
                _ => self.roots.push(next),
            }
        }
    }

    /// match: a ≠ b, arrays   result: a[i] ≠ b[i], i new
    fn tell_arrays_apart(&mut self) -> bool {
        let terms = self.terms;
        let mut changed = false;
        for root in &mut self.roots {
            let Node::Not(inner) = *terms.node(*root) else { continue };
            let Node::Eq(a, b) = *terms.node(inner) else { continue };
            let Sort::Array(parts) = terms.sort(a) else { continue };
            let index = terms.array_parts(parts).0;
            // No program's name ends so; the same two arrays always differ at the same index.
            let name = format!("index of difference {}, {} ", a.index(), b.index());
            let at = terms.of_symbol(terms.symbol(&name, index, SymbolKind::Fresh));
            *root = terms.ne(terms.select(a, at), terms.select(b, at));
            changed = true;
        }
        changed
    }

    /// Takes out the equations that give a symbol.
    fn substitute(&mut self) -> bool {
        let terms = self.terms;
        let mut of: FxHashMap<Symbol, Term> = FxHashMap::default();
        let mut mentioned: FxHashSet<Symbol> = FxHashSet::default();
        let mut kept = Vec::with_capacity(self.roots.len());
        for root in std::mem::take(&mut self.roots) {
            // Nothing that was found in this pass is about what is found now.
            let met = |it: &Symbol| of.contains_key(it) || mentioned.contains(it);
            match solved(terms, root) {
                Some(it) if !met(&it.symbol) && !terms.symbols(it.is).iter().any(|it| of.contains_key(it)) => {
                    mentioned.extend(terms.symbols(it.is));
                    of.insert(it.symbol, it.is);
                    self.replaced.push((it.symbol, it.is));
                    kept.extend(it.besides);
                }
                _ => kept.push(root),
            }
        }
        self.roots = kept;
        if of.is_empty() {
            return false;
        }
        let facts: FxHashMap<Term, Term> = of.into_iter().map(|(symbol, is)| (terms.of_symbol(symbol), is)).collect();
        let mut done = FxHashMap::default();
        for at in 0..self.roots.len() {
            self.roots[at] = self.rebuilt(self.roots[at], &facts, &mut done);
        }
        true
    }

    /// Puts what the conjuncts say into one another.
    fn embed(&mut self) {
        let terms = self.terms;
        let mut facts: FxHashMap<Term, Term> = FxHashMap::default();
        for &root in &self.roots {
            match *terms.node(root) {
                Node::Not(inner) => facts.insert(inner, terms.bool(false)),
                Node::Eq(term, constant) if is_constant(terms, constant) => facts.insert(term, constant),
                _ => None,
            };
            facts.insert(root, terms.bool(true));
        }
        let mut done = FxHashMap::default();
        for at in 0..self.roots.len() {
            self.roots[at] = self.within(self.roots[at], &facts, &mut done);
        }
    }

    /// The conjunct with what is known of the terms below the one that it is about.
    fn within(&mut self, root: Term, facts: &FxHashMap<Term, Term>, done: &mut FxHashMap<Term, Term>) -> Term {
        let terms = self.terms;
        match *terms.node(root) {
            Node::Not(inner) => {
                let inner = self.arguments(inner, facts, done);
                terms.not(inner)
            }
            Node::Eq(term, constant) if is_constant(terms, constant) => {
                let term = self.arguments(term, facts, done);
                terms.eq(term, constant)
            }
            _ => self.arguments(root, facts, done),
        }
    }

    fn arguments(&mut self, term: Term, facts: &FxHashMap<Term, Term>, done: &mut FxHashMap<Term, Term>) -> Term {
        if matches!(self.terms.node(term), Node::Quantifier(_)) {
            return term;
        }
        let mut arguments = Vec::new();
        self.terms.node(term).for_each_argument(|it| arguments.push(it));
        let now: FxHashMap<Term, Term> = arguments.into_iter().map(|it| (it, self.rebuilt(it, facts, done))).collect();
        self.terms.with_arguments(term, &|it| now[&it])
    }

    /// The term with facts in place of terms, the outermost first. Where there are too many the whole is given up.
    fn rebuilt(&mut self, term: Term, facts: &FxHashMap<Term, Term>, done: &mut FxHashMap<Term, Term>) -> Term {
        let (terms, left) = (self.terms, Cell::new(self.left));
        let stop = |it: Term| match facts.get(&it) {
            Some(fact) => Some(*fact),
            None => {
                let is_leaf = terms.symbols(it).is_empty() || matches!(terms.node(it), Node::Quantifier(_));
                (is_leaf || left.get() == 0).then_some(it)
            }
        };
        let res = terms.fold_into(done, term, stop, |it, done| {
            left.set(left.get().saturating_sub(1));
            terms.with_arguments(it, &|it| done[&it])
        });
        self.left = left.get();
        res
    }
}

fn is_constant(terms: &Terms, term: Term) -> bool {
    matches!(terms.node(term), Node::BitVec(_) | Node::Bool(_))
}

/// An equation that gives a symbol.
struct SymbolDefinition {
    symbol: Symbol,
    /// The definition, in which the symbol does not occur.
    is: Term,
    /// What the equation says besides.
    besides: Vec<Term>,
}

/// The symbol that a conjunct gives, with all that the conjunct says.
fn solved(terms: &Terms, root: Term) -> Option<SymbolDefinition> {
    let given = |symbol: Symbol, value: bool| SymbolDefinition { symbol, is: terms.bool(value), besides: Vec::new() };
    match *terms.node(root) {
        Node::Symbol(symbol) => Some(given(symbol, true)),
        Node::Not(inner) => match *terms.node(inner) {
            Node::Symbol(symbol) => Some(given(symbol, false)),
            // match: ¬(p ↔ q)   result: p ↔ ¬q
            Node::Eq(a, b) if terms.sort(a) == Sort::Bool => {
                solved_for(terms, a, terms.not(b)).or_else(|| solved_for(terms, b, terms.not(a)))
            }
            _ => None,
        },
        Node::Eq(a, b) => solved_for(terms, a, b).or_else(|| solved_for(terms, b, a)),
        _ => None,
    }
}

/// From `left = right`: operators that can be undone are taken from the left to the right, down to a symbol.
fn solved_for(terms: &Terms, left: Term, right: Term) -> Option<SymbolDefinition> {
    let (mut left, mut right, mut besides) = (left, right, Vec::new());
    loop {
        match *terms.node(left) {
            Node::Symbol(symbol) => {
                let is_free = terms.symbols(right).binary_search(&symbol).is_err();
                return is_free.then_some(SymbolDefinition { symbol, is: right, besides });
            }
            Node::Not(inner) => (left, right) = (inner, terms.not(right)),
            Node::BvNot(inner) => (left, right) = (inner, terms.bv_not(right)),
            Node::BvSum(ref sum) => {
                let (summand, is) = alone(terms, sum, right)?;
                (left, right) = (summand, is);
            }
            Node::Bv(BvOp::Xor, a, b) => {
                let (inner, other) = if leads(terms, a) { (a, b) } else { (b, a) };
                (left, right) = (inner, terms.bv_op(BvOp::Xor, right, other));
            }
            Node::Concat(high, low) => {
                let (width, below) = (terms.width(left).bits(), terms.width(low).bits());
                let (top, bottom) = (terms.bv_extract(width - 1, below, right), terms.bv_extract(below - 1, 0, right));
                if leads(terms, high) {
                    besides.push(terms.eq(low, bottom));
                    (left, right) = (high, top);
                } else {
                    besides.push(terms.eq(high, top));
                    (left, right) = (low, bottom);
                }
            }
            Node::ZeroExtend(width, inner) => {
                let part = terms.bv_extract(terms.width(inner).bits() - 1, 0, right);
                besides.push(terms.eq(terms.bv_zero_extend(width, part), right));
                (left, right) = (inner, part);
            }
            Node::SignExtend(width, inner) => {
                let part = terms.bv_extract(terms.width(inner).bits() - 1, 0, right);
                besides.push(terms.eq(terms.bv_sign_extend(width, part), right));
                (left, right) = (inner, part);
            }
            _ => return None,
        }
    }
}

/// Whether a symbol is below operators of one argument only.
fn leads(terms: &Terms, mut term: Term) -> bool {
    loop {
        match *terms.node(term) {
            Node::Symbol(_) => return true,
            Node::BvNot(inner) | Node::ZeroExtend(_, inner) | Node::SignExtend(_, inner) => term = inner,
            _ => return false,
        }
    }
}

/// A summand with an odd factor that leads to a symbol which the rest does not mention, and what it is.
fn alone(terms: &Terms, sum: &BvSum, right: Term) -> Option<(Term, Term)> {
    let rest_of = |at: usize| {
        let others = sum.summands.iter().enumerate().filter(move |it| it.0 != at).map(|it| it.1);
        others.fold(terms.bv(sum.constant.clone()), |res, (factor, it)| {
            terms.bv_add(res, terms.bv_mul(terms.bv(factor.clone()), *it))
        })
    };
    for (at, (factor, summand)) in sum.summands.iter().enumerate() {
        if !factor.bit(0) || !leads(terms, *summand) {
            continue;
        }
        let symbol = terms.symbols(*summand).first()?;
        let mentions = |it: Term| terms.symbols(it).binary_search(symbol).is_ok();
        let others = sum.summands.iter().enumerate().filter(|it| it.0 != at);
        if mentions(right) || others.map(|it| it.1.1).any(mentions) {
            continue;
        }
        let is = terms.bv_mul(terms.bv(inverse(factor)), terms.bv_sub(right, rest_of(at)));
        return Some((*summand, is));
    }
    None
}

/// The inverse of an odd number modulo 2^width: each round doubles the number of bits that are right.
fn inverse(odd: &BvValue) -> BvValue {
    let two = BvValue::from_u64(odd.width(), 2);
    let mut res = odd.clone();
    let mut right = 3;
    while right < odd.width().bits() {
        res = res.mul(&two.sub(&odd.mul(&res)));
        right *= 2;
    }
    res
}
