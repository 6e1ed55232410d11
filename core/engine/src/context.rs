//! What a language is given while it runs: terms, inputs, coverage, notes.
//!
//! Knows: whether inputs are symbols or given values. Never: φ (a language does not look at it).

use crate::coverage::Coverage;
use crate::decision::fits;
use crate::given::Valued;
use crate::guide::Follower;
use crate::joins::Joins;
use crate::notes::Notes;
use crate::path::Trail;
use crate::question::Alternative;
use effigy_term::{Model, Sort, Symbol, SymbolKind, Term, Terms, Value};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

/// The rule by which inputs get their values.
#[derive(Clone, Debug, Default)]
pub enum Inputs {
    /// Every input is a symbol.
    #[default]
    Symbolic,
    /// Inputs have these values, by symbol name; the others have their sort's default. With concrete inputs a
    /// language never has an open question: this is the concrete run of the same language.
    Concrete(HashMap<String, Value>),
    /// Inputs have these values in the order in which they are asked for, whatever they are called.
    Ordered(Ordered),
    /// Inputs have the values that are given, as constants or beside their symbols.
    Valued(Valued),
}

/// Values of inputs in the order in which they are asked for. An instruction that is run again asks again: what has a
/// value keeps it.
#[derive(Clone, Debug, Default)]
pub struct Ordered {
    values: RefCell<std::vec::IntoIter<Value>>,
    given: RefCell<BTreeMap<String, (Symbol, Value)>>,
}

impl Ordered {
    /// Inputs with these values: the first goes to the input that is asked for first.
    pub fn new(values: Vec<Value>) -> Ordered {
        Ordered { values: RefCell::new(values.into_iter()), given: RefCell::default() }
    }

    fn value(&self, name: &str, symbol: Symbol) -> Option<Value> {
        let mut given = self.given.borrow_mut();
        if let Some((_, value)) = given.get(name) {
            return Some(value.clone());
        }
        let value = self.values.borrow_mut().next()?;
        given.insert(name.to_owned(), (symbol, value.clone()));
        Some(value)
    }

    /// The values that were asked for, under the names that they were asked for by.
    pub fn model(&self) -> Model {
        let mut res = Model::new();
        for (symbol, value) in self.given.borrow().values() {
            res.set(*symbol, value.clone());
        }
        res
    }
}

/// What all paths share in a walk that merges them.
#[derive(Clone, Debug, Default)]
pub struct Common {
    /// Counters of names that no two paths may use for different things; what each counts, the language knows.
    pub counters: [u32; 4],
    /// The policy that says which states are merged.
    pub joins: Joins,
    /// The inputs that were asked for since the walk last took this list.
    pub asked: RefCell<Vec<Symbol>>,
}

/// The surroundings of a running state.
#[derive(Debug)]
pub struct Context<'a> {
    /// The arena in which the state's terms are built.
    pub terms: &'a Terms,
    /// The rule by which an input gets its value.
    pub inputs: &'a Inputs,
    /// The sites that were reached, over all paths.
    pub coverage: &'a mut Coverage,
    /// The approximations that were made, over all paths.
    pub notes: &'a mut Notes,
    /// The path that runs and its guide, where the walk follows one.
    follower: Option<Follower<'a>>,
    /// What paths have in common, where the walk merges them.
    common: Option<&'a mut Common>,
}

