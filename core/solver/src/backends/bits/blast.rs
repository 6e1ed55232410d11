//! From terms to circuits; arrays and uninterpreted functions by elimination.
//!
//! Knows: Bool, bitvectors, arrays and functions between them. Never: integers, quantifiers (the error names them).
//!
//! A select over stores is a chain of if-then-elses; selects from one array symbol, and applications of one
//! function, are fresh words that must be equal for equal arguments (Ackermann), which are the axioms.

use super::bounds::{Bounds, narrowed, within};
use super::circuits::{Word, signed_width};
use super::gates::{Bit, Gates};
use super::orders::{self, Order, Orders, Pair, Parts};
use super::sat::Watch;
use super::tables::Entry;
use effigy_term::model::FunctionValue;
use effigy_term::range::{self, Ranges};
use effigy_term::value::ArrayValue;
use effigy_term::{BvOp, BvValue, FunctionSymbol, Node, Sort, Symbol, Term, Terms, Value, Width};
use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// Wider bitvectors are left to the SMT solver: their circuits would not fit memory.
const MOST_BITS: u32 = 8192;

/// A circuit of more gates is left to the SMT solver as well: some gigabytes.
const MOST_GATES: usize = 30_000_000;

/// Fewer constant stores are compared with one by one.
const FEWEST_ENTRIES: usize = 4;

type Result<T> = std::result::Result<T, String>;

/// Index and element.
type SelectPoint = (Rc<Word>, Rc<Word>);

/// Arguments and result.
type Application = (Vec<Rc<Word>>, Rc<Word>);

/// Elements at constant indices, and the array below them.
type Table = Option<(Vec<Entry>, Term)>;

/// What has been blasted so far.
pub(super) struct Blaster {
    circuit: Circuit,
    /// The words of terms in every query.
    plain: Words,
    /// The words of terms in the queries with the bounds of the last one that had any.
    narrowed: Words,
    /// Whether the last query was blasted under bounds.
    under_bounds: bool,
    /// Whether there is something below a term that is smaller under bounds.
    pays: FxHashMap<Term, bool>,
}

/// What all words share.
struct Circuit {
    gates: Gates,
    /// The bits of each symbol.
    symbols: FxHashMap<Symbol, Rc<Word>>,
    /// The selects from each array symbol: index and element.
    selects: BTreeMap<Symbol, Vec<SelectPoint>>,
    /// The applications of each function: arguments and result.
    applications: BTreeMap<FunctionSymbol, Vec<Application>>,
    /// What must hold in every query.
    axioms: Vec<Bit>,
    /// Where comparisons are an order of which nothing else is known: what was compared.
    orders: Option<Orders>,
}

/// The words of terms under some bounds.
#[derive(Default)]
struct Words {
    bounds: range::Bounds,
    of: FxHashMap<Term, Rc<Word>>,
    divisions: FxHashMap<(Term, Term), (Rc<Word>, Rc<Word>)>,
    /// The symbols whose words may differ from those in every query.
    symbols: BTreeMap<Symbol, Rc<Word>>,
    /// What says that bounded symbols are in their ranges, and that nothing was lost where a bounded term was narrowed.
    axioms: Vec<Bit>,
    /// Some words are made of those of every query: symbols must be the same in both.
    of_plain: bool,
}

impl Blaster {
    pub(super) fn new() -> Blaster {
        Blaster {
            circuit: Circuit {
                gates: Gates::new(),
                symbols: FxHashMap::default(),
                selects: BTreeMap::new(),
                applications: BTreeMap::new(),
                axioms: Vec::new(),
                orders: None,
            },
            plain: Words::default(),
            narrowed: Words::default(),
            under_bounds: false,
            pays: FxHashMap::default(),
        }
    }

    /// A circuit in which comparisons are an order of which nothing else is known.
    pub(super) fn of_orders() -> Blaster {
        let mut res = Blaster::new();
        res.circuit.orders = Some(Orders::default());
        res
    }

    /// How often three numbers were ordered.
    pub(super) fn triples(&self) -> usize {
        self.circuit.orders.as_ref().map_or(0, |it| it.triples)
    }

