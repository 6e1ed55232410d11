//! Snapshots of quantified permissions: what functions and predicates are told of the values.
//!
//! Knows: the map of values for what is asked of a heap, the same for the same heap. Never: what is held.

use super::Access;
use crate::machine::Machine;
use effigy_heap::heap::{Heap, QuantifiedChunk};
use effigy_term::{Sort, SymbolKind, Term};
use rustc_hash::FxHashMap;

/// Maps of values, by the arguments for which they are known and the values there. They are only names: what is known of
/// them is assumed on each path.
#[derive(Debug, Default)]
pub(crate) struct ValueMaps {
    known: FxHashMap<(Term, Term), usize>,
}

impl<'a> Machine<'a, '_> {
    /// A snapshot in which the values of what is needed are found: that of the only chunk, or one for this heap.
    pub(super) fn values_of(&mut self, heap: &Heap, access: &Access, needed: Term) -> Term {
        let resource = access.resource;
        let chunks: Vec<&QuantifiedChunk> = heap.quantified_of(resource).map(|it| it.1).collect();
        if let ([only], None) = (&chunks[..], heap.of(resource).next()) {
            return only.values;
        }
        let formals = self.vocabulary.formals(self.terms, resource);
        let args = self.formal_args(resource);
        let depth = self.bound.len();
        self.bound.extend(&formals);
        self.push();
        let domain = self.has_any(needed);
        self.branch_on(domain);
        let shares = self.shares(heap, resource, &args);
        let value = self.value_of(resource, &shares);
        self.pop();
        self.pop();
        self.bound.truncate(depth);
        let Some(value) = value else { return self.fresh("values", self.vocabulary.snapshot()) };
        let values = self.map_of(domain, value);
        let found = self.vocabulary.lookup(self.terms, resource, values, &args);
        let fact = self.terms.implies(domain, self.terms.eq(found, value));
        let fact = self.terms.forall(&formals, &[vec![found]], fact);
        self.assume(fact);
        values
    }

    /// The name of the map that has this value for each of these arguments.
    fn map_of(&mut self, domain: Term, value: Term) -> Term {
        let count = self.value_maps.known.len();
        let number = *self.value_maps.known.entry((domain, value)).or_insert(count);
        let name = format!("values of {number}");
        let snapshot = self.vocabulary.snapshot();
        if self.bound.is_empty() {
            return self.terms.of_symbol(self.terms.symbol(&name, snapshot, SymbolKind::Fresh));
        }
        let args: Vec<Term> = self.bound.iter().map(|&it| self.terms.of_symbol(it)).collect();
        let sorts: Vec<Sort> = args.iter().map(|&it| self.terms.sort(it)).collect();
        self.terms.apply(self.terms.function(&name, &sorts, snapshot), &args)
    }
}
