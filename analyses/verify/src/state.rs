//! The state of one path: symbolic store, heap, old heaps, and the work that is left.
//!
//! Knows: what a path is made of. Never: how it goes on (`exec`, `produce`, `consume`).
//! Source: Smans et al. 2010, definition 2. In place of continuations there is a stack of work, so that every state
//! between two pieces of work can be shown. What is known on the path (`sigma`) is beside it.

use crate::code::Pc;
use crate::failure::{ErrorKind, ReasonKind};
use crate::sigma::Knowledge;
use effigy_contracts::program::{Exp, FunctionId, LabelId, MemberVariable, MethodId, PredicateId, Span, Type, VarId};
use effigy_engine::Entailment;
use effigy_heap::heap::{Amount, ChunkId, Heap};
use effigy_term::Term;
use rpds::RedBlackTreeMap;
use std::rc::Rc;

/// The symbolic store Γ of one member, with what its expressions may refer to beside variables.
#[derive(Clone, Debug, Default)]
pub(crate) struct Env<'a> {
    /// The variables of the member, by number.
    pub(crate) table: &'a [MemberVariable],
    pub(crate) vars: Rc<Vec<Option<Term>>>,
    /// The heap of `old(e)`: that at the entry of the method.
    pub(crate) old: Option<Heap>,
    /// The heaps of `old[label](e)`, by label.
    pub(crate) labels: RedBlackTreeMap<LabelId, Heap>,
    /// The value of `result` in a function's postcondition.
    pub(crate) result: Option<Term>,
    /// The types that the type variables of a domain stand for.
    pub(crate) types: Rc<[Type]>,
}

impl<'a> Env<'a> {
    /// A store of these variables, of which the first have these values.
    pub(crate) fn new(values: &[Term], table: &'a [MemberVariable]) -> Env<'a> {
        let mut vars: Vec<Option<Term>> = values.iter().copied().map(Some).collect();
        vars.resize(table.len().max(values.len()), None);
        Env { table, vars: Rc::new(vars), ..Env::default() }
    }

    pub(crate) fn get(&self, variable: VarId) -> Option<Term> {
        self.vars.get(variable.index()).copied().flatten()
    }

    pub(crate) fn set(&mut self, variable: VarId, value: Term) {
        let vars = Rc::make_mut(&mut self.vars);
        if vars.len() <= variable.index() {
            vars.resize(variable.index() + 1, None);
        }
        vars[variable.index()] = Some(value);
    }
}

/// The kind of a check and the place where its failure is reported.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blame {
    pub(crate) error: ErrorKind,
    pub(crate) span: Span,
    /// The failure is reported at the top-level conjunct that fails: so for contracts and invariants.
    pub(crate) at_conjunct: bool,
    /// The path goes on where a permission is missing: so after `assert`, which changes nothing. Elsewhere what comes
    /// after it would only fail for the same reason.
    pub(crate) goes_on: bool,
}

impl Blame {
    /// A check whose failure is reported at one place.
    pub(crate) fn at(error: ErrorKind, span: Span) -> Blame {
        Blame { error, span, at_conjunct: false, goes_on: false }
    }

    /// A check whose failure is reported at the conjunct that fails.
    pub(crate) fn conjunct(error: ErrorKind, span: Span) -> Blame {
        Blame { error, span, at_conjunct: true, goes_on: false }
    }
}

/// Something that had to hold on the way of a path, with what the prover said of it.
#[derive(Clone, Debug)]
pub(crate) struct Check {
    /// What had to hold, of sort Bool.
    pub(crate) goal: Term,
    /// What is reported where it does not.
    pub(crate) blame: Blame,
    pub(crate) reason: ReasonKind,
    /// The part of the source that it is about.
    pub(crate) culprit: Span,
    /// Whether it holds.
    pub(crate) answer: Entailment,
}

/// How `consume` treats the permissions of an assertion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Take {
    /// The amount that is asked for is taken from the heap.
    Amount,
    /// Any positive amount will do, and nothing is taken: so for the preconditions of functions.
    Nothing,
    /// Any positive amount will do, and the whole chunk is taken: what is left is what a precondition does not ask for, and
    /// nothing is taken twice.
    Chunk,
}

/// How `produce` treats the permissions of an assertion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Give {
    /// The amount that is stated is added.
    Amount,
    /// Some positive amount is added: a function's precondition says what may be read, not that it is all.
    Some,
}

/// The mode of an evaluation: which checks and readings apply.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Mode {
    /// It is a function's own definition, as a formula over formal symbols.
    pub(crate) defining: bool,
    /// It is the body or contract of a function that is verified, in which nothing is closed by inference: the
    /// termination of pure methods rests on it (section 3.6).
    pub(crate) in_function: bool,
    /// It is a trigger: only a term, which need not mean anything.
    pub(crate) in_trigger: bool,
    /// That it means something has been checked elsewhere.
    pub(crate) trusting: bool,
    /// It has been reported as ill-formed, and is checked for what it says all the same.
    pub(crate) lenient: bool,
    /// `[a, b]` is `a` in an expression.
    pub(crate) inhaling: bool,
    /// `[a, b]` is produced as `b`: so is a contract's second reading checked.
    pub(crate) exhale_side: bool,
    /// It is only tried: what fails is not reported.
    pub(crate) trying: bool,
}

