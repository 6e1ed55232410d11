//! Elements of arrays, and results of functions, as words.
//!
//! Knows: chains of conditionals over few stores, tables over constant indices. What is read of an array, or a function,
//! of which nothing is known, and what is read behind many stores, is a fresh word that `reads` relates to others.

use super::blast::Build;
use super::circuit::Result;
use super::circuits::Word;
use super::gates::Bit;
use super::reads::Source;
use super::stores::{self, Piece};
use super::tables::Entry;
use effigy_term::{FunctionSymbol, Node, Sort, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Elements at constant indices, and the array below them.
type Table = Option<(Vec<Entry>, Term)>;

/// What it takes to choose among what an array may be somewhere: by a store at any index, or a conditional; by a store at a
/// constant index, which a table has.
const CHOICE: usize = 256;
const ENTRY: usize = 1;

/// Where comparisons are an order of which nothing else is known, no more is read than this: each pair costs.
const MOST_READS: usize = 64;

/// What an array is made of.
struct Parts {
    has_symbol: bool,
    /// What it takes to choose among all.
    choices: usize,
}

impl Build<'_, '_> {
    /// What an array is made of: the indices and elements of all stores below it, the conditions of its choices.
    fn parts_of_array(&self, array: Term, mut part: impl FnMut(Term)) -> Result<Parts> {
        let mut res = Parts { has_symbol: false, choices: 0 };
        let mut is_known = true;
        stores::each_piece(self.terms, array, &mut FxHashSet::default(), |piece| {
            piece.terms().for_each(&mut part);
            let is_constant = |it| self.terms.as_bv(it).is_some();
            match piece {
                Piece::Store(index, element) if is_constant(index) => {
                    res.choices += if is_constant(element) { 0 } else { ENTRY };
                }
                Piece::Store(..) | Piece::Choice(_) => res.choices += CHOICE,
                Piece::Everywhere(_) => {}
                Piece::Symbol => res.has_symbol = true,
                Piece::Other => is_known = false,
            }
        });
        is_known.then_some(res).ok_or_else(|| "arrays of this form".to_owned())
    }

    /// Pushes what a select needs of its array, which is not a word. Whether it reads what other selects may read.
    pub(super) fn needed_of_array(&self, array: Term, need: impl FnMut(Term)) -> Result<bool> {
        let parts = self.parts_of_array(array, need)?;
        Ok(parts.has_symbol || self.circuit.reads.are_too_many(parts.choices))
    }

    /// The element of an array at an index.
    pub(super) fn select(&mut self, array: Term, index: &Rc<Word>) -> Result<Word> {
        let parts = self.parts_of_array(array, |_| {})?;
        match self.circuit.reads.are_too_many(parts.choices) {
            true => self.read(Source::Array(array), vec![Rc::clone(index)], self.element_of(array)?),
            false => self.chosen(array, index),
        }
    }

    /// The element as a choice among all: those of the arrays that it is made of first, without recursion.
    fn chosen(&mut self, array: Term, index: &Rc<Word>) -> Result<Word> {
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
                    if hit.constant() == Some(true) {
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
                Node::Symbol(_) => self.read(Source::Array(next), vec![Rc::clone(index)], self.element_of(next)?)?,
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
        let run = stores::run(self.terms, array)?;
        let entries = run.entries.into_iter().map(|(index, (_, element))| (index, self.of(element)));
        Some((entries.collect(), run.below))
    }

    /// Whether two arrays are equal, of indices and elements that are words.
    pub(super) fn equal_arrays(&mut self, a: Term, b: Term) -> Result<Bit> {
        let element = self.element_of(a)?;
        let Sort::Array(parts) = self.terms.sort(a) else { return Err("arrays of this form".to_owned()) };
        let (index, element) = (self.width_of(self.terms.array_parts(parts).0)?, self.width_of(element)?);
        self.circuit.equate([a, b], index, element)
    }

    /// The sort of the elements of an array, whose indices are words.
    fn element_of(&self, array: Term) -> Result<Sort> {
        let Sort::Array(parts) = self.terms.sort(array) else { return Err("arrays of this form".to_owned()) };
        let (index, element) = self.terms.array_parts(parts);
        self.width_of(index)?;
        Ok(element)
    }

    pub(super) fn apply(&mut self, function: FunctionSymbol, args: Vec<Rc<Word>>) -> Result<Word> {
        self.read(Source::Function(function), args, self.terms.function_info(function).result)
    }

    /// A fresh word, that which was read before where it was.
    fn read(&mut self, source: Source, at: Vec<Rc<Word>>, sort: Sort) -> Result<Word> {
        let is_known = self.circuit.reads.known(source, &at).is_some();
        if !is_known && self.circuit.orders.is_some() && self.circuit.reads.len() >= MOST_READS {
            return Err(format!("more than {MOST_READS} reads"));
        }
        let width = self.width_of(sort)?;
        Ok((*self.circuit.read(source, at, width)?).clone())
    }
}