    pub(super) fn gates(&self) -> &Gates {
        &self.circuit.gates
    }

    /// What must hold in every query.
    pub(super) fn axioms(&self) -> &[Bit] {
        &self.circuit.axioms
    }

    /// The bits of terms of sort Bool.
    pub(super) fn truths(&mut self, terms: &Terms, roots: &[Term], watch: &Watch) -> Result<Vec<Bit>> {
        self.under_bounds = false;
        let mut build = Build { terms, circuit: &mut self.circuit, words: &mut self.plain, under: None, watch };
        roots.iter().map(|&it| Ok(build.word(it)?[0])).collect()
    }

    /// What must be true for the roots to be true, in a circuit that is right where they are.
    pub(super) fn truths_under<'a>(
        &mut self,
        terms: &'a Terms,
        bounds: &mut Bounds<'a>,
        watch: &Watch,
    ) -> Result<Vec<Bit>> {
        self.under_bounds = true;
        if self.narrowed.bounds != *bounds.ranges.bounds() {
            self.narrowed = Words { bounds: bounds.ranges.bounds().clone(), ..Words::default() };
        }
        let under = Some((&mut bounds.ranges, &mut self.plain));
        let mut build = Build { terms, circuit: &mut self.circuit, words: &mut self.narrowed, under, watch };
        let mut res = Vec::with_capacity(bounds.roots.len());
        for &root in &bounds.roots {
            res.push(build.word(root)?[0]);
        }
        res.extend_from_slice(&self.narrowed.axioms);
        if self.narrowed.of_plain {
            for (symbol, word) in &self.narrowed.symbols {
                let plain = Rc::clone(&self.circuit.symbols[symbol]);
                res.push(self.circuit.gates.equal(&plain, word));
            }
        }
        Ok(res)
    }

    /// Whether there are products or quotients below a term: what is worth to be narrowed.
    pub(super) fn pays(&mut self, terms: &Terms, term: Term) -> bool {
        let mut work = vec![term];
        while let Some(&next) = work.last() {
            if self.pays.contains_key(&next) {
                work.pop();
                continue;
            }
            let node = terms.node(next);
            let mut res = match node {
                Node::Bv(op, ..) => {
                    matches!(op, BvOp::Mul | BvOp::UDiv | BvOp::URem | BvOp::SDiv | BvOp::SRem)
                }
                _ => false,
            };
            let before = work.len();
            if !res && !matches!(node, Node::Quantifier(_)) {
                node.for_each_argument(|it| match self.pays.get(&it) {
                    Some(pays) => res |= pays,
                    None => work.push(it),
                });
            }
            if res || work.len() == before {
                work.truncate(before);
                work.pop();
                self.pays.insert(next, res);
            }
        }
        self.pays.get(&term).copied().unwrap_or(false)
    }

    // Models.

    fn read(sort: Sort, word: &[Bit], value: &dyn Fn(Bit) -> bool) -> Value {
        match sort {
            Sort::BitVec(width) => Value::BitVec(number(width, word, value)),
            _ => Value::Bool(value(word[0])),
        }
    }

    /// The value of a symbol in a model of the last query; `None` for a sort that is not blasted.
    pub(super) fn value(&self, terms: &Terms, symbol: Symbol, value: &dyn Fn(Bit) -> bool) -> Option<Value> {
        let sort = terms.symbol_info(symbol).sort;
        if let Sort::Array(parts) = sort {
            let (index_sort, element_sort) = terms.array_parts(parts);
            let default = effigy_term::eval::default_value(terms, element_sort);
            let mut entries = BTreeMap::new();
            for (index, element) in self.circuit.selects.get(&symbol).into_iter().flatten() {
                let element = Self::read(element_sort, element, value);
                if element != default {
                    entries.insert(Self::read(index_sort, index, value), element);
                }
            }
            return Some(Value::Array(Arc::new(ArrayValue { default, entries })));
        }
        let narrowed = self.narrowed.symbols.get(&symbol).filter(|_| self.under_bounds);
        match narrowed.or_else(|| self.circuit.symbols.get(&symbol)) {
            Some(word) => Some(Self::read(sort, word, value)),
            // Simplified away: any value will do.
            None => Some(effigy_term::eval::default_value(terms, sort)),
        }
    }

    /// The bits of each input, the lowest first, in the order of their names.
    pub(super) fn inputs(&self, terms: &Terms) -> Vec<(String, Rc<Word>)> {
        let named =
            |(symbol, word): (&Symbol, &Rc<Word>)| (terms.symbol_info(*symbol).name.to_string(), Rc::clone(word));
        let mut res: Vec<(String, Rc<Word>)> = self.circuit.symbols.iter().map(named).collect();
        res.sort();
        res
    }

    /// The interpretations of all functions in a model.
    pub(super) fn functions(&self, terms: &Terms, value: &dyn Fn(Bit) -> bool) -> Vec<(FunctionSymbol, FunctionValue)> {
        let interpretation = |(&function, applications): (&FunctionSymbol, &Vec<Application>)| {
            let info = terms.function_info(function);
            let mut entries = BTreeMap::new();
            for (args, result) in applications {
                let args = args.iter().zip(&info.arguments).map(|(it, &sort)| Self::read(sort, it, value)).collect();
                entries.insert(args, Self::read(info.result, result, value));
            }
            let default = effigy_term::eval::default_value(terms, info.result);
            (function, FunctionValue { default, entries })
        };
        self.circuit.applications.iter().map(interpretation).collect()
    }
}

