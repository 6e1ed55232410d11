//! What an assignment gets wrong of what was read of arrays and functions.
//!
//! Knows: in which order it is looked for what an array is somewhere. Never: how words are made; what equal arrays must
//! agree in (`equal_arrays`).
//!
//! An assignment is a model where what is read of one place is one value, what is read behind stores is what was stored,
//! or is read before them, and arrays that are equal agree: wherever the assignment has something to say of one of them,
//! and in what they are everywhere else. Of what the query does not reach nothing is looked at: any value will do there.

use super::circuits::Word;
use super::gates::{Bit, Gates};
use super::reads::{ArrayModel, Lemma, Meaning, Premise, ReadWord, Reads, Source, same_place};
use super::stores::{self, Run};
use effigy_term::{Node, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The bits of each term that has a circuit.
type Words = FxHashMap<Term, Rc<Word>>;

/// A number of any width: its bits, the lowest first.
pub(super) type Number = Rc<[u64]>;

/// Two arrays that are equal differ, or nothing was read of one of them where something was of the other.
#[derive(Debug)]
pub(super) struct Disagreement {
    pub(super) equation: usize,
    /// An index, where they are to be compared.
    pub(super) at: Rc<Word>,
}

/// What an assignment gets wrong.
#[derive(Debug, Default)]
pub(super) struct Wrong {
    pub(super) lemmas: Vec<Lemma>,
    pub(super) disagreements: Vec<Disagreement>,
    /// What inputs would better be, by their gates.
    pub(super) wishes: FxHashMap<u32, Wish>,
}

/// What an input would better be.
#[derive(Clone, Copy, Debug)]
pub(super) enum Wish {
    Is(bool),
    /// The bit is equal to this one.
    As(Bit),
}

impl Wrong {
    pub(super) fn is_nothing(&self) -> bool {
        self.lemmas.is_empty() && self.disagreements.is_empty()
    }
}

/// Checks whether an assignment of the circuit is a model of arrays and functions, too.
pub(super) struct Agreement<'a> {
    pub(super) terms: &'a Terms,
    pub(super) gates: &'a Gates,
    /// Those of the indices and elements of stores, and of the conditions of conditional arrays.
    pub(super) words: &'a Words,
    pub(super) reads: &'a Reads,
    pub(super) value: &'a dyn Fn(Bit) -> bool,
    /// The numbers of words that were asked for, by their places: the words outlive this.
    numbers: RefCell<FxHashMap<*const Word, Number>>,
    /// The stores at constant indices that arrays end with, as far as they were asked for.
    runs: RefCell<FxHashMap<Term, Option<Rc<Run>>>>,
}

/// Where what an array is at an index comes from.
pub(super) enum Origin {
    Stored(Rc<Word>),
    Unknown(Source),
}

/// What was read of each source at each place.
pub(super) type Places = FxHashMap<(Source, Vec<Number>), usize>;

