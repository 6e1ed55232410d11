//! The arena: interning of nodes, sorts, symbols and functions, and what is remembered of each node.
//!
//! Knows: that equal nodes are one term. Never: simplification (that is `rules`).
//!
//! Interior mutability here is a cache in the sense of the house rules: interning is a pure function of its key,
//! so a term that one path built means the same on every other.

use crate::node::{Node, Term};
use crate::rules::{Rule, RuleCounters};
use crate::sort::{ArraySort, Sort, SortName};
use crate::symbol::{FunctionInfo, FunctionSymbol, Symbol, SymbolInfo, SymbolKind};
use elsa::FrozenVec;
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::num::NonZeroU32;
use std::rc::Rc;

/// What is remembered of each node beside its shape.
#[derive(Debug)]
struct Entry {
    node: Node,
    sort: Sort,
    /// Some symbol in it is [`SymbolKind::Undefined`].
    undefined: bool,
    /// Some uninterpreted function is applied in it.
    applies: bool,
    /// The distinct symbols in it, ascending; shared with an argument where equal.
    symbols: Rc<[Symbol]>,
}

/// What several conditions are together, by what they are.
type Said = FxHashMap<Box<[Term]>, Box<[Term]>>;

/// The arena of terms. All construction goes through its methods (module [`crate::rules`]).
pub struct Terms {
    entries: FrozenVec<Box<Entry>>,
    interned: RefCell<FxHashMap<Node, Term>>,
    array_sorts: RefCell<Vec<(Sort, Sort)>>,
    sort_names: FrozenVec<Box<str>>,
    symbols: FrozenVec<Box<SymbolInfo>>,
    symbols_interned: RefCell<FxHashMap<SymbolInfo, Symbol>>,
    functions: FrozenVec<Box<FunctionInfo>>,
    functions_interned: RefCell<FxHashMap<FunctionInfo, FunctionSymbol>>,
    no_symbols: Rc<[Symbol]>,
    /// Symbols that stand for numbers without sign where they are printed.
    unsigned: RefCell<rustc_hash::FxHashSet<Symbol>>,
    /// Symbols of which nobody knows whether the program's numbers have a sign.
    sign_unknown: RefCell<rustc_hash::FxHashSet<Symbol>>,
    rules: RuleCounters,
    /// How many equations of conditional terms are being simplified, one within the other.
    pub(crate) nested_equations: Cell<u32>,
    /// Conditions on one symbol as they are said together ([`crate::plain`]).
    pub(crate) said: RefCell<Said>,
}

impl std::fmt::Debug for Terms {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Terms({})", self.len())
    }
}

impl Default for Terms {
    fn default() -> Self {
        Terms::new()
    }
}

impl Terms {
    /// An empty arena.
    pub fn new() -> Terms {
        Terms::without(&[])
    }

    /// An empty arena in which these rules are never used, to find one that is wrong: terms mean the same, and are larger.
    pub fn without(rules: &[Rule]) -> Terms {
        Terms {
            entries: FrozenVec::new(),
            interned: RefCell::default(),
            array_sorts: RefCell::default(),
            sort_names: FrozenVec::new(),
            symbols: FrozenVec::new(),
            symbols_interned: RefCell::default(),
            functions: FrozenVec::new(),
            functions_interned: RefCell::default(),
            no_symbols: Rc::from([]),
            unsigned: RefCell::default(),
            sign_unknown: RefCell::default(),
            rules: RuleCounters::without(rules),
            nested_equations: Cell::new(0),
            said: RefCell::default(),
        }
    }

    /// The rules that were used so far, each with how often, the one that was used most first.
    pub fn rules_used(&self) -> Vec<(Rule, u64)> {
        let counts = Rule::ALL.iter().map(|it| (*it, self.rules.count(*it)));
        let mut res: Vec<(Rule, u64)> = counts.filter(|it| it.1 > 0).collect();
        res.sort_by_key(|it| (std::cmp::Reverse(it.1), it.0));
        res
    }

