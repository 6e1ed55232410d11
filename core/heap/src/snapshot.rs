//! Snapshots: what the values in a part of the heap are.
//!
//! Knows: unit, combine with its projections, one value as a snapshot; all simplified at construction, so that most
//! snapshots are resolved by their structure. Never: heaps.
//! Source: Smans et al. 2010, sections 3.2.1 and 3.2.2.
//!
//! `from(to(s)) = s` is used only where `s` is the snapshot of one location of that sort; the rules of `produce` build
//! `to(s)` nowhere else. As an axiom for all `s` it would contradict a sort with few values, such as Bool.

use crate::vocabulary::Vocabulary;
use effigy_contracts::program::Program;
use effigy_solver::prover::Prover;
use effigy_term::{FunctionSymbol, Node, Sort, SymbolKind, Term, Terms};

/// The constructors of snapshots in one arena.
#[derive(Clone, Copy)]
pub struct Snapshots {
    sort: Sort,
    combine: FunctionSymbol,
    first: FunctionSymbol,
    second: FunctionSymbol,
}

impl Snapshots {
    /// The constructors, with the words of a program.
    pub fn new(terms: &Terms, vocabulary: &Vocabulary<'_>) -> Snapshots {
        let sort = vocabulary.snapshot();
        Snapshots {
            sort,
            combine: terms.function("combine", &[sort, sort], sort),
            first: terms.function("first", &[sort], sort),
            second: terms.function("second", &[sort], sort),
        }
    }

    /// Tells the prover what the projections are.
    pub fn tell(&self, terms: &Terms, prover: &mut Prover, vocabulary: &Vocabulary<'_>, program: &Program) {
        prover.injection(terms, self.combine, &[self.first, self.second]);
        let mut told = Vec::new();
        for field in &program.fields {
            if !told.contains(&&field.typ) {
                told.push(&field.typ);
                let sort = vocabulary.sort(terms, &field.typ);
                let (from, to) = self.wrappers(terms, sort, &vocabulary.name(&field.typ));
                prover.injection(terms, from, &[to]);
            }
        }
    }

    /// The snapshot of an empty heap.
    pub fn unit(&self, terms: &Terms) -> Term {
        terms.of_symbol(terms.symbol("unit", self.sort, SymbolKind::Fresh))
    }

    /// The snapshot of a heap in two parts.
    pub fn combine(&self, terms: &Terms, left: Term, right: Term) -> Term {
        // match: combine(first(s), second(s))   result: s
        if let (Node::Apply(f, a), Node::Apply(g, b)) = (terms.node(left), terms.node(right))
            && *f == self.first
            && *g == self.second
            && a == b
        {
            return a[0];
        }
        terms.apply(self.combine, &[left, right])
    }

    /// Whether a snapshot is known in its parts.
    pub fn is_combination(&self, terms: &Terms, snapshot: Term) -> bool {
        matches!(terms.node(snapshot), Node::Apply(function, _) if *function == self.combine)
    }

    /// That a snapshot is a combination, for where its parts are equal to others but do not look so.
    pub fn is_combined(&self, terms: &Terms, snapshot: Term) -> Term {
        let (first, second) = (self.first(terms, snapshot), self.second(terms, snapshot));
        terms.eq(snapshot, terms.apply(self.combine, &[first, second]))
    }

    /// That a snapshot is inside of another one: snapshots are finite.
    pub fn is_smaller(&self, terms: &Terms, inner: Term, outer: Term) -> Term {
        let height = terms.function("height of a snapshot", &[self.sort], Sort::Int);
        terms.int_lt(terms.apply(height, &[inner]), terms.apply(height, &[outer]))
    }

