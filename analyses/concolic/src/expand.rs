//! From one run to the inputs that leave its path: `ExpandExecution` and `Combine`.
//!
//! Knows: which sides are asked about, in layers, the cheapest first; which were asked before. Never: which input is
//! run next, what a run is worth (`generational`).
//! Source: Godefroid, Levin, Molnar 2008, figure 4; Yun et al. 2018 (QSYM) for optimistic answers.

use crate::key::Key;
use crate::run::Run;
use crate::why::Why;
use effigy_engine::passed::Other;
use effigy_engine::{AlternativeLabel, Decision, Given, Onward, Passed, Place, Question, Violation};
use effigy_solver::{Answer, PathCondition, Query, QueryBudget, Solver};
use effigy_term::eval::Evaluator;
use effigy_term::{Model, SymbolKind, Term, Terms, Value};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;
use std::time::{Duration, Instant};

/// The layers and budgets with which sides are asked about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Config {
    /// What a question with the path before it may spend.
    pub budget: QueryBudget,
    /// What a question for the condition alone may spend.
    pub alone: QueryBudget,
    /// Where the path before it excludes a side, an input is tried for the path without the values that the run only
    /// kept.
    pub unpin: bool,
    /// Where the path before it excludes a side, an input for the condition alone is tried.
    pub optimistic: bool,
    /// The most questions about one side of one place in one run.
    pub cap: u32,
    /// What all questions of one run may spend together.
    pub time: Option<Duration>,
    /// The most values that are tried of one term that cannot be followed.
    pub values: usize,
    /// Whether sides that depend only on results of foreign functions are asked about, too.
    pub foreign: bool,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            budget: QueryBudget { steps: None, time: Some(Duration::from_secs(10)) },
            alone: QueryBudget { steps: Some(2_000), time: Some(Duration::from_secs(1)) },
            unpin: false,
            optimistic: false,
            cap: u32::MAX,
            time: None,
            values: 64,
            foreign: false,
        }
    }
}

/// The layer of the expansion that found an input.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layer {
    /// The condition alone; the path before it agrees.
    Alone,
    /// The solver, with the path before it.
    Solved,
    /// The solver, with the path before it but for values that the run kept (the length of the input): the run decides.
    Unpinned,
    /// The condition alone, against the path before it: the run decides.
    Optimistic,
}

/// An input that is predicted to leave the path.
#[derive(Clone, Debug)]
pub struct Child {
    /// The values of the input, by name.
    pub given: Given,
    /// The number of the condition that it negates: its own run is expanded from there.
    pub bound: usize,
    /// The place in the source where that condition stands.
    pub place: Place,
    /// The side that it is to take.
    pub label: AlternativeLabel,
    /// The condition, of sort Bool, that is to hold instead.
    pub cond: Term,
    /// How its path begins, if the prediction is right.
    pub key: Key,
    /// The layer that found the input.
    pub layer: Layer,
    /// Whether it is predicted to end in a bug right there.
    pub bug: bool,
    /// Whether it changes results of foreign functions, which a real run need not give.
    pub assumed: bool,
}

/// The result of expanding one run.
#[derive(Clone, Debug, Default)]
pub struct Expansion {
    /// The inputs, in the order of the conditions that they turn.
    pub children: Vec<Child>,
    /// What must hold on this very input, and does not with another content of uninitialised storage, which the run
    /// took as zero: the first such bug.
    pub uninitialised: Option<Box<Violation>>,
    /// The counts of what became of each side.
    pub why: Why,
}

/// Expands runs, and knows what was asked in those before.
#[derive(Debug, Default)]
pub struct Expander {
    config: Config,
    seen: FxHashSet<Key>,
    /// The values that a term was found to have behind a beginning.
    values: FxHashMap<Key, Vec<Value>>,
}

impl Expander {
    /// An expander that has asked about no side yet.
    pub fn new(config: Config) -> Expander {
        Expander { config, ..Expander::default() }
    }

    /// The number of beginnings of paths that were asked about or taken.
    pub fn seen(&self) -> usize {
        self.seen.len()
    }