/// A circuit that grows for one query.
struct Build<'b, 'a> {
    terms: &'a Terms,
    circuit: &'b mut Circuit,
    words: &'b mut Words,
    /// The bounds, and the words without them.
    under: Option<(&'b mut Ranges<'a>, &'b mut Words)>,
    watch: &'b Watch,
}

impl Build<'_, '_> {
    /// The bits of a term; its arguments first, without recursion.
    fn word(&mut self, term: Term) -> Result<Rc<Word>> {
        let mut work = vec![term];
        while let Some(&next) = work.last() {
            if self.words.of.contains_key(&next) {
                work.pop();
                continue;
            }
            let before = work.len();
            let shared = self.for_each_needed(next, &mut work)?;
            if shared && self.under.is_some() {
                work.truncate(before);
                let word = self.plain_word(next)?;
                self.words.of.insert(next, word);
                work.pop();
            } else if work.len() == before {
                if self.circuit.gates.len().saturating_add(self.most_gates(next)) > MOST_GATES {
                    return Err(format!("circuits of more than {MOST_GATES} gates"));
                }
                if self.watch.is_over() {
                    return Err("what takes longer than there is time".to_owned());
                }
                let word = self.build(next)?;
                let word = self.narrow(next, word);
                self.words.of.insert(next, Rc::new(word));
                work.pop();
            }
        }
        Ok(self.of(term))
    }

    /// About the most gates that a term whose arguments are blasted can take, where they may be many.
    fn most_gates(&self, term: Term) -> usize {
        match *self.terms.node(term) {
            Node::Bv(BvOp::Mul | BvOp::UDiv | BvOp::URem | BvOp::SDiv | BvOp::SRem, a, b) => {
                3 * signed_width(&self.of(a)) * signed_width(&self.of(b))
            }
            _ => 0,
        }
    }

    /// The word of a term in every query. Applications and elements of unknown arrays are related to all others by
    /// axioms, of which there is one set.
    fn plain_word(&mut self, term: Term) -> Result<Rc<Word>> {
        match &mut self.under {
            Some((_, plain)) => {
                self.words.of_plain = true;
                Build { terms: self.terms, circuit: self.circuit, words: plain, under: None, watch: self.watch }
                    .word(term)
            }
            None => self.word(term),
        }
    }

