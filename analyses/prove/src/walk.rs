//! The walk over all paths from each cut point.
//!
//! Knows: that requirements are verification conditions. Never: assertions themselves, nor what a question means.

use crate::condition::{Condition, PathStep, Proof, Verdict};
use effigy_engine::{
    Asked, Context, Coverage, CutProcedure, Cuts, Decision, Engine, Event, Feasibility, Forking, Forks, Inputs, Notes,
    Outcome, Path, PathId, Policy, Statement, Stuck, Trail, Violation, advance,
};
use effigy_solver::{Answer, QueryBudget, Reason, Solver};
use effigy_term::{Model, Term, Terms};
use effigy_walk::{Frontier, Search};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How much a proof may spend.
#[derive(Clone, Debug)]
pub struct Config {
    /// What one verification condition may spend.
    pub condition: QueryBudget,
    /// One question whether a side of a branch is open; a side that is not known to be closed is followed.
    pub branch: QueryBudget,
    /// The most statements on one path.
    pub path_steps: u64,
    /// Paths from one cut point.
    pub paths: u64,
    /// Set from outside to stop.
    pub interrupt: Arc<AtomicBool>,
}

/// Proves the procedures that `wanted` names. `seen` is told of each condition as it is decided.
pub fn prove<L: Cuts>(
    language: &L,
    terms: &Terms,
    solver: &mut dyn Solver,
    config: &Config,
    wanted: &dyn Fn(&CutProcedure) -> bool,
    seen: &mut dyn FnMut(&Condition),
) -> Vec<Proof> {
    let mut res = Vec::new();
    for (index, procedure) in language.cut_procedures().into_iter().enumerate().filter(|it| wanted(&it.1)) {
        let mut proof = Proof {
            procedure: procedure.name.clone(),
            entry: procedure.entry.clone(),
            conditions: Vec::new(),
            uncut_loops: procedure.uncut_loops.clone(),
            incomplete: Vec::new(),
            assumptions: procedure.assumptions.clone(),
            paths: 0,
        };
        // Without a cut in every loop, the paths are not finitely many.
        if procedure.uncut_loops.is_empty() {
            for (cut, from) in procedure.cuts.iter().enumerate() {
                let mut walk = Walk { language, terms, solver, config, from: from.clone(), proof: &mut proof, seen };
                walk.run(index, cut);
            }
        }
        res.push(proof);
    }
    res
}

struct Walk<'a, L: Cuts> {
    language: &'a L,
    terms: &'a Terms,
    solver: &'a mut dyn Solver,
    config: &'a Config,
    from: Statement,
    proof: &'a mut Proof,
    seen: &'a mut dyn FnMut(&Condition),
}

/// A path on its way.
struct Way<S> {
    path: Path<S>,
    steps: Vec<PathStep>,
    /// The last execution of a statement that `steps` has.
    execution: Option<(u64, u32, usize)>,
}

