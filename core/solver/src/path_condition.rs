//! The path condition φ: a persistent conjunction, kept apart by independence.
//!
//! Knows: which conjuncts were assumed, in order, and which of them share symbols. Never: whether they are
//! satisfiable.

use effigy_term::truth_table::{TruthTable, TruthTables};
use effigy_term::{PersistentList, Symbol, Term, Terms};
use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use std::rc::Rc;

/// A conjunction of terms of sort Bool in the order in which they were assumed. Cloning is cheap;
/// a clone and its original share everything that they have in common.
#[derive(Clone, Debug, Default)]
pub struct PathCondition {
    conjuncts: PersistentList<Term>,
    factors: Rc<FxHashMap<Symbol, Rc<Factor>>>,
    /// Conjuncts without symbols: `false`, or what only quantifies.
    closed: Rc<Vec<Term>>,
    /// Some conjunct applies an uninterpreted function: factors that share no symbol may share it.
    applies: bool,
    /// What was found out about conditions on one small symbol.
    tables: Rc<TruthTables>,
}

/// The conjuncts that share symbols with one another, directly or through others, and with none else.
#[derive(Debug, Default)]
pub struct Factor {
    conjuncts: Vec<Term>,
    symbols: Vec<Symbol>,
    /// The values of its one small symbol that satisfy it; filled in by the layer `domains`.
    pub(crate) domain: OnceCell<Option<TruthTable>>,
}

impl Factor {
    /// Its conjuncts, in the order in which they were assumed.
    pub fn conjuncts(&self) -> &[Term] {
        &self.conjuncts
    }

    /// Its symbols.
    pub fn symbols(&self) -> &[Symbol] {
        &self.symbols
    }
}

impl PathCondition {
    /// The empty conjunction: true.
    pub fn new() -> PathCondition {
        PathCondition::default()
    }

    /// The empty conjunction, which shares what this one found out about terms.
    pub fn emptied(&self) -> PathCondition {
        PathCondition { tables: Rc::clone(&self.tables), ..PathCondition::default() }
    }

    /// Shares from now on what `other`, of the same arena, found out about terms.
    pub fn share(&mut self, other: &PathCondition) {
        self.tables = Rc::clone(&other.tables);
    }

    /// What was found out about conditions on one small symbol, on this path and on those that began as it did.
    pub fn tables(&self) -> &TruthTables {
        &self.tables
    }

    /// The number of conjuncts.
    pub fn len(&self) -> usize {
        self.conjuncts.len()
    }

    /// Whether there is no conjunct.
    pub fn is_empty(&self) -> bool {
        self.conjuncts.is_empty()
    }

    /// Adds a conjunct; a conjunction is taken apart, `true` adds nothing, nor does what is there already. A long
    /// condition on one small symbol is kept as the ranges of values that satisfy it.
    pub fn assume(&mut self, terms: &Terms, cond: Term) {
        let cond = self.tables.by_values(terms, cond);
        if terms.as_bool(cond) == Some(true) {
            return;
        }
        if let effigy_term::Node::And(args) = terms.node(cond) {
            args.iter().for_each(|&it| self.assume(terms, it));
            return;
        }
        let symbols = terms.symbols(cond);
        let Some(first) = symbols.first() else {
            if !self.closed.contains(&cond) {
                self.applies |= terms.applies_functions(cond);
                Rc::make_mut(&mut self.closed).push(cond);
                self.conjuncts.push(cond);
            }
            return;
        };
        if self.factors.get(first).is_some_and(|it| it.conjuncts.contains(&cond)) {
            return;
        }
        self.conjuncts.push(cond);
        self.applies |= terms.applies_functions(cond);
        let factors = self.touched(symbols);
        let mut merged = Factor::default();
        if let [only] = &factors[..] {
            merged.conjuncts = only.conjuncts.clone();
            merged.symbols = only.symbols.clone();
        } else {
            for factor in &factors {
                merged.conjuncts.extend_from_slice(&factor.conjuncts);
                merged.symbols.extend_from_slice(&factor.symbols);
            }
        }
        merged.conjuncts.push(cond);
        merged.symbols.extend_from_slice(symbols);
        merged.symbols.sort_unstable();
        merged.symbols.dedup();
        let merged = Rc::new(merged);
        let map = Rc::make_mut(&mut self.factors);
        for &symbol in &merged.symbols {
            map.insert(symbol, Rc::clone(&merged));
        }
    }

    /// The distinct factors that mention one of `symbols`.
    pub fn touched(&self, symbols: &[Symbol]) -> Vec<Rc<Factor>> {
        let mut res: Vec<Rc<Factor>> = Vec::new();
        for symbol in symbols {
            if let Some(factor) = self.factors.get(symbol)
                && !res.iter().any(|it| Rc::ptr_eq(it, factor))
            {
                res.push(Rc::clone(factor));
            }
        }
        res
    }

    /// The conjuncts without symbols.
    pub fn closed(&self) -> &[Term] {
        &self.closed
    }

    /// Whether some conjunct applies an uninterpreted function.
    pub fn applies_functions(&self) -> bool {
        self.applies
    }

    /// Whether `cond` is one of the conjuncts.
    pub fn contains(&self, terms: &Terms, cond: Term) -> bool {
        let cond = self.tables.by_values(terms, cond);
        match terms.symbols(cond).first() {
            Some(first) => self.factors.get(first).is_some_and(|it| it.conjuncts.contains(&cond)),
            None => self.closed.contains(&cond),
        }
    }

    /// The conjuncts in the order in which they were assumed.
    pub fn conjuncts(&self) -> Vec<Term> {
        self.conjuncts.to_vec()
    }

    /// The conjuncts for a person: what is said of one small symbol in many places is said once, as the ranges of its
    /// values, where it was said last.
    pub fn readable(&self, terms: &Terms) -> Vec<Term> {
        let mut about: FxHashMap<Symbol, Vec<Term>> = FxHashMap::default();
        let conjuncts = self.conjuncts();
        for &cond in &conjuncts {
            if let [symbol] = terms.symbols(cond)
                && self.tables.table(terms, cond).is_some()
            {
                about.entry(*symbol).or_default().push(cond);
            }
        }
        let mut res = Vec::with_capacity(conjuncts.len());
        for cond in conjuncts {
            let said = match terms.symbols(cond) {
                [symbol] => about.get(symbol),
                _ => None,
            };
            match said {
                Some(said) if said.contains(&cond) => {
                    if said.last() == Some(&cond) {
                        let once = self.tables.all_as_ranges(terms, said);
                        let said = once.map_or(said.clone(), |it| vec![it]);
                        res.extend(said.into_iter().filter(|&it| terms.as_bool(it) != Some(true)));
                    }
                }
                _ => res.push(cond),
            }
        }
        res
    }
}
