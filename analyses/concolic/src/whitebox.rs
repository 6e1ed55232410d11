//! Inputs that are bytes: what the other half of a fuzzer asks for.
//!
//! Knows: how bytes become inputs of a program and back, when terms are forgotten. Never: which inputs are worth it,
//! where they come from.

use crate::expand::{Config, Expander, Layer};
use crate::key::Key;
use crate::run::{Limits, concolic};
use crate::why::Why;
use effigy_engine::{Given, Language, Outcome, PathOutcome, Place, Worth};
use effigy_solver::{Solver, SolverConfig, chain};
use effigy_term::{Terms, Value};

/// How the bytes of an input reach the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ByteLayout {
    /// The name of the memory that holds them: `data`, `stdin`, `./NAME`.
    pub memory: String,
    /// The name of the input that holds their number, where there is one.
    pub size: Option<String>,
    /// Whether the size is a symbol, too, so that longer and shorter inputs are found.
    pub symbolic_size: bool,
    /// The greatest length of an input in bytes.
    pub most: usize,
}

impl ByteLayout {
    /// `LLVMFuzzerTestOneInput(data, size)`, for a program that was read with so large a buffer.
    pub fn fuzzer(most: usize) -> ByteLayout {
        ByteLayout { memory: "data".to_owned(), size: Some("size".to_owned()), symbolic_size: true, most }
    }

    /// Standard input, or a file under its name `./NAME`, of a program that was read with `--sym-stdin` or `--sym-file`
    /// of so many bytes.
    pub fn file(memory: &str, most: usize) -> ByteLayout {
        let size = Some(format!("{memory}_size"));
        ByteLayout { memory: memory.to_owned(), size, symbolic_size: true, most }
    }

    /// The inputs that bytes are.
    pub fn given(&self, bytes: &[u8]) -> Given {
        let bytes = &bytes[..bytes.len().min(self.most)];
        let mut res = Given::new();
        res.give_bytes(&self.memory, bytes.to_vec());
        if let Some(size) = &self.size {
            res.give(size, Value::of_bytes(&(bytes.len() as u64).to_le_bytes()));
            if !self.symbolic_size {
                res.fix(size);
            }
        }
        res
    }

    /// The bytes that inputs are.
    pub fn bytes(&self, given: &Given) -> Vec<u8> {
        let mut res = match given.get(&self.memory) {
            Some(Worth::Bytes(bytes)) => bytes.clone(),
            _ => Vec::new(),
        };
        let size = self.size.as_ref().and_then(|it| match given.get(it)? {
            Worth::Value(Value::Int(it)) => usize::try_from(it).ok(),
            Worth::Value(Value::BitVec(it)) => usize::try_from(it.to_u64()?).ok(),
            _ => None,
        });
        res.resize(size.unwrap_or(res.len()).min(self.most), 0);
        res
    }
}

/// The parts in which a run of a program asks for its bytes: names and sizes, in order. Another run may ask for others.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ByteParts(pub Vec<(String, usize)>);

impl ByteParts {
    /// The inputs that bytes are; beyond the last byte there are zeros.
    pub fn given(&self, bytes: &[u8]) -> Given {
        let (mut res, mut rest) = (Given::new(), bytes);
        for (name, size) in &self.0 {
            let (own, after) = rest.split_at((*size).min(rest.len()));
            let mut own = own.to_vec();
            own.resize(*size, 0);
            res.give_bytes(name, own);
            rest = after;
        }
        res
    }

    /// The bytes that inputs are.
    pub fn bytes(&self, given: &Given) -> Vec<u8> {
        let mut res = Vec::new();
        for (name, size) in &self.0 {
            let mut own = match given.get(name) {
                Some(Worth::Bytes(bytes)) => bytes.clone(),
                Some(Worth::Value(value)) => value.to_bytes().unwrap_or_default(),
                None => Vec::new(),
            };
            own.resize(*size, 0);
            res.extend(own);
        }
        res
    }
}

