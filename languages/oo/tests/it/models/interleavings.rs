//! Every interleaving of threads: the concrete ones, those of a model, those that partial-order reduction leaves.

use super::follow::{Answer, Asked, Decide, SymbolicEnd, follow, kind_of, place_of};
use super::generate::{Layer, PROBE, make};
use super::harness::{Case, MOVES, check};
use super::inputs::term_value;
use super::theorems::model_of;
use effigy_oo::run::concrete::{self, End, Locals, Run, evaluate};
use effigy_oo::run::forward::{Forward, Updates};
use effigy_oo::run::machine::{Machine, Options};
use effigy_oo::run::memory::{At, Memory};
use effigy_oo::run::program::*;
use effigy_oo::run::traces::Traces;
use effigy_term::eval::Evaluator;
use effigy_term::{Model, Term, Terms, Value};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Programs with more interleavings are left out.
const MOST_RUNS: usize = 150;

/// All sequences of choices: `go` follows some, then the first, and tells how many there were at each point.
fn all<T>(mut go: impl FnMut(&[usize]) -> Result<(T, Vec<(usize, usize)>), String>) -> Result<Option<Vec<T>>, String> {
    let (mut res, mut todo) = (Vec::new(), vec![Vec::new()]);
    while let Some(prefix) = todo.pop() {
        if res.len() == MOST_RUNS {
            return Ok(None);
        }
        let (found, choices) = go(&prefix)?;
        for (place, (_, count)) in choices.iter().enumerate().skip(prefix.len()) {
            for other in 1..*count {
                todo.push(choices[..place].iter().map(|it| it.0).chain([other]).collect());
            }
        }
        res.push(found);
    }
    Ok(Some(res))
}

/// What can be seen at the end: the values of the globals, and of the fields of what they reach in two steps. Of an
/// error, which it is: what other threads did before it is not told.
type Seen = String;

fn seen(program: &Program, value: &mut dyn FnMut(&Expr) -> Option<Value>) -> Seen {
    let globals = (0..program.variables.len() as u32).map(VarId).filter(|it| {
        let variable = program.variable(*it);
        variable.global && !variable.temporary && !variable.name.starts_with(PROBE)
    });
    let mut res = String::new();
    let mut todo: Vec<(Expr, u32)> = Vec::new();
    for var in globals {
        match &program.variable(var).typ {
            Type::Map(map) if !map.bounded && map.index == Type::Int => {
                todo.extend((-2..4).map(|at: i64| (make(ExprKind::Element(var, make(ExprKind::Int(at.into())))), 0)));
            }
            Type::Map(_) => {}
            _ => todo.push((make(ExprKind::Var(var)), 2)),
        }
    }
    while let Some((expr, depth)) = todo.pop() {
        let found = value(&expr);
        res.push_str(&format!("{found:?} "));
        if let (Some(class), Some(Value::Element(1..)), 1..) = (program.class_of(&expr), &found, depth) {
            let fields = &program.class(class).fields;
            todo.extend(fields.iter().map(|it| (make(ExprKind::Field(expr.clone(), *it)), depth - 1)));
        }
    }
    res
}

fn seen_of_run(case: &Case, run: &Run) -> Option<Seen> {
    Some(match run.end {
        End::AssumptionFailed => return None,
        End::OutOfSteps => "out of steps".to_owned(),
        End::Fault { fault, stmt } => format!("{:?} {:?}", kind_of(fault), place_of(&case.program, stmt)),
        End::Completed => seen(&case.program, &mut |expr| {
            evaluate(&case.program, case.semantics, &run.valuation, &Locals::new(), expr).ok().map(|it| term_value(&it))
        }),
    })
}

/// Threads as told, everything else as a model says.
struct Scheduled<'a> {
    evaluator: Evaluator<'a>,
    prefix: &'a [usize],
    choices: Vec<(usize, usize)>,
}