    /// Whether a rule that matches is applied; it is counted.
    #[inline]
    pub(crate) fn uses(&self, rule: Rule) -> bool {
        self.rules.uses(rule)
    }

    /// The number of terms made so far.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether no term was made yet.
    pub fn is_empty(&self) -> bool {
        self.entries.len() == 0
    }

    /// The shape of a term.
    pub fn node(&self, term: Term) -> &Node {
        &self.entry(term).node
    }

    /// The sort of a term.
    pub fn sort(&self, term: Term) -> Sort {
        self.entry(term).sort
    }

    /// The distinct free symbols of a term, ascending.
    pub fn symbols(&self, term: Term) -> &[Symbol] {
        &self.entry(term).symbols
    }

    /// Whether two terms have a free symbol, or an uninterpreted function, in common; functions are not told apart, and
    /// terms without symbols are about everything.
    pub(crate) fn shares_symbols(&self, a: Term, b: Term) -> bool {
        let (x, y) = (self.entry(a), self.entry(b));
        if x.applies && y.applies || x.symbols.is_empty() || y.symbols.is_empty() {
            return true;
        }
        let (few, many) = if x.symbols.len() < y.symbols.len() { (x, y) } else { (y, x) };
        few.symbols.iter().any(|it| many.symbols.binary_search(it).is_ok())
    }

    /// Whether the term mentions uninitialised storage.
    pub fn is_undefined(&self, term: Term) -> bool {
        self.entry(term).undefined
    }

    /// Whether an uninterpreted function is applied in the term: it depends on more than its symbols.
    pub fn applies_functions(&self, term: Term) -> bool {
        self.entry(term).applies
    }

    fn entry(&self, term: Term) -> &Entry {
        // Handles are only made by `intern`, so the index exists.
        &self.entries[term.index()]
    }

    /// The sort of arrays from `index` to `element`.
    pub fn array_sort(&self, index: Sort, element: Sort) -> Sort {
        let mut sorts = self.array_sorts.borrow_mut();
        let found = sorts.iter().position(|&it| it == (index, element));
        let at = found.unwrap_or_else(|| {
            sorts.push((index, element));
            sorts.len() - 1
        });
        Sort::Array(ArraySort(at as u32))
    }

    /// Index sort and element sort of an array sort.
    pub fn array_parts(&self, sort: ArraySort) -> (Sort, Sort) {
        self.array_sorts.borrow()[sort.0 as usize]
    }

    /// The uninterpreted sort of this name.
    pub fn uninterpreted_sort(&self, name: &str) -> Sort {
        let found = self.sort_names.iter().position(|it| it == name);
        let at = found.unwrap_or_else(|| {
            self.sort_names.push(name.into());
            self.sort_names.len() - 1
        });
        Sort::Uninterpreted(SortName(at as u32))
    }

    /// The name of an uninterpreted sort.
    pub fn sort_name(&self, name: SortName) -> &str {
        &self.sort_names[name.0 as usize]
    }

    /// The free constant of this name, sort and kind: the same three give the same symbol.
    pub fn symbol(&self, name: &str, sort: Sort, kind: SymbolKind) -> Symbol {
        let info = SymbolInfo { name: name.into(), sort, kind };
        let mut interned = self.symbols_interned.borrow_mut();
        if let Some(&symbol) = interned.get(&info) {
            return symbol;
        }
        let symbol = Symbol(self.symbols.len() as u32);
        self.symbols.push(Box::new(info.clone()));
        interned.insert(info, symbol);
        symbol
    }

    /// The symbol is a variable without sign in the program: it is printed so ([`crate::print::machine`]). A bitvector
    /// itself has no sign.
    pub fn set_unsigned(&self, symbol: Symbol) {
        self.unsigned.borrow_mut().insert(symbol);
    }

    /// [`Terms::set_unsigned`] of the symbol that `term` is, if it is one.
    pub fn set_unsigned_term(&self, term: Term) {
        if let Node::Symbol(symbol) = *self.node(term) {
            self.set_unsigned(symbol);
        }
    }

