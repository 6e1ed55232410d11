//! Whom the database asks.
//!
//! Knows: that a path has decisions. Never: who answers, and how a path comes to be run again.

use effigy_term::{Sort, Term, Value};

/// Answers what a path decides. A session is one; a model that is followed is another.
pub trait Questions {
    /// A symbol that nothing is known of.
    fn fresh(&mut self, name: &str, sort: Sort) -> Term;
    /// Does this hold on this path? The other side is another path.
    fn decide(&mut self, cond: Term) -> bool;
    /// Which of these holds? They exclude one another, and one of them does.
    fn among(&mut self, conds: &[Term]) -> usize;
    /// Only databases of which this holds matter.
    fn assume(&mut self, cond: Term);
    /// A value that the term has on this path; from here on it has it, and no other path is run for the others.
    fn witness(&mut self, term: Term, what: &str) -> Value;
    /// Whether the program is seen to compare what it is sent: then [`Questions::watched`] is asked for values.
    fn watches(&self) -> bool {
        false
    }
    /// A value that the term has on this path, the first of these where it can be; it may have others, and may be asked
    /// for again.
    fn watched(&mut self, term: Term, what: &str, _candidates: &[Value]) -> Value {
        self.witness(term, what)
    }
    /// One value was taken for all of these.
    fn witnessed(&mut self, what: &str);
    /// Said of the path, once.
    fn note(&mut self, what: &str);
}