    /// The word with what is known of its term.
    fn narrow(&mut self, term: Term, word: Word) -> Word {
        let Some((ranges, _)) = &mut self.under else { return word };
        let Some(range) = ranges.range(term) else { return word };
        let res = narrowed(&word, &range);
        match self.terms.node(term) {
            Node::Symbol(symbol) => {
                if ranges.is_bounded(term) {
                    self.words.axioms.push(within(&mut self.circuit.gates, &res, &range));
                }
                self.words.symbols.insert(*symbol, Rc::new(res.clone()));
            }
            _ if ranges.is_bounded(term) => {
                let same = self.circuit.gates.equal(&word, &res);
                self.words.axioms.push(same);
            }
            _ => {}
        }
        res
    }

    /// Pushes the arguments that are not blasted yet. An array is not a word: a select needs the indices and
    /// elements of all stores below it. Whether axioms relate the term to others.
    fn for_each_needed(&self, term: Term, work: &mut Vec<Term>) -> Result<bool> {
        let need = |it: Term, work: &mut Vec<Term>| {
            if !self.words.of.contains_key(&it) {
                work.push(it);
            }
        };
        let mut shared = false;
        match *self.terms.node(term) {
            Node::Select(array, index) => {
                need(index, work);
                let mut arrays = vec![array];
                let mut seen = rustc_hash::FxHashSet::default();
                while let Some(array) = arrays.pop() {
                    if !seen.insert(array) {
                        continue;
                    }
                    match *self.terms.node(array) {
                        Node::Store(below, index, element) => {
                            need(index, work);
                            need(element, work);
                            arrays.push(below);
                        }
                        Node::Ite(cond, then, other) => {
                            need(cond, work);
                            arrays.extend([then, other]);
                        }
                        Node::ConstArray(_, element) => need(element, work),
                        Node::Symbol(_) => shared = true,
                        _ => return Err("arrays of this form".to_owned()),
                    }
                }
            }
            Node::Eq(a, _) if matches!(self.terms.sort(a), Sort::Array(_)) => {
                return Err("equality of arrays".to_owned());
            }
            ref node => {
                shared = matches!(node, Node::Apply(..));
                node.for_each_argument(|it| need(it, work));
            }
        }
        Ok(shared)
    }

    fn of(&self, term: Term) -> Rc<Word> {
        Rc::clone(&self.words.of[&term])
    }

    fn constant(value: &BvValue) -> Word {
        (0..value.width().bits()).map(|it| Bit::of(value.bit(it))).collect()
    }

    /// The bits of a term whose arguments are blasted.
    fn build(&mut self, term: Term) -> Result<Word> {
        if let Sort::BitVec(width) = self.terms.sort(term)
            && width.bits() > MOST_BITS
        {
            return Err(format!("bitvectors of {} bits", width.bits()));
        }
        Ok(match self.terms.node(term) {
            Node::Bool(value) => vec![Bit::of(*value)],
            Node::BitVec(value) => Self::constant(value),
            Node::Symbol(symbol) => (*self.symbol(*symbol)?).clone(),
            &Node::Not(a) => vec![!self.of(a)[0]],
            Node::And(args) => {
                let bits: Vec<Bit> = args.iter().map(|&it| self.of(it)[0]).collect();
                vec![bits.into_iter().fold(Bit::TRUE, |res, it| self.circuit.gates.and(res, it))]
            }
            Node::Or(args) => {
                let bits: Vec<Bit> = args.iter().map(|&it| self.of(it)[0]).collect();
                vec![bits.into_iter().fold(Bit::FALSE, |res, it| self.circuit.gates.or(res, it))]
            }
            &Node::Eq(a, b) => {
                let (a, b) = (self.of(a), self.of(b));
                vec![self.circuit.gates.equal(&a, &b)]
            }
            &Node::Ite(cond, then, other) => {
                let (cond, then, other) = (self.of(cond)[0], self.of(then), self.of(other));
                self.circuit.gates.mux_word(cond, &then, &other)
            }
            Node::BvSum(sum) => self.sum(sum),
            &Node::Bv(op, a, b) => self.binary(op, a, b),
            &Node::BvNot(a) => self.circuit.gates.not_word(&self.of(a)),
            &Node::Ult(a, b) => vec![self.less((Order::Unsigned, a, b))],
            &Node::Slt(a, b) => vec![self.less((Order::Signed, a, b))],
            &Node::Extract { high, low, arg } => self.of(arg)[low as usize..=high as usize].to_vec(),
            &Node::Concat(high, low) => {
                let mut res = (*self.of(low)).clone();
                res.extend_from_slice(&self.of(high));
                res
            }
            &Node::ZeroExtend(width, a) => {
                let mut res = (*self.of(a)).clone();
                res.resize(width.bits() as usize, Bit::FALSE);
                res
            }
            &Node::SignExtend(width, a) => {
                let mut res = (*self.of(a)).clone();
                let sign = res.last().copied().unwrap_or(Bit::FALSE);
                res.resize(width.bits() as usize, sign);
                res
            }
            &Node::Select(array, index) => {
                let index = self.of(index);
                self.select(array, &index)?
            }
            Node::Apply(function, args) => {
                let args: Vec<Rc<Word>> = args.iter().map(|&it| self.of(it)).collect();
                self.apply(*function, args)?
            }
            Node::Int(_)
            | Node::IntPoly(_)
            | Node::IntLe(..)
            | Node::IntQuot(..)
            | Node::IntRem(..)
            | Node::IntDiv(..)
            | Node::IntMod(..)
            | Node::IntPow(..) => return Err("unbounded integers".to_owned()),
            Node::Real(_) | Node::RealPoly(_) | Node::RealLe(..) | Node::RealDiv(..) | Node::IntToReal(_) => {
                return Err("real numbers".to_owned());
            }
            Node::Store(..) | Node::ConstArray(..) => return Err("arrays of this form".to_owned()),
            Node::Quantifier(_) => return Err("quantifiers".to_owned()),
        })
    }

