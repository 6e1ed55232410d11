//! Models: an assignment of values to symbols, total by default values.
//!
//! Knows: values by symbol. Never: who found them.

use crate::symbol::{FunctionSymbol, Symbol};
use crate::value::{ArrayValue, Value};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// An assignment of values to symbols. A symbol without an entry has its sort's default
/// (false, zero, the array of defaults, element 0), so that a model is total and evaluation never
/// fails for want of a value. Cloning is cheap.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Model {
    inner: Rc<Inner>,
}

#[derive(Clone, PartialEq, Debug, Default)]
struct Inner {
    values: FxHashMap<Symbol, Value>,
    functions: BTreeMap<FunctionSymbol, FunctionValue>,
}

/// The interpretation of an uninterpreted function: finitely many exceptions to a default result.
#[derive(Clone, PartialEq, Debug)]
pub struct FunctionValue {
    /// The result for all other arguments.
    pub default: Value,
    /// Result by arguments.
    pub entries: BTreeMap<Vec<Value>, Value>,
}

impl Model {
    /// The model in which every symbol has its default value.
    pub fn new() -> Model {
        Model::default()
    }

    /// The explicit value of a symbol, if there is one.
    pub fn get(&self, symbol: Symbol) -> Option<&Value> {
        self.inner.values.get(&symbol)
    }

    /// Assigns a value. The caller answers for its sort.
    pub fn set(&mut self, symbol: Symbol, value: Value) {
        Rc::make_mut(&mut self.inner).values.insert(symbol, value);
    }

    /// The interpretation of a function, if there is an explicit one.
    pub fn function(&self, function: FunctionSymbol) -> Option<&FunctionValue> {
        self.inner.functions.get(&function)
    }

    /// Assigns the interpretation of a function.
    pub fn set_function(&mut self, function: FunctionSymbol, value: FunctionValue) {
        Rc::make_mut(&mut self.inner).functions.insert(function, value);
    }

    /// The symbols with explicit values, in no particular order.
    pub fn symbols(&self) -> impl Iterator<Item = (Symbol, &Value)> {
        self.inner.values.iter().map(|(&symbol, value)| (symbol, value))
    }

    /// This model, overridden by the explicit values of `other`.
    pub fn overridden_by(&self, other: &Model) -> Model {
        let mut res = self.clone();
        let inner = Rc::make_mut(&mut res.inner);
        inner.values.extend(other.inner.values.iter().map(|(&symbol, value)| (symbol, value.clone())));
        for (&function, value) in &other.inner.functions {
            inner.functions.insert(function, value.clone());
        }
        res
    }
}

impl ArrayValue {
    /// The element at `index`.
    pub fn select(&self, index: &Value) -> &Value {
        self.entries.get(index).unwrap_or(&self.default)
    }
}
