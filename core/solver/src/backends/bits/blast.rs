//! From terms to circuits; arrays and uninterpreted functions by elimination.
//!
//! Knows: Bool, bitvectors, arrays and functions between them. Never: integers, quantifiers (the error names them).
//!
//! A select over stores is a chain of if-then-elses; selects from one array symbol, and applications of one
//! function, are fresh words that must be equal for equal arguments (Ackermann), which are the axioms.

use super::circuits::Word;
use super::gates::{Bit, Gates};
use effigy_term::model::FunctionValue;
use effigy_term::value::ArrayValue;
use effigy_term::{BvOp, BvValue, FunctionSymbol, Node, Sort, Symbol, Term, Terms, Value, Width};
use num_bigint::BigUint;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// Wider bitvectors are left to the SMT solver: their circuits would not fit memory.
const MOST_BITS: u32 = 8192;

type Result<T> = std::result::Result<T, String>;

/// Index and element.
type SelectPoint = (Rc<Word>, Rc<Word>);

/// Arguments and result.
type Application = (Vec<Rc<Word>>, Rc<Word>);

/// What has been blasted so far.
pub(super) struct Blaster {
    pub(super) gates: Gates,
    words: FxHashMap<Term, Rc<Word>>,
    /// The bits of each symbol.
    symbols: FxHashMap<Symbol, Rc<Word>>,
    /// The selects from each array symbol: index and element.
    selects: BTreeMap<Symbol, Vec<SelectPoint>>,
    /// The applications of each function: arguments and result.
    applications: BTreeMap<FunctionSymbol, Vec<Application>>,
    divisions: FxHashMap<(Term, Term), (Rc<Word>, Rc<Word>)>,
    /// What must hold in every query.
    pub(super) axioms: Vec<Bit>,
}

impl Blaster {
    pub(super) fn new() -> Blaster {
        Blaster {
            gates: Gates::new(),
            words: FxHashMap::default(),
            symbols: FxHashMap::default(),
            selects: BTreeMap::new(),
            applications: BTreeMap::new(),
            divisions: FxHashMap::default(),
            axioms: Vec::new(),
        }
    }

    /// The bit of a term of sort Bool.
    pub(super) fn truth(&mut self, terms: &Terms, term: Term) -> Result<Bit> {
        Ok(self.word(terms, term)?[0])
    }

    /// The bits of a term; its arguments first, without recursion.
    fn word(&mut self, terms: &Terms, term: Term) -> Result<Rc<Word>> {
        let mut work = vec![term];
        while let Some(&next) = work.last() {
            if self.words.contains_key(&next) {
                work.pop();
                continue;
            }
            let before = work.len();
            self.for_each_needed(terms, next, &mut work)?;
            if work.len() == before {
                let word = self.build(terms, next)?;
                self.words.insert(next, Rc::new(word));
                work.pop();
            }
        }
        Ok(Rc::clone(&self.words[&term]))
    }

    /// Pushes the arguments that are not blasted yet. An array is not a word: a select needs the indices and
    /// elements of all stores below it.
    fn for_each_needed(&self, terms: &Terms, term: Term, work: &mut Vec<Term>) -> Result<()> {
        let need = |it: Term, work: &mut Vec<Term>| {
            if !self.words.contains_key(&it) {
                work.push(it);
            }
        };
        match *terms.node(term) {
            Node::Select(array, index) => {
                need(index, work);
                let mut arrays = vec![array];
                let mut seen = rustc_hash::FxHashSet::default();
                while let Some(array) = arrays.pop() {
                    if !seen.insert(array) {
                        continue;
                    }
                    match *terms.node(array) {
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
                        Node::Symbol(_) => {}
                        _ => return Err("arrays of this form".to_owned()),
                    }
                }
            }
            Node::Eq(a, _) if matches!(terms.sort(a), Sort::Array(_)) => return Err("equality of arrays".to_owned()),
            ref node => node.for_each_argument(|it| need(it, work)),
        }
        Ok(())
    }

    fn of(&self, term: Term) -> Rc<Word> {
        Rc::clone(&self.words[&term])
    }

    fn constant(value: &BvValue) -> Word {
        (0..value.width().bits()).map(|it| Bit::of(value.bit(it))).collect()
    }

