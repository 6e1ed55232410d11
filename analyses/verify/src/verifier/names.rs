//! Values in the names of the program: `k` for `k@2`, `r.val at entry` for `toInt(first(snapshot@6))`.
//!
//! Knows: which places had a value when a member was entered. Never: paths: a name holds on all of them, or there is none.
//!
//! Paths make symbols of the same name for different things once they have parted. So only what was there before they part
//! has a name: parameters, and what the precondition gives. A place that is opened later was there all the same. A value
//! that is in another place on another path, as where a predicate's body chooses, has none.

use crate::plain::plain;
use effigy_contracts::program::{MemberVariable, Program};
use effigy_heap::heap::{Heap, Resource};
use effigy_term::{Node, SymbolKind, Term, Terms, print};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The names of values, for people.
#[derive(Default)]
pub(super) struct Names {
    /// The name of each value; `None` where no name holds on all paths.
    known: FxHashMap<Term, Option<Arc<str>>>,
    /// Symbols up to this number were made before paths part.
    entry: u64,
    /// The parameters, with their values at entry.
    parameters: Vec<(Arc<str>, Term)>,
}

impl Names {
    /// Names the values of the parameters of a member that is entered.
    pub(super) fn enter(&mut self, terms: &Terms, table: &[MemberVariable], store: &[Option<Term>]) {
        *self = Names::default();
        for (variable, value) in table.iter().zip(store) {
            let Some(value) = *value else { return };
            self.parameters.push((Arc::clone(&variable.name), value));
            if let Node::Symbol(_) = terms.node(value) {
                self.add(terms, value, Arc::clone(&variable.name));
            }
        }
    }

    /// Takes in a store: a value whose parameter was given another value is called that at entry.
    pub(super) fn see_store(&mut self, store: &[Option<Term>]) {
        for ((name, value), now) in self.parameters.iter().zip(store) {
            if now.is_some_and(|it| it != *value) {
                self.known.insert(*value, Some(format!("{name} at entry").into()));
            }
        }
    }

    /// Before paths part, so many symbols have been made.
    pub(super) fn entered(&mut self, counter: u64) {
        self.entry = self.entry.max(counter);
    }

    /// The places of a heap. What has a name is what each of their values was at entry.
    pub(super) fn see(&mut self, terms: &Terms, program: &Program, heap: &Heap) {
        for chunk in heap.iter() {
            let (Resource::Field(field), [receiver]) = (chunk.resource, &*chunk.args) else { continue };
            if !matches!(terms.node(chunk.value), Node::Apply(..)) || !self.is_of_entry(terms, chunk.value) {
                continue;
            }
            let Some(of) = self.receiver(terms, *receiver) else { continue };
            let field = &program.fields[field.index()].name;
            let field = field.rsplit('.').next().unwrap_or(field);
            self.add(terms, chunk.value, format!("{of}.{field} at entry").into());
        }
    }

    /// What a place belongs to, if that has a name.
    fn receiver(&self, terms: &Terms, receiver: Term) -> Option<String> {
        let name = self.known.get(&receiver).or_else(|| self.known.get(&plain(terms, receiver)))?.as_ref()?;
        // One moment is told once.
        Some(name.strip_suffix(" at entry").unwrap_or(name).to_owned())
    }

    fn add(&mut self, terms: &Terms, value: Term, name: Arc<str>) {
        for key in [value, plain(terms, value)] {
            let known = self.known.entry(key).or_insert_with(|| Some(Arc::clone(&name)));
            if known.as_ref() != Some(&name) {
                *known = None;
            }
        }
    }

    /// Whether a value depends on nothing that was made later.
    fn is_of_entry(&self, terms: &Terms, value: Term) -> bool {
        let number = |name: &str| name.rsplit_once('@').and_then(|it| it.1.parse::<u64>().ok());
        terms.symbols(value).iter().all(|&it| {
            let name = &terms.symbol_info(it).name;
            number(name).is_none_or(|it| it <= self.entry)
        })
    }

    /// A formula with names in place of what they name.
    pub(super) fn shown(&self, terms: &Terms, term: Term) -> String {
        let stop = |it: Term| {
            let name = self.known.get(&it)?.as_ref()?;
            Some(terms.of_symbol(terms.symbol(name, terms.sort(it), SymbolKind::Fresh)))
        };
        print::math(terms, terms.fold(term, stop, |it, done| terms.with_arguments(it, &|it| done[&it])))
    }
}
