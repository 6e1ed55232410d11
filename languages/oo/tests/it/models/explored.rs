//! The real walk with the solver: correctness of its leaves, and the same leaves in both models.

use super::agreement::Pair;
use super::follow::{Answer, Asked, Decide, Followed, SymbolicEnd, follow};
use super::generate::LAYERS;
use super::harness::{Case, check};
use super::inputs;
use super::theorems::{holds, machine, words};
use effigy_engine::{Budget, Decision, Feasibility, Trail};
use effigy_explore::{Config, End, PathEnd, Sink, explore};
use effigy_oo::run::concrete;
use effigy_oo::run::forward::{Forward, Updates};
use effigy_oo::run::machine::{Machine, State};
use effigy_oo::run::memory::Memory;
use effigy_oo::run::traces::Traces;
use effigy_solver::{Answer as Answered, PathCondition, Query, QueryBudget, Solver, SolverConfig, chain};
use effigy_term::Terms;
use effigy_term::eval::Evaluator;
use effigy_walk::Search;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Paths of one program.
const MOST_PATHS: u64 = 12;
/// Statements on one path.
const MOST_STEPS: u64 = 40;

struct Leaf<M> {
    state: State<M>,
    trail: Trail,
    end: End,
    certain: bool,
}

struct Collect<M>(Vec<Leaf<M>>);

impl<M: Memory> Sink<State<M>> for Collect<M> {
    fn ended(&mut self, end: &PathEnd<'_, State<M>>) {
        let (state, trail) = (end.state.clone(), end.trail.clone());
        self.0.push(Leaf { state, trail, end: end.end.clone(), certain: end.certain });
    }
}

fn query_budget() -> QueryBudget {
    QueryBudget::default()
}

fn leaves<M: Memory>(machine: &Machine<M>, terms: &Terms, feasibility: Feasibility) -> Vec<Leaf<M>> {
    let budget = Budget { path_steps: Some(MOST_STEPS), paths: Some(MOST_PATHS), ..Budget::default() };
    let config = Config { search: Search::Dfs, seed: 7, budget, query: query_budget(), values: 4, feasibility };
    let (mut solver, mut sink) = (chain(&SolverConfig::default()), Collect(Vec::new()));
    explore(machine, terms, &mut *solver, &config, &mut (), &mut sink);
    sink.0
}

/// Goes where a leaf's decisions lead; what is required or assumed is evaluated.
struct Along<'a> {
    decisions: std::vec::IntoIter<Decision>,
    evaluator: Evaluator<'a>,
}

impl Decide for Along<'_> {
    fn decide(&mut self, asked: Asked<'_>) -> Result<Answer, String> {
        let mut truth = |cond| self.evaluator.truth(cond).ok_or("a condition of φ has no value");
        match asked {
            Asked::Required(cond) => return Ok(Answer::Required(truth(cond)?)),
            Asked::Assumed(cond) => return Ok(Answer::Assumed(truth(cond)?)),
            Asked::Thread(_) | Asked::Test(_) => {}
        }
        // Behind the leaf's last decision the model decides: a path that was cut goes on somewhere.
        let decision = self.decisions.next();
        Ok(match (asked, decision) {
            (Asked::Thread(count), Some(Decision::Alternative(at))) => Answer::Thread(at as usize, count),
            (Asked::Thread(count), None) => Answer::Thread(0, count),
            (Asked::Test(&[holds, _]), None) => Answer::Test(truth(holds)?),
            (Asked::Test(sides), Some(Decision::Alternative(at))) => {
                if sides.get(at as usize).is_none_or(|it| truth(*it) != Ok(true)) {
                    return Err("the model of a leaf takes another side of a test".to_owned());
                }
                Answer::Test(at == 0)
            }
            _ => return Err("a decision is missing".to_owned()),
        })
    }
}

/// Theorem 2.3/3.5 with the walk's own inputs: the model of a leaf's φ, run concretely, does what the leaf says.
fn leaf_is_correct<M: Memory>(
    case: &Case,
    machine: &Machine<M>,
    terms: &Terms,
    leaf: &Leaf<M>,
) -> Result<bool, String> {
    let words = words(case, terms);
    let Some(model) = leaf.trail.witness.as_ref().filter(|_| leaf.certain) else { return Ok(false) };
    let Some(valuation) = inputs::valuation_of(terms, &case.program, &words, model) else { return Ok(false) };
    // Objects of the valuation first, then enough new ones.
    let start = inputs::model_of(terms, &case.program, &words, &valuation, MOST_STEPS as usize);
    if !holds(terms, &start, &leaf.trail.condition.conjuncts())? {
        return Err("the valuation of a model does not satisfy φ".to_owned());
    }
    let decisions = leaf.trail.decisions.to_vec().into_iter();
    let mut along = Along { decisions, evaluator: Evaluator::new(terms, &start) };
    let path = follow(machine, terms, &mut along, MOST_STEPS as usize)?;
    let same = match (&leaf.end, &path.end) {
        (End::Exit { .. }, SymbolicEnd::Completed) | (End::Silent, SymbolicEnd::Dropped) | (End::Cut(_), _) => true,
        (End::Bug(violation), SymbolicEnd::Fault(kind, place)) => violation.kind == *kind && violation.place == *place,
        _ => false,
    };
    if !same {
        return Err(format!("the leaf ends with {:?}, its path with {:?}", leaf.end, path.end));
    }
    let threads = path.answers.iter().filter_map(|it| match it {
        Answer::Thread(at, _) => Some(*at),
        _ => None,
    });
    let schedule: Vec<usize> = threads.collect();
    let run = concrete::run(&case.program, case.semantics, &valuation, &schedule, MOST_STEPS as usize);
    let pair = Pair { machine, terms, valuation: &valuation, model: &start, run: &run, path: &path };
    pair.same_path()?;
    pair.same_state(case.seed)?;
    if matches!(leaf.end, End::Exit { .. }) {
        // σ of the walk's own state.
        let state = leaf.state.clone();
        let path = Followed { end: path.end, state, phi: path.phi, answers: path.answers, moves: path.moves };
        Pair { machine, terms, valuation: &valuation, model: &start, run: &run, path: &path }.same_state(case.seed)?;
    }
    Ok(true)
}