    /// What [`Snapshots::is_combined`] or [`Snapshots::is_value`] says of a snapshot, for the one that replaces it there:
    /// built as a term it would simplify to nothing.
    pub fn shape(&self, terms: &Terms, fact: Term, replaced: impl Fn(Term) -> Term) -> Option<Term> {
        let Node::Eq(a, b) = *terms.node(fact) else { return None };
        [(a, b), (b, a)].into_iter().find_map(|(whole, built)| {
            let Node::Apply(function, args) = terms.node(built) else { return None };
            if *function == self.combine {
                let (left, right) = (terms.apply(self.first, &[whole]), terms.apply(self.second, &[whole]));
                return (args[..] == [left, right]).then(|| self.is_combined(terms, replaced(whole)));
            }
            let [value] = args[..] else { return None };
            let name = terms.function_info(*function).name.strip_prefix("from")?.to_owned();
            let sort = terms.sort(value);
            let (from, to) = self.wrappers(terms, sort, &name);
            let same = *function == from && terms.sort(whole) == self.sort && value == terms.apply(to, &[whole]);
            same.then(|| self.is_value(terms, replaced(whole), sort, &name))
        })
    }

    /// That a snapshot is one of a location, likewise.
    pub fn is_value(&self, terms: &Terms, snapshot: Term, sort: Sort, name: &str) -> Term {
        let (from, _) = self.wrappers(terms, sort, name);
        terms.eq(snapshot, terms.apply(from, &[self.value(terms, snapshot, sort, name)]))
    }

    /// match: first(combine(a, b))   result: a
    pub fn first(&self, terms: &Terms, snapshot: Term) -> Term {
        match terms.node(snapshot) {
            Node::Apply(function, args) if *function == self.combine => args[0],
            _ => terms.apply(self.first, &[snapshot]),
        }
    }

    /// match: second(combine(a, b))   result: b
    pub fn second(&self, terms: &Terms, snapshot: Term) -> Term {
        match terms.node(snapshot) {
            Node::Apply(function, args) if *function == self.combine => args[1],
            _ => terms.apply(self.second, &[snapshot]),
        }
    }

    /// The snapshot that this one is a part of, by its form.
    pub fn root(&self, terms: &Terms, snapshot: Term) -> Term {
        let mut root = snapshot;
        while let Node::Apply(function, args) = terms.node(root)
            && (*function == self.first || *function == self.second)
        {
            root = args[0];
        }
        root
    }

    /// The snapshot of a single value, of the sort called `sort_name`.
    /// match: fromX(toX(s))   result: s
    pub fn of_value(&self, terms: &Terms, value: Term, sort_name: &str) -> Term {
        let (from, to) = self.wrappers(terms, terms.sort(value), sort_name);
        if let Node::Apply(function, args) = terms.node(value)
            && *function == to
        {
            return args[0];
        }
        terms.apply(from, &[value])
    }

    /// The value of which `snapshot` is the snapshot, of sort `sort`, which is called `name`.
    /// match: toX(fromX(v))   result: v
    pub fn value(&self, terms: &Terms, snapshot: Term, sort: Sort, name: &str) -> Term {
        let (from, to) = self.wrappers(terms, sort, name);
        if let Node::Apply(function, args) = terms.node(snapshot)
            && *function == from
        {
            return args[0];
        }
        terms.apply(to, &[snapshot])
    }

    fn wrappers(&self, terms: &Terms, sort: Sort, name: &str) -> (FunctionSymbol, FunctionSymbol) {
        let from = terms.function(&format!("from{name}"), &[sort], self.sort);
        let to = terms.function(&format!("to{name}"), &[self.sort], sort);
        (from, to)
    }

    /// Simplifies the outermost operator, after its arguments were replaced.
    pub fn simplified(&self, terms: &Terms, term: Term) -> Term {
        let Node::Apply(function, args) = terms.node(term) else { return term };
        let [only] = args[..] else {
            let [left, right] = args[..] else { return term };
            return if *function == self.combine { self.combine(terms, left, right) } else { term };
        };
        if *function == self.first {
            return self.first(terms, only);
        }
        if *function == self.second {
            return self.second(terms, only);
        }
        let Node::Apply(inner, inner_args) = terms.node(only) else { return term };
        let (outer, inner) = (&terms.function_info(*function).name, &terms.function_info(*inner).name);
        let inverse = outer.strip_prefix("to").is_some_and(|name| inner.strip_prefix("from") == Some(name))
            || outer.strip_prefix("from").is_some_and(|name| inner.strip_prefix("to") == Some(name));
        let of_snapshots = terms.sort(term) == self.sort || terms.sort(only) == self.sort;
        if inverse && of_snapshots && inner_args.len() == 1 { inner_args[0] } else { term }
    }
}