impl<'a> Context<'a> {
    /// The surroundings of a state whose questions the walk answers.
    pub fn new(terms: &'a Terms, inputs: &'a Inputs, coverage: &'a mut Coverage, notes: &'a mut Notes) -> Context<'a> {
        Context { terms, inputs, coverage, notes, follower: None, common: None }
    }

    /// The same surroundings for a path that is followed.
    pub(crate) fn following<'b>(&'b mut self, follower: Follower<'b>) -> Context<'b> {
        Context {
            terms: self.terms,
            inputs: self.inputs,
            coverage: self.coverage,
            notes: self.notes,
            follower: Some(follower),
            common: None,
        }
    }

    /// The same surroundings in a walk that merges paths.
    pub fn merging(self, common: &'a mut Common) -> Context<'a> {
        Context { common: Some(common), ..self }
    }

    /// Whether the walk follows the run of given values, each beside its symbol: a question for a value has one answer
    /// there, and costs no other paths.
    pub fn follows_values(&self) -> bool {
        matches!(self.inputs, Inputs::Valued(_))
    }

    /// What paths have in common, where the walk merges them.
    pub fn common(&mut self) -> Option<&mut Common> {
        self.common.as_deref_mut()
    }

    /// The side of a branch that the path's own model takes, where the walk follows it: the condition is now part of φ
    /// and the decision of the path's name, as if [`crate::Step::Branch`] had been asked. `None` where the walk wants
    /// to be asked. A language that answers its questions in place need not leave its own control for them.
    pub fn decide(&mut self, alternatives: &[Alternative]) -> Option<usize> {
        if let Some(follower) = &mut self.follower {
            learn(self.inputs, follower.trail);
        }
        self.follower.as_mut()?.decide(self.terms, alternatives)
    }

    /// A symbol that stands for anything a round of a loop may have made of something, where paths are merged; the first
    /// of [`Common::counters`] counts them.
    pub fn any_of_rounds(&mut self, sort: Sort) -> Term {
        let count = self.common().map_or(0, |it| {
            it.counters[0] += 1;
            it.counters[0]
        });
        self.input(&format!("round{count}"), sort, SymbolKind::Fresh)
    }

    /// The input of this name: a symbol, or a constant in a concrete run. Undefined storage is never an input: in a
    /// concrete run it stays a symbol, so that its use shows.
    pub fn input(&self, name: &str, sort: Sort, kind: SymbolKind) -> Term {
        let symbol = self.terms.symbol(name, sort, kind);
        if let Some(common) = &self.common
            && matches!(kind, SymbolKind::Input | SymbolKind::Fresh)
        {
            common.asked.borrow_mut().push(symbol);
        }
        match self.inputs {
            Inputs::Ordered(order) if matches!(kind, SymbolKind::Input | SymbolKind::Fresh) => {
                match order.value(name, symbol) {
                    Some(value) if fits(sort, &value) || is_array(sort, &value) => self.terms.of_value(sort, &value),
                    _ => default_of(self.terms, sort),
                }
            }
            Inputs::Concrete(values) if matches!(kind, SymbolKind::Input | SymbolKind::Fresh) => {
                match values.get(name) {
                    Some(value) => self.terms.of_value(sort, value),
                    None => default_of(self.terms, sort),
                }
            }
            Inputs::Valued(valued) if matches!(kind, SymbolKind::Input | SymbolKind::Fresh) => {
                valued.input(self.terms, name, symbol, sort)
            }
            _ => self.terms.of_symbol(symbol),
        }
    }
}

/// Whether both are arrays: the inputs of one program have the sorts that it gives them.
fn is_array(sort: Sort, value: &Value) -> bool {
    matches!((sort, value), (Sort::Array(_), Value::Array(_)))
}

/// The path's own model tells what the inputs are worth that were asked for.
pub(crate) fn learn(inputs: &Inputs, trail: &mut Trail) {
    if let (Inputs::Valued(valued), Some(witness)) = (inputs, &mut trail.witness) {
        for (symbol, value) in valued.learn() {
            witness.set(symbol, value);
        }
    }
}

/// The constant that a symbol without a value stands for, as in a [`effigy_term::Model`].
fn default_of(terms: &Terms, sort: Sort) -> Term {
    match sort {
        Sort::Bool => terms.bool(false),
        Sort::BitVec(width) => terms.bv_u64(width, 0),
        Sort::Int => terms.int(0),
        Sort::Real => terms.int_to_real(terms.int(0)),
        Sort::Array(parts) => terms.const_array(sort, default_of(terms, terms.array_parts(parts).1)),
        Sort::Uninterpreted(_) => terms.of_value(sort, &Value::Element(0)),
    }
}