impl<L: Cuts> Walk<'_, L> {
    fn run(&mut self, procedure: usize, cut: usize) {
        let (inputs, mut coverage, mut notes) = (Inputs::Symbolic, Coverage::default(), Notes::default());
        let mut ctx = Context::new(self.terms, &inputs, &mut coverage, &mut notes);
        let Some(state) = self.language.start_at(&mut ctx, procedure, cut) else { return };
        let path = Path { id: PathId(0), state, trail: Trail::new() };
        let mut frontier = Frontier::new(Search::Dfs, 0);
        frontier.add(path.id, Way { path, steps: Vec::new(), execution: None }, false);
        let mut next_id = 0;
        let mut paths = 0;
        while let Some((id, mut way)) = frontier.select() {
            if self.config.interrupt.load(Ordering::Relaxed) {
                return self.give_up("interrupted");
            }
            if way.path.trail.steps >= self.config.path_steps {
                self.give_up(&format!("a path is longer than {} statements", self.config.path_steps));
                continue;
            }
            self.note(&mut way);
            let mut engine = Engine { terms: self.terms, solver: self.solver, budget: self.config.branch };
            let requirements = self.config.condition;
            let feasibility = Feasibility::Branch;
            let mut policy = Policy::Fork(Forking { engine: &mut engine, feasibility, requirements });
            match advance(self.language, &mut ctx, &mut way.path, &mut policy, &mut 1) {
                Event::Moved | Event::Answered => frontier.add(id, way, false),
                Event::Held(held) => {
                    self.decided(&way, held.before, held.cond, *held.violation, Verdict::Proved);
                    frontier.add(id, way, false);
                }
                Event::Violated(violated) => {
                    let verdict = self.verdict(&ctx, &way, &violated.into);
                    let trail = way.path.trail.clone();
                    self.decided(&way, trail, violated.cond, *violated.violation, verdict);
                    if let Some(past) = violated.past {
                        way.path.grant(self.language, past);
                        frontier.add(id, way, false);
                    }
                }
                Event::Forked(Forks { asked: Asked::Branch, ways: sides }) => {
                    // What is added last is walked first: the sides in their order.
                    for side in sides.into_iter().rev() {
                        let taken = self.taken(&way, side);
                        next_id += 1;
                        frontier.add(PathId(next_id), taken, false);
                    }
                }
                Event::Forked(Forks { asked: Asked::Value(_), .. }) | Event::Undecided(Stuck::Value(_), _) => {
                    self.give_up("a value would have to be chosen");
                }
                // An earlier unknown answer has hidden that there is no such path.
                Event::Undecided(Stuck::Branch, reason) => self.give_up(&reason.to_string()),
                // An assumption that cannot hold leaves nothing to prove.
                Event::Ended(_) if matches!(way.path.trail.decisions.last(), Some(Decision::Fails(_))) => {}
                Event::Ended(Ok(outcome)) => {
                    paths += 1;
                    self.proof.paths += 1;
                    self.ended(&ctx, way, outcome);
                    if paths >= self.config.paths {
                        self.give_up(&format!("there are more than {} paths", self.config.paths));
                        return;
                    }
                }
                Event::Ended(Err(it)) => {
                    paths += 1;
                    self.proof.paths += 1;
                    self.give_up(&it.to_string());
                }
                Event::Waits | Event::DoesNotFit => self.give_up("the path has no name here"),
            }
        }
    }

    fn taken(&self, way: &Way<L::State>, side: effigy_engine::Way) -> Way<L::State> {
        let mut steps = way.steps.clone();
        if let Some(last) = steps.last_mut() {
            last.side = match side.decision {
                Decision::Alternative(0) => Some(true),
                Decision::Alternative(1) => Some(false),
                _ => None,
            };
        }
        let mut path = way.path.clone();
        path.take(self.language, side);
        Way { path, steps, execution: way.execution }
    }

    fn note(&self, way: &mut Way<L::State>) {
        let state = &way.path.state;
        let statement = self.language.statement(state);
        let execution = (self.language.clock(state), statement.number, self.language.depth(state));
        if way.execution != Some(execution) {
            way.execution = Some(execution);
            way.steps.push(PathStep { number: statement.number, procedure: statement.procedure, side: None });
        }
    }

    fn give_up(&mut self, why: &str) {
        let why = format!("from {}: {why}", self.from.number);
        if !self.proof.incomplete.contains(&why) {
            self.proof.incomplete.push(why);
        }
    }

    fn ended(&mut self, ctx: &Context<'_>, way: Way<L::State>, outcome: Outcome) {
        match outcome {
            Outcome::Exit { .. } | Outcome::Silent => {}
            // What is wrong on every execution of the path: correct only if there is none.
            Outcome::Violation(violation) => {
                let mut engine = Engine { terms: self.terms, solver: self.solver, budget: self.config.condition };
                let verdict = match engine.satisfiable(&way.path.trail) {
                    Answer::Unsat => Verdict::Proved,
                    Answer::Sat(model) => self.refuted(ctx, &way, model),
                    Answer::Unknown(reason) => Verdict::Unknown(reason),
                };
                let trail = way.path.trail.clone();
                self.decided(&way, trail, self.terms.bool(false), *violation, verdict);
            }
        }
    }

    /// The verdict on a condition that may fail: it does where there is a model.
    fn verdict(&self, ctx: &Context<'_>, way: &Way<L::State>, into: &Trail) -> Verdict {
        match (&into.witness, &into.undecided) {
            (Some(valuation), _) => self.refuted(ctx, way, valuation.clone().into_model()),
            (None, Some(reason)) => Verdict::Unknown(reason.clone()),
            (None, None) => Verdict::Unknown(Reason::GaveUp("the solver was not asked".to_owned())),
        }
    }

    fn refuted(&self, ctx: &Context<'_>, way: &Way<L::State>, model: Model) -> Verdict {
        let witness = self.language.witness(ctx, &way.path.state, &model);
        Verdict::Refuted { witness, model }
    }

    fn decided(&mut self, way: &Way<L::State>, trail: Trail, goal: Term, violation: Violation, verdict: Verdict) {
        let condition = Condition {
            from: self.from.clone(),
            path: way.steps.clone(),
            at: self.language.statement(&way.path.state),
            place: violation.place,
            kind: violation.kind,
            message: violation.message,
            goal,
            trail,
            verdict,
        };
        (self.seen)(&condition);
        self.proof.conditions.push(condition);
    }
}