impl Mode {
    /// Whether what is evaluated must be shown to mean something.
    pub(crate) fn checks(self) -> bool {
        !self.defining && !self.in_trigger && !self.trusting && !self.lenient
    }
}

/// An assertion with the store in which it is evaluated.
#[derive(Clone, Debug)]
pub(crate) struct Task<'a> {
    pub(crate) exps: &'a [Exp],
    pub(crate) env: Env<'a>,
    pub(crate) blame: Blame,
    /// The factor of its amounts of permission; none is one.
    pub(crate) scale: Option<Amount>,
    /// That it means something has been checked elsewhere: a callee's postcondition, the body of a predicate.
    pub(crate) trusted: bool,
}

/// A piece of work. What is to be done first is last in [`State::work`].
#[derive(Clone, Debug)]
pub(crate) enum Work<'a> {
    /// Executes the code from this instruction on.
    Run(Pc),
    /// Adds an assertion; without a snapshot its values are unknown.
    Produce(Task<'a>, Option<Term>, Give),
    /// Checks and takes an assertion, evaluated in this heap; pushes its snapshot.
    Consume(Task<'a>, Heap, Take),
    /// This snapshot is that of nothing: the other branch of what was produced asks for none.
    Nothing(Term),
    /// Pushes the snapshot of nothing.
    Unit,
    /// Replaces the two topmost snapshots by their combination.
    Combine,
    /// Drops the topmost snapshot from the stack.
    Drop,
    /// Goes back to this heap: what was consumed was only checked.
    Restore(Heap),
    /// After the precondition: the results are unknown, the postcondition holds.
    Return { method: MethodId, env: Env<'a>, targets: &'a [VarId], before: Heap, span: Span },
    /// After the body of a predicate: adds the predicate with the topmost snapshot.
    Fold(PredicateId, Rc<[Term]>, Amount),
    /// After the body of a predicate that was missing: its snapshot, on top, is the predicate's.
    Closed,
    /// After the invariants: into the loop with this head.
    Enter(Pc),
    /// The path ends: the invariants hold again.
    End,
    /// After a method's precondition: into its body.
    Body,
    /// After the assertion of a `join`: one path goes on from there, of which only the assertion is known.
    GoOn(Pc, &'a Exp),
    /// After a function's precondition, which has this snapshot: its body is its value.
    Value(FunctionId, Term),
    /// After a precondition: the postconditions mean something wherever it held before.
    Meant { exps: &'a [Exp], result: Option<Term>, exhaled: bool },
    /// At the end of a path: the postcondition holds. `lenient`: it was reported as ill-formed.
    CheckPost { lenient: bool },
}

/// A loop that the path is in.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    /// The instruction that is its head.
    pub(crate) head: Pc,
    /// The heap that the loop's invariants do not own.
    pub(crate) heap: Heap,
}

/// The state of a path.
#[derive(Clone, Debug, Default)]
pub(crate) struct State<'a> {
    pub(crate) env: Env<'a>,
    pub(crate) heap: Heap,
    pub(crate) work: Vec<Work<'a>>,
    pub(crate) loops: Vec<Frame>,
    /// Snapshots of what was consumed, the last on top.
    pub(crate) snapshots: Vec<Term>,
    /// The branches that were taken, the last one first.
    pub(crate) branches: rpds::List<(Span, bool)>,
    /// The mode in which its work is evaluated.
    pub(crate) mode: Mode,
    /// Σ as it was when the body began.
    pub(crate) entry: Knowledge,
    /// The predicates from which something was taken that is inside of them ([`Take::Chunk`]).
    pub(crate) opened: Vec<ChunkId>,
}

impl<'a> State<'a> {
    pub(crate) fn new(env: Env<'a>) -> State<'a> {
        State { env, ..State::default() }
    }

    /// In a heap, with a mode: for what is walked inside of an evaluation.
    pub(crate) fn within(env: Env<'a>, heap: Heap, mode: Mode) -> State<'a> {
        State { heap, mode, ..State::new(env) }
    }

    /// On this side of a branch.
    pub(crate) fn after(mut self, branch: Span, side: bool) -> State<'a> {
        self.branches = self.branches.push_front((branch, side));
        self
    }

    /// The instruction before which the path stands, between two statements.
    pub(crate) fn stands_at(&self) -> Option<Pc> {
        match self.work.last() {
            Some(Work::Run(pc)) => Some(*pc),
            _ => None,
        }
    }

    pub(crate) fn with(mut self, work: Work<'a>) -> State<'a> {
        self.work.push(work);
        self
    }
}