impl Decide for Scheduled<'_> {
    fn decide(&mut self, asked: Asked<'_>) -> Result<Answer, String> {
        let mut truth = |cond: Term| self.evaluator.truth(cond).ok_or("a condition of φ has no value");
        Ok(match asked {
            Asked::Thread(count) => {
                let at = self.prefix.get(self.choices.len()).copied().unwrap_or(0);
                self.choices.push((at, count));
                Answer::Thread(at, count)
            }
            Asked::Test(sides) => Answer::Test(truth(sides[0])?),
            Asked::Required(cond) => Answer::Required(truth(cond)?),
            Asked::Assumed(cond) => Answer::Assumed(truth(cond)?),
        })
    }
}

/// What the paths of a model show at their ends, and how many there are.
fn seen_of_paths<M: Memory>(
    case: &Case,
    start: M,
    reduce: bool,
    terms: &Terms,
    model: &Model,
) -> Result<Option<(BTreeSet<Seen>, usize)>, String> {
    let options = Options { semantics: case.semantics, reduce, ..Options::default() };
    let machine = Machine::new(Rc::clone(&case.program), start, options);
    let paths = all(|prefix| {
        let evaluator = Evaluator::new(terms, model);
        let mut scheduled = Scheduled { evaluator, prefix, choices: Vec::new() };
        let path = follow(&machine, terms, &mut scheduled, MOVES)?;
        let res = match &path.end {
            SymbolicEnd::Dropped => None,
            SymbolicEnd::OutOfSteps => Some("out of steps".to_owned()),
            SymbolicEnd::Fault(kind, place) => Some(format!("{:?} {:?}", Some(kind), (place.line, place.column))),
            SymbolicEnd::Completed => {
                let at = At { translation: machine.translation(terms, &path.state), instance: 0 };
                Some(seen(&case.program, &mut |expr| scheduled.evaluator.value(path.state.memory.value(at, expr))))
            }
        };
        Ok((res, scheduled.choices))
    })?;
    Ok(paths.map(|it| (it.iter().flatten().cloned().collect(), it.len())))
}

fn interleavings(case: &Case, counts: &RefCell<[usize; 3]>) -> Result<(), String> {
    let runs = all(|schedule| {
        let run = concrete::run(&case.program, case.semantics, &case.valuation, schedule, MOVES);
        let choices = run.choices.clone();
        Ok((run, choices))
    })?;
    let Some(runs) = runs else { return Ok(()) };
    let expected: BTreeSet<Seen> = runs.iter().filter_map(|it| seen_of_run(case, it)).collect();
    if expected.contains("out of steps") {
        return Ok(());
    }
    let terms = Terms::new();
    let most = runs.iter().max_by_key(|it| it.valuation.heap.objects.len());
    let Some(most) = most else { return Ok(()) };
    let model = model_of(case, &terms, &case.valuation, most);
    let full = seen_of_paths(case, Traces::default(), false, &terms, &model)?;
    let reduced = seen_of_paths(case, Traces::default(), true, &terms, &model)?;
    let forward = seen_of_paths(case, Forward::new(Updates::Stores), true, &terms, &model)?;
    let (Some((full, n_full)), Some((reduced, n_reduced)), Some((forward, _))) = (full, reduced, forward) else {
        return Err("there are more paths than runs".to_owned());
    };
    for (name, set) in [("all paths", &full), ("reduced paths", &reduced), ("reduced forward paths", &forward)] {
        if *set != expected {
            let only: Vec<_> = set.symmetric_difference(&expected).collect();
            return Err(format!("{name} and runs do not show the same: {only:#?}"));
        }
    }
    if n_full != runs.len() || n_reduced > n_full {
        return Err(format!("{} runs, {n_full} paths, {n_reduced} reduced", runs.len()));
    }
    let mut counts = counts.borrow_mut();
    counts[0] += n_full;
    counts[1] += n_reduced;
    counts[2] += usize::from(expected.len() > 1);
    Ok(())
}

#[test]
fn every_interleaving_is_found_and_reduction_keeps_every_end() {
    let counts = RefCell::new([0, 0, 0]);
    check(Layer::Threads, 150, &|case| interleavings(case, &counts));
    let [full, reduced, racy] = counts.into_inner();
    assert!(reduced < full && racy > 20, "{full} {reduced} {racy}");
}
