//! CaDiCaL as circuits need it: literals, clauses, and one search at a time under assumptions.
//!
//! Knows: CaDiCaL's functions, and in which states they may be called. Never: gates, terms.
//!
//! CaDiCaL aborts the process where it is misused: by a number that is no literal, by a search in the middle of a clause,
//! by reading a value without a model. No caller of `Cadical` can do any of that. Where memory runs out, CaDiCaL ends the
//! process as Rust's own collections do; who limits memory stops the search before (`solve`).

#[cfg(test)]
mod tests;

use cadical_sys::{CaDiCal, Status, Terminator};
use std::cell::RefCell;
use std::num::NonZeroI32;
use std::ops::Not;

/// A variable or its negation, numbered as in DIMACS: the negation of variable 3 is -3.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Literal(NonZeroI32);

impl Literal {
    /// The literal that is true where the variable is. The index of a variable counts from zero.
    ///
    /// # Errors
    /// CaDiCaL numbers its variables with 31 bits.
    pub(super) fn positive(index: usize) -> Result<Literal, String> {
        let number = index.checked_add(1).and_then(|it| i32::try_from(it).ok()).and_then(NonZeroI32::new);
        number.map(Literal).ok_or_else(|| format!("a formula of more than {} variables", i32::MAX))
    }

    /// The literal, or its negation.
    pub(super) fn negated_if(self, is_negated: bool) -> Literal {
        if is_negated { !self } else { self }
    }

    /// The literal's number in DIMACS.
    pub(super) fn number(self) -> i32 {
        self.0.get()
    }
}

impl Not for Literal {
    type Output = Literal;

    /// Numbers begin at -`i32::MAX`: a negation does not overflow.
    fn not(self) -> Literal {
        Literal(-self.0)
    }
}

/// The answer of one search of CaDiCaL.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SearchResult {
    Sat,
    Unsat,
    /// A limit was reached, or it was interrupted.
    Stopped,
}

/// An instance of CaDiCaL. Each clause is added as a whole, so that it is ready for a search between any two calls.
pub(super) struct Cadical {
    /// Values of eliminated variables are computed when the first value of a model is read: reading one is a change.
    solver: RefCell<CaDiCal>,
    /// Whether the last search found a model, and nothing was added since.
    has_model: bool,
}

// SAFETY: What CaDiCaL points to is on the heap and belongs to this instance alone; none of it depends on the thread.
// The terminator is connected during `solve` only, and what it holds may be sent. `Cadical` is not `Sync`.
unsafe impl Send for Cadical {}

/// Ends a search when the function says so.
struct Stop<F>(F);

impl<F: FnMut() -> bool> Terminator for Stop<F> {
    fn terminated(&mut self) -> bool {
        (self.0)()
    }
}

impl Cadical {
    /// An instance with the default configuration.
    pub(super) fn new() -> Cadical {
        Cadical { solver: RefCell::new(CaDiCal::new()), has_model: false }
    }

    /// Chooses a configuration by CaDiCaL's name for it, before there are clauses.
    ///
    /// # Errors
    /// CaDiCaL does not know the name.
    pub(super) fn configure(&mut self, name: &str) -> Result<(), String> {
        if self.solver.get_mut().configure(name) { Ok(()) } else { Err(format!("CaDiCaL has no configuration {name}")) }
    }

    /// Sets one of CaDiCaL's options, before there are clauses.
    ///
    /// # Errors
    /// CaDiCaL does not know the name.
    pub(super) fn set_option(&mut self, name: &str, value: i32) -> Result<(), String> {
        if self.solver.get_mut().set(name, value) { Ok(()) } else { Err(format!("CaDiCaL has no option {name}")) }
    }

    /// At least one of the literals is true.
    pub(super) fn add_clause(&mut self, clause: &[Literal]) {
        self.has_model = false;
        let solver = self.solver.get_mut();
        // Most clauses are a gate's: one call for each, not one for each literal.
        match *clause {
            [a] => solver.clause1(a.number()),
            [a, b] => solver.clause2(a.number(), b.number()),
            [a, b, c] => solver.clause3(a.number(), b.number(), c.number()),
            _ => {
                clause.iter().for_each(|it| solver.add(it.number()));
                solver.add(0);
            }
        }
    }

    /// Where the literal's variable is decided, the literal becomes true first.
    pub(super) fn set_phase(&mut self, literal: Literal) {
        self.solver.get_mut().phase(literal.number());
    }

    /// The number of conflicts in all searches so far.
    pub(super) fn conflicts(&self) -> u64 {
        u64::try_from(self.solver.borrow().get_statistic_value("conflicts")).unwrap_or(0)
    }

    /// Searches for a model of the clauses in which the assumptions are true, through at most so many `conflicts`, and
    /// until `must_stop`. That function may not panic: no panic crosses C++.
    ///
    /// # Errors
    /// CaDiCaL knows no limit of conflicts.
    pub(super) fn solve(
        &mut self,
        assumptions: &[Literal],
        conflicts: Option<u64>,
        must_stop: impl FnMut() -> bool + Send + 'static,
    ) -> Result<SearchResult, String> {
        self.has_model = false;
        let solver = self.solver.get_mut();
        if let Some(conflicts) = conflicts
            && !solver.limit("conflicts", i32::try_from(conflicts).unwrap_or(i32::MAX))
        {
            return Err("CaDiCaL has no limit of conflicts".to_owned());
        }
        assumptions.iter().for_each(|it| solver.assume(it.number()));
        solver.connect_terminator(Stop(must_stop));
        let status = solver.solve();
        solver.disconnect_terminator();
        Ok(match status {
            Status::SATISFIABLE => {
                self.has_model = true;
                SearchResult::Sat
            }
            Status::UNSATISFIABLE => SearchResult::Unsat,
            Status::UNKNOWN => SearchResult::Stopped,
        })
    }

    /// Whether the literal is true in the last model. Without a model, no literal is.
    pub(super) fn is_true(&self, literal: Literal) -> bool {
        self.has_model && self.solver.borrow_mut().val(literal.number()) == literal.number()
    }
}
