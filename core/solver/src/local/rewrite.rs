//! Rewrites a term modulo the known equalities: its arguments are replaced by the members that represent their classes.
//!
//! Knows: that terms simplify when they are built; this is unit propagation, evaluation and congruence of all that is
//! no plain function. Never: which simplifications there are (that is `effigy_term::rules`).

use super::add::is_leaf;
use super::classes::Id;
use super::{Local, Task};
use effigy_term::{Node, Term, Terms};

impl Local {
    pub(super) fn rewrite(&mut self, terms: &Terms, id: Id) {
        let term = self.classes.term(id);
        if is_leaf(terms, term) {
            return;
        }
        let truth = terms.as_bool(self.classes.canonical(id));
        match (terms.node(term), truth) {
            (Node::Apply(function, arguments), _) => return self.take_out(terms, *function, arguments, id),
            // All was said when they were decided.
            (Node::Not(_), Some(_)) | (Node::And(_), Some(true)) | (Node::Or(_), Some(false)) => return,
            (Node::Eq(..), Some(true)) => return,
            _ => {}
        }
        let rebuilt = self.rebuilt(terms, term);
        if rebuilt != term {
            let other = self.add(terms, rebuilt);
            self.tasks.push(Task::Replace(id, other));
            return;
        }
        if truth.is_none()
            && let Some(truth) = self.compared(terms, term)
        {
            let constant = self.add(terms, terms.bool(truth));
            self.tasks.push(Task::Merge(id, constant));
        }
    }

    /// The term with the canonical members in place of its arguments.
    pub(super) fn rebuilt(&self, terms: &Terms, term: Term) -> Term {
        terms.with_arguments(term, &|it| self.classes.find(it).map_or(it, |id| self.classes.canonical(id)))
    }

    /// The truth of a comparison of members by what is known of both.
    pub(super) fn compared(&self, terms: &Terms, term: Term) -> Option<bool> {
        match *terms.node(term) {
            Node::Eq(a, b) => {
                let (a, b) = (self.classes.find(a)?, self.classes.find(b)?);
                if self.classes.of(a) == self.classes.of(b) {
                    return Some(true);
                }
                self.differ(terms, a, b).then_some(false)
            }
            Node::IntLe(a, b) | Node::RealLe(a, b) => {
                self.interval(terms, super::bounds::minus(terms, b, a)).not_negative()
            }
            _ => None,
        }
    }
}