/// A leaf's name: its decisions, how and where it ends.
fn name<M>(leaf: &Leaf<M>) -> String {
    format!("{:?} {:?}", leaf.trail.decisions.to_vec(), leaf.end)
}

/// The leaves that some input takes, by name; `None` where not all of them are known. An assumption that cannot hold is
/// found at once or at the end.
fn existing<M>(leaves: &[Leaf<M>]) -> Option<BTreeSet<String>> {
    let unknown = |it: &Leaf<M>| matches!(it.end, End::Undecided { .. } | End::Cut(_));
    if leaves.len() as u64 >= MOST_PATHS || leaves.iter().any(unknown) {
        return None;
    }
    Some(leaves.iter().filter(|it| !matches!(it.end, End::Silent | End::Infeasible)).map(name).collect())
}

/// φ ∧ ¬ψ is unsatisfiable; `None` where the solver does not know.
fn implies(terms: &Terms, solver: &mut dyn Solver, one: &PathCondition, other: &PathCondition) -> Option<bool> {
    let goal = terms.not(terms.and_all(other.conjuncts()));
    let query = Query { path: one, only: None, goal, witness: None, tried: false, budget: query_budget() };
    match solver.check(terms, &query) {
        Answered::Unsat => Some(true),
        Answered::Sat(_) => Some(false),
        Answered::Unknown(_) => None,
    }
}

/// Counts: leaves that were run, pairs of leaves that the solver compared, programs whose leaves were compared.
#[derive(Default, Debug)]
struct Counts {
    leaves: usize,
    pairs: usize,
    unknown: usize,
    programs: usize,
    /// Models whose leaves were the same when feasibility was asked at the end.
    late: usize,
}

fn explored(case: &Case, counts: &RefCell<Counts>) -> Result<(), String> {
    // One exploration for each program.
    if !case.seed.is_multiple_of(super::harness::INPUTS) {
        return Ok(());
    }
    let semantics = effigy_oo::run::program::Semantics { paper: (case.seed / super::harness::INPUTS) % 2 == 1 };
    let case = &Case {
        semantics,
        program: Rc::clone(&case.program),
        valuation: case.valuation.clone(),
        schedule: Vec::new(),
        ..*case
    };
    let terms = Terms::new();
    let (forward, traces) = (machine(case, Forward::new(Updates::Stores)), machine(case, Traces::default()));
    let (of_forward, of_traces) =
        (leaves(&forward, &terms, Feasibility::Branch), leaves(&traces, &terms, Feasibility::Branch));
    let mut counts = counts.borrow_mut();
    for leaf in &of_forward {
        counts.leaves += usize::from(leaf_is_correct(case, &forward, &terms, leaf)?);
    }
    for leaf in &of_traces {
        counts.leaves += usize::from(leaf_is_correct(case, &traces, &terms, leaf)?);
    }
    let unknown = |certain: bool, end: &End| !certain || matches!(end, End::Undecided { .. } | End::Cut(_));
    if of_forward.iter().any(|it| unknown(it.certain, &it.end))
        || of_traces.iter().any(|it| unknown(it.certain, &it.end))
    {
        return Ok(());
    }
    if of_forward.len() as u64 >= MOST_PATHS || of_traces.len() as u64 >= MOST_PATHS {
        return Ok(());
    }
    let (names, others): (BTreeSet<String>, BTreeSet<String>) =
        (of_forward.iter().map(name).collect(), of_traces.iter().map(name).collect());
    if names != others {
        let only: Vec<_> = names.symmetric_difference(&others).collect();
        return Err(format!("leaves of one model only: {only:#?}"));
    }
    counts.programs += 1;
    for (at_branches, at_leaves) in [
        (existing(&of_forward), existing(&leaves(&forward, &terms, Feasibility::Leaf))),
        (existing(&of_traces), existing(&leaves(&traces, &terms, Feasibility::Leaf))),
    ] {
        counts.late += usize::from(at_branches.is_some() && at_branches == at_leaves);
        if at_branches.is_some() && at_leaves.is_some() && at_branches != at_leaves {
            return Err(format!("leaves where feasibility is asked at branches {at_branches:#?}, else {at_leaves:#?}"));
        }
    }
    let mut solver = chain(&SolverConfig::default());
    for leaf in &of_forward {
        let same_name: Vec<_> = of_traces.iter().filter(|it| name(it) == name(leaf)).collect();
        let [other] = same_name[..] else { continue };
        let (one, other) = (&leaf.trail.condition, &other.trail.condition);
        for (one, other) in [(one, other), (other, one)] {
            match implies(&terms, &mut *solver, one, other) {
                Some(true) => counts.pairs += 1,
                Some(false) => return Err(format!("φ differs at the leaf {}", name(leaf))),
                None => counts.unknown += 1,
            }
        }
    }
    Ok(())
}

#[test]
fn leaves_of_both_models_are_correct_and_the_same() {
    let counts = RefCell::new(Counts::default());
    for layer in LAYERS {
        check(layer, 30, &|case| explored(case, &counts));
    }
    let counts = counts.into_inner();
    // On a slow day the solver knows less.
    assert!(counts.leaves > 400 && counts.pairs > 100 && counts.programs > 20 && counts.late > 20, "{counts:?}");
}
