//! What a language is given while it runs: terms, inputs, coverage, notes.
//!
//! Knows: whether inputs are symbols or given values. Never: φ (a language does not look at it).

use crate::coverage::Coverage;
use crate::guide::Follower;
use crate::notes::Notes;
use crate::question::Alternative;
use effigy_term::{Sort, SymbolKind, Term, Terms, Value};
use std::collections::HashMap;

/// Where the values of inputs come from.
#[derive(Clone, Debug, Default)]
pub enum Inputs {
    /// Every input is a symbol.
    #[default]
    Symbolic,
    /// Inputs have these values, by symbol name; the others have their sort's default. With concrete inputs a
    /// language never has an open question: this is the concrete run of the same language.
    Concrete(HashMap<String, Value>),
}

/// The surroundings of a running state.
#[derive(Debug)]
pub struct Context<'a> {
    /// The arena of terms.
    pub terms: &'a Terms,
    /// Where inputs come from.
    pub inputs: &'a Inputs,
    /// What was reached, over all paths.
    pub coverage: &'a mut Coverage,
    /// What was approximated, over all paths.
    pub notes: &'a mut Notes,
    /// The path that runs, where the walk follows one.
    follower: Option<Follower<'a>>,
}

impl<'a> Context<'a> {
    /// The surroundings of a state whose questions the walk answers.
    pub fn new(terms: &'a Terms, inputs: &'a Inputs, coverage: &'a mut Coverage, notes: &'a mut Notes) -> Context<'a> {
        Context { terms, inputs, coverage, notes, follower: None }
    }

    /// The same surroundings for a path that is followed.
    pub(crate) fn following<'b>(&'b mut self, follower: Follower<'b>) -> Context<'b> {
        Context {
            terms: self.terms,
            inputs: self.inputs,
            coverage: self.coverage,
            notes: self.notes,
            follower: Some(follower),
        }
    }

    /// The side of a branch that the path's own model takes, where the walk follows it: the condition is now part of φ
    /// and the decision of the path's name, as if [`crate::Step::Branch`] had been asked. `None` where the walk wants
    /// to be asked. A language that answers its questions in place need not leave its own control for them.
    pub fn decide(&mut self, alternatives: &[Alternative]) -> Option<usize> {
        self.follower.as_mut()?.decide(self.terms, alternatives)
    }

    /// The input of this name: a symbol, or a constant in a concrete run. Undefined storage is never an input: in a
    /// concrete run it stays a symbol, so that its use shows.
    pub fn input(&self, name: &str, sort: Sort, kind: SymbolKind) -> Term {
        let symbol = self.terms.symbol(name, sort, kind);
        match self.inputs {
            Inputs::Concrete(values) if matches!(kind, SymbolKind::Input | SymbolKind::Fresh) => {
                match values.get(name) {
                    Some(value) => self.terms.of_value(sort, value),
                    None => default_of(self.terms, sort),
                }
            }
            _ => self.terms.of_symbol(symbol),
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
