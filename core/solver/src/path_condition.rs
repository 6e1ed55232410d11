//! The path condition φ: a persistent conjunction, kept apart by independence.
//!
//! Knows: which conjuncts were assumed, in order, which of them share symbols, and which say nothing that those before
//! them do not say already. Never: whether they are satisfiable, a solver.
//!
//! What φ implies is not kept: it would make every question longer and every answer harder to remember. Whether it is
//! implied is told by ranges and sets of values alone, so that φ is the same wherever its path is walked again.

use crate::layers::{LayerKind, LayerSet};
use crate::model_minimization::minimize_model;
use crate::statistics::{Counter, Statistics};
use crate::theories::domains::{domain, intersect};
use effigy_term::range::{Bounds, Ranges, Room};
use effigy_term::truth_table::{TruthTable, TruthTables};
use effigy_term::{Model, Node, PersistentList, Symbol, Term, Terms};
use rustc_hash::FxHashMap;
use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

/// So many implied conditions about the same symbols are known again word for word: a loop goes through few. The others
/// are found implied again.
const MOST_IMPLIED: usize = 64;

/// Conjuncts that are looked at and terms that are evaluated to make one model smaller: a report is not worth more.
const MOST_TERMS: usize = 200_000;

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
    /// What all path conditions of a walk share.
    shared: Rc<SharedCaches>,
}

/// What all path conditions of a walk share.
#[derive(Debug)]
struct SharedCaches {
    /// What was found out about conditions on one small symbol.
    tables: TruthTables,
    /// How many conjuncts were implied; `None` where these are kept as the others are.
    implied: Option<RefCell<Counter>>,
    /// What ranges said last: a side of a branch is asked about, and then the other one is assumed.
    ranged: RefCell<RangeVerdict>,
}

/// What ranges say of a condition under some factors.
#[derive(Debug, Default)]
struct RangeVerdict {
    of: Option<(Vec<Rc<Factor>>, Term)>,
    truth: Option<bool>,
    room: Room,
}

impl Default for SharedCaches {
    fn default() -> SharedCaches {
        let implied = Some(RefCell::new(Counter::new(LayerKind::Implied.name())));
        SharedCaches { tables: TruthTables::new(), implied, ranged: RefCell::default() }
    }
}

/// The conjuncts that share symbols with one another, directly or through others, and with none else.
#[derive(Clone, Debug, Default)]
pub struct Factor {
    conjuncts: Vec<Term>,
    /// What was assumed of late and left out, since these or other conjuncts imply it.
    implied: Vec<Term>,
    symbols: Vec<Symbol>,
    /// What the conjuncts say of terms directly.
    bounds: Bounds,
    /// The values of its one small symbol that satisfy it, once they were asked for.
    domain: OnceCell<Option<TruthTable>>,
    /// The form of each conjunct that people are shown, computed on demand.
    told: OnceCell<Vec<(Term, Vec<Term>)>>,
}

impl Factor {
    /// Its conjuncts, in the order in which they were assumed.
    pub fn conjuncts(&self) -> &[Term] {
        &self.conjuncts
    }

    /// The symbols that occur in the conjuncts.
    pub fn symbols(&self) -> &[Symbol] {
        &self.symbols
    }

    /// What its conjuncts say of terms directly.
    pub fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    /// The values that satisfy it, where it is about one small symbol alone.
    pub(crate) fn domain(&self, terms: &Terms, tables: &TruthTables) -> Option<TruthTable> {
        *self.domain.get_or_init(|| domain(terms, tables, &self.conjuncts))
    }

    /// The values that satisfy it and one more conjunct about the same symbol, where its own are known.
    fn domain_with(&self, terms: &Terms, tables: &TruthTables, cond: Term) -> OnceCell<Option<TruthTable>> {
        match (self.domain.get(), tables.table(terms, cond)) {
            (Some(Some(own)), Some(table)) if self.symbols == terms.symbols(cond) => {
                OnceCell::from(Some(intersect(*own, table)))
            }
            _ => OnceCell::new(),
        }
    }

    /// What a person is told in place of conjuncts about one small symbol: nothing, but for the last of them, in whose
    /// place it is all that they say together.
    fn told(&self, terms: &Terms, tables: &TruthTables) -> &[(Term, Vec<Term>)] {
        self.told.get_or_init(|| {
            // What they say together is mostly known.
            if let (&[symbol], Some(&Some(table))) = (&self.symbols[..], self.domain.get()) {
                let together = tables.table_as_ranges(terms, symbol, table);
                return instead(terms, self.conjuncts.clone(), together);
            }
            let mut about: Vec<(Symbol, Vec<Term>)> = Vec::new();
            for &cond in &self.conjuncts {
                let &[symbol] = terms.symbols(cond) else { continue };
                if tables.table(terms, cond).is_none() {
                    continue;
                }
                match about.iter_mut().find(|it| it.0 == symbol) {
                    Some((_, said)) => said.push(cond),
                    None => about.push((symbol, vec![cond])),
                }
            }
            let told = |it: (Symbol, Vec<Term>)| {
                let together = tables.all_as_ranges(terms, &it.1);
                instead(terms, it.1, together)
            };
            about.into_iter().flat_map(told).collect()
        })
    }

