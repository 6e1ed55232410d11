//! From terms to circuits.
//!
//! Knows: Bool, bitvectors, functions between them. Never: integers, quantifiers (the error names them); what arrays and
//! functions say (`arrays`, `reads`).

use super::agreement::{Agreement, Disagreement, Wish};
use super::bounds::{Bounds, narrowed, within};
use super::circuit::{Circuit, Result};
use super::circuits::{Word, signed_width};
use super::floats;
use super::gates::{Bit, Gates};
use super::orders::{self, Order, Orders, Pair, Parts};
use super::reads::{Reads, Source};
use super::sat::{Sat, Watch};
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
    /// Whether this circuit extends the one of every query, so that both must give a symbol the same bits.
    of_plain: bool,
}

impl Blaster {
    /// A circuit with all that relates what is read of arrays and functions.
    pub(super) fn new() -> Blaster {
        Blaster {
            circuit: Circuit::new(),
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

    /// A circuit that says of what is read of arrays and functions only what a model gets wrong (`refine`), where it takes
    /// more than this to choose among all that an array may be.
    pub(super) fn refined(most_choices: usize) -> Blaster {
        let mut res = Blaster::new();
        res.circuit.reads = Reads::refined(most_choices);
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

    /// Whether anything is read of arrays or functions.
    pub(super) fn has_reads(&self) -> bool {
        !self.circuit.reads.is_empty()
    }

    // Models.

    fn read(sort: Sort, word: &[Bit], value: &dyn Fn(Bit) -> bool) -> Value {
        match sort {
            Sort::BitVec(width) => Value::BitVec(number(width, word, value)),
            _ => Value::Bool(value(word[0])),
        }
    }

    /// If an assignment in which all `asserted` bits are true is no model, what inputs would better be. What it gets wrong of
    /// arrays and functions holds from now on.
    pub(super) fn refine(
        &mut self,
        terms: &Terms,
        asserted: &[Bit],
        found: &Sat,
    ) -> Result<Option<FxHashMap<u32, Wish>>> {
        let assignment = found.assignment(&self.circuit.gates);
        let value = |it| assignment.value(it);
        let agreement = Agreement::new(terms, &self.circuit.gates, &self.plain.of, &self.circuit.reads, &value);
        let (wrong, found) = agreement.check(asserted);
        drop(agreement);
        let is_model = wrong.is_nothing();
        self.circuit.reads.found = found;
        for lemma in wrong.lemmas {
            self.circuit.assert(lemma)?;
        }
        for Disagreement { equation, at } in wrong.disagreements {
            self.circuit.compare(equation, &at)?;
        }
        Ok((!is_model).then_some(wrong.wishes))
    }

    /// The value of a symbol in a model of the last query; `None` for a sort that is not blasted.
    pub(super) fn value(&self, terms: &Terms, symbol: Symbol, value: &dyn Fn(Bit) -> bool) -> Option<Value> {
        let sort = terms.symbol_info(symbol).sort;
        if let Sort::Array(parts) = sort {
            let (index_sort, element_sort) = terms.array_parts(parts);
            let mut default = effigy_term::eval::default_value(terms, element_sort);
            let mut entries = BTreeMap::new();
            let array = terms.of_symbol(symbol);
            if let Some(elsewhere) = self.circuit.reads.found.elsewhere.get(&array) {
                default = Self::read(element_sort, elsewhere, value);
            }
            for read in self.circuit.reads.found(Source::Array(array)) {
                let element = Self::read(element_sort, &read.is, value);
                if element != default {
                    entries.extend(read.at.iter().map(|it| (Self::read(index_sort, it, value), element.clone())));
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
        let interpretation = |function: FunctionSymbol| {
            let info = terms.function_info(function);
            let mut entries = BTreeMap::new();
            for read in self.circuit.reads.found(Source::Function(function)) {
                let args = read.at.iter().zip(&info.arguments);
                let args = args.map(|(it, &sort)| Self::read(sort, it, value)).collect();
                entries.insert(args, Self::read(info.result, &read.is, value));
            }
            let default = effigy_term::eval::default_value(terms, info.result);
            (function, FunctionValue { default, entries })
        };
        self.circuit.reads.functions().map(interpretation).collect()
    }
}

/// A circuit that grows for one query.
pub(super) struct Build<'b, 'a> {
    pub(super) terms: &'a Terms,
    pub(super) circuit: &'b mut Circuit,
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
                self.circuit.has_room(self.most_gates(next))?;
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
            Node::Float(ref it) => floats::most_gates(it.op),
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
        Ok(match *self.terms.node(term) {
            Node::Select(array, index) => {
                need(index, work);
                self.needed_of_array(array, |it| need(it, work))?
            }
            Node::Eq(a, b) if matches!(self.terms.sort(a), Sort::Array(_)) => {
                if !self.circuit.reads.are_refined() {
                    return Err("equality of arrays".to_owned());
                }
                self.needed_of_array(a, |it| need(it, work))?;
                self.needed_of_array(b, |it| need(it, work))?;
                true
            }
            ref node => {
                node.for_each_argument(|it| need(it, work));
                matches!(node, Node::Apply(..))
            }
        })
    }

    pub(super) fn of(&self, term: Term) -> Rc<Word> {
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
            &Node::Eq(a, b) if matches!(self.terms.sort(a), Sort::Array(_)) => vec![self.equal_arrays(a, b)?],
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
            Node::Float(it) => {
                let arguments: Vec<Rc<Word>> = it.arguments.iter().map(|&it| self.of(it)).collect();
                let arguments: Vec<&Word> = arguments.iter().map(|it| &**it).collect();
                floats::operation(&mut self.circuit.gates, it.op, &arguments)?
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

    pub(super) fn width_of(&self, sort: Sort) -> Result<usize> {
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

    fn symbol(&mut self, symbol: Symbol) -> Result<Rc<Word>> {
        if let Some(known) = self.circuit.symbols.get(&symbol) {
            return Ok(Rc::clone(known));
        }
        let width = self.width_of(self.terms.symbol_info(symbol).sort)?;
        let word = self.circuit.fresh(width);
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
}

fn number(width: Width, word: &[Bit], value: &dyn Fn(Bit) -> bool) -> BvValue {
    let mut res = BigUint::default();
    for (at, &bit) in word.iter().enumerate() {
        res.set_bit(at as u64, value(bit));
    }
    BvValue::from_biguint(width, res)
}