    /// Whether the symbol is a variable without sign in the program.
    pub fn is_unsigned(&self, symbol: Symbol) -> bool {
        self.unsigned.borrow().contains(&symbol)
    }

    /// Nobody knows whether the numbers that this symbol stands for have a sign in the program: wherever it is printed,
    /// the sign that is meant is written.
    pub fn set_sign_unknown(&self, term: Term) {
        if let Node::Symbol(symbol) = *self.node(term) {
            self.sign_unknown.borrow_mut().insert(symbol);
        }
    }

    /// Whether nobody knows if the symbol's numbers have a sign.
    pub fn is_sign_unknown(&self, symbol: Symbol) -> bool {
        self.sign_unknown.borrow().contains(&symbol)
    }

    /// The copy is printed with the sign of the symbol.
    pub fn copy_sign(&self, symbol: Symbol, copy: Symbol) {
        if self.is_unsigned(symbol) {
            self.set_unsigned(copy);
        }
        if self.is_sign_unknown(symbol) {
            self.sign_unknown.borrow_mut().insert(copy);
        }
    }

    /// What is known of a symbol.
    pub fn symbol_info(&self, symbol: Symbol) -> &SymbolInfo {
        &self.symbols[symbol.index()]
    }

    /// The uninterpreted function of this signature.
    pub fn function(&self, name: &str, arguments: &[Sort], result: Sort) -> FunctionSymbol {
        let info = FunctionInfo { name: name.into(), arguments: arguments.into(), result };
        let mut interned = self.functions_interned.borrow_mut();
        if let Some(&function) = interned.get(&info) {
            return function;
        }
        let function = FunctionSymbol(self.functions.len() as u32);
        self.functions.push(Box::new(info.clone()));
        interned.insert(info, function);
        function
    }

    /// The signature of an uninterpreted function.
    pub fn function_info(&self, function: FunctionSymbol) -> &FunctionInfo {
        &self.functions[function.0 as usize]
    }

    /// The term of this shape. Only the constructors of `rules` call it, with the node already simplified.
    pub(crate) fn intern(&self, node: Node, sort: Sort) -> Term {
        if let Some(&term) = self.interned.borrow().get(&node) {
            return term;
        }
        let (undefined, symbols) = self.support(&node);
        let mut applies = matches!(node, Node::Apply(..));
        node.for_each_argument(|it| applies |= self.entry(it).applies);
        let term = Term(NonZeroU32::new(self.entries.len() as u32 + 1).expect("fewer than 2^32 terms fit in memory"));
        self.interned.borrow_mut().insert(node.clone(), term);
        self.entries.push(Box::new(Entry { node, sort, undefined, applies, symbols }));
        term
    }

    fn support(&self, node: &Node) -> (bool, Rc<[Symbol]>) {
        if let Node::Symbol(symbol) = node {
            let undefined = self.symbol_info(*symbol).kind == SymbolKind::Undefined;
            return (undefined, Rc::from([*symbol]));
        }
        let mut undefined = false;
        let mut res = Rc::clone(&self.no_symbols);
        node.for_each_argument(|arg| {
            let entry = self.entry(arg);
            undefined |= entry.undefined;
            res = union(&res, &entry.symbols);
        });
        if let Node::Quantifier(quantified) = node {
            res = res.iter().copied().filter(|it| !quantified.variables.contains(it)).collect();
        }
        (undefined, res)
    }
}

/// The union of two ascending sets, shared with one of them where it is equal to it.
fn union(left: &Rc<[Symbol]>, right: &Rc<[Symbol]>) -> Rc<[Symbol]> {
    if Rc::ptr_eq(left, right) || right.is_empty() || is_subset(right, left) {
        return Rc::clone(left);
    }
    if left.is_empty() || is_subset(left, right) {
        return Rc::clone(right);
    }
    let mut res: Vec<Symbol> = left.iter().chain(right.iter()).copied().collect();
    res.sort_unstable();
    res.dedup();
    res.into()
}

fn is_subset(small: &[Symbol], large: &[Symbol]) -> bool {
    small.len() <= large.len() && small.iter().all(|it| large.binary_search(it).is_ok())
}
