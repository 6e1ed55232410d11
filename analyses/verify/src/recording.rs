//! Recording: a verification as a tree of states that can be walked again, in any order.
//!
//! Knows: what the machine tells as it walks: each piece of work with the state before it, each fork, each end.
//! Never: how a state is shown, who walks the tree.
//! Source: Smans et al. 2010, section 6.2 (the states on the way to an error); King 1976, section 4 (the tree).
//!
//! The verifier walks depth first with a prover in scopes, so none of its states could be resumed in another order.
//! What is recorded can. Only paths of the member are recorded: what is walked within one step (inside of expressions,
//! trials) is that step's own affair. While it is recorded, a failure ends its path and not the walk.

mod recorder;

use crate::machine::Machine;
use crate::plain::{is_kept, plain};
use crate::{Config, Failure, Member};
use effigy_contracts::program::{LabelId, Program, Span};
use effigy_heap::heap::Heap;
use effigy_solver::prover::Prover;
use effigy_term::{Term, Terms};
pub(crate) use recorder::Recorder;
use rpds::{HashTrieSet, RedBlackTreeMap};
use std::rc::Rc;
use std::sync::Arc;

/// So many moments are recorded of one member; nobody looks at more.
const MOST: usize = 50_000;

/// The index of a moment.
pub(crate) type MomentId = usize;

/// The state before a piece of work, or at the end of a path.
#[derive(Debug)]
pub(crate) struct Moment {
    pub(crate) action: Action,
    pub(crate) span: Span,
    /// The moment before, on this path.
    pub(crate) before: Option<MomentId>,
    /// How many moments are before it.
    pub(crate) clock: u64,
    /// The last statement that was begun; itself, if it begins one.
    statement: Option<MomentId>,
    /// It is a part of what that statement does.
    pub(crate) part: bool,
    /// The values of the member's variables.
    pub(crate) store: Rc<Vec<Option<Term>>>,
    pub(crate) heap: Heap,
    pub(crate) old: Option<Heap>,
    pub(crate) labels: RedBlackTreeMap<LabelId, Heap>,
    /// What was assumed since the moment before, beside the conditions of forks.
    pub(crate) learnt: Vec<Term>,
    /// The same in formulas without applications; what has quantifiers in it is left out.
    pub(crate) told: Vec<Term>,
    /// How much was assumed up to here.
    known: usize,
    /// What was known before is forgotten: only the assertion of a `join` is known.
    pub(crate) anew: bool,
    pub(crate) next: Onward,
}

/// What is done at a moment.
#[derive(Debug)]
pub(crate) enum Action {
    /// Nothing yet.
    Start,
    /// A statement.
    Execute {
        /// It chooses between ways on.
        branches: bool,
    },
    /// A conjunct is added.
    Produce,
    /// A conjunct is checked and taken.
    Consume,
    /// The path has ended.
    End(End),
}

/// How a path ended.
#[derive(Clone, Debug)]
pub(crate) enum End {
    /// All of it is proved.
    Verified,
    /// There is no such run.
    Infeasible,
    /// A check failed.
    Failed(Box<Failure>),
    /// The verifier does not know this.
    Unsupported(Arc<str>, Span),
    /// A budget ran out here; what was not walked until then is missing.
    Undecided(Arc<str>),
}

/// Where it goes on.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Onward {
    /// Nowhere, or that was not walked.
    Nowhere,
    /// One way.
    To(MomentId),
    /// Two ways, both possible.
    Fork {
        /// The condition of the first, without applications once the walk is recorded.
        cond: Term,
        /// Where it holds.
        then: Option<MomentId>,
        /// Where it does not.
        other: Option<MomentId>,
    },
}

/// The recorded verification of one member.
#[derive(Debug)]
pub(crate) struct Recording {
    pub(crate) moments: Vec<Moment>,
}

impl Recording {
    /// Verifies a member and records how. There is always a first moment.
    pub(crate) fn new(program: &Program, terms: &Terms, member: Member, config: &Config) -> Recording {
        let mut prover = Prover::new(config.prover.clone());
        let mut machine = Machine::new(program, terms, &mut prover, config);
        let head = match member {
            Member::Function(it) => program.functions[it.index()].span,
            Member::Predicate(it) => program.predicates[it.index()].span,
            Member::Method(it) => program.methods[it.index()].span,
        };
        machine.recorder = Some(Box::new(Recorder::new(head)));
        let verdict = machine.verify(member);
        let recorder = machine.recorder.take().map_or_else(|| Recorder::new(head), |it| *it);
        recorder.finished(&verdict, terms)
    }

    /// The statement that a moment is part of, or the moment itself.
    pub(crate) fn statement_of(&self, at: MomentId) -> MomentId {
        let moment = &self.moments[at];
        if moment.part { moment.statement.unwrap_or(at) } else { at }
    }

    /// What is assumed at a moment beside the conditions of forks, oldest first.
    pub(crate) fn facts(&self, at: MomentId) -> Vec<Term> {
        self.up_to(at, |it| &it.learnt)
    }

    /// The same as far as a walk tells it.
    pub(crate) fn told(&self, at: MomentId) -> Vec<Term> {
        self.up_to(at, |it| &it.told)
    }

    fn up_to(&self, at: MomentId, of: fn(&Moment) -> &Vec<Term>) -> Vec<Term> {
        let mut parts: Vec<&[Term]> = Vec::new();
        let mut next = Some(at);
        while let Some(moment) = next.map(|it| &self.moments[it]) {
            parts.push(of(moment));
            next = if moment.anew { None } else { moment.before };
        }
        parts.into_iter().rev().flatten().copied().collect()
    }
}

/// Tells each fact once on each path, and none that the condition of a fork says.
fn tell(moments: &mut [Moment], terms: &Terms) {
    let mut conditions: Vec<Option<Term>> = vec![None; moments.len()];
    for moment in moments.iter() {
        if let Onward::Fork { cond, then, other } = moment.next {
            let sides = [(then, cond), (other, terms.not(cond))];
            sides.into_iter().for_each(|(side, cond)| side.into_iter().for_each(|it| conditions[it] = Some(cond)));
        }
    }
    // A moment stands after those before it.
    let mut said: Vec<HashTrieSet<Term>> = Vec::with_capacity(moments.len());
    for (at, moment) in moments.iter_mut().enumerate() {
        let mut known = match moment.before {
            Some(before) if !moment.anew => said[before].clone(),
            _ => HashTrieSet::new(),
        };
        if let Some(cond) = conditions[at] {
            known.insert_mut(cond);
        }
        moment.learnt.retain(|it| {
            let is_new = !known.contains(it);
            known.insert_mut(*it);
            is_new
        });
        let kept = moment.learnt.iter().filter(|it| is_kept(terms, **it));
        moment.told = kept.map(|&it| plain(terms, it)).collect();
        if let Onward::Fork { cond, .. } = &mut moment.next {
            *cond = plain(terms, *cond);
        }
        said.push(known);
    }
}