/// An input that is predicted to leave the path of the one that it came from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ByteChild {
    /// The bytes that the program is given.
    pub bytes: Vec<u8>,
    /// The bound to pass to [`Whitebox::expand`] with it.
    pub bound: usize,
    /// How its path begins, if the prediction is right; [`Whitebox::expand`] counts it as diverged where it does not.
    pub key: Key,
    /// The place in the source of the condition that it negates.
    pub place: Place,
    /// The layer that found the input.
    pub layer: Layer,
    /// Whether it is predicted to end in a bug right there.
    pub bug: bool,
}

/// The result of one symbolic run.
#[derive(Clone, Debug)]
pub struct ByteExpansion {
    /// The inputs that are predicted to leave the path of the run.
    pub children: Vec<ByteChild>,
    /// How the run ended; `None` where a limit stopped it. Where uninitialised storage decides something behind the
    /// bound, that bug.
    pub outcome: Option<PathOutcome>,
    /// The number of transitions of the run.
    pub steps: u64,
    /// The counts of what became of each side that the run did not take.
    pub why: Why,
}

/// The most terms that are kept from one run to the next.
const MOST_TERMS: usize = 2_000_000;

/// Symbolic runs of one program over inputs that are bytes.
pub struct Whitebox<'l, L> {
    language: &'l L,
    layout: ByteLayout,
    limits: Limits,
    config: SolverConfig,
    expander: Expander,
    terms: Terms,
    solver: Box<dyn Solver>,
    /// The counts over all runs so far.
    pub why: Why,
}

impl<'l, L: Language> Whitebox<'l, L> {
    /// An expander of a program's inputs that has run nothing yet.
    pub fn new(
        language: &'l L,
        layout: ByteLayout,
        limits: Limits,
        expand: Config,
        config: SolverConfig,
    ) -> Whitebox<'l, L> {
        let solver = chain(&config);
        let (expander, terms) = (Expander::new(expand), Terms::default());
        Whitebox { language, layout, limits, config, expander, terms, solver, why: Why::default() }
    }

    /// How bytes reach the program.
    pub fn layout(&self) -> &ByteLayout {
        &self.layout
    }

    /// Runs the program on `bytes`, and computes inputs that turn one of its conditions from `bound` on: 0 for an input
    /// that was not made here, [`ByteChild::bound`] for others, as `predicted` is their [`ByteChild::key`].
    pub fn expand(&mut self, bytes: &[u8], bound: usize, predicted: Option<Key>) -> ByteExpansion {
        let (given, layout) = (self.layout.given(bytes), self.layout.clone());
        self.expand_given(&given, |it| layout.bytes(it), bound, predicted)
    }

    /// As [`Whitebox::expand`], for a program that asks for its bytes one part after the other.
    pub fn expand_parts(
        &mut self,
        bytes: &[u8],
        parts: &ByteParts,
        bound: usize,
        predicted: Option<Key>,
    ) -> ByteExpansion {
        self.expand_given(&parts.given(bytes), |it| parts.bytes(it), bound, predicted)
    }

    fn expand_given(
        &mut self,
        given: &Given,
        bytes: impl Fn(&Given) -> Vec<u8>,
        bound: usize,
        predicted: Option<Key>,
    ) -> ByteExpansion {
        if self.terms.len() > MOST_TERMS {
            self.terms = Terms::default();
            self.solver = chain(&self.config);
        }
        let run = concolic(self.language, &self.terms, given, &self.limits);
        let expansion = self.expander.expand(&self.terms, &mut *self.solver, &run, given, bound, predicted);
        self.why += expansion.why;
        let child = |it: crate::expand::Child| ByteChild {
            bytes: bytes(&it.given),
            bound: it.bound,
            key: it.key,
            place: it.place,
            layer: it.layer,
            bug: it.bug,
        };
        let children = expansion.children.into_iter().map(child).collect();
        // What uninitialised storage decides is a bug of this input, whatever the run came to with zeros.
        let outcome = expansion.uninitialised.map(|it| Ok(Outcome::Violation(it))).or(run.outcome);
        ByteExpansion { children, outcome, steps: run.steps, why: expansion.why }
    }
}
