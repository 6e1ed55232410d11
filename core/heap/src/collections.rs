//! Sequences, sets, multisets and maps: their sorts, operations and axioms over terms.
//!
//! Knows: the mathematics of finite collections. Never: programs, heaps, a solver's process.
//!
//! Sorts are uninterpreted (`Seq<Int>`), operations are uninterpreted functions (`Seq<Int>.append`), and what they mean
//! is said by axioms, one file of text a theory (`collections/*.axioms`). The axioms are trusted; that they hold of
//! finite collections is tested by evaluation (`core/heap/tests/it/collections`).
//!
//! Where an operation is not defined by its language it has a value that depends on its arguments only:
//! `s[i]` out of range is anything, `s[i := v]` out of range is `s`, `m[k]` outside the domain is anything that
//! depends on `k` only. Languages check the range before they rely on it.

mod map;
mod multiset;
mod notation;
mod sequence;
mod set;
mod theory;

use effigy_contracts::program::CollectionOp;
use effigy_term::print::sort_text;
use effigy_term::{FunctionSymbol, Node, Sort, Term, Terms};
use rustc_hash::FxHashMap;
pub use sequence::SequenceShape;
use std::cell::RefCell;
use theory::Theory;

/// Terms that are looked at when a simplification is searched for: more, and the term stays as it is.
const FUEL: usize = 256;

/// A kind of collection, with the sorts of what it contains.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum CollectionKind {
    /// Finite sequences of these elements.
    Seq(Sort),
    /// Finite sets of these elements.
    Set(Sort),
    /// Finite multisets of these elements.
    Multiset(Sort),
    /// Finite maps from keys to values.
    Map(Sort, Sort),
}

/// The collections of one arena of terms: which theories are in use, and which axioms the prover was not told yet.
#[derive(Debug, Default)]
pub struct Collections {
    /// A cache of what [`Collections::sort`] was asked.
    kinds: RefCell<FxHashMap<Sort, CollectionKind>>,
    theories: Vec<Theory>,
    by_kind: FxHashMap<CollectionKind, usize>,
    names: FxHashMap<FunctionSymbol, &'static str>,
    empties: FxHashMap<Term, CollectionKind>,
    /// Whether a function came into use since it was last looked which axioms can fire.
    grown: bool,
    /// Axioms that were not taken yet.
    pending: Vec<(String, Term)>,
}

/// The name of a sort, as it stands in the names of collections: `Int`, `Seq<Int>`.
pub fn name_of_sort(terms: &Terms, sort: Sort) -> String {
    match sort {
        Sort::Uninterpreted(name) => terms.sort_name(name).to_owned(),
        _ => sort_text(terms, sort),
    }
}

/// Whether a function is the equality of a kind of collection: it stands for `=`, and is no trigger.
pub fn is_equality(terms: &Terms, function: FunctionSymbol) -> bool {
    let info = terms.function_info(function);
    let sort = info.arguments[0];
    let collection = ["Seq<", "Set<", "Multiset<", "Map<"].iter().any(|it| info.name.starts_with(it));
    collection && *info.name == format!("{}.equal", name_of_sort(terms, sort))
}

/// `a = b`, if the term is the extensional predicate for it that [`Collections::equal`] makes.
pub fn plain_equality(terms: &Terms, term: Term) -> Option<Term> {
    match terms.node(term) {
        Node::Apply(function, args) if is_equality(terms, *function) => Some(terms.eq(args[0], args[1])),
        _ => None,
    }
}

impl Collections {
    /// No theory of collections is in use yet.
    pub fn new() -> Collections {
        Collections::default()
    }

    /// The sort of collections of this kind.
    pub fn sort(&self, terms: &Terms, kind: CollectionKind) -> Sort {
        let name = match kind {
            CollectionKind::Seq(element) => format!("Seq<{}>", name_of_sort(terms, element)),
            CollectionKind::Set(element) => format!("Set<{}>", name_of_sort(terms, element)),
            CollectionKind::Multiset(element) => format!("Multiset<{}>", name_of_sort(terms, element)),
            CollectionKind::Map(key, value) => {
                format!("Map<{}, {}>", name_of_sort(terms, key), name_of_sort(terms, value))
            }
        };
        let sort = terms.uninterpreted_sort(&name);
        self.kinds.borrow_mut().insert(sort, kind);
        sort
    }

    /// The kind of collections of this sort, if it was made by [`Collections::sort`].
    pub fn kind(&self, sort: Sort) -> Option<CollectionKind> {
        self.kinds.borrow().get(&sort).copied()
    }