    /// `ExpandExecution`: for each condition from the bound on, an input that agrees with all before it and not with
    /// it. `predicted` is how the run was to begin.
    pub fn expand(
        &mut self,
        terms: &Terms,
        solver: &mut dyn Solver,
        run: &Run,
        given: &Given,
        bound: usize,
        predicted: Option<Key>,
    ) -> Expansion {
        let mut res = Expansion::default();
        res.why.runs = 1;
        res.why.conditions = run.passed.len() as u64;
        res.why.pinned = run.pinned.values().sum();
        res.why.cut = u64::from(run.outcome.is_none());
        // A run that went another way is expanded from the place where it may have left.
        res.why.diverged = u64::from(predicted.is_some_and(|it| !run.begins(it)));
        self.seen.extend(run.onward());
        let begun = Instant::now();
        let mut path = PathCondition::new();
        // The same without values that were kept, once there are any.
        let mut unpinned: Option<(PathCondition, &Place)> = None;
        let mut met: FxHashMap<(&Place, Key), u32> = FxHashMap::default();
        for (at, passed) in run.passed.iter().enumerate() {
            if let Question::Value { value, .. } = &passed.question {
                let known = self.values.entry(run.before[at]).or_default();
                if !known.contains(value) {
                    known.push(value.clone());
                }
            }
            if at >= bound {
                for other in passed.others(terms) {
                    res.why.sides += 1;
                    if let Question::Required { held: true, violation, .. } = &passed.question
                        && res.uninitialised.is_none()
                        && terms.is_undefined(passed.cond)
                        && self.fails_here(terms, solver, run, other.cond)
                    {
                        res.uninitialised = Some(violation.clone());
                    }
                    let late = self.config.time.is_some_and(|it| begun.elapsed() > it);
                    let Some((goal, key)) = self.wanted(terms, run, at, &other, late, &mut met, &mut res.why) else {
                        continue;
                    };
                    let asked = Instant::now();
                    let answer = self.solve(terms, solver, &path, unpinned.as_ref().map(|it| &it.0), &run.values, goal);
                    res.why.solving += asked.elapsed();
                    match answer {
                        Solved::By(layer, model) => {
                            match layer {
                                Layer::Alone => res.why.alone += 1,
                                Layer::Solved => res.why.solved += 1,
                                Layer::Unpinned => res.why.unpinned += 1,
                                Layer::Optimistic => res.why.optimistic += 1,
                            }
                            let key = predicted_key(terms, run, at, &model).unwrap_or(key);
                            // Its path parts at the first value that it changes.
                            let parts = (0..at)
                                .filter(|_| layer == Layer::Unpinned)
                                .find_map(|it| predicted_key(terms, run, it, &model).filter(|key| !run.begins(*key)));
                            let key = parts.unwrap_or(key);
                            let (given, assumed) = combine(terms, given, run, &model);
                            res.children.push(Child {
                                given,
                                bound: at,
                                place: passed.place.clone(),
                                bug: is_bug(passed, &other),
                                label: other.label,
                                cond: goal,
                                key,
                                layer,
                                assumed,
                            });
                        }
                        Solved::Unsat => res.why.unsatisfiable += 1,
                        Solved::Unknown => res.why.undecided += 1,
                    }
                }
            }
            let is_kept = matches!(passed.question, Question::Value { .. });
            if is_kept && self.config.unpin {
                let before = unpinned.take().map_or_else(|| path.clone(), |it| it.0);
                unpinned = Some((before, &passed.place));
            }
            // What the same statement requires, it requires of the value.
            let is_of_kept = |at: &Place| matches!(passed.question, Question::Required { .. }) && *at == passed.place;
            if let Some((unpinned, _)) = unpinned.as_mut().filter(|it| !is_kept && !is_of_kept(it.1)) {
                unpinned.assume(terms, passed.cond);
            }
            path.assume(terms, passed.cond);
        }
        res
    }

    /// What is asked for a side, and how its path begins; `None` where it is not asked about, which is counted.
    #[expect(clippy::too_many_arguments, reason = "the state of one loop")]
    fn wanted<'r>(
        &mut self,
        terms: &Terms,
        run: &'r Run,
        at: usize,
        other: &Other,
        late: bool,
        met: &mut FxHashMap<(&'r Place, Key), u32>,
        why: &mut Why,
    ) -> Option<(Term, Key)> {
        let passed = &run.passed[at];
        if terms.as_bool(other.cond).is_some() {
            why.choices += 1;
            return None;
        }
        if terms.is_undefined(other.cond) {
            why.undefined += 1;
            return None;
        }
        let is_own = |it| terms.symbol_info(it).kind == SymbolKind::Input;
        if !self.config.foreign && !terms.symbols(other.cond).iter().any(|it| is_own(*it)) {
            why.foreign += 1;
            return None;
        }
        let key = run.before[at].onward(&other.onward);
        if self.seen.contains(&key) {
            why.pruned += 1;
            return None;
        }
        let count = met.entry((&passed.place, Key::START.onward(&side(other)))).or_insert(0);
        *count += 1;
        if *count > self.config.cap {
            why.capped += 1;
            return None;
        }
        if late {
            why.unasked += 1;
            return None;
        }
        self.seen.insert(key);
        let mut goal = other.cond;
        if let Question::Value { term, .. } = &passed.question {
            let known = self.values.get(&run.before[at]).map(Vec::as_slice).unwrap_or_default();
            if known.len() > self.config.values {
                why.capped += 1;
                return None;
            }
            for value in known {
                let constant = terms.of_value(terms.sort(*term), value);
                goal = terms.and(goal, terms.not(terms.eq(*term, constant)));
            }
        }
        Some((goal, key))
    }