    /// The conjuncts of several that share no symbol yet.
    fn joined(factors: &[Rc<Factor>]) -> Factor {
        let mut res = Factor { bounds: bounds(factors), ..Factor::default() };
        for factor in factors {
            res.conjuncts.extend_from_slice(&factor.conjuncts);
            res.implied.extend_from_slice(&factor.implied);
            res.symbols.extend_from_slice(&factor.symbols);
        }
        res
    }

    fn has(&self, cond: Term) -> bool {
        self.conjuncts.contains(&cond) || self.implied.contains(&cond)
    }
}

/// Nothing in place of each conjunct, but for the last, in whose place stands what all of them say together; where that is
/// not known, they stand there as they are.
fn instead(terms: &Terms, said: Vec<Term>, together: Option<Term>) -> Vec<(Term, Vec<Term>)> {
    let together = together.map_or_else(|| said.clone(), |it| vec![it]);
    let mut res: Vec<(Term, Vec<Term>)> = said.into_iter().map(|it| (it, Vec::new())).collect();
    if let Some(last) = res.last_mut() {
        last.1 = together.into_iter().filter(|&it| terms.as_bool(it) != Some(true)).collect();
    }
    res
}

/// What several factors say of terms directly.
pub(crate) fn bounds(factors: &[Rc<Factor>]) -> Bounds {
    let mut res = Bounds::default();
    factors.iter().for_each(|it| res.meet(&it.bounds));
    res
}

impl PathCondition {
    /// A model of the path condition, made of one of its models, in which what does not matter is zero and what does is near
    /// zero: it reads better. The same each time.
    pub fn minimize_model(&self, terms: &Terms, model: Model) -> Model {
        let symbols: Vec<Symbol> = model.symbols().map(|it| it.0).collect();
        let about = |it| self.touched(&[it]).iter().flat_map(|it| it.conjuncts()).copied().collect();
        minimize_model(terms, model, symbols, about, MOST_TERMS)
    }

    /// The empty conjunction, which is true.
    pub fn new() -> PathCondition {
        PathCondition::default()
    }

    /// The empty conjunction of a walk with these layers.
    pub fn of(layers: LayerSet) -> PathCondition {
        let mut shared = SharedCaches::default();
        if !layers.has(LayerKind::Implied) {
            shared.implied = None;
        }
        PathCondition { shared: Rc::new(shared), ..PathCondition::default() }
    }

    /// An empty φ that shares the truth tables and ranges that this one has computed.
    pub fn emptied(&self) -> PathCondition {
        PathCondition { shared: Rc::clone(&self.shared), ..PathCondition::default() }
    }

    /// How many conjuncts were left out, of this one and of those that share with it.
    pub fn statistics(&self, into: &mut Statistics) {
        if let Some(implied) = &self.shared.implied {
            implied.borrow().report(into);
        }
    }

    /// What was found out about conditions on one small symbol, on this path and on those that began as it did.
    pub fn tables(&self) -> &TruthTables {
        &self.shared.tables
    }

    /// The number of conjuncts of φ.
    pub fn len(&self) -> usize {
        self.conjuncts.len()
    }

    /// Whether there is no conjunct.
    pub fn is_empty(&self) -> bool {
        self.conjuncts.is_empty()
    }

    /// Adds a conjunct; a conjunction is taken apart, `true` adds nothing, nor does what is there already or is seen to
    /// follow from it. A long condition on one small symbol is kept as the ranges of values that satisfy it.
    pub fn assume(&mut self, terms: &Terms, cond: Term) {
        self.add(terms, cond, false);
    }

    /// As [`PathCondition::assume`], of what is known not to follow: some model of what was assumed until now does not
    /// satisfy it. The result is the same, and is found without looking.
    pub fn assume_open(&mut self, terms: &Terms, cond: Term) {
        self.add(terms, cond, true);
    }