    /// Whether the first of two terms that are blasted is less than the second.
    fn less(&mut self, pair: Pair) -> Bit {
        let few = self.circuit.orders.is_some() && orders::are_few(self.terms, pair.1, pair.2);
        let Some(mut orders) = self.circuit.orders.take_if(|_| few) else { return self.less_by_bits(pair) };
        let mut work = vec![pair];
        while let Some(&next) = work.last() {
            if orders.known(next).is_some() {
                work.pop();
                continue;
            }
            let less = match orders::parts(self.terms, next) {
                Parts::Choice(cond, then, other) => match (orders.known(then), orders.known(other)) {
                    (Some(then), Some(other)) => {
                        let cond = self.of(cond)[0];
                        self.circuit.gates.mux(cond, then, other)
                    }
                    _ => {
                        work.extend([then, other]);
                        continue;
                    }
                },
                Parts::Leaves => self.leaves_less(&mut orders, next),
            };
            orders.insert(next, less);
            work.pop();
        }
        let res = orders.known(pair);
        self.circuit.orders = Some(orders);
        res.unwrap_or_else(|| self.less_by_bits(pair))
    }

    fn leaves_less(&mut self, orders: &mut Orders, pair: Pair) -> Bit {
        let constants = |a: Term, b: Term| {
            let (a, b) = (self.terms.as_bv(a)?, self.terms.as_bv(b)?);
            let order = match pair.0 {
                Order::Unsigned => a.ucmp(b),
                Order::Signed => a.scmp(b),
            };
            Some(order.is_lt())
        };
        if let Some(less) = constants(pair.1, pair.2) {
            return Bit::of(less);
        }
        match orders.leaves(&mut self.circuit.gates, pair, constants) {
            Some((less, axioms)) => {
                self.circuit.axioms.extend(axioms);
                less
            }
            None => self.less_by_bits(pair),
        }
    }

    fn less_by_bits(&mut self, (order, a, b): Pair) -> Bit {
        let (a, b) = (self.of(a), self.of(b));
        match order {
            Order::Unsigned => self.circuit.gates.unsigned_less(&a, &b),
            Order::Signed => self.circuit.gates.signed_less(&a, &b),
        }
    }