    /// Whether a condition can hold on the very inputs of the run.
    fn fails_here(&self, terms: &Terms, solver: &mut dyn Solver, run: &Run, goal: Term) -> bool {
        let mut path = PathCondition::new();
        for &symbol in terms.symbols(goal) {
            if let Some(value) = run.values.get(symbol) {
                let constant = terms.of_value(terms.symbol_info(symbol).sort, value);
                path.assume(terms, terms.eq(terms.of_symbol(symbol), constant));
            }
        }
        let query = Query { path: &path, only: None, goal, witness: None, tried: false, budget: self.config.budget };
        matches!(solver.check(terms, &query), Answer::Sat(_))
    }

    /// In layers, the cheapest first.
    fn solve(
        &self,
        terms: &Terms,
        solver: &mut dyn Solver,
        path: &PathCondition,
        unpinned: Option<&PathCondition>,
        values: &Model,
        goal: Term,
    ) -> Solved {
        let nothing = path.emptied();
        let query = |path, budget| Query { path, only: None, goal, witness: Some(values), tried: true, budget };
        let alone = match solver.check(terms, &query(&nothing, self.config.alone)) {
            // No path makes it true.
            Answer::Unsat => return Solved::Unsat,
            Answer::Sat(model) => Some(values.overridden_by(&model)),
            Answer::Unknown(_) => None,
        };
        let before = path.touched(terms.symbols(goal));
        if let Some(model) = &alone {
            let mut evaluator = Evaluator::new(terms, model);
            let conditions = before.iter().flat_map(|it| it.conjuncts());
            if !path.applies_functions() && conditions.copied().all(|it| evaluator.truth(it) == Some(true)) {
                return Solved::By(Layer::Alone, model.clone());
            }
        }
        let answer = solver.check(terms, &query(path, self.config.budget));
        if let (Answer::Unsat, Some(path)) = (&answer, unpinned)
            && let Answer::Sat(model) = solver.check(terms, &query(path, self.config.alone))
        {
            return Solved::By(Layer::Unpinned, values.overridden_by(&model));
        }
        match (answer, alone) {
            (Answer::Sat(model), _) => Solved::By(Layer::Solved, values.overridden_by(&model)),
            (_, Some(model)) if self.config.optimistic => Solved::By(Layer::Optimistic, model),
            (Answer::Unsat, _) => Solved::Unsat,
            (Answer::Unknown(_), _) => Solved::Unknown,
        }
    }
}

enum Solved {
    By(Layer, Model),
    Unsat,
    Unknown,
}

/// The side of a place, whatever value it is about.
fn side(other: &Other) -> Onward {
    match &other.onward {
        Onward::Decided(Decision::Alternative(at)) => Onward::Decided(Decision::Alternative(*at)),
        Onward::Decided(_) => Onward::Decided(Decision::Fails(0)),
        Onward::Past(_) => Onward::Past(Decision::Fails(0)),
    }
}

/// How the path of an input begins that gives a term another value.
fn predicted_key(terms: &Terms, run: &Run, at: usize, model: &Model) -> Option<Key> {
    let Question::Value { term, .. } = &run.passed[at].question else { return None };
    let value = Evaluator::new(terms, model).value(*term)?;
    Some(run.before[at].onward(&Onward::Decided(Decision::Is(value))))
}

/// Whether the side is the failure of something that must hold.
fn is_bug(passed: &Passed, other: &Other) -> bool {
    matches!(passed.question, Question::Required { .. }) && matches!(other.onward, Onward::Decided(_))
}

/// `Combine`: the input with what the model changes; and whether it changes what no input is.
fn combine(terms: &Terms, given: &Given, run: &Run, model: &Model) -> (Given, bool) {
    let mut res = given.clone();
    let mut assumed = false;
    for (symbol, value) in model.symbols().filter(|it| run.values.get(it.0).is_some_and(|was| was != it.1)) {
        let info = terms.symbol_info(symbol);
        assumed |= info.kind != SymbolKind::Input;
        res.give(&info.name, value.clone());
    }
    (res, assumed)
}
