//! Symbols (free constants) and uninterpreted functions.
//!
//! Knows: names, sorts and the provenance of a symbol. Never: terms over them.

use crate::sort::Sort;
use std::rc::Rc;

/// A free constant: King's α₁, an input, a havocked value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Symbol(pub(crate) u32);

impl Symbol {
    /// A dense index, for tables keyed by symbol.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where a symbol comes from; it decides what a report says of it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum SymbolKind {
    /// An input that the user named: part of a witness.
    Input,
    /// A value that the analysis does not know (an external's result, a havoc): part of a witness, named by us.
    Fresh,
    /// The content of uninitialised storage: a term that mentions one must not decide anything.
    Undefined,
    /// A variable bound by a quantifier.
    Bound,
}

/// What is known of a symbol.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SymbolInfo {
    /// The name that is printed.
    pub name: Rc<str>,
    /// Its sort.
    pub sort: Sort,
    /// Its provenance.
    pub kind: SymbolKind,
}

/// An uninterpreted function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FunctionSymbol(pub(crate) u32);

/// The signature of an uninterpreted function.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FunctionInfo {
    /// The name that is printed.
    pub name: Rc<str>,
    /// The sorts of its arguments; never empty (a nullary function is a symbol).
    pub arguments: Box<[Sort]>,
    /// The sort of its result.
    pub result: Sort,
}
