//! Array constructors.

use crate::node::{Node, Term};
use crate::rules::Rule;
use crate::sort::Sort;
use crate::terms::Terms;

impl Terms {
    /// The array of sort `sort` with `element` everywhere.
    pub fn const_array(&self, sort: Sort, element: Term) -> Term {
        let Sort::Array(parts) = sort else { panic!("an array sort was expected, not {sort:?}") };
        assert_eq!(self.array_parts(parts).1, self.sort(element), "the element has the array's element sort");
        self.intern(Node::ConstArray(parts, element), sort)
    }

    /// The element of `array` at `index`.
    pub fn select(&self, array: Term, index: Term) -> Term {
        let Sort::Array(parts) = self.sort(array) else { panic!("select from an array") };
        let (index_sort, element_sort) = self.array_parts(parts);
        assert_eq!(index_sort, self.sort(index), "the index has the array's index sort");
        let mut below = array;
        loop {
            match *self.node(below) {
                // match: (select (store a i v) i)   result: v
                Node::Store(_, at, element) if at == index && self.uses(Rule::SelectStore) => return element,
                // match: (select (store a i v) j), i and j differ by a constant   result: (select a j)
                Node::Store(inner, at, _)
                    if self.as_bool(self.eq(at, index)) == Some(false) && self.uses(Rule::SelectStoreOther) =>
                {
                    below = inner;
                }
                // match: (select (const v) i)   result: v
                Node::ConstArray(_, element) if self.uses(Rule::SelectConst) => return element,
                _ => break,
            }
        }
        self.intern(Node::Select(below, index), element_sort)
    }

    /// `array` with `element` at `index`.
    pub fn store(&self, array: Term, index: Term, element: Term) -> Term {
        let Sort::Array(parts) = self.sort(array) else { panic!("store to an array") };
        assert_eq!(self.array_parts(parts), (self.sort(index), self.sort(element)), "index and element fit the array");
        // match: (store (store a i v) i w)   result: (store a i w)
        let array = match *self.node(array) {
            Node::Store(inner, at, _) if at == index && self.uses(Rule::StoreStore) => inner,
            _ => array,
        };
        self.intern(Node::Store(array, index, element), self.sort(array))
    }
}
