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
use super::reads::{Found, Lemma, Meaning, Premise, Read, Reads, Source, same_place};
use effigy_term::{BvValue, Node, Term, Terms};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

/// The words of terms.
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
    /// What this bit is.
    As(Bit),
}

impl Wrong {
    pub(super) fn is_nothing(&self) -> bool {
        self.lemmas.is_empty() && self.disagreements.is_empty()
    }
}

/// What an assignment says.
pub(super) struct Agreement<'a> {
    pub(super) terms: &'a Terms,
    pub(super) gates: &'a Gates,
    /// Those of the indices and elements of stores, and of the conditions of conditional arrays.
    pub(super) words: &'a Words,
    pub(super) reads: &'a Reads,
    pub(super) value: &'a dyn Fn(Bit) -> bool,
    /// The numbers of words that were asked for, by their places: the words outlive this.
    numbers: RefCell<FxHashMap<*const Word, Number>>,
    /// The stores at constant indices above each array that was asked for.
    runs: RefCell<FxHashMap<Term, Option<Rc<Run>>>>,
}

/// Fewer stores at constant indices are looked at one by one.
const SHORTEST_RUN: usize = 4;

/// Stores at constant indices, one behind the other.
struct Run {
    /// The index and the element of each, the last store to an index counting.
    entries: FxHashMap<u64, (Rc<Word>, Rc<Word>)>,
    /// The indices, ascending.
    indices: Rc<[u64]>,
    below: Term,
}

/// What is met on the way to where an array has its element.
pub(super) enum Step<'a> {
    /// A store there.
    At(&'a Rc<Word>),
    /// A store elsewhere.
    NotAt(&'a Rc<Word>),
    /// Stores elsewhere, at constant indices.
    NotAmong(&'a Rc<[u64]>),
    /// The condition of a conditional, or its negation.
    Holds(Bit),
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
    pub(super) fn check(&self, asserted: &[Bit]) -> (Wrong, Found) {
        let (mut wrong, mut found) = (Wrong::default(), Found::default());
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
            let mut arrays = Vec::new();
            match self.reads.meaning(gate) {
                Some(Meaning::Read(number)) if reads.insert(number) => {
                    let read = self.reads.read(number);
                    work.extend(read.at.iter().flat_map(|it| it.iter()).map(|it| it.gate()));
                    if let Source::Array(array) = read.source {
                        arrays.push(array);
                    }
                }
                Some(Meaning::Equation(number)) if equations.insert(number) => {
                    let equation = self.reads.equation(number);
                    arrays.extend(equation.arrays);
                    let compared = equation.reads.iter().map(|&it| self.reads.read(it));
                    work.extend(compared.flat_map(|it| it.is.iter()).map(|it| it.gate()));
                }
                _ => {}
            }
            let mut need = |it: Term| work.extend(self.words[&it].iter().map(|it| it.gate()));
            while let Some(array) = arrays.pop() {
                if !seen_arrays.insert(array) {
                    continue;
                }
                match *self.terms.node(array) {
                    Node::Store(below, index, element) => {
                        need(index);
                        need(element);
                        arrays.push(below);
                    }
                    Node::Ite(cond, then, other) => {
                        need(cond);
                        arrays.extend([then, other]);
                    }
                    Node::ConstArray(_, element) => need(element),
                    _ => {}
                }
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

    /// Where a value comes from, and why: what has led there.
    fn origin(&self, read: &Read, because: &mut dyn FnMut(Premise)) -> Origin {
        let (array, index) = match (read.source, read.at.first()) {
            (Source::Array(array), Some(index)) => (array, index),
            (source, _) => return Origin::Unknown(source),
        };
        let of = |word: &Rc<Word>| (Rc::clone(index), Rc::clone(word));
        self.down(array, &self.number(index), &mut |step| {
            because(match step {
                Step::At(word) => Premise::Same(of(word).0, of(word).1),
                Step::NotAt(word) => Premise::Differ(of(word).0, of(word).1),
                Step::NotAmong(indices) => Premise::NotAmong(Rc::clone(index), Rc::clone(indices)),
                Step::Holds(cond) => Premise::Holds(cond),
            });
        })
    }

    /// What an array is at an index: down its stores and conditionals.
    pub(super) fn down(&self, mut array: Term, here: &Number, met: &mut dyn FnMut(Step<'_>)) -> Origin {
        loop {
            if let Some(run) = self.run(array) {
                let (low, high) = here.split_first().map_or((0, &[][..]), |(low, high)| (*low, high));
                let hit = run.entries.get(&low).filter(|_| high.iter().all(|&it| it == 0));
                if let Some((at, element)) = hit {
                    met(Step::At(at));
                    return Origin::Stored(Rc::clone(element));
                }
                met(Step::NotAmong(&run.indices));
                array = run.below;
            }
            match *self.terms.node(array) {
                Node::Store(below, at, element) => {
                    let word = &self.words[&at];
                    if self.number(word) == *here {
                        met(Step::At(word));
                        return Origin::Stored(Rc::clone(&self.words[&element]));
                    }
                    met(Step::NotAt(word));
                    array = below;
                }
                Node::Ite(cond, then, other) => {
                    let cond = self.words[&cond][0];
                    let is_true = (self.value)(cond);
                    met(Step::Holds(if is_true { cond } else { !cond }));
                    array = if is_true { then } else { other };
                }
                Node::ConstArray(_, element) => return Origin::Stored(Rc::clone(&self.words[&element])),
                _ => return Origin::Unknown(Source::Array(array)),
            }
        }
    }

    /// The stores at constant indices that an array ends with, if there are some.
    fn run(&self, array: Term) -> Option<Rc<Run>> {
        let constant = |at: Term| self.terms.as_bv(at).and_then(BvValue::to_u64);
        match *self.terms.node(array) {
            Node::Store(_, at, _) if constant(at).is_some() => {}
            _ => return None,
        }
        if let Some(known) = self.runs.borrow().get(&array) {
            return known.clone();
        }
        let (mut entries, mut below) = (FxHashMap::default(), array);
        while let Node::Store(next, at, element) = *self.terms.node(below) {
            let Some(index) = constant(at) else { break };
            let entry = || (Rc::clone(&self.words[&at]), Rc::clone(&self.words[&element]));
            entries.entry(index).or_insert_with(entry);
            below = next;
        }
        let mut indices: Vec<u64> = entries.keys().copied().collect();
        indices.sort_unstable();
        let is_run = indices.len() >= SHORTEST_RUN;
        let res = is_run.then(|| Rc::new(Run { entries, indices: indices.into(), below }));
        self.runs.borrow_mut().insert(array, res.clone());
        res
    }
}
