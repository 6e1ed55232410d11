//! Values of inputs by name, as whoever runs a program gives them: numbers, values of any sort, bytes in memory.
//!
//! Knows: what an input is worth whose name and sort the program tells. Never: what the program does with it, a solver.

use crate::decision::fits;
use effigy_term::eval::default_value;
use effigy_term::{Sort, Symbol, Term, Terms, Value};
use rustc_hash::FxHashSet;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// The value that is given for the name of an input.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Worth {
    /// This value. An integer is given to an input of any sort that has numbers.
    Value(Value),
    /// The bytes of memory that the program asks for under this name, or in pieces `name[0]`, `name[1]`, which may be
    /// wider than a byte. What lies behind them is zero.
    Bytes(Vec<u8>),
}

/// Values of inputs by name. An input that nobody gives has its sort's default, as in a [`effigy_term::Model`].
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Given {
    worth: BTreeMap<String, Worth>,
    fixed: BTreeSet<String>,
}

impl Given {
    /// An assignment that gives no input a value.
    pub fn new() -> Given {
        Given::default()
    }

    /// The values that are given, each with the name of its input, in the order of names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Worth)> {
        self.worth.iter().map(|(name, worth)| (name.as_str(), worth))
    }

    /// The value that is given for the name of an input.
    pub fn get(&self, name: &str) -> Option<&Worth> {
        self.worth.get(name)
    }

    /// Gives the input `name` these bytes of memory.
    pub fn give_bytes(&mut self, name: &str, bytes: Vec<u8>) {
        self.worth.insert(name.to_owned(), Worth::Bytes(bytes));
    }

    /// Keeps the input `name` a constant also in runs whose inputs are symbols: what depends on it alone is computed.
    pub fn fix(&mut self, name: &str) {
        self.fixed.insert(name.to_owned());
    }

    /// Gives the input `name` a value. A piece of memory that is given as bytes is changed there.
    pub fn give(&mut self, name: &str, value: Value) {
        if let Some(bytes) = value.to_bytes()
            && let Some((memory, at)) = self.memory_of(name)
        {
            let memory = memory.to_owned();
            if let Some(Worth::Bytes(known)) = self.worth.get_mut(&memory) {
                let start = at * bytes.len();
                if known.len() < start + bytes.len() {
                    known.resize(start + bytes.len(), 0);
                }
                known[start..start + bytes.len()].copy_from_slice(&bytes);
                return;
            }
        }
        self.worth.insert(name.to_owned(), Worth::Value(value));
    }

    /// The memory of which an input is a piece, and the number of the piece.
    fn memory_of<'n>(&self, name: &'n str) -> Option<(&'n str, usize)> {
        if matches!(self.worth.get(name), Some(Worth::Bytes(_))) {
            return Some((name, 0));
        }
        let (memory, at) = name.strip_suffix(']')?.rsplit_once('[')?;
        let at = at.parse().ok()?;
        matches!(self.worth.get(memory), Some(Worth::Bytes(_))).then_some((memory, at))
    }

    /// The value of the input of this name and sort: what is given for it, or the default of the sort.
    pub fn value(&self, terms: &Terms, name: &str, sort: Sort) -> Value {
        let given = match self.worth.get(name) {
            Some(Worth::Value(value)) => Some(value.clone()),
            _ => self.memory_of(name).and_then(|(memory, at)| match self.worth.get(memory) {
                Some(Worth::Bytes(bytes)) => {
                    let wide = default_value(terms, sort).to_bytes()?.len();
                    let rest = bytes.get(at.checked_mul(wide)?..).unwrap_or_default();
                    Some(Value::of_bytes(&rest[..rest.len().min(wide)]))
                }
                _ => None,
            }),
        };
        match given {
            Some(value @ Value::Int(_)) => value.in_sort(sort),
            Some(value)
                if fits(sort, &value)
                    || matches!(
                        (&value, sort),
                        (Value::Element(_), Sort::Uninterpreted(_)) | (Value::Array(_), Sort::Array(_))
                    ) =>
            {
                Some(value)
            }
            _ => None,
        }
        .unwrap_or_else(|| default_value(terms, sort))
    }
}

/// Inputs that have their values, for a run that keeps them symbolic, too, or not.
#[derive(Clone, Debug, Default)]
pub struct Valued {
    given: Given,
    /// They are symbols; [`Valued::learn`] tells which, and what they are worth.
    symbolic: bool,
    asked: RefCell<Asked>,
}

#[derive(Clone, Debug, Default)]
struct Asked {
    known: FxHashSet<Symbol>,
    new: Vec<(Symbol, Value)>,
}

impl Valued {
    /// Every input is the constant that is given for it.
    pub fn constants(given: Given) -> Valued {
        Valued { given, ..Valued::default() }
    }

    /// Every input is a symbol and has the value that is given for it: real and symbolic at once.
    pub fn symbols(given: Given) -> Valued {
        Valued { given, symbolic: true, ..Valued::default() }
    }

    /// The values that are given, by the names of inputs.
    pub fn given(&self) -> &Given {
        &self.given
    }

    /// The input of this name.
    pub(crate) fn input(&self, terms: &Terms, name: &str, symbol: Symbol, sort: Sort) -> Term {
        let mut asked = self.asked.borrow_mut();
        let symbolic = self.symbolic && !self.given.fixed.contains(name);
        if symbolic && asked.known.contains(&symbol) {
            return terms.of_symbol(symbol);
        }
        let value = self.given.value(terms, name, sort);
        if !symbolic {
            return terms.of_value(sort, &value);
        }
        asked.known.insert(symbol);
        asked.new.push((symbol, value));
        terms.of_symbol(symbol)
    }

    /// The symbols that were asked for since the last call, with their values.
    pub(crate) fn learn(&self) -> Vec<(Symbol, Value)> {
        std::mem::take(&mut self.asked.borrow_mut().new)
    }
}