    /// The bits of a term whose arguments are blasted.
    fn build(&mut self, terms: &Terms, term: Term) -> Result<Word> {
        if let Sort::BitVec(width) = terms.sort(term)
            && width.bits() > MOST_BITS
        {
            return Err(format!("bitvectors of {} bits", width.bits()));
        }
        Ok(match terms.node(term) {
            Node::Bool(value) => vec![Bit::of(*value)],
            Node::BitVec(value) => Self::constant(value),
            Node::Symbol(symbol) => (*self.symbol(terms, *symbol)?).clone(),
            &Node::Not(a) => vec![!self.of(a)[0]],
            Node::And(args) => {
                let bits: Vec<Bit> = args.iter().map(|&it| self.of(it)[0]).collect();
                vec![bits.into_iter().fold(Bit::TRUE, |res, it| self.gates.and(res, it))]
            }
            Node::Or(args) => {
                let bits: Vec<Bit> = args.iter().map(|&it| self.of(it)[0]).collect();
                vec![bits.into_iter().fold(Bit::FALSE, |res, it| self.gates.or(res, it))]
            }
            &Node::Eq(a, b) => {
                let (a, b) = (self.of(a), self.of(b));
                vec![self.gates.equal(&a, &b)]
            }
            &Node::Ite(cond, then, other) => {
                let (cond, then, other) = (self.of(cond)[0], self.of(then), self.of(other));
                self.gates.mux_word(cond, &then, &other)
            }
            Node::BvSum(sum) => self.sum(sum),
            &Node::Bv(op, a, b) => self.binary(op, a, b),
            &Node::BvNot(a) => self.gates.not_word(&self.of(a)),
            &Node::Ult(a, b) => {
                let (a, b) = (self.of(a), self.of(b));
                vec![self.gates.unsigned_less(&a, &b)]
            }
            &Node::Slt(a, b) => {
                let (a, b) = (self.of(a), self.of(b));
                vec![self.gates.signed_less(&a, &b)]
            }
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
                self.select(terms, array, &index)?
            }
            Node::Apply(function, args) => {
                let args: Vec<Rc<Word>> = args.iter().map(|&it| self.of(it)).collect();
                self.apply(terms, *function, args)?
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

    fn width_of(terms: &Terms, sort: Sort) -> Result<usize> {
        match sort {
            Sort::Bool => Ok(1),
            Sort::BitVec(width) if width.bits() <= MOST_BITS => Ok(width.bits() as usize),
            Sort::BitVec(width) => Err(format!("bitvectors of {} bits", width.bits())),
            Sort::Int => Err("unbounded integers".to_owned()),
            Sort::Real => Err("real numbers".to_owned()),
            Sort::Array(_) => Err("arrays of this form".to_owned()),
            Sort::Uninterpreted(name) => Err(format!("the sort {}", terms.sort_name(name))),
        }
    }

    fn fresh(&mut self, width: usize) -> Rc<Word> {
        Rc::new((0..width).map(|_| self.gates.input()).collect())
    }

    fn symbol(&mut self, terms: &Terms, symbol: Symbol) -> Result<Rc<Word>> {
        if let Some(known) = self.symbols.get(&symbol) {
            return Ok(Rc::clone(known));
        }
        let width = Self::width_of(terms, terms.symbol_info(symbol).sort)?;
        let word = self.fresh(width);
        self.symbols.insert(symbol, Rc::clone(&word));
        Ok(word)
    }

    fn sum(&mut self, sum: &effigy_term::node::BvSum) -> Word {
        let mut res = Self::constant(&sum.constant);
        for (factor, term) in &sum.summands {
            let word = self.of(*term);
            res = self.gates.add_multiple(&res, &Self::constant(factor), &word);
        }
        res
    }

    fn binary(&mut self, op: BvOp, left: Term, right: Term) -> Word {
        let (a, b) = (self.of(left), self.of(right));
        let sign = |it: &Word| it.last().copied().unwrap_or(Bit::FALSE);
        let each = |it: &mut Self, op: fn(&mut Gates, Bit, Bit) -> Bit| {
            a.iter().zip(b.iter()).map(|(&x, &y)| op(&mut it.gates, x, y)).collect()
        };
        match op {
            BvOp::And => each(self, Gates::and),
            BvOp::Or => each(self, Gates::or),
            BvOp::Xor => each(self, Gates::xor),
            BvOp::Mul => self.gates.multiply(&a, &b),
            BvOp::Shl => self.gates.shift(&a, &b, true, Bit::FALSE),
            BvOp::LShr => self.gates.shift(&a, &b, false, Bit::FALSE),
            BvOp::AShr => self.gates.shift(&a, &b, false, sign(&a)),
            BvOp::UDiv => (*self.division(left, right).0).clone(),
            BvOp::URem => (*self.division(left, right).1).clone(),
            BvOp::SDiv => self.gates.divide_signed(&a, &b),
            BvOp::SRem => self.gates.remainder_signed(&a, &b),
        }
    }

    fn division(&mut self, a: Term, b: Term) -> (Rc<Word>, Rc<Word>) {
        if let Some((quotient, rest)) = self.divisions.get(&(a, b)) {
            return (Rc::clone(quotient), Rc::clone(rest));
        }
        let (x, y) = (self.of(a), self.of(b));
        let (quotient, rest) = self.gates.divide(&x, &y);
        let res = (Rc::new(quotient), Rc::new(rest));
        self.divisions.insert((a, b), res.clone());
        res
    }

    /// The element of an array at an index.
    fn select(&mut self, terms: &Terms, array: Term, index: &Rc<Word>) -> Result<Word> {
        // Down the stores to what is below them, then back up through the if-then-elses.
        let mut stores = Vec::new();
        let mut array = array;
        let mut res = loop {
            match *terms.node(array) {
                Node::Store(below, at, element) => {
                    let (at, element) = (self.of(at), self.of(element));
                    let hit = self.gates.equal(&at, index);
                    if hit == Bit::TRUE {
                        break (*element).clone();
                    }
                    if hit != Bit::FALSE {
                        stores.push((hit, element));
                    }
                    array = below;
                }
                Node::Ite(cond, then, other) => {
                    let cond = self.of(cond)[0];
                    let (then, other) = (self.select(terms, then, index)?, self.select(terms, other, index)?);
                    break self.gates.mux_word(cond, &then, &other);
                }
                Node::ConstArray(_, element) => break (*self.of(element)).clone(),
                Node::Symbol(symbol) => break self.select_symbol(terms, symbol, index)?,
                _ => return Err("arrays of this form".to_owned()),
            }
        };
        for (hit, element) in stores.into_iter().rev() {
            res = self.gates.mux_word(hit, &element, &res);
        }
        Ok(res)
    }

    fn select_symbol(&mut self, terms: &Terms, symbol: Symbol, index: &Rc<Word>) -> Result<Word> {
        let Sort::Array(parts) = terms.symbol_info(symbol).sort else { return Err("arrays of this form".to_owned()) };
        let (index_sort, element_sort) = terms.array_parts(parts);
        Self::width_of(terms, index_sort)?;
        let earlier = self.selects.get(&symbol).cloned().unwrap_or_default();
        if let Some((_, element)) = earlier.iter().find(|it| it.0 == *index) {
            return Ok((**element).clone());
        }
        let element = self.fresh(Self::width_of(terms, element_sort)?);
        for (other_index, other) in &earlier {
            let (same, equal) = (self.gates.equal(index, other_index), self.gates.equal(&element, other));
            let axiom = self.gates.or(!same, equal);
            self.assert(axiom);
        }
        self.selects.entry(symbol).or_default().push((Rc::clone(index), Rc::clone(&element)));
        Ok((*element).clone())
    }

    fn apply(&mut self, terms: &Terms, function: FunctionSymbol, args: Vec<Rc<Word>>) -> Result<Word> {
        let earlier = self.applications.get(&function).cloned().unwrap_or_default();
        if let Some((_, result)) = earlier.iter().find(|it| it.0 == args) {
            return Ok((**result).clone());
        }
        let result = self.fresh(Self::width_of(terms, terms.function_info(function).result)?);
        for (other_args, other) in &earlier {
            let mut same = Bit::TRUE;
            for (x, y) in args.iter().zip(other_args) {
                let equal = self.gates.equal(x, y);
                same = self.gates.and(same, equal);
            }
            let equal = self.gates.equal(&result, other);
            let axiom = self.gates.or(!same, equal);
            self.assert(axiom);
        }
        self.applications.entry(function).or_default().push((args, Rc::clone(&result)));
        Ok((*result).clone())
    }

    fn assert(&mut self, axiom: Bit) {
        if axiom != Bit::TRUE {
            self.axioms.push(axiom);
        }
    }

    // Models.

    fn read(sort: Sort, word: &[Bit], value: &dyn Fn(Bit) -> bool) -> Value {
        match sort {
            Sort::BitVec(width) => Value::BitVec(number(width, word, value)),
            _ => Value::Bool(value(word[0])),
        }
    }

    /// The value of a symbol in a model; `None` for a sort that is not blasted.
    pub(super) fn value(&self, terms: &Terms, symbol: Symbol, value: &dyn Fn(Bit) -> bool) -> Option<Value> {
        let sort = terms.symbol_info(symbol).sort;
        if let Sort::Array(parts) = sort {
            let (index_sort, element_sort) = terms.array_parts(parts);
            let default = effigy_term::eval::default_value(terms, element_sort);
            let mut entries = BTreeMap::new();
            for (index, element) in self.selects.get(&symbol).into_iter().flatten() {
                let element = Self::read(element_sort, element, value);
                if element != default {
                    entries.insert(Self::read(index_sort, index, value), element);
                }
            }
            return Some(Value::Array(Arc::new(ArrayValue { default, entries })));
        }
        match self.symbols.get(&symbol) {
            Some(word) => Some(Self::read(sort, word, value)),
            // Simplified away: any value will do.
            None => Some(effigy_term::eval::default_value(terms, sort)),
        }
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
        self.applications.iter().map(interpretation).collect()
    }
}

fn number(width: Width, word: &[Bit], value: &dyn Fn(Bit) -> bool) -> BvValue {
    let mut res = BigUint::default();
    for (at, &bit) in word.iter().enumerate() {
        res.set_bit(at as u64, value(bit));
    }
    BvValue::from_biguint(width, res)
}