    /// An operation, simplified where its result is certain. `kind` is that of the collection that is operated on or
    /// built.
    ///
    /// # Panics
    /// When the arguments are not of the operation's sorts: languages check types first.
    pub fn apply(&mut self, terms: &Terms, op: CollectionOp, kind: CollectionKind, args: &[Term]) -> Term {
        use CollectionOp::*;
        match (op, args) {
            (SeqLiteral, _) => self.seq_literal(terms, kind, args),
            (SeqRange, &[low, high]) => self.seq_range(terms, kind, low, high),
            (SeqLength, &[s]) => self.seq_length(terms, kind, s),
            (SeqIndex, &[s, i]) => self.seq_index(terms, kind, s, i),
            (SeqUpdate, &[s, i, v]) => self.seq_update(terms, kind, s, i, v),
            (SeqTake, &[s, n]) => self.seq_take(terms, kind, s, n),
            (SeqDrop, &[s, n]) => self.seq_drop(terms, kind, s, n),
            (SeqAppend, &[s, t]) => self.seq_append(terms, kind, s, t),
            (SeqContains, &[x, s]) => self.seq_contains(terms, kind, x, s),
            (SetLiteral, _) => self.set_literal(terms, kind, args),
            (SetCardinality, &[s]) => self.set_cardinality(terms, kind, s),
            (SetContains, &[x, s]) => self.set_contains(terms, kind, x, s),
            (SetUnion, &[s, t]) => self.set_union(terms, kind, s, t),
            (SetIntersection, &[s, t]) => self.set_intersection(terms, kind, s, t),
            (SetDifference, &[s, t]) => self.set_difference(terms, kind, s, t),
            (SetSubset, &[s, t]) => self.set_subset(terms, kind, s, t),
            (MultisetLiteral, _) => self.multiset_literal(terms, kind, args),
            (MultisetCardinality, &[s]) => self.multiset_cardinality(terms, kind, s),
            (MultisetCount, &[x, s]) => self.multiset_count(terms, kind, x, s),
            (MultisetUnion, &[s, t]) => self.multiset_union(terms, kind, s, t),
            (MultisetIntersection, &[s, t]) => self.multiset_intersection(terms, kind, s, t),
            (MultisetDifference, &[s, t]) => self.multiset_difference(terms, kind, s, t),
            (MultisetSubset, &[s, t]) => self.multiset_subset(terms, kind, s, t),
            (MapLiteral, _) => self.map_literal(terms, kind, args),
            (MapCardinality, &[m]) => self.map_cardinality(terms, kind, m),
            (MapContains, &[k, m]) => self.map_contains(terms, kind, k, m),
            (MapLookup, &[m, k]) => self.map_lookup(terms, kind, m, k),
            (MapUpdate, &[m, k, v]) => self.map_update(terms, kind, m, k, v),
            (MapDomain, &[m]) => self.map_domain(terms, kind, m),
            (MapRange, &[m]) => self.map_range(terms, kind, m),
            _ => panic!("{op:?} has another number of arguments than {}", args.len()),
        }
    }

    /// The operation as it stands, for triggers: a pattern must not be simplified away. `x in s` over sequences becomes
    /// a predicate that also holds of each `s[i]` that is mentioned, so that `{x in s}` fires for it.
    pub fn apply_in_trigger(&mut self, terms: &Terms, op: CollectionOp, kind: CollectionKind, args: &[Term]) -> Term {
        use CollectionOp::*;
        match (op, args) {
            (SeqContains, &[x, s]) => self.build(terms, kind, "occurs", &[x, s]),
            (SeqLength, _) => self.build(terms, kind, "length", args),
            (SeqIndex, _) => self.build(terms, kind, "index", args),
            (SeqUpdate, _) => self.build(terms, kind, "update", args),
            (SeqTake, _) => self.build(terms, kind, "take", args),
            (SeqDrop, _) => self.build(terms, kind, "drop", args),
            (SeqAppend, _) => self.build(terms, kind, "append", args),
            (SeqRange, _) => self.build(terms, kind, "range", args),
            (SetCardinality, _) | (MultisetCardinality, _) => self.build(terms, kind, "cardinality", args),
            (SetContains, _) => self.build(terms, kind, "contains", args),
            (MultisetCount, _) => self.build(terms, kind, "count", args),
            (SetUnion, _) | (MultisetUnion, _) => self.build(terms, kind, "union", args),
            (SetIntersection, _) | (MultisetIntersection, _) => self.build(terms, kind, "intersection", args),
            (SetDifference, _) | (MultisetDifference, _) => self.build(terms, kind, "difference", args),
            (SetSubset, _) | (MultisetSubset, _) => self.build(terms, kind, "subset", args),
            (MapContains, &[k, m]) => {
                let domain = self.map_domain(terms, kind, m);
                self.build(terms, map::keys(kind), "contains", &[k, domain])
            }
            (MapCardinality, &[m]) => {
                let domain = self.map_domain(terms, kind, m);
                self.build(terms, map::keys(kind), "cardinality", &[domain])
            }
            (MapLookup, _) => self.build(terms, kind, "lookup", args),
            (MapUpdate, _) => self.build(terms, kind, "update", args),
            (SeqLiteral | SetLiteral | MultisetLiteral | MapLiteral | MapDomain | MapRange, _) => {
                self.apply(terms, op, kind, args)
            }
            _ => panic!("{op:?} has another number of arguments than {}", args.len()),
        }
    }

