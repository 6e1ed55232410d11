//! Sequences, sets, multisets and maps: their sorts, operations and axioms over terms. (stub until merged)
#![allow(missing_docs)]
use crate::program::CollectionOp;
use effigy_term::{Sort, Term, Terms};
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    Seq(Sort),
    Set(Sort),
    Multiset(Sort),
    Map(Sort, Sort),
}
#[derive(Default)]
pub struct Collections;
impl Collections {
    pub fn sort(&self, terms: &Terms, kind: Kind) -> Sort {
        terms.uninterpreted_sort(&format!("{kind:?}"))
    }
    pub fn kind(&self, _sort: Sort) -> Option<Kind> {
        None
    }
    pub fn apply(&mut self, terms: &Terms, _op: CollectionOp, _kind: Kind, _args: &[Term]) -> Term {
        terms.bool(true)
    }
    pub fn equal(&mut self, terms: &Terms, a: Term, b: Term) -> Term {
        terms.eq(a, b)
    }
    pub fn take_axioms(&mut self, _terms: &Terms) -> Vec<(String, Term)> {
        Vec::new()
    }
}
