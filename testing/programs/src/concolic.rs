//! Concolic runs: on any input, the path that is followed is the one that the exploration found for it, with the same
//! path condition; what is turned leads where it was predicted.
//!
//! Knows: explorations, runs on given inputs. Never: which language it is, which programs are tried.

use effigy_concolic::{Campaign, Limits, Run, concolic, generate_inputs};
use effigy_engine::{Budget, Feasibility, Given, Language, Outcome, PathName, PathOutcome, Question, Trail};
use effigy_explore::{Config, End, PathEnd, Sink, explore};
use effigy_solver::{Answer, Query, QueryBudget, Solver, SolverConfig, chain};
use effigy_term::eval::Evaluator;
use effigy_term::{BvValue, Model, Sort, SymbolKind, Term, Terms, Value};
use effigy_walk::Search;

/// How far a program is walked.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Transitions on any one path.
    pub path_steps: u64,
    /// Paths of any one walk.
    pub paths: u64,
    /// Inputs that are run beside the witnesses.
    pub inputs: u64,
}

/// What was seen, so that a test can say that it has tested something.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ConcolicTally {
    /// Runs that took a path that was explored.
    pub same: usize,
    /// Of them with a path condition of the very same terms.
    pub word_for_word: usize,
    /// Of them with a value that could not be followed.
    pub pinned: usize,
    /// Of them in a bug.
    pub bugs: usize,
    /// Conditions on the paths of these runs.
    pub conditions: usize,
    /// Inputs that searches found, and ran.
    pub children: usize,
    /// Programs whose search came to its end.
    pub complete: usize,
}

struct Explored {
    name: PathName,
    trail: Trail,
    end: End,
}

struct Collect(Vec<Explored>);

impl<S> Sink<S> for Collect {
    fn ended(&mut self, end: &PathEnd<'_, S>) {
        self.0.push(Explored { name: end.name(), trail: end.trail.clone(), end: end.end.clone() });
    }
}

/// No process is started, and no clock asked.
fn solver() -> Box<dyn Solver> {
    chain(&SolverConfig { smt: "false".to_owned(), ..SolverConfig::default() })
}

fn budget() -> QueryBudget {
    QueryBudget { steps: Some(2_000), time: None }
}

/// What a model says of the inputs, by name.
fn given_by(terms: &Terms, model: &Model) -> Given {
    let mut res = Given::new();
    for (symbol, value) in model.symbols() {
        let info = terms.symbol_info(symbol);
        if matches!(info.kind, SymbolKind::Input | SymbolKind::Fresh) {
            res.give(&info.name, value.clone());
        }
    }
    res
}

/// Small random values of the inputs that a path condition is about.
fn random(terms: &Terms, conditions: &[Term], seed: u64) -> Model {
    let mut model = Model::new();
    for &symbol in conditions.iter().flat_map(|it| terms.symbols(*it)) {
        let info = terms.symbol_info(symbol);
        let mix = |it: u64, byte: u8| (it ^ u64::from(byte)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
        let number = info.name.bytes().fold(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) + 1, mix) >> 9;
        match info.sort {
            Sort::Bool => model.set(symbol, Value::Bool(number % 2 == 1)),
            Sort::Int => model.set(symbol, Value::Int((number % 9).into())),
            Sort::BitVec(width) => model.set(symbol, Value::BitVec(BvValue::from_u64(width, number % 11))),
            _ => {}
        }
    }
    model
}

fn same_end(end: &End, outcome: Option<&PathOutcome>) -> bool {
    match (end, outcome) {
        (End::Exit { .. }, Some(Ok(Outcome::Exit { .. }))) | (End::Silent, Some(Ok(Outcome::Silent))) => true,
        (End::Bug(one), Some(Ok(Outcome::Violation(other)))) => one == other,
        (End::GaveUp(one), Some(Err(other))) => one.what == other.what,
        _ => false,
    }
}

/// Whether φ of one implies each conjunct of the other; `None` where the solver cannot tell.
fn implies(terms: &Terms, solver: &mut dyn Solver, one: &[Term], other: &[Term]) -> Option<bool> {
    let mut path = effigy_solver::PathCondition::new();
    one.iter().for_each(|it| path.assume(terms, *it));
    for &cond in other.iter().filter(|it| !one.contains(it)) {
        let goal = terms.not(cond);
        let query = Query { path: &path, only: None, goal, witness: None, tried: false, budget: budget() };
        match solver.check(terms, &query) {
            Answer::Unsat => {}
            Answer::Sat(_) => return Some(false),
            Answer::Unknown(_) => return None,
        }
    }
    Some(true)
}

