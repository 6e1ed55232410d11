//! What is read of arrays and functions, a fresh word for each place, and which arrays are equal, a bit for each two.
//!
//! Knows: which words must be equal; what was found out of them. Never: how terms become words, what a model gets wrong
//! (`agreement`).
//!
//! Of n words of one array some n² pairs must be equal where their indices are. Either each is said at once (Ackermann),
//! or, *refined*, only what a model gets wrong, until it gets nothing wrong: lemmas on demand. Every lemma holds in all
//! arrays, so that what is unsatisfiable with some of them is unsatisfiable.
//!
//! Source: Brummayer, Biere, *Lemmas on demand for the extensional theory of arrays* (2009).

use super::circuits::Word;
use super::gates::{Bit, Gates};
use super::stores::Run;
use effigy_term::{FunctionSymbol, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The array or function that is read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) enum Source {
    /// An array, or one that is made of arrays.
    Array(Term),
    Function(FunctionSymbol),
}

/// A word that was read.
#[derive(Debug)]
pub(super) struct ReadWord {
    pub(super) source: Source,
    /// Where: the index, or the arguments.
    pub(super) at: Vec<Rc<Word>>,
    /// The bits of the value that is there.
    pub(super) is: Rc<Word>,
}

/// Whether two arrays are equal.
#[derive(Debug)]
pub(super) struct Equation {
    pub(super) arrays: [Term; 2],
    pub(super) is: Bit,
    /// The number of bits of an element.
    pub(super) width: usize,
    /// What was read of both where they may differ: it matters wherever the equation does.
    pub(super) reads: Vec<usize>,
}

/// What a gate is a bit of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Meaning {
    Read(usize),
    Equation(usize),
}

/// What the last assignment says, where it is a model.
#[derive(Debug, Default)]
pub(super) struct ArrayModel {
    /// What was read of each, at most once of each place.
    pub(super) reads: BTreeMap<Source, Vec<usize>>,
    /// What arrays are everywhere else, where they must be something.
    pub(super) elsewhere: FxHashMap<Term, Rc<Word>>,
}

/// All words that were read.
#[derive(Debug, Default)]
pub(super) struct Reads {
    /// Where it is only said what a model gets wrong: what it may take to choose among all that an array may be.
    most_choices: Option<usize>,
    all: Vec<ReadWord>,
    equations: Vec<Equation>,
    known: FxHashMap<(Source, Vec<Rc<Word>>), usize>,
    meanings: FxHashMap<u32, Meaning>,
    /// Those of each source, where all pairs are said at once.
    of_source: FxHashMap<Source, Vec<usize>>,
    pub(super) found: ArrayModel,
}

impl Reads {
    /// Words of which only that is said what a model gets wrong.
    pub(super) fn refined(most_choices: usize) -> Reads {
        Reads { most_choices: Some(most_choices), ..Reads::default() }
    }

    pub(super) fn are_refined(&self) -> bool {
        self.most_choices.is_some()
    }

    /// Whether what it takes to choose is too much.
    pub(super) fn are_too_many(&self, choices: usize) -> bool {
        self.most_choices.is_some_and(|it| choices > it)
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty() && self.equations.is_empty()
    }

    pub(super) fn read(&self, number: usize) -> &ReadWord {
        &self.all[number]
    }

    pub(super) fn equation(&self, number: usize) -> &Equation {
        &self.equations[number]
    }

    pub(super) fn meaning(&self, gate: u32) -> Option<Meaning> {
        self.meanings.get(&gate).copied()
    }

    /// What was read there before.
    pub(super) fn known(&self, source: Source, at: &[Rc<Word>]) -> Option<Rc<Word>> {
        self.known.get(&(source, at.to_vec())).map(|&it| Rc::clone(&self.all[it].is))
    }

    /// Remembers a fresh word, and tells what is said of it at once.
    pub(super) fn insert(&mut self, source: Source, at: Vec<Rc<Word>>, is: Rc<Word>) -> Vec<Lemma> {
        let number = self.all.len();
        self.meanings.extend(is.iter().map(|it| (it.gate(), Meaning::Read(number))));
        self.known.insert((source, at.clone()), number);
        let read = ReadWord { source, at, is };
        let mut res = Vec::new();
        if !self.are_refined() {
            let earlier = self.of_source.entry(source).or_default();
            res.extend(earlier.iter().map(|&it| same_place(&self.all[it], &read)));
            earlier.push(number);
        }
        self.all.push(read);
        res
    }

    /// Remembers that two arrays are equal where a bit is true. What is said of them is compared.
    pub(super) fn equate(&mut self, arrays: [Term; 2], is: Bit, width: usize) -> usize {
        let number = self.equations.len();
        self.meanings.insert(is.gate(), Meaning::Equation(number));
        self.equations.push(Equation { arrays, is, width, reads: Vec::new() });
        number
    }

    /// What was read of both arrays of an equation at an index matters wherever the equation does.
    pub(super) fn compared(&mut self, equation: usize, at: &Rc<Word>) {
        let equation = &mut self.equations[equation];
        for array in equation.arrays {
            equation.reads.extend(self.known.get(&(Source::Array(array), vec![Rc::clone(at)])));
        }
    }

    /// What the last model says was read.
    pub(super) fn found(&self, source: Source) -> impl Iterator<Item = &ReadWord> {
        self.found.reads.get(&source).into_iter().flatten().map(|&it| &self.all[it])
    }

    /// The functions of which something was read.
    pub(super) fn functions(&self) -> impl Iterator<Item = FunctionSymbol> {
        let function = |it: &Source| if let Source::Function(it) = *it { Some(it) } else { None };
        self.found.reads.keys().filter_map(function)
    }
}

/// What is read of one place is one value.
pub(super) fn same_place(a: &ReadWord, b: &ReadWord) -> Lemma {
    let same = |(x, y): (&Rc<Word>, &Rc<Word>)| Premise::Same(Rc::clone(x), Rc::clone(y));
    let premises = a.at.iter().zip(&b.at).map(same).collect();
    Lemma { premises, equal: (Rc::clone(&a.is), Rc::clone(&b.is)) }
}

/// What leads to a place.
#[derive(Clone, Debug)]
pub(super) enum Premise {
    Holds(Bit),
    Same(Rc<Word>, Rc<Word>),
    Differ(Rc<Word>, Rc<Word>),
    /// A word is none of the indices of these stores.
    NotAmong(Rc<Word>, Rc<Run>),
}

/// Under all premises two words are equal.
#[derive(Debug)]
pub(super) struct Lemma {
    pub(super) premises: Vec<Premise>,
    pub(super) equal: (Rc<Word>, Rc<Word>),
}

impl Lemma {
    /// As a bit, which is true in all arrays and functions.
    pub(super) fn bit(self, gates: &mut Gates) -> Bit {
        let mut all = Bit::TRUE;
        for premise in self.premises {
            let holds = match premise {
                Premise::Holds(bit) => bit,
                Premise::Same(a, b) => gates.equal(&a, &b),
                Premise::Differ(a, b) => !gates.equal(&a, &b),
                Premise::NotAmong(word, run) => {
                    let is = Rc::new(vec![Bit::TRUE]);
                    let entries: Vec<_> = run.entries.keys().map(|&it| (it, Rc::clone(&is))).collect();
                    !gates.look_up(&word, &entries, &[Bit::FALSE])[0]
                }
            };
            all = gates.and(all, holds);
        }
        let equal = gates.equal(&self.equal.0, &self.equal.1);
        gates.or(!all, equal)
    }
}
