//! Sequences that have the same parts.
//!
//! Knows: what the local core knows to be equal, that appending is associative. Never: the solver.
//!
//! `(s ++ t) ++ u` is `s ++ (t ++ u)`: by axioms about elements that takes thousands of instances where many sequences
//! are appended, by comparing the parts one after the other nearly nothing.

use crate::machine::Machine;
use effigy_heap::collections::{CollectionKind, SequenceShape, plain_equality};
use effigy_term::{Node, Term};

/// The most parts that are looked at; a sequence may be known to be a part of itself.
const MOST_PARTS: usize = 200;

/// A part, by the representative of its class.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Element(Term),
    Sequence(Term),
}

impl<'a, 't> Machine<'a, 't> {
    /// Whether a goal is an equation of sequences that holds because their parts are equal, one by one.
    pub(crate) fn has_same_parts(&mut self, goal: Term) -> bool {
        let equation = plain_equality(self.terms, goal).unwrap_or(goal);
        let &Node::Eq(left, right) = self.terms.node(equation) else { return false };
        let kind = self.vocabulary.collections.kind(self.terms.sort(left));
        if !matches!(kind, Some(CollectionKind::Seq(_))) {
            return false;
        }
        let mut fuel = MOST_PARTS;
        match (self.parts_of_sequence(left, &mut fuel), self.parts_of_sequence(right, &mut fuel)) {
            (Some(left), Some(right)) => left == right,
            _ => false,
        }
    }

    /// The parts of a sequence in order; `None` if there are too many.
    fn parts_of_sequence(&mut self, sequence: Term, fuel: &mut usize) -> Option<Vec<Part>> {
        let mut res = Vec::new();
        let mut work = vec![sequence];
        while let Some(next) = work.pop() {
            *fuel = fuel.checked_sub(1)?;
            let equals = self.prover.equals(self.terms, next);
            match equals.iter().find_map(|&it| self.vocabulary.collections.composed(self.terms, it)) {
                Some(SequenceShape::Empty) => {}
                Some(SequenceShape::Singleton(it)) => {
                    res.push(Part::Element(self.prover.representative(self.terms, it)));
                }
                Some(SequenceShape::Append(left, right)) => work.extend([right, left]),
                None => res.push(Part::Sequence(self.prover.representative(self.terms, next))),
            }
        }
        Some(res)
    }
}