    fn width_of(&self, sort: Sort) -> Result<usize> {
        match sort {
            Sort::Bool => Ok(1),
            Sort::BitVec(width) if width.bits() <= MOST_BITS => Ok(width.bits() as usize),
            Sort::BitVec(width) => Err(format!("bitvectors of {} bits", width.bits())),
            Sort::Int => Err("unbounded integers".to_owned()),
            Sort::Real => Err("real numbers".to_owned()),
            Sort::Array(_) => Err("arrays of this form".to_owned()),
            Sort::Uninterpreted(name) => Err(format!("the sort {}", self.terms.sort_name(name))),
        }
    }

    fn fresh(&mut self, width: usize) -> Rc<Word> {
        Rc::new((0..width).map(|_| self.circuit.gates.input()).collect())
    }

    fn symbol(&mut self, symbol: Symbol) -> Result<Rc<Word>> {
        if let Some(known) = self.circuit.symbols.get(&symbol) {
            return Ok(Rc::clone(known));
        }
        let width = self.width_of(self.terms.symbol_info(symbol).sort)?;
        let word = self.fresh(width);
        self.circuit.symbols.insert(symbol, Rc::clone(&word));
        Ok(word)
    }

    fn sum(&mut self, sum: &effigy_term::node::BvSum) -> Word {
        let mut res = Self::constant(&sum.constant);
        for (factor, term) in &sum.summands {
            let word = self.of(*term);
            res = self.circuit.gates.add_multiple(&res, &Self::constant(factor), &word);
        }
        res
    }

    fn binary(&mut self, op: BvOp, left: Term, right: Term) -> Word {
        let (a, b) = (self.of(left), self.of(right));
        let sign = |it: &Word| it.last().copied().unwrap_or(Bit::FALSE);
        let each = |it: &mut Self, op: fn(&mut Gates, Bit, Bit) -> Bit| {
            a.iter().zip(b.iter()).map(|(&x, &y)| op(&mut it.circuit.gates, x, y)).collect()
        };
        match op {
            BvOp::And => each(self, Gates::and),
            BvOp::Or => each(self, Gates::or),
            BvOp::Xor => each(self, Gates::xor),
            BvOp::Mul => self.circuit.gates.multiply(&a, &b),
            BvOp::Shl => self.circuit.gates.shift(&a, &b, true, Bit::FALSE),
            BvOp::LShr => self.circuit.gates.shift(&a, &b, false, Bit::FALSE),
            BvOp::AShr => self.circuit.gates.shift(&a, &b, false, sign(&a)),
            BvOp::UDiv => (*self.division(left, right).0).clone(),
            BvOp::URem => (*self.division(left, right).1).clone(),
            BvOp::SDiv => self.circuit.gates.divide_signed(&a, &b),
            BvOp::SRem => self.circuit.gates.remainder_signed(&a, &b),
        }
    }

    fn division(&mut self, a: Term, b: Term) -> (Rc<Word>, Rc<Word>) {
        if let Some((quotient, rest)) = self.words.divisions.get(&(a, b)) {
            return (Rc::clone(quotient), Rc::clone(rest));
        }
        let (x, y) = (self.of(a), self.of(b));
        let (quotient, rest) = self.circuit.gates.divide(&x, &y);
        let res = (Rc::new(quotient), Rc::new(rest));
        self.words.divisions.insert((a, b), res.clone());
        res
    }

