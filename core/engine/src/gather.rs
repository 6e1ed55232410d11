//! The walk of paths that are merged: from event to event, without a solver.
//!
//! Knows: what each question of a language means for a path that may be several: every side is a way on, and what must
//! hold is told, not asked. As [`crate::advance()`] says it of one path, this is said here and nowhere else.
//! Never: which paths become one, what is asked of whom.

use crate::context::Context;
use crate::decision::Resolution;
use crate::judge::JudgeQuestion;
use crate::language::Language;
use crate::merge::{Guard, Origin};
use crate::outcome::{PathOutcome, Violation};
use crate::path::Trail;
use crate::question::{Alternative, Step};
use effigy_solver::{Answer, QueryBudget};
use effigy_term::{Symbol, Term, Terms, Value};

/// A path that stands for one or more.
#[derive(Clone, Debug)]
pub struct Merged<S> {
    /// The state of the language, which the merged paths share.
    pub state: S,
    /// The condition under which a run takes one of these paths.
    pub guard: Guard,
    /// The inputs that each of the merged paths asks for.
    pub origin: Origin,
    /// The most transitions that one of them has made.
    pub steps: u64,
    /// The number of paths that were merged into this one.
    pub ways: f64,
    /// The inputs that the last step has asked for: an instruction that is run again asks again.
    asked: Vec<Symbol>,
    /// The conditions that were required since the path last stood where paths can meet.
    pub granted: Vec<Term>,
}

/// The result of a step of merged paths.
#[derive(Debug)]
pub enum Gathered<S> {
    /// The fuel is used up, or an assumption or a requirement was granted.
    Moved,
    /// The path stands where others can come.
    Meets,
    /// The paths on the sides of a branch that are not known to be infeasible.
    Sides(Vec<Merged<S>>),
    /// A value is asked for: [`Merged::with_value`] goes on.
    Value(Term),
    /// A condition must hold; the path goes on as if it did.
    Required(Term, Box<Violation>),
    /// An assumption made the guard literally false: no run goes on.
    Dropped,
    /// The program has ended, or the language gave the path up.
    Ended(PathOutcome),
}

impl<S: Clone> Merged<S> {
    /// The path from the start state, of which `ctx` was told.
    pub fn start(ctx: &mut Context<'_>, state: S) -> Merged<S> {
        let mut res = Merged {
            state,
            guard: Guard::default(),
            origin: Origin::default(),
            steps: 0,
            ways: 1.0,
            asked: Vec::new(),
            granted: Vec::new(),
        };
        res.hear(ctx);
        res
    }

    /// The path that is this one where `cond` holds, and `other` elsewhere.
    pub fn both(&self, other: &Merged<S>, state: S, guard: Guard, cond: Term) -> Merged<S> {
        Merged {
            state,
            guard,
            origin: self.origin.merge(&other.origin, cond),
            steps: self.steps.max(other.steps),
            ways: self.ways + other.ways,
            asked: Vec::new(),
            granted: Vec::new(),
        }
    }

    /// The path on which the term that was asked for has this value.
    pub fn with_value<L: Language<State = S>>(
        &self,
        language: &L,
        terms: &Terms,
        guard: &Guard,
        term: Term,
        value: Value,
    ) -> Merged<S> {
        let mut res = self.clone();
        res.guard = guard.clone();
        res.guard.assume(terms, terms.eq(term, terms.of_value(terms.sort(term), &value)));
        language.answer(&mut res.state, Resolution::Value(value));
        res
    }

    /// Whether the guard is literally false, so that no run takes the path.
    fn is_over(&self, terms: &Terms) -> bool {
        terms.as_bool(self.guard.term(terms)) == Some(false)
    }

    /// Records the inputs that the last step has asked for in the origin of the path.
    fn hear(&mut self, ctx: &mut Context<'_>) {
        let Some(common) = ctx.common() else { return };
        let mut heard: Vec<Symbol> = Vec::new();
        for symbol in std::mem::take(common.asked.get_mut()) {
            if !heard.contains(&symbol) {
                if !self.asked.contains(&symbol) {
                    self.origin.asks(symbol);
                }
                heard.push(symbol);
            }
        }
        self.asked = heard;
    }
}

/// Makes a step of paths that are merged, in a context that merges; takes its transitions off `fuel`. `is_false` tells
/// of conditions that hold on no run.
pub fn gather<L: Language>(
    language: &L,
    ctx: &mut Context<'_>,
    path: &mut Merged<L::State>,
    fuel: &mut u64,
    is_false: &mut dyn FnMut(Term) -> bool,
) -> Gathered<L::State> {
    let terms = ctx.terms;
    let before = *fuel;
    let step = language.step(ctx, &mut path.state, fuel);
    path.steps += before - *fuel;
    path.hear(ctx);
    match step {
        Step::Next if *fuel == 0 => Gathered::Moved,
        Step::Next => {
            path.granted.clear();
            Gathered::Meets
        }
        Step::Branch(alternatives) => {
            let refuted = refuted(language, terms, &path.state, &alternatives);
            // The only side that a state knows of follows from what it knows.
            let is_only = refuted.iter().filter(|it| !**it).count() == 1 && alternatives.len() > 1;
            let mut sides = Vec::with_capacity(alternatives.len());
            for (index, it) in alternatives.iter().enumerate() {
                if refuted[index] || is_false(it.cond) {
                    continue;
                }
                let mut side = path.clone();
                if !is_only {
                    side.guard.assume(terms, it.cond);
                }
                if !side.is_over(terms) {
                    language.answer(&mut side.state, Resolution::Alternative(index as u32));
                    sides.push(side);
                }
            }
            if sides.len() > 1 {
                sides.iter_mut().for_each(|it| language.forked(&mut it.state));
            }
            Gathered::Sides(sides)
        }
        Step::Value(term) => Gathered::Value(term),
        Step::Require { cond, violation } => {
            language.answer(&mut path.state, Resolution::Granted);
            path.granted.push(cond);
            Gathered::Required(cond, violation)
        }
        Step::Assume(cond) => {
            path.guard.assume(terms, cond);
            if path.is_over(terms) {
                return Gathered::Dropped;
            }
            language.answer(&mut path.state, Resolution::Granted);
            Gathered::Moved
        }
        Step::Exit(outcome) => Gathered::Ended(Ok(outcome)),
        Step::GaveUp(it) => Gathered::Ended(Err(*it)),
    }
}

/// Which alternatives the language's own judge refutes in a state, not all of them.
fn refuted<L: Language>(language: &L, terms: &Terms, state: &L::State, alternatives: &[Alternative]) -> Vec<bool> {
    let mut res = vec![false; alternatives.len()];
    let Some(mut judge) = language.judge() else { return res };
    // Nothing that a merged path knows is in a trail.
    let trail = Trail::default();
    for (index, it) in alternatives.iter().enumerate() {
        // Together they are exhaustive: where all others are refuted, the last one is taken.
        let is_left = index + 1 == alternatives.len() && res[..index].iter().all(|it| *it);
        let question = JudgeQuestion { state, trail: &trail, cond: it.cond, budget: QueryBudget::default() };
        res[index] = !is_left && matches!(judge.feasible(terms, &question), Answer::Unsat);
    }
    res
}
