//! What is known of an unknown, as formulas.
//!
//! Knows: the shape of facts. Never: where they come from (`consequences`), solutions.

use super::form::{Form, Formula};
use effigy_term::{FunctionSymbol, Symbol, Term};

/// What is known of one unknown.
#[derive(Debug, Default)]
pub(super) struct Facts {
    /// Formulas over the unknowns that hold.
    pub(super) formulas: Vec<Formula>,
    /// What it is applied to, where equal arguments give equal values.
    pub(super) application: Option<Application>,
    /// Terms that a solution must give a value, beside those in the formulas.
    pub(super) mentions: Vec<Form>,
    /// Terms that make it linear where they are constants, if it is not; and others that do.
    pub(super) obstacles: [Vec<Term>; 2],
}

/// An array's element or a function's result.
#[derive(Debug)]
pub(super) struct Application {
    pub(super) head: Head,
    pub(super) arguments: Vec<Form>,
}

/// The array or function that is applied.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Head {
    /// An array, perhaps of arrays, at its indices.
    Array(Symbol),
    /// An uninterpreted function, applied to its arguments.
    Function(FunctionSymbol),
}

impl Facts {
    pub(super) fn of(formulas: Vec<Formula>) -> Facts {
        Facts { formulas, ..Facts::default() }
    }

    pub(super) fn applied(head: Head, arguments: Vec<Form>) -> Facts {
        let mentions = arguments.clone();
        Facts { application: Some(Application { head, arguments }), mentions, ..Facts::default() }
    }
}
