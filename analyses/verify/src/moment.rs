//! The state of a verification as a person sees it.
//!
//! Knows: which work is a step for a person and which is only the machine's own; what was learnt and when. Never: how it
//! is written, who walks.
//! Source: Smans et al. 2010, section 6.2 (the states on the way to an error).

use crate::Failure;
use crate::code::{Code, Inst};
use crate::plain::{is_kept, plain};
use crate::sigma::{Knowledge, Learnt};
use crate::state::{State, Work};
use effigy_contracts::program::{BinaryOp, ExpKind, LabelId, Span};
use effigy_heap::heap::Heap;
use effigy_term::{PersistentList, Term, Terms};
use rpds::{HashTrieSet, RedBlackTreeMap};
use std::rc::Rc;
use std::sync::Arc;

/// The state before a piece of work, or at the end of a path.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    pub(crate) action: Action,
    pub(crate) span: Span,
    /// The number of moments before it on the path.
    pub(crate) clock: u64,
    /// The last statement that was begun, if this is none.
    statement: Option<Rc<Moment>>,
    /// Whether it is a part of what that statement does.
    pub(crate) part: bool,
    /// The values of the member's variables.
    pub(crate) store: Rc<Vec<Option<Term>>>,
    pub(crate) heap: Heap,
    pub(crate) old: Option<Heap>,
    pub(crate) labels: RedBlackTreeMap<LabelId, Heap>,
    /// The facts that are known beside the conditions of forks, each once.
    pub(crate) facts: PersistentList<Term>,
    /// The same in formulas without applications; what has quantifiers in it is left out.
    pub(crate) told: PersistentList<Term>,
    /// The Σ that these facts are of.
    sigma: Knowledge,
    /// The formulas that were taken from it, the conditions of forks among them.
    said: HashTrieSet<Term>,
}

/// The action that comes next, as a person sees it.
#[derive(Clone, Debug)]
pub(crate) enum Action {
    /// The member is entered: nothing was done yet.
    Start,
    /// A statement is about to be executed.
    Execute {
        /// Whether it is a branch.
        branches: bool,
    },
    /// A conjunct of an assertion is added.
    Produce,
    /// A conjunct of an assertion is checked and taken.
    Consume,
    /// The path has come to its end.
    End,
}

/// The way in which a path ended.
#[derive(Clone, Debug)]
pub(crate) enum End {
    /// Everything on it is proved.
    Verified,
    /// The path condition is contradictory: no run takes it.
    Infeasible,
    /// A check failed, with this failure.
    Failed(Box<Failure>),
    /// The verifier does not support this construct, at this place.
    Unsupported(Arc<str>, Span),
    /// A budget ran out here.
    Undecided(Arc<str>),
}

impl Moment {
    /// The moment before anything was done: at the head of a member.
    pub(crate) fn first(head: Span, state: &State<'_>, sigma: &Knowledge) -> Moment {
        Moment {
            action: Action::Start,
            span: head,
            clock: 0,
            statement: None,
            part: false,
            store: Rc::clone(&state.env.vars),
            heap: state.heap.clone(),
            old: state.env.old.clone(),
            labels: state.env.labels.clone(),
            facts: PersistentList::new(),
            told: PersistentList::new(),
            sigma: sigma.clone(),
            said: HashTrieSet::new(),
        }
    }

    /// The moment after this one, and what was learnt on the way that a walk is told.
    pub(crate) fn after(
        self: &Rc<Moment>,
        terms: &Terms,
        (action, span): (Action, Span),
        state: &State<'_>,
        sigma: &Knowledge,
    ) -> (Moment, Vec<Term>) {
        let statement = match self.action {
            Action::Execute { .. } => Some(Rc::clone(self)),
            _ => self.statement.clone(),
        };
        let is_statement = matches!(action, Action::Execute { .. });
        let is_end = matches!(action, Action::End);
        let part = !is_end && is_part(state) && (is_statement || statement.is_some());
        let mut res = Moment {
            action,
            span,
            clock: self.clock + 1,
            statement: if is_statement { None } else { statement },
            part,
            store: Rc::clone(&state.env.vars),
            heap: state.heap.clone(),
            old: state.env.old.clone(),
            labels: state.env.labels.clone(),
            facts: self.facts.clone(),
            told: self.told.clone(),
            sigma: sigma.clone(),
            said: self.said.clone(),
        };
        let mut known = self.sigma.shared_with(sigma);
        if known < self.sigma.len() {
            // What was known before is forgotten: only the assertion of a `join` is known.
            (res.facts, res.told, res.said, known) = Default::default();
        }
        let told = res.learn(terms, known);
        (res, told)
    }

    /// Learns what is in Σ after so many layers: each fact once, and none that the condition of a fork says.
    fn learn(&mut self, terms: &Terms, known: usize) -> Vec<Term> {
        let sigma = self.sigma.clone();
        let mut new: Vec<_> = sigma.iter_back().take(sigma.len() - known).collect();
        new.reverse();
        let mut told = Vec::new();
        for layer in new {
            layer.cond.into_iter().for_each(|it| self.said.insert_mut(it));
            for it in &layer.learnt {
                let Learnt::Fact(fact) = *it else { continue };
                if self.said.contains(&fact) {
                    continue;
                }
                self.said.insert_mut(fact);
                self.facts.push(fact);
                if is_kept(terms, fact) {
                    let plain = plain(terms, fact);
                    self.told.push(plain);
                    told.push(plain);
                }
            }
        }
        told
    }

    /// The statement that a moment is part of, or the moment itself.
    pub(crate) fn of_statement(&self) -> &Moment {
        match &self.statement {
            Some(statement) if self.part => statement,
            _ => self,
        }
    }
}

/// What a piece of work is for a person; `None` if it is only the machine's own.
pub(crate) fn action(work: &Work<'_>, code: Option<&Code<'_>>) -> Option<(Action, Span)> {
    match work {
        Work::Run(pc) => {
            let branches = matches!(code?.insts.get(*pc), Some(Inst::Branch { .. }));
            Some((Action::Execute { branches }, code?.span(*pc)?))
        }
        Work::Produce(task, ..) | Work::Consume(task, ..) => {
            let exp = task.exps.first()?;
            // Its conjuncts are told one by one.
            if matches!(*exp.kind, ExpKind::Binary(BinaryOp::And, ..)) {
                return None;
            }
            let action = if matches!(work, Work::Produce(..)) { Action::Produce } else { Action::Consume };
            Some((action, exp.span))
        }
        _ => None,
    }
}

/// Whether the work that is done next is a part of what a statement does: the statement is not finished then.
fn is_part(state: &State<'_>) -> bool {
    let of_contract = |it: &Work<'_>| {
        matches!(
            it,
            Work::Produce(..)
                | Work::Consume(..)
                | Work::Unit
                | Work::Combine
                | Work::Body
                | Work::Meant { .. }
                | Work::Value(..)
                | Work::CheckPost { .. }
        )
    };
    let rest = state.work.len().saturating_sub(1);
    !state.work[..rest].iter().all(of_contract)
}