    fn add(&mut self, terms: &Terms, cond: Term, is_open: bool) {
        let cond = self.shared.tables.by_values(terms, cond);
        if terms.as_bool(cond) == Some(true) {
            return;
        }
        if let Node::And(args) = terms.node(cond) {
            // That all of them do not follow is not said of any.
            args.iter().for_each(|&it| self.add(terms, it, false));
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
        if self.factors.get(first).is_some_and(|it| it.has(cond)) {
            return;
        }
        let factors = self.touched(symbols);
        debug_assert!(!is_open || !self.follows(terms, &factors, cond), "what a model does not satisfy follows");
        if !is_open && self.implies(terms, &factors, cond) {
            return self.note_implied(*first, cond);
        }
        self.conjuncts.push(cond);
        self.applies |= terms.applies_functions(cond);
        let mut merged = match &factors[..] {
            [only] => {
                let domain = only.domain_with(terms, self.tables(), cond);
                Factor { domain, told: OnceCell::new(), ..(**only).clone() }
            }
            _ => Factor::joined(&factors),
        };
        merged.bounds.assume(terms, &self.shared.tables, cond);
        merged.conjuncts.push(cond);
        merged.symbols.extend_from_slice(symbols);
        merged.symbols.sort_unstable();
        merged.symbols.dedup();
        self.enter(merged);
    }

    /// Whether these factors, which are all that share symbols with a condition, are seen to imply it.
    fn implies(&self, terms: &Terms, factors: &[Rc<Factor>], cond: Term) -> bool {
        let Some(implied) = &self.shared.implied else { return false };
        let mut implied = implied.borrow_mut();
        let since = implied.begin();
        let res = self.follows(terms, factors, cond);
        if res {
            implied.answered(since);
        } else {
            implied.passed(since);
        }
        res
    }

    fn follows(&self, terms: &Terms, factors: &[Rc<Factor>], cond: Term) -> bool {
        let tables = self.tables();
        match (factors, tables.table(terms, cond)) {
            ([only], Some(table)) if only.symbols.len() == 1 => {
                only.domain(terms, tables).is_some_and(|it| intersect(it, table) == it)
            }
            _ => self.ranged(terms, factors, cond) == Some(true),
        }
    }

    /// The truth of a condition as ranges tell it from what these factors say.
    pub(crate) fn ranged(&self, terms: &Terms, factors: &[Rc<Factor>], cond: Term) -> Option<bool> {
        let (atom, holds) = match *terms.node(cond) {
            Node::Not(inner) => (inner, false),
            _ => (cond, true),
        };
        let mut last = self.shared.ranged.borrow_mut();
        let is_known = last.of.as_ref().is_some_and(|(of, about)| {
            *about == atom && of.len() == factors.len() && of.iter().zip(factors).all(|(a, b)| Rc::ptr_eq(a, b))
        });
        if !is_known {
            let room = std::mem::take(&mut last.room);
            let mut ranges = Ranges::within(terms, self.tables(), bounds(factors), room);
            *last = RangeVerdict {
                truth: ranges.truth(atom),
                of: Some((factors.to_vec(), atom)),
                room: ranges.into_room(),
            };
        }
        last.truth.map(|it| it == holds)
    }

    /// What is implied and has no symbol in any conjunct is not remembered: it is true of whatever it is about.
    fn note_implied(&mut self, symbol: Symbol, cond: Term) {
        let Some(factor) = self.factors.get(&symbol) else { return };
        let mut factor = (**factor).clone();
        if factor.implied.len() >= MOST_IMPLIED {
            factor.implied.drain(..MOST_IMPLIED / 2);
        }
        factor.implied.push(cond);
        self.enter(factor);
    }

    fn enter(&mut self, factor: Factor) {
        let factor = Rc::new(factor);
        let map = Rc::make_mut(&mut self.factors);
        for &symbol in &factor.symbols {
            map.insert(symbol, Rc::clone(&factor));
        }
    }

    /// What the conjuncts say of terms directly. Most questions are about some factors alone.
    pub fn bounds(&self) -> Bounds {
        let mut res = Bounds::default();
        // One factor stands under all of its symbols. No two say anything of one term, so that their order is none.
        let once = self.factors.iter().filter(|(symbol, factor)| factor.symbols.first() == Some(symbol));
        once.for_each(|(_, factor)| res.meet(&factor.bounds));
        res
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

    /// The conjuncts in which no symbol occurs.
    pub fn closed(&self) -> &[Term] {
        &self.closed
    }

    /// Whether some conjunct applies an uninterpreted function.
    pub fn applies_functions(&self) -> bool {
        self.applies
    }

    /// Whether `cond` was assumed word for word, and is kept or was left out of late.
    pub fn contains(&self, terms: &Terms, cond: Term) -> bool {
        let cond = self.shared.tables.by_values(terms, cond);
        match terms.symbols(cond).first() {
            Some(first) => self.factors.get(first).is_some_and(|it| it.has(cond)),
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
        let conjuncts = self.conjuncts();
        let mut res = Vec::with_capacity(conjuncts.len());
        for cond in conjuncts {
            let factor = terms.symbols(cond).first().and_then(|it| self.factors.get(it));
            let told = factor.map(|it| it.told(terms, &self.shared.tables)).unwrap_or_default();
            match told.iter().find(|it| it.0 == cond) {
                Some((_, instead)) => res.extend_from_slice(instead),
                None => res.push(cond),
            }
        }
        res
    }
}
