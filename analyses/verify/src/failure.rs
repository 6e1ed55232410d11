//! What can fail, under the names that Viper's users know.
//!
//! Knows: error and reason ids, their texts, where they are reported. Never: how they came about.
//! Source: Silver's `VerificationError.scala` for ids and the shape of the texts.

use effigy_contracts::program::Span;
use std::sync::Arc;

/// A proof obligation that could not be proved.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The kind of check that failed.
    pub error: ErrorKind,
    /// The reason why the check failed.
    pub reason: ReasonKind,
    /// The place at which it is reported: the offending node of the error.
    pub span: Span,
    /// The part that failed: the conjunct, the access, the receiver.
    pub culprit: Span,
    /// The branches that lead here, first to last: the place of each, and whether its condition holds.
    pub branches: Vec<(Span, bool)>,
    /// The symbolic states on the way here, if they were asked for.
    pub trace: Vec<TracedState>,
    /// Values of the variables in a model, if it was asked for: name and value.
    pub counterexample: Vec<(Arc<str>, String)>,
    /// The reason why the solver did not decide, where it did not: the failure may be spurious.
    pub undecided: Option<Arc<str>>,
}

impl Failure {
    /// A failure without a history.
    pub(crate) fn new(error: ErrorKind, reason: ReasonKind, span: Span, culprit: Span) -> Failure {
        Failure {
            error,
            reason,
            span,
            culprit,
            branches: Vec::new(),
            trace: Vec::new(),
            counterexample: Vec::new(),
            undecided: None,
        }
    }
}

/// A symbolic state, printed (Smans et al., section 6.2).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TracedState {
    /// What is done next, and where it stands.
    pub span: Span,
    /// What is done: `exec`, `produce`, `consume`.
    pub action: &'static str,
    /// The symbolic store: name and value.
    pub store: Vec<(Arc<str>, String)>,
    /// The symbolic heap, a chunk a line.
    pub heap: Vec<String>,
    /// The path condition: the branches, outermost first, then what was assumed.
    pub facts: Vec<String>,
}

macro_rules! kinds {
    ($(#[$doc:meta])* $name:ident { $($(#[$case_doc:meta])* $case:ident = $id:literal, $text:literal;)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
        pub enum $name { $($(#[$case_doc])* $case,)* }
        impl $name {
            /// All kinds, in the order of their declaration.
            pub const ALL: &'static [$name] = &[$($name::$case,)*];
            /// The id, as annotations and JSON write it.
            pub fn id(self) -> &'static str {
                match self { $($name::$case => $id,)* }
            }
            /// The text; `{}` stands for the source text of what it is about.
            pub fn text(self) -> &'static str {
                match self { $($name::$case => $text,)* }
            }
        }
    };
}

kinds! {
    /// The kind of check that failed, by its id in Viper.
    ErrorKind {
        /// An assignment's right side or receiver.
        Assignment = "assignment.failed", "Assignment might fail.";
        /// The arguments of a method call.
        Call = "call.failed", "Method call might fail.";
        /// A contract or another assertion, which must mean something in every state.
        NotWellformed = "not.wellformed", "Contract might not be well-formed.";
        /// The precondition of a called method.
        CallPrecondition = "call.precondition", "The precondition of method {} might not hold.";
        /// The precondition of an applied function.
        ApplicationPrecondition = "application.precondition", "Precondition of function {} might not hold.";
        /// The statement `exhale`, whose assertion must hold.
        Exhale = "exhale.failed", "Exhale might fail.";
        /// The statement `inhale`, whose assertion must mean something.
        Inhale = "inhale.failed", "Inhale might fail.";
        /// The condition of a conditional statement.
        If = "if.failed", "Conditional statement might fail.";
        /// The condition of a `while` loop.
        While = "while.failed", "While statement might fail.";
        /// The statement `assert`, whose assertion must hold.
        Assert = "assert.failed", "Assert might fail.";
        /// A postcondition, of a method or function.
        Postcondition = "postcondition.violated", "Postcondition of {} might not hold.";
        /// The statement `fold`: the body of the predicate must hold.
        Fold = "fold.failed", "Folding {} might fail.";
        /// The statement `unfold`: the predicate must be held.
        Unfold = "unfold.failed", "Unfolding {} might fail.";
        /// A loop invariant after the body.
        InvariantNotPreserved = "invariant.not.preserved", "Loop invariant {} might not be preserved.";
        /// A loop invariant before the loop.
        InvariantNotEstablished = "invariant.not.established", "Loop invariant {} might not hold on entry.";
        /// The body of a function, which must mean something.
        FunctionNotWellformed = "function.not.wellformed", "Function might not be well-formed.";
        /// The body of a predicate, which must mean something.
        PredicateNotWellformed = "predicate.not.wellformed", "Predicate might not be well-formed.";
        /// The statement `refute`, whose assertion must not hold everywhere.
        Refute = "refute.failed", "Refute holds in all cases or could not be reached (e.g. see Silicon `numberOfErrorsToReport`).";
        /// A call or a loop may run for ever: of `decreases` clauses, and of pure methods (Smans et al., section 3.6).
        Termination = "termination.failed", "Termination might fail.";
    }
}

kinds! {
    /// The reason why a check failed, by its id in Viper.
    ReasonKind {
        /// A formula might not hold.
        AssertionFalse = "assertion.false", "Assertion {} might not hold.";
        /// A permission that is needed is not held, or not enough of it.
        InsufficientPermission = "insufficient.permission", "There might be insufficient permission to access {}.";
        /// The receiver may be null.
        ReceiverNull = "receiver.null", "The receiver of {} might be null.";
        /// Something that must be an object may be null.
        Null = "null", "{} might be null.";
        /// A predicate that is missing cannot be closed.
        NotClosed = "predicate.not.closed", "The predicate cannot be closed: {} might not hold.";
        /// A divisor may be zero.
        DivisionByZero = "division.by.zero", "Divisor {} might be zero.";
        /// A permission amount may be negative.
        NegativePermission = "negative.permission", "Fraction {} might be negative.";
        /// A permission amount may not be positive.
        PermissionNotPositive = "permission.not.positive", "Fraction {} might not be positive.";
        /// A label of `old` may not have been reached.
        LabelledStateNotReached = "labelled.state.not.reached", "Did not reach labelled state {} required to evaluate this.";
        /// An index may be negative.
        SeqIndexNegative = "seq.index.negative", "Index {} might be negative.";
        /// An index may be too large.
        SeqIndexLength = "seq.index.length", "Index {} might not be below the length.";
        /// A key may be missing.
        MapKeyContains = "map.key.contains", "Map might not contain an entry at key {}.";
        /// A quantified permission may count a receiver twice.
        QpNotInjective = "qp.not.injective", "Quantified resource {} might not be injective.";
        /// `refute`'s assertion holds on every path.
        RefutationTrue = "refutation.true", "Assertion {} definitely holds.";
        /// The condition under which recursion terminates may not hold.
        TerminationCondition = "termination.condition.false", "Required termination condition might not hold.";
        /// The condition of the measure of what is called recursively may not hold.
        TupleCondition = "tuple.condition.false", "Required tuple condition might not hold.";
        /// A measure may not become smaller, or have no bound.
        TupleFalse = "tuple.false", "Termination measure might not decrease or might not be bounded.";
    }
}