    /// The element of an array at an index: those of the arrays that it is made of first, without recursion.
    fn select(&mut self, array: Term, index: &Rc<Word>) -> Result<Word> {
        let mut found: FxHashMap<Term, Word> = FxHashMap::default();
        let mut tables: FxHashMap<Term, Table> = FxHashMap::default();
        let mut work = vec![array];
        while let Some(&next) = work.last() {
            if found.contains_key(&next) {
                work.pop();
                continue;
            }
            let missing = |it: &Term| !found.contains_key(it);
            let word = match *self.terms.node(next) {
                Node::Store(below, at, element) => {
                    let table = tables.entry(next).or_insert_with(|| self.table(next));
                    let (at, element) = (self.of(at), self.of(element));
                    let below = table.as_ref().map_or(below, |it| it.1);
                    let hit = self.circuit.gates.equal(&at, index);
                    if hit == Bit::TRUE {
                        (*element).clone()
                    } else if missing(&below) {
                        work.push(below);
                        continue;
                    } else if let Some((entries, _)) = table {
                        self.circuit.gates.look_up(index, entries, &found[&below])
                    } else {
                        self.circuit.gates.mux_word(hit, &element, &found[&below])
                    }
                }
                Node::Ite(cond, then, other) => {
                    let sides = [then, other];
                    if sides.iter().any(missing) {
                        work.extend(sides.into_iter().filter(missing));
                        continue;
                    }
                    let cond = self.of(cond)[0];
                    self.circuit.gates.mux_word(cond, &found[&then], &found[&other])
                }
                Node::ConstArray(_, element) => (*self.of(element)).clone(),
                Node::Symbol(symbol) => self.select_symbol(symbol, index)?,
                _ => return Err("arrays of this form".to_owned()),
            };
            found.insert(next, word);
            work.pop();
        }
        found.remove(&array).ok_or_else(|| "arrays of this form".to_owned())
    }

    /// The elements of an array at constant indices, in the order of these, and the array below: where enough of the
    /// last stores have constant indices.
    fn table(&self, array: Term) -> Table {
        let mut entries: BTreeMap<u64, Rc<Word>> = BTreeMap::new();
        let mut array = array;
        while let Node::Store(below, at, element) = *self.terms.node(array) {
            let Some(at) = self.terms.as_bv(at).and_then(BvValue::to_u64) else { break };
            entries.entry(at).or_insert_with(|| self.of(element));
            array = below;
        }
        (entries.len() >= FEWEST_ENTRIES).then(|| (entries.into_iter().collect(), array))
    }

    fn select_symbol(&mut self, symbol: Symbol, index: &Rc<Word>) -> Result<Word> {
        let Sort::Array(parts) = self.terms.symbol_info(symbol).sort else {
            return Err("arrays of this form".to_owned());
        };
        let (index_sort, element_sort) = self.terms.array_parts(parts);
        self.width_of(index_sort)?;
        let earlier = self.circuit.selects.get(&symbol).cloned().unwrap_or_default();
        if let Some((_, element)) = earlier.iter().find(|it| it.0 == *index) {
            return Ok((**element).clone());
        }
        let width = self.width_of(element_sort)?;
        let element = self.fresh(width);
        for (other_index, other) in &earlier {
            let (same, equal) =
                (self.circuit.gates.equal(index, other_index), self.circuit.gates.equal(&element, other));
            let axiom = self.circuit.gates.or(!same, equal);
            self.assert(axiom);
        }
        self.circuit.selects.entry(symbol).or_default().push((Rc::clone(index), Rc::clone(&element)));
        Ok((*element).clone())
    }

    fn apply(&mut self, function: FunctionSymbol, args: Vec<Rc<Word>>) -> Result<Word> {
        let earlier = self.circuit.applications.get(&function).cloned().unwrap_or_default();
        if let Some((_, result)) = earlier.iter().find(|it| it.0 == args) {
            return Ok((**result).clone());
        }
        let width = self.width_of(self.terms.function_info(function).result)?;
        let result = self.fresh(width);
        for (other_args, other) in &earlier {
            let mut same = Bit::TRUE;
            for (x, y) in args.iter().zip(other_args) {
                let equal = self.circuit.gates.equal(x, y);
                same = self.circuit.gates.and(same, equal);
            }
            let equal = self.circuit.gates.equal(&result, other);
            let axiom = self.circuit.gates.or(!same, equal);
            self.assert(axiom);
        }
        self.circuit.applications.entry(function).or_default().push((args, Rc::clone(&result)));
        Ok((*result).clone())
    }

    fn assert(&mut self, axiom: Bit) {
        if axiom != Bit::TRUE {
            self.circuit.axioms.push(axiom);
        }
    }
}

fn number(width: Width, word: &[Bit], value: &dyn Fn(Bit) -> bool) -> BvValue {
    let mut res = BigUint::default();
    for (at, &bit) in word.iter().enumerate() {
        res.set_bit(at as u64, value(bit));
    }
    BvValue::from_biguint(width, res)
}
