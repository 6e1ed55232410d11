//! The seam between control and the two models: what a model of symbolic execution does with a basic statement.
//!
//! Knows: the operations. Never: how a state is represented, which statement comes next, φ.
//! Source: de Boer and Bonsangue 2021: forward sections 2, 3, 4.1; traces section 4.

use super::program::{ClassId, Expr, FieldId, Target, Type, VarId};
use super::vocabulary::{Family, Instance, Key, Translation};
use effigy_engine::{Apart, Content};
use effigy_term::eval::Evaluator;
use effigy_term::{Sort, Term};
use std::collections::BTreeSet;

/// So many updates can be read.
pub const MOST_UPDATES: usize = 100;

/// Where an expression is evaluated.
#[derive(Clone, Copy, Debug)]
pub struct At<'a> {
    /// The translation from expressions to terms in the current state.
    pub translation: Translation<'a>,
    /// The call whose locals are meant.
    pub instance: Instance,
}

/// What was changed, for explanations.
#[derive(Clone, Copy, Debug)]
pub enum ChangedSite {
    /// A variable, of a call.
    Variable(VarId, Instance),
    /// An element of a field or array.
    Element(Family, Key),
    /// The result variable of a call.
    Result(Instance),
    /// Nothing that an explanation would show.
    None,
}

/// One thing that a statement did.
#[derive(Clone, Copy, Debug)]
pub enum Change {
    /// This now has that value: over the start state in the forward model, over the state before in a trace.
    Set(ChangedSite, Term),
    /// A new object of this class was created.
    Created(Term, ClassId),
}

/// What holds values: variables of calls in progress, fields and arrays.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Holders {
    /// The variables, each of one call.
    pub variables: BTreeSet<(VarId, Instance)>,
    /// Fields and arrays, each as a whole.
    pub families: BTreeSet<Family>,
    /// Elements of these that can be named wherever control is: of objects and indices that do not change.
    pub elements: BTreeSet<(Family, Key)>,
}

/// The state of one path without its control.
pub trait Memory: Clone {
    /// The name of the model, as `--model` has it.
    const NAME: &'static str;

    /// The value of an expression, over the start state. Where the expression is ⊥ it is some value.
    fn value(&self, at: At<'_>, expr: &Expr) -> Term;

    /// An expression as transitions show it: over the start state in the forward model, over the state before the
    /// statement in a trace.
    fn shown(&self, at: At<'_>, expr: &Expr) -> Term;

    /// `h := e`; `defined` is δ(h) ∧ δ(e).
    fn assign(&mut self, at: At<'_>, target: &Target, expr: &Expr, defined: &Expr) -> Change;

    /// `h := new C`; for an array, its size and the field `length`.
    fn create(&mut self, at: At<'_>, target: &Target, class: ClassId, length: Option<(&Expr, FieldId)>) -> Vec<Change>;

    /// Binds `this` and the parameters of a call; `at` is the caller.
    fn enter(&mut self, at: At<'_>, callee: Instance, bindings: &[(VarId, &Expr)]) -> Vec<Change>;

    /// The statement `return e`: the result variable of the call gets the value.
    fn returns(&mut self, at: At<'_>, value: &Expr) -> Change;

    /// The end of a call that returned: `h := r` in the caller `at`, r being of this type; its locals end.
    fn leave(
        &mut self,
        at: At<'_>,
        callee: Instance,
        locals: &[VarId],
        target: Option<(&Target, &Type)>,
    ) -> Option<Change>;

    /// `b` holds from here on.
    fn test(&mut self, at: At<'_>, cond: &Expr);

    /// The path condition as the model itself defines it, if it does; the engine's φ is equivalent to it.
    fn condition(&self, with: Translation<'_>) -> Option<Term>;

    /// The updates of fields and arrays in their order, keys and values over the start state; `None` where there are too
    /// many to be read.
    fn updates(&self, with: Translation<'_>) -> Option<Vec<(Family, Key, Term)>>;

    /// Whether two states of this model can become one.
    const MERGES: bool = false;

    /// This where `cond` holds, `other` elsewhere; both stand in the same calls. What is soon asked of may not be one
    /// known value or another.
    ///
    /// # Errors
    /// What keeps the two apart.
    fn merge(&self, other: &Self, cond: Term, asked: &Holders, with: Translation<'_>) -> Result<Self, Apart> {
        let _ = (other, cond, asked, with);
        Err(Apart("the model of traces"))
    }

    /// What this has that `before` has not, of the same calls.
    ///
    /// # Errors
    /// A change that [`Memory::havoc`] cannot make.
    fn changes(&self, before: &Self, with: Translation<'_>) -> Result<Holders, Apart> {
        let _ = (before, with);
        Err(Apart("the model of traces"))
    }

    /// This with anything for what changes; `any` makes a symbol.
    fn havoc(&self, changes: &Holders, with: Translation<'_>, any: &mut dyn FnMut(Sort) -> Term) -> Self {
        let _ = (changes, with, any);
        self.clone()
    }

    /// The value of an element of a field, array or items; `None` if the model cannot name it.
    fn element(&self, family: Family, key: Key, with: Translation<'_>) -> Option<Term> {
        let _ = (family, key, with);
        None
    }

    /// What it is under a model; `calls` are the calls in progress, the outermost first.
    fn content(&self, with: Translation<'_>, calls: &[Instance], evaluator: &mut Evaluator<'_>) -> Content {
        let _ = (with, calls, evaluator);
        Content::new()
    }

    /// How much work the value of an expression is, at most, in actions that are looked at.
    fn effort(&self) -> usize;

    /// An estimate of the bytes of this state.
    fn size(&self) -> usize;
}