/// The concolic run of each witness takes the path of its witness, and the run of any input the path that an
/// exploration has for it: the same decisions, the same end, the same path condition.
///
/// # Errors
/// What is different.
pub fn runs_agree<L: Language>(language: &L, bounds: Bounds, seen: &mut ConcolicTally) -> Result<(), String> {
    let (terms, mut solver) = (Terms::new(), solver());
    let config = Config {
        search: Search::Bfs,
        seed: 7,
        budget: Budget { path_steps: Some(bounds.path_steps), paths: Some(bounds.paths), ..Budget::default() },
        query: budget(),
        values: 4,
        feasibility: Feasibility::Branch,
    };
    let mut explored = Collect(Vec::new());
    explore(language, &terms, &mut *solver, &config, &mut (), &mut explored);
    let limits = Limits { steps: 4 * bounds.path_steps, ..Limits::default() };
    let mut conditions = Vec::new();
    for path in &explored.0 {
        let conjuncts = path.trail.condition.conjuncts();
        conditions.extend(conjuncts.iter().copied());
        let Some(witness) = &path.trail.witness else { continue };
        let open = matches!(path.end, End::Cut(_) | End::Infeasible | End::Undecided { .. });
        // A run has zeros in uninitialised storage, a model anything.
        if open || conjuncts.iter().any(|it| terms.is_undefined(*it)) {
            continue;
        }
        let run = concolic(language, &terms, &given_by(&terms, witness), &limits);
        // Who moves first is decided by nobody: the run takes one order, the path may be of another.
        let chosen = run.passed.iter().any(|it| is_choice(&terms, it));
        if run.name != path.name && !chosen {
            return Err(format!("the witness of {} takes {}", path.name, run.name));
        }
        if run.name == path.name {
            agrees(&terms, &mut *solver, &run, path, seen).map_err(|it| format!("{}: {it}", path.name))?;
        }
    }
    for seed in 0..bounds.inputs {
        let model = random(&terms, &conditions, seed);
        let run = concolic(language, &terms, &given_by(&terms, &model), &limits);
        if run.outcome.is_none() || run.passed.iter().any(|it| terms.is_undefined(it.cond)) {
            continue;
        }
        let mut evaluator = Evaluator::new(&terms, &run.values);
        for path in explored.0.iter().filter(|it| it.name == run.name) {
            agrees(&terms, &mut *solver, &run, path, seen).map_err(|it| format!("input {seed}: {it}"))?;
        }
        // No other path has a condition that this input satisfies, where the program decides.
        if run.passed.iter().any(|it| is_choice(&terms, it)) {
            continue;
        }
        for path in explored.0.iter().filter(|it| it.name != run.name) {
            let open = matches!(path.end, End::Cut(_) | End::Infeasible | End::Undecided { .. });
            let dropped = matches!(run.outcome, Some(Ok(Outcome::Silent)));
            let conjuncts = path.trail.condition.conjuncts();
            if !open && !dropped && conjuncts.iter().all(|it| evaluator.truth(*it) == Some(true)) {
                return Err(format!("input {seed} takes {}, and satisfies the condition of {}", run.name, path.name));
            }
        }
    }
    Ok(())
}

fn is_choice(terms: &Terms, passed: &effigy_engine::Passed) -> bool {
    matches!(&passed.question, Question::Branch { sides, .. } if sides.iter().all(|it| terms.as_bool(it.cond) == Some(true)))
}

/// The run and the path that was explored have one name: they have one end, and one condition.
fn agrees(
    terms: &Terms,
    solver: &mut dyn Solver,
    run: &Run,
    path: &Explored,
    seen: &mut ConcolicTally,
) -> Result<(), String> {
    if matches!(path.end, End::Cut(_) | End::Infeasible | End::Undecided { .. }) {
        return Ok(());
    }
    if !same_end(&path.end, run.outcome.as_ref()) {
        return Err(format!("{:?}, not {:?}", run.outcome, path.end));
    }
    let own = run.path_condition(terms).conjuncts();
    let other = path.trail.condition.conjuncts();
    let mut evaluator = Evaluator::new(terms, &run.values);
    if let Some(cond) = own.iter().chain(&other).find(|it| evaluator.truth(**it) == Some(false)) {
        return Err(format!("the run does not satisfy {}", effigy_term::print::math(terms, *cond)));
    }
    seen.same += 1;
    seen.conditions += own.len();
    seen.bugs += usize::from(matches!(path.end, End::Bug(_)));
    seen.pinned += usize::from(!run.pinned.is_empty());
    if own == other {
        seen.word_for_word += 1;
        return Ok(());
    }
    let both = implies(terms, solver, &own, &other).zip(implies(terms, solver, &other, &own));
    match both {
        Some((true, true)) | None => Ok(()),
        Some(_) => Err("the conditions are not equivalent".to_owned()),
    }
}

/// What a search finds is what its runs do: no run leaves the path that was predicted, no two take one path, where the
/// program alone decides.
///
/// # Errors
/// What is different.
pub fn searches_agree<L: Language>(language: &L, bounds: Bounds, seen: &mut ConcolicTally) -> Result<(), String> {
    let (terms, mut solver) = (Terms::new(), solver());
    let campaign = Campaign {
        expand: effigy_concolic::Config { budget: budget(), alone: budget(), foreign: true, ..Default::default() },
        run: Limits { steps: bounds.path_steps, ..Limits::default() },
        inputs: Some(usize::try_from(bounds.paths).unwrap_or(usize::MAX)),
        ..Campaign::default()
    };
    let found = generate_inputs(language, &terms, &mut *solver, Given::new(), &campaign, &|_| true);
    seen.children += found.inputs.len() - 1;
    seen.complete += usize::from(found.complete);
    let mut paths = std::collections::BTreeMap::new();
    for it in &found.inputs {
        if it.diverged {
            return Err(format!(
                "input {} was to turn condition {} of {:?}, and takes {:?}",
                it.id, it.bound, it.parent, it.path
            ));
        }
        if it.outcome.is_none() {
            continue;
        }
        if let Some(before) = paths.insert(it.path.clone(), it.id) {
            return Err(format!("inputs {before} and {} take one path, {}", it.id, it.path));
        }
    }
    Ok(())
}