impl<'a> Agreement<'a> {
    pub(super) fn new(
        terms: &'a Terms,
        gates: &'a Gates,
        words: &'a Words,
        reads: &'a Reads,
        value: &'a dyn Fn(Bit) -> bool,
    ) -> Agreement<'a> {
        Agreement { terms, gates, words, reads, value, numbers: RefCell::default(), runs: RefCell::default() }
    }

    /// What the assignment gets wrong of all that `asserted` reaches, and what it says where that is nothing.
    pub(super) fn check(&self, asserted: &[Bit]) -> (Wrong, ArrayModel) {
        let (mut wrong, mut found) = (Wrong::default(), ArrayModel::default());
        let mut places = Places::default();
        let (reads, equations) = self.reached(asserted);
        for number in reads {
            let read = self.reads.read(number);
            match self.origin(read, &mut |_| {}) {
                Origin::Stored(word) if self.number(&word) == self.number(&read.is) => {}
                Origin::Stored(word) => {
                    let mut premises = Vec::new();
                    self.origin(read, &mut |it| premises.push(it));
                    // What was stored is read, wherever it was stored.
                    wrong.wishes.extend(read.is.iter().zip(&*word).map(|(it, &is)| (it.gate(), Wish::As(is))));
                    wrong.lemmas.push(Lemma { premises, equal: (Rc::clone(&read.is), word) });
                }
                Origin::Unknown(source) => {
                    let place = (source, read.at.iter().map(|it| self.number(it)).collect());
                    let first = *places.entry(place).or_insert(number);
                    let other = self.reads.read(first);
                    if first == number {
                        found.reads.entry(source).or_default().push(number);
                    } else if self.number(&read.is) != self.number(&other.is) {
                        let mut lemma = same_place(read, other);
                        self.origin(read, &mut |it| lemma.premises.push(it));
                        self.origin(other, &mut |it| lemma.premises.push(it));
                        wrong.lemmas.push(lemma);
                        // What differs from what was read there was read elsewhere, at a place of its own.
                        let place = read.at.iter().flat_map(|it| it.iter()).enumerate();
                        let bit = |at: usize| number.checked_shr(at as u32).unwrap_or(0) & 1 == 1;
                        wrong.wishes.extend(place.map(|(at, it)| (it.gate(), Wish::Is(bit(at) != it.is_negated()))));
                    }
                }
            }
        }
        if wrong.is_nothing() {
            self.compare(&equations, &places, &mut found, &mut wrong);
        }
        (wrong, found)
    }

    /// What the bits depend on, and what that which is read depends on: reads and equations.
    fn reached(&self, from: &[Bit]) -> (BTreeSet<usize>, BTreeSet<usize>) {
        let (mut reads, mut equations) = (BTreeSet::new(), BTreeSet::new());
        let (mut seen, mut seen_arrays) = (FxHashSet::default(), FxHashSet::default());
        let mut work: Vec<u32> = from.iter().map(|it| it.gate()).collect();
        while let Some(gate) = work.pop() {
            if !seen.insert(gate) {
                continue;
            }
            work.extend(self.gates.gate(gate).arguments().map(Bit::gate));
            let mut need_of = |array: Term, work: &mut Vec<u32>| {
                let mut need = |it: Term| work.extend(self.words[&it].iter().map(|it| it.gate()));
                stores::each_piece(self.terms, array, &mut seen_arrays, |it| it.terms().for_each(&mut need));
            };
            match self.reads.meaning(gate) {
                Some(Meaning::Read(number)) if reads.insert(number) => {
                    let read = self.reads.read(number);
                    work.extend(read.at.iter().flat_map(|it| it.iter()).map(|it| it.gate()));
                    if let Source::Array(array) = read.source {
                        need_of(array, &mut work);
                    }
                }
                Some(Meaning::Equation(number)) if equations.insert(number) => {
                    let equation = self.reads.equation(number);
                    equation.arrays.into_iter().for_each(|it| need_of(it, &mut work));
                    let compared = equation.reads.iter().map(|&it| self.reads.read(it));
                    work.extend(compared.flat_map(|it| it.is.iter()).map(|it| it.gate()));
                }
                _ => {}
            }
        }
        (reads, equations)
    }

    pub(super) fn number(&self, word: &Rc<Word>) -> Number {
        let key = Rc::as_ptr(word);
        if let Some(known) = self.numbers.borrow().get(&key) {
            return Rc::clone(known);
        }
        let block = |bits: &[Bit]| bits.iter().rev().fold(0, |res, &it| res << 1 | u64::from((self.value)(it)));
        let res: Number = word.chunks(64).map(block).collect();
        self.numbers.borrow_mut().insert(key, Rc::clone(&res));
        res
    }

    /// Where what was read comes from, and why: what has led there.
    fn origin(&self, read: &ReadWord, because: &mut dyn FnMut(Premise)) -> Origin {
        match (read.source, &read.at[..]) {
            (Source::Array(array), [index]) => self.down(array, index, because),
            (source, _) => Origin::Unknown(source),
        }
    }

    /// Where what an array is at an index comes from: down its stores and conditionals.
    pub(super) fn down(&self, mut array: Term, index: &Rc<Word>, because: &mut dyn FnMut(Premise)) -> Origin {
        let here = self.number(index);
        let is_at = |at: Term| Premise::Same(Rc::clone(index), Rc::clone(&self.words[&at]));
        loop {
            if let Some(run) = self.run(array) {
                let (low, high) = here.split_first().map_or((0, &[][..]), |(low, high)| (*low, high));
                let hit = run.entries.get(&low).filter(|_| high.iter().all(|&it| it == 0));
                if let Some(&(at, element)) = hit {
                    because(is_at(at));
                    return Origin::Stored(Rc::clone(&self.words[&element]));
                }
                array = run.below;
                because(Premise::NotAmong(Rc::clone(index), run));
            }
            match *self.terms.node(array) {
                Node::Store(below, at, element) => {
                    let word = &self.words[&at];
                    if self.number(word) == here {
                        because(is_at(at));
                        return Origin::Stored(Rc::clone(&self.words[&element]));
                    }
                    because(Premise::Differ(Rc::clone(index), Rc::clone(word)));
                    array = below;
                }
                Node::Ite(cond, then, other) => {
                    let cond = self.words[&cond][0];
                    let is_true = (self.value)(cond);
                    because(Premise::Holds(if is_true { cond } else { !cond }));
                    array = if is_true { then } else { other };
                }
                Node::ConstArray(_, element) => return Origin::Stored(Rc::clone(&self.words[&element])),
                _ => return Origin::Unknown(Source::Array(array)),
            }
        }
    }

    /// The stores at constant indices that an array ends with, if they are enough.
    fn run(&self, array: Term) -> Option<Rc<Run>> {
        let mut runs = self.runs.borrow_mut();
        runs.entry(array).or_insert_with(|| stores::run(self.terms, array).map(Rc::new)).clone()
    }
}
