//! The trait that a language implements: a symbolic transition system.
//!
//! Knows: the questions that a language can ask. Never: who answers them.

use crate::context::Context;
use crate::decision::Resolution;
use crate::judge::Judge;
use crate::outcome::{Place, Witness};
use crate::question::Step;
use effigy_term::Model;

/// A program of some language, ready to be walked.
///
/// A language never decides anything: it runs until it has a *question*; the walk answers.
///
/// **Everything reachable from a state is persistent.** A walk clones states at every fork and resumes them in any
/// order, so a state must not share mutable cells with another: a counter in an `Rc<Cell<_>>` would let one path
/// see the allocations of its sibling, and the path's decisions would no longer name it. Interior mutability is for
/// caches that are pure functions of their key (the arena of terms is one).
///
/// **A decision sequence names a path.** From the start state, the same decisions must lead to the same state, with
/// the same names for the same inputs; fresh names come from counters in the state.
pub trait Language {
    /// The state of one path: everything but the path condition.
    type State: Clone;

    /// The state before the first transition of the program.
    fn start(&self, ctx: &mut Context<'_>) -> Self::State;

    /// Runs `state` until there is a question, the program ends, or about `fuel` transitions have been made.
    /// Takes its transitions off `fuel`, so that the caller can count them.
    ///
    /// After a question, [`Language::answer`] is called before the next `step`. Questions whose condition is a
    /// constant are not asked.
    fn step(&self, ctx: &mut Context<'_>, state: &mut Self::State, fuel: &mut u64) -> Step;

    /// Tells the state what was decided. For [`Step::Require`] and [`Step::Assume`] it is
    /// [`Resolution::Granted`]: the condition is now part of φ. A state that is not told is asked again.
    fn answer(&self, state: &mut Self::State, resolution: Resolution);

    /// Tells the state that the answer to its last question is one of several that are feasible. It must change nothing
    /// that the state does: along a name, nobody knows.
    fn forked(&self, state: &mut Self::State) {
        let _ = state;
    }

    /// The judge of a language whose states know more than φ says: axioms, definitions, what is new. A walk asks it before
    /// its own. What must hold follows from what the state knows, and is no part of φ then.
    fn judge(&self) -> Option<Box<dyn Judge<Self::State> + '_>> {
        None
    }

    /// Where the state stands in the source.
    fn place(&self, state: &Self::State) -> Place;

    /// Whether `before` and `after`, two states of one path with no fork in between, have the same behaviour from there
    /// on: the path then loops for ever. Output, and inputs that are not kept, do not count. It may answer false where
    /// it is true, never the reverse.
    fn comes_again(&self, _ctx: &mut Context<'_>, _before: &Self::State, _after: &Self::State) -> bool {
        false
    }

    /// The inputs and the outputs of the path so far, under a model of its path condition.
    fn witness(&self, ctx: &Context<'_>, state: &Self::State, model: &Model) -> Witness;

    /// Whether a concrete run can be made from the values of the inputs in their order. Where objects are inputs,
    /// values do not tell them apart, and a run follows the model instead.
    fn runs_on_values(&self) -> bool {
        true
    }

    /// An estimate of the bytes that only this state holds; for memory budgets.
    fn size_hint(&self, _state: &Self::State) -> usize {
        0
    }
}
