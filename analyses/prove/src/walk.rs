//! The walk over all paths from each cut point.
//!
//! Knows: which questions of a language are verification conditions. Never: assertions themselves.

use crate::condition::{Condition, PathStep, Proof, Verdict};
use effigy_engine::{
    Context, Coverage, CutProcedure, Cuts, Decision, Engine, Inputs, Notes, Outcome, Statement, Step, Trail, Violation,
};
use effigy_solver::{Answer, QueryBudget, Solver};
use effigy_term::{Node, Term, Terms};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// How much a proof may spend.
#[derive(Clone, Debug)]
pub struct Config {
    /// One verification condition.
    pub condition: QueryBudget,
    /// One question whether a side of a branch is open; a side that is not known to be closed is followed.
    pub branch: QueryBudget,
    /// Statements on one path.
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
    state: S,
    trail: Trail,
    path: Vec<PathStep>,
    /// The last execution of a statement that `path` has.
    execution: Option<(u64, u32, usize)>,
}

impl<L: Cuts> Walk<'_, L> {
    fn run(&mut self, procedure: usize, cut: usize) {
        let (inputs, mut coverage, mut notes) = (Inputs::Symbolic, Coverage::default(), Notes::default());
        let mut ctx = Context { terms: self.terms, inputs: &inputs, coverage: &mut coverage, notes: &mut notes };
        let Some(state) = self.language.start_at(&mut ctx, procedure, cut) else { return };
        let mut ways = vec![Way { state, trail: Trail::new(), path: Vec::new(), execution: None }];
        let mut paths = 0;
        while let Some(mut way) = ways.pop() {
            if self.config.interrupt.load(Ordering::Relaxed) {
                return self.give_up("interrupted");
            }
            if way.trail.steps >= self.config.path_steps {
                self.give_up(&format!("a path is longer than {} statements", self.config.path_steps));
                continue;
            }
            self.note(&mut way);
            let mut fuel = 1;
            let step = self.language.step(&mut ctx, &mut way.state, &mut fuel);
            way.trail.steps += 1 - fuel;
            match step {
                Step::Next => ways.push(way),
                Step::Exit(outcome) => {
                    paths += 1;
                    self.proof.paths += 1;
                    self.ended(&ctx, way, outcome);
                    if paths >= self.config.paths {
                        self.give_up(&format!("there are more than {} paths", self.config.paths));
                        return;
                    }
                }
                Step::Assume(cond) => {
                    // An assumption that cannot hold leaves nothing to prove.
                    if let Some(trail) = self.branching().assume(&way.trail, cond) {
                        way.trail = trail;
                        self.language.answer(&mut way.state, Decision::Granted);
                        ways.push(way);
                    }
                }
                Step::Require { cond, violation } => {
                    self.decide(&ctx, &way, cond, *violation);
                    if let Some(trail) = self.branching().assume(&way.trail, cond) {
                        way.trail = trail;
                        self.language.answer(&mut way.state, Decision::Granted);
                        ways.push(way);
                    }
                }
                Step::Branch(alternatives) => {
                    let forks = self.branching().fork(&way.trail, &alternatives);
                    let both = forks.len() > 1;
                    // The last is walked first: the sides in their order.
                    for fork in forks.into_iter().rev() {
                        let mut path = way.path.clone();
                        if both && let Some(last) = path.last_mut() {
                            last.side = match fork.decision {
                                Decision::Alternative(0) => Some(true),
                                Decision::Alternative(1) => Some(false),
                                _ => None,
                            };
                        }
                        let mut state = way.state.clone();
                        self.language.answer(&mut state, fork.decision);
                        ways.push(Way { state, trail: fork.trail, path, execution: way.execution });
                    }
                }
                Step::Value(_) => self.give_up("a value would have to be chosen"),
            }
        }
    }

    fn note(&self, way: &mut Way<L::State>) {
        let statement = self.language.statement(&way.state);
        let execution = (self.language.clock(&way.state), statement.number, self.language.depth(&way.state));
        if way.execution != Some(execution) {
            way.execution = Some(execution);
            way.path.push(PathStep { number: statement.number, procedure: statement.procedure, side: None });
        }
    }

    fn branching(&mut self) -> Engine<'_> {
        Engine { terms: self.terms, solver: self.solver, budget: self.config.branch }
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
            Outcome::Violation(violation) => self.decide(ctx, &way, self.terms.bool(false), *violation),
            Outcome::Unsupported { what, .. } => self.give_up(&format!("{what} is not supported")),
        }
    }

    /// Is `goal` implied by the path condition?
    fn decide(&mut self, ctx: &Context<'_>, way: &Way<L::State>, goal: Term, violation: Violation) {
        let verdict = self.verdict(ctx, way, goal);
        let condition = Condition {
            from: self.from.clone(),
            path: way.path.clone(),
            at: self.language.statement(&way.state),
            place: violation.place,
            kind: violation.kind,
            message: violation.message,
            goal,
            trail: way.trail.clone(),
            verdict,
        };
        (self.seen)(&condition);
        self.proof.conditions.push(condition);
    }

    /// Each conjunct of the goal is a question of its own: a solver proves many small ones sooner than one large one.
    fn verdict(&mut self, ctx: &Context<'_>, way: &Way<L::State>, goal: Term) -> Verdict {
        let parts = match self.terms.node(goal) {
            Node::And(parts) => parts.to_vec(),
            _ => vec![goal],
        };
        let mut unknown = None;
        for part in parts {
            let negated = self.terms.not(part);
            let mut engine = Engine { terms: self.terms, solver: self.solver, budget: self.config.condition };
            match engine.check(&way.trail, negated) {
                Answer::Unsat => {}
                Answer::Sat(model) => {
                    let witness = self.language.witness(ctx, &way.state, &model);
                    return Verdict::Refuted { witness, model };
                }
                Answer::Unknown(reason) => unknown = Some(reason),
            }
        }
        unknown.map_or(Verdict::Proved, Verdict::Unknown)
    }
}
