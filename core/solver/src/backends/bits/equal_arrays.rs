//! What arrays that are equal must agree in.
//!
//! Knows: where an assignment says something of one of them; what an array is everywhere else. Never: how words are made.
//!
//! Two arrays can differ only at an index of a store of one of them, where something was read of one of them, or
//! everywhere else, in what they are made of: there are finitely many things to compare. What disagrees is read of both,
//! and must be equal where the arrays are. Where they disagree everywhere else they are compared at an index of which
//! nothing was said, if there is one.

use super::agreement::{Agreement, Disagreement, Number, Origin, Places, Wrong};
use super::circuits::Word;
use super::gates::Bit;
use super::reads::{ArrayModel, Source};
use effigy_term::{Node, Sort, Term};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What an array is at an index.
#[derive(PartialEq, Eq)]
enum Content {
    Is(Number),
    /// Nothing was read there of this array.
    Free(Source),
}

impl<'a> Agreement<'a> {
    /// Where arrays that are equal disagree. Each thing that is said of one is looked for in the other.
    pub(super) fn compare(
        &self,
        equations: &BTreeSet<usize>,
        places: &Places,
        found: &mut ArrayModel,
        wrong: &mut Wrong,
    ) {
        let mut classes = Classes::default();
        for &equation in equations {
            let it = self.reads.equation(equation);
            if !(self.value)(it.is) {
                continue;
            }
            let mut said: Vec<&Rc<Word>> = Vec::new();
            let bases = it.arrays.map(|array| self.base(array, &mut said));
            for base in &bases {
                if let Base::Unknown(source) = base {
                    let reads = found.reads.get(source).into_iter().flatten();
                    said.extend(reads.flat_map(|&it| &self.reads.read(it).at));
                }
            }
            let indices: BTreeMap<Number, &Rc<Word>> = said.into_iter().rev().map(|it| (self.number(it), it)).collect();
            let before = wrong.disagreements.len();
            for (here, &at) in &indices {
                let [a, b] = it.arrays.map(|array| self.content(array, here, at, places));
                if a != b {
                    wrong.disagreements.push(Disagreement { equation, at: Rc::clone(at) });
                }
            }
            if wrong.disagreements.len() > before {
                continue;
            }
            let Some(other) = self.not_among(it.arrays[0], &indices) else { continue };
            let [a, b] = &bases;
            if !classes.unite(a, b, |it| self.number(it)) {
                wrong.disagreements.push(Disagreement { equation, at: Rc::new(other) });
            }
        }
        found.elsewhere = classes.contents();
    }

    /// What an array is at an index of which nothing is said, and the indices of which something is.
    fn base(&self, mut array: Term, said: &mut Vec<&'a Rc<Word>>) -> Base {
        loop {
            match *self.terms.node(array) {
                Node::Store(below, index, _) => {
                    said.push(&self.words[&index]);
                    array = below;
                }
                Node::Ite(cond, then, other) => {
                    array = if (self.value)(self.words[&cond][0]) { then } else { other };
                }
                Node::ConstArray(_, element) => return Base::Everywhere(Rc::clone(&self.words[&element])),
                _ => return Base::Unknown(Source::Array(array)),
            }
        }
    }

    /// What an array is at an index, of which the number is `here`.
    fn content(&self, array: Term, here: &Number, at: &Rc<Word>, places: &Places) -> Content {
        match self.down(array, at, &mut |_| {}) {
            Origin::Stored(word) => Content::Is(self.number(&word)),
            Origin::Unknown(source) => match places.get(&(source, vec![Rc::clone(here)])) {
                Some(&read) => Content::Is(self.number(&self.reads.read(read).is)),
                None => Content::Free(source),
            },
        }
    }

    /// The lowest index of an array that is not one of these; `None` where they are all that there are.
    fn not_among(&self, array: Term, indices: &BTreeMap<Number, &Rc<Word>>) -> Option<Word> {
        let Sort::Array(parts) = self.terms.sort(array) else { return None };
        let width = match self.terms.array_parts(parts).0 {
            Sort::BitVec(width) => width.bits() as usize,
            _ => 1,
        };
        let is_free = |it: &u64| {
            let mut number = vec![0; width.div_ceil(64)];
            number[0] = *it;
            !indices.contains_key(&number[..])
        };
        let beyond = 1u64.checked_shl(width as u32).unwrap_or(u64::MAX);
        let free = (0..=indices.len() as u64).filter(|&it| it < beyond).find(is_free)?;
        Some((0..width).map(|at| Bit::of(free.checked_shr(at as u32).unwrap_or(0) & 1 == 1)).collect())
    }
}

/// What an array is everywhere else.
#[derive(Clone)]
enum Base {
    Everywhere(Rc<Word>),
    Unknown(Source),
}

/// Arrays that are one elsewhere.
#[derive(Default)]
struct Classes {
    parents: BTreeMap<Source, Source>,
    contents: BTreeMap<Source, Rc<Word>>,
}

impl Classes {
    fn find(&mut self, source: Source) -> Source {
        let mut root = source;
        while let Some(&parent) = self.parents.get(&root) {
            root = parent;
        }
        root
    }

    /// Makes two one; whether they can be.
    fn unite(&mut self, a: &Base, b: &Base, number: impl Fn(&Rc<Word>) -> Number) -> bool {
        match (a, b) {
            (Base::Everywhere(a), Base::Everywhere(b)) => number(a) == number(b),
            (Base::Unknown(source), Base::Everywhere(word)) | (Base::Everywhere(word), Base::Unknown(source)) => {
                let root = self.find(*source);
                number(self.contents.entry(root).or_insert(Rc::clone(word))) == number(word)
            }
            (Base::Unknown(a), Base::Unknown(b)) => {
                let (a, b) = (self.find(*a), self.find(*b));
                if a == b {
                    return true;
                }
                self.parents.insert(a, b);
                let Some(word) = self.contents.remove(&a) else { return true };
                number(self.contents.entry(b).or_insert(Rc::clone(&word))) == number(&word)
            }
        }
    }

    /// What each array is elsewhere.
    fn contents(mut self) -> FxHashMap<Term, Rc<Word>> {
        let all: Vec<Source> = self.parents.keys().chain(self.contents.keys()).copied().collect();
        let mut res = FxHashMap::default();
        for source in all {
            let root = self.find(source);
            if let (Source::Array(array), Some(word)) = (source, self.contents.get(&root)) {
                res.insert(array, Rc::clone(word));
            }
        }
        res
    }
}
