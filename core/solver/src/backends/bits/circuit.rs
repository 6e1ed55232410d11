//! The circuit that all words share: gates, the words of symbols, what was read of arrays and functions, and what must hold
//! in every query.
//!
//! Knows: how what is read is asserted to be what it is. Never: terms, but by their handles.

use super::circuits::Word;
use super::gates::{Bit, Gates};
use super::orders::Orders;
use super::reads::{Equation, Lemma, Premise, Reads, Source};
use effigy_term::{Symbol, Term};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A circuit of more gates is left to the SMT solver as well: some gigabytes.
const MOST_GATES: usize = 30_000_000;

/// What is not made into a circuit, by what it is.
pub(super) type Result<T> = std::result::Result<T, String>;

/// The gates and definitions that the words of all terms share.
pub(super) struct Circuit {
    pub(super) gates: Gates,
    /// The bits of each symbol.
    pub(super) symbols: FxHashMap<Symbol, Rc<Word>>,
    /// What is read of arrays and functions.
    pub(super) reads: Reads,
    /// What must hold in every query.
    pub(super) axioms: Vec<Bit>,
    /// Where comparisons are an order of which nothing else is known: what was compared.
    pub(super) orders: Option<Orders>,
}

impl Circuit {
    pub(super) fn new() -> Circuit {
        Circuit {
            gates: Gates::new(),
            symbols: FxHashMap::default(),
            reads: Reads::default(),
            axioms: Vec::new(),
            orders: None,
        }
    }

    /// Whether there is room for as many more gates.
    ///
    /// # Errors
    /// What there is no room for.
    pub(super) fn has_room(&self, more: usize) -> Result<()> {
        match self.gates.len().saturating_add(more) > MOST_GATES {
            true => Err(format!("circuits of more than {MOST_GATES} gates")),
            false => Ok(()),
        }
    }

    pub(super) fn fresh(&mut self, width: usize) -> Rc<Word> {
        Rc::new((0..width).map(|_| self.gates.input()).collect())
    }

    /// Adds what holds in every query.
    pub(super) fn assert(&mut self, lemma: Lemma) -> Result<()> {
        self.has_room(0)?;
        let axiom = lemma.bit(&mut self.gates);
        if axiom != Bit::TRUE {
            self.axioms.push(axiom);
        }
        Ok(())
    }

    /// A fresh word of a width, or that which was read before where it was.
    pub(super) fn read(&mut self, source: Source, at: Vec<Rc<Word>>, width: usize) -> Result<Rc<Word>> {
        if let Some(known) = self.reads.known(source, &at) {
            return Ok(known);
        }
        let is = self.fresh(width);
        for lemma in self.reads.insert(source, at, Rc::clone(&is)) {
            self.assert(lemma)?;
        }
        Ok(is)
    }

    /// Two arrays that are equal are so at an index.
    pub(super) fn compare(&mut self, equation: usize, at: &Rc<Word>) -> Result<()> {
        let &Equation { arrays: [a, b], is, width, .. } = self.reads.equation(equation);
        let equal = (
            self.read(Source::Array(a), vec![Rc::clone(at)], width)?,
            self.read(Source::Array(b), vec![Rc::clone(at)], width)?,
        );
        self.reads.compared(equation, at);
        self.assert(Lemma { premises: vec![Premise::Holds(is)], equal })
    }

    /// Whether two arrays, of indices and elements of these widths, are equal; where they are not, they differ at an index.
    pub(super) fn equate(&mut self, arrays: [Term; 2], index: usize, element: usize) -> Result<Bit> {
        let is = self.gates.input();
        let equation = self.reads.equate(arrays, is, element);
        let at = self.fresh(index);
        let [a, b] = arrays.map(|it| self.read(Source::Array(it), vec![Rc::clone(&at)], element));
        let equal = self.gates.equal(&a?, &b?);
        let differ = self.gates.or(is, !equal);
        self.axioms.push(differ);
        self.reads.compared(equation, &at);
        Ok(is)
    }
}
