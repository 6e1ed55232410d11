//! Procedures cut at their assertions: what a proof by Floyd's method asks of a language.
//!
//! Knows: cut points and where paths between them begin. Never: how a path is proved.
//! Source: King 1976, section 8; Floyd 1967.

use crate::context::Context;
use crate::inspect::{Inspect, Statement};
use crate::outcome::Place;
use std::sync::Arc;

/// A procedure with its cut points.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CutProcedure {
    /// The name of the procedure in the source.
    pub name: Arc<str>,
    /// The cut points. The first is the entry, and its statement is the assertion there, if there is one.
    pub cuts: Vec<Statement>,
    /// Where the assertion at the entry stands, if there is one.
    pub entry: Option<Place>,
    /// Loops in which there is no cut point, by the statement that goes round: the paths of this procedure are not
    /// finitely many.
    pub uncut_loops: Vec<Statement>,
    /// What the proof takes for granted of this procedure.
    pub assumptions: Vec<String>,
}

/// A language with assertions at which its procedures can be cut.
///
/// A state that begins at a cut has distinct symbols for its variables. Its first question is [`crate::Step::Assume`]
/// of the assertion (unless that is plainly true); at the next cut it asks [`crate::Step::Require`] and then ends.
/// Every other [`crate::Step::Require`] on the way is a verification condition too.
pub trait Cuts: Inspect {
    /// All procedures, in the order of the source.
    fn cut_procedures(&self) -> Vec<CutProcedure>;

    /// The state at a cut point: `procedure` and `cut` are indices into [`Cuts::cut_procedures`] and its cuts.
    fn start_at(&self, ctx: &mut Context<'_>, procedure: usize, cut: usize) -> Option<Self::State>;
}
