//! Snapshots of quantified permissions: what functions and predicates are told of the values.
//!
//! Knows: the map of values for what is asked of a heap, the same for the same heap. Never: what is held.

use super::Access;
use crate::machine::Machine;
use crate::quantified_names::ValueMaps;
use effigy_heap::heap::{Heap, QuantifiedChunk, Resource};
use effigy_term::{Symbol, SymbolKind, Term};

/// A map is compared with so many earlier ones of its domain; chosen without measuring.
const MOST_COMPARED: usize = 6;

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
        let outer = self.outer_variables([domain, value].into_iter());
        let number = self.number_of_map(domain, value, outer.is_empty());
        let values = self.map(number, &outer);
        let found = self.vocabulary.lookup(self.terms, resource, values, &args);
        let fact = self.terms.implies(domain, self.terms.eq(found, value));
        let fact = self.terms.forall(&formals, &[vec![found]], fact);
        self.assume(fact);
        if outer.is_empty() && self.bound.is_empty() {
            self.compare_maps(resource, domain, number);
        }
        values
    }

    /// The number of the map that has this value for each of these arguments.
    fn number_of_map(&mut self, domain: Term, value: Term, closed: bool) -> usize {
        let ValueMaps { known, of_domain } = &mut self.value_maps;
        let count = known.len();
        *known.entry((domain, value)).or_insert_with(|| {
            if closed {
                of_domain.entry(domain).or_default().push(count);
            }
            count
        })
    }

    /// A map by its number and the bound variables that it depends on.
    fn map(&self, number: usize, outer: &[Symbol]) -> Term {
        let args: Vec<Term> = outer.iter().map(|&it| self.terms.of_symbol(it)).collect();
        self.named(&format!("values of {number}"), self.vocabulary.snapshot(), &args)
    }

    /// Two maps of one domain are the same, or have different values somewhere in it. A map stands for its values in the
    /// domain and for nothing else: so maps of different domains are not compared, and no chunk's with one of these.
    fn compare_maps(&mut self, resource: Resource, domain: Term, number: usize) {
        let others = self.value_maps.of_domain.get(&domain).map_or(&[][..], |it| it);
        let others: Vec<usize> = others.iter().rev().copied().filter(|it| *it != number).take(MOST_COMPARED).collect();
        let formals = self.vocabulary.formals(self.terms, resource);
        for other in others {
            let (low, high) = (number.min(other), number.max(other));
            let witness = formals.iter().enumerate().map(|(at, &it)| {
                let sort = self.terms.symbol_info(it).sort;
                let name = format!("difference {low} {high}.{at}");
                self.terms.of_symbol(self.terms.symbol(&name, sort, SymbolKind::Fresh))
            });
            let witness: Vec<Term> = witness.collect();
            let values = |it: usize| self.vocabulary.lookup(self.terms, resource, self.map(it, &[]), &witness);
            let different = self.terms.ne(values(low), values(high));
            let inside = self.at_args(resource, domain, &witness);
            let same = self.terms.eq(self.map(low, &[]), self.map(high, &[]));
            let fact = self.terms.or(same, self.terms.and(inside, different));
            self.assume(fact);
        }
    }
}
