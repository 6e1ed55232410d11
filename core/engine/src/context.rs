//! What a language is given while it runs: terms, inputs, coverage, notes.
//!
//! Knows: whether inputs are symbols or given values. Never: φ (a language does not look at it).

use crate::coverage::Coverage;
use crate::notes::Notes;
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
}

impl Context<'_> {
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