    /// A trigger that was chosen, not written, as [`Collections::apply_in_trigger`] would have made it.
    pub fn in_trigger(&mut self, terms: &Terms, pattern: Term) -> Term {
        terms.rewrite(pattern, &mut |it| match self.view(terms, it) {
            ("contains", &[x, s]) => match self.kind(terms.sort(s)) {
                Some(kind @ CollectionKind::Seq(_)) => Some(self.build(terms, kind, "occurs", &[x, s])),
                _ => None,
            },
            _ => None,
        })
    }

    /// That `a` and `b` are equal, of any sort. Of collections it is a predicate for which extensionality fires, whether
    /// it is assumed or to be proved. Who assumes it may assume the [`plain_equality`] too: congruence closure knows
    /// nothing of the predicate.
    pub fn equal(&mut self, terms: &Terms, a: Term, b: Term) -> Term {
        let Some(kind) = self.kind(terms.sort(a)) else { return terms.eq(a, b) };
        if let Some(known) = self.decide_equal(terms, a, b) {
            return terms.bool(known);
        }
        if let Some(by_elements) = self.seq_equal_by_elements(terms, kind, a, b) {
            return by_elements;
        }
        let (a, b) = if b < a { (b, a) } else { (a, b) };
        // Not also `a = b`: z3 refutes a conjunction by one side, and would not look at the other, whose trigger is
        // needed.
        self.build(terms, kind, "equal", &[a, b])
    }

    /// Axioms that came to matter since the last call, with their names (`Seq<Int>.append_length`): those of which a
    /// trigger can match, given the functions in use.
    pub fn take_axioms(&mut self) -> Vec<(String, Term)> {
        std::mem::take(&mut self.pending)
    }

    /// Brings every function of this kind into use, as if all operations had been applied: for tests of the axioms.
    pub fn use_everything(&mut self, terms: &Terms, kind: CollectionKind) {
        let at = self.theory(terms, kind);
        self.theories[at].use_everything();
        self.grown = true;
        self.activate(terms);
    }

    /// The function `name` of the theory of `kind`, applied as it is.
    fn build(&mut self, terms: &Terms, kind: CollectionKind, name: &'static str, args: &[Term]) -> Term {
        let at = self.theory(terms, kind);
        let res = self.build_in(terms, at, name, args);
        if self.grown {
            self.activate(terms);
        }
        res
    }

    fn build_in(&mut self, terms: &Terms, at: usize, name: &str, args: &[Term]) -> Term {
        let theory = &mut self.theories[at];
        let (symbol, new) = theory.mention(name);
        self.grown |= new;
        match symbol {
            theory::Operator::Function(function) => terms.apply(function, args),
            theory::Operator::Constant(constant) => constant,
        }
    }

    fn theory(&mut self, terms: &Terms, kind: CollectionKind) -> usize {
        if let Some(&at) = self.by_kind.get(&kind) {
            return at;
        }
        let sort = self.sort(terms, kind);
        let sets = match kind {
            CollectionKind::Map(key, value) => {
                self.theory(terms, CollectionKind::Set(key));
                self.theory(terms, CollectionKind::Set(value));
                Some((self.sort(terms, CollectionKind::Set(key)), self.sort(terms, CollectionKind::Set(value))))
            }
            _ => None,
        };
        let theory = Theory::new(terms, kind, sort, sets);
        self.names.extend(theory.functions());
        self.empties.insert(theory.empty(), kind);
        self.theories.push(theory);
        self.by_kind.insert(kind, self.theories.len() - 1);
        self.theories.len() - 1
    }

    /// The operation at the root of a collection's term, with its arguments; a name that no operation has if it is
    /// another term.
    fn view<'t>(&self, terms: &'t Terms, term: Term) -> (&'static str, &'t [Term]) {
        match terms.node(term) {
            Node::Apply(function, args) => (self.names.get(function).copied().unwrap_or(""), args),
            Node::Symbol(_) if self.empties.contains_key(&term) => ("empty", &[]),
            _ => ("", &[]),
        }
    }

    fn is_empty(&self, term: Term) -> bool {
        self.empties.contains_key(&term)
    }

    /// Whether two terms of one sort are certainly equal or certainly different.
    fn decide_equal(&self, terms: &Terms, a: Term, b: Term) -> Option<bool> {
        self.decide_equal_within(terms, a, b, &mut FUEL.clone())
    }

    fn decide_equal_within(&self, terms: &Terms, a: Term, b: Term, fuel: &mut usize) -> Option<bool> {
        if a == b {
            return Some(true);
        }
        *fuel = fuel.checked_sub(1)?;
        match self.kind(terms.sort(a)) {
            None => terms.as_bool(terms.eq(a, b)),
            Some(CollectionKind::Seq(_)) => self.decide_equal_sequences(terms, a, b, fuel),
            Some(CollectionKind::Set(_) | CollectionKind::Multiset(_)) => {
                let other = if self.is_empty(a) { b } else { a };
                let with_empty = self.is_empty(a) || self.is_empty(b);
                (with_empty && self.view(terms, other).0 == "add").then_some(false)
            }
            Some(CollectionKind::Map(..)) => {
                let other = if self.is_empty(a) { b } else { a };
                let with_empty = self.is_empty(a) || self.is_empty(b);
                (with_empty && self.view(terms, other).0 == "update").then_some(false)
            }
        }
    }
}
