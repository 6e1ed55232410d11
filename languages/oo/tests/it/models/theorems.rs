//! Correctness and completeness, without a solver: an input decides what happens at each question.

use super::agreement::{Pair, no_locals, start_only};
use super::follow::{ByValuation, Followed, follow};
use super::generate::{LAYERS, Layer};
use super::harness::{Case, check};
use super::{inputs, show};
use effigy_engine::{Context, Coverage, Inputs, Notes};
use effigy_oo::run::concrete::{End, Run, Valuation, run};
use effigy_oo::run::forward::{Forward, Updates};
use effigy_oo::run::machine::{Machine, Options};
use effigy_oo::run::memory::Memory;
use effigy_oo::run::program::Semantics;
use effigy_oo::run::traces::Traces;
use effigy_oo::run::vocabulary::ProgramSymbols;
use effigy_term::eval::Evaluator;
use effigy_term::{Model, Term, Terms};
use std::rc::Rc;

/// The symbols of a program.
pub fn words(case: &Case, terms: &Terms) -> ProgramSymbols {
    let (mut coverage, mut notes) = (Coverage::new(0), Notes::default());
    let ctx = Context::new(terms, &Inputs::Symbolic, &mut coverage, &mut notes);
    ProgramSymbols::new(&case.program, &ctx)
}

pub fn run_of(case: &Case, valuation: &Valuation) -> Run {
    run(&case.program, case.semantics, valuation, &case.schedule, case.moves)
}

pub fn model_of(case: &Case, terms: &Terms, valuation: &Valuation, run: &Run) -> Model {
    let created = run.valuation.heap.objects.len() - valuation.heap.objects.len();
    inputs::model_of(terms, &case.program, &words(case, terms), valuation, created)
}

pub fn machine<M: Memory>(case: &Case, start: M) -> Machine<M> {
    let options = Options { semantics: case.semantics, ..Options::default() };
    Machine::new(Rc::clone(&case.program), start, options)
}

/// The path of a case's input.
pub fn path_of<M: Memory>(
    case: &Case,
    machine: &Machine<M>,
    terms: &Terms,
    model: &Model,
) -> Result<Followed<M>, String> {
    follow(machine, terms, &mut ByValuation::new(terms, model, &case.schedule), case.moves)
}

/// Theorems 2.4 and 3.6: for ⟨S, V0⟩ →* ⟨S', V⟩ there is ⟨S, id, true⟩ →* ⟨S', σ, φ⟩ with V0(φ) and V = V0 ∘ σ. The path
/// is found by asking V0; that it is φ's conjuncts that are true is how it is found.
fn completeness<M: Memory>(case: &Case, start: M) -> Result<(), String> {
    let (terms, machine) = (Terms::new(), machine(case, start));
    let run = run_of(case, &case.valuation);
    let model = model_of(case, &terms, &case.valuation, &run);
    let path = path_of(case, &machine, &terms, &model)?;
    let valuation = &case.valuation;
    let pair = Pair { machine: &machine, terms: &terms, valuation, model: &model, run: &run, path: &path };
    pair.same_path()?;
    pair.same_state(case.seed)
}

/// Theorems 2.3 and 3.5: if V(φ) then ⟨S, V⟩ →* ⟨S', V ∘ σ⟩, for inputs other than the one that found the path. And if
/// not V(φ), the run goes elsewhere.
fn correctness<M: Memory>(case: &Case, start: M) -> Result<(), String> {
    let (terms, machine) = (Terms::new(), machine(case, start));
    let first = run_of(case, &case.valuation);
    let model = model_of(case, &terms, &case.valuation, &first);
    let path = path_of(case, &machine, &terms, &model)?;
    for number in 0..OTHERS {
        let valuation = inputs::changed(&case.program, &case.valuation, case.seed * OTHERS + number);
        let run = run_of(case, &valuation);
        let model = model_of(case, &terms, &valuation, &run);
        let pair =
            Pair { machine: &machine, terms: &terms, valuation: &valuation, model: &model, run: &run, path: &path };
        let res = if holds(&terms, &model, &path.phi)? {
            pair.same_path().and_then(|()| pair.same_state(case.seed))
        } else if same_tests(&run, &first) {
            Err("an input goes the path, and its φ does not hold".to_owned())
        } else {
            Ok(())
        };
        res.map_err(|why| format!("{why}, for\n    {}", show::valuation(&case.program, &valuation)))?;
    }
    Ok(())
}

/// Whether two runs go the same path, as far as can be seen: which of a statement's expressions has no value is not.
fn same_tests(one: &Run, other: &Run) -> bool {
    let seen = |it: &'_ Run| (it.end, it.branches.clone(), it.choices.clone(), it.steps);
    seen(one) == seen(other) && !matches!(one.end, End::Fault { .. })
}

/// Inputs beside the one that found a path.
pub const OTHERS: u64 = 4;

/// The truth of conjuncts of which each has a value where those before it hold.
pub fn holds(terms: &Terms, model: &Model, conjuncts: &[Term]) -> Result<bool, String> {
    let mut evaluator = Evaluator::new(terms, model);
    for &it in conjuncts {
        match evaluator.truth(it) {
            Some(true) => {}
            Some(false) => return Ok(false),
            None => return Err("a conjunct has no value, and those before it hold".to_owned()),
        }
    }
    Ok(true)
}

#[test]
fn theorems_2_4_and_3_6_completeness() {
    for layer in LAYERS {
        check(layer, 250, &|case| {
            completeness(case, Forward::new(Updates::Stores))?;
            completeness(case, Forward::new(Updates::Conditional))?;
            completeness(case, Traces::default())
        });
    }
}

/// Proposition 3.1 and corollary 3.2: neither σ and τ nor φ contain local variables; nor does what a trace gives.
fn no_local_variables(case: &Case) -> Result<(), String> {
    let (terms, run) = (Terms::new(), run_of(case, &case.valuation));
    let model = model_of(case, &terms, &case.valuation, &run);
    let (forward, traces) = (machine(case, Forward::new(Updates::Stores)), machine(case, Traces::default()));
    let path = path_of(case, &forward, &terms, &model)?;
    for (_, term) in path.state.memory.substitution() {
        no_locals(&terms, term)?;
    }
    for (key, value) in path.state.memory.updates().into_iter().flat_map(|it| it.1) {
        no_locals(&terms, key.first)?;
        no_locals(&terms, value)?;
    }
    path.phi.iter().try_for_each(|it| start_only(&terms, *it))?;
    let path = path_of(case, &traces, &terms, &model)?;
    let own = path.state.memory.condition(traces.translation(&terms, &path.state));
    path.phi.iter().chain(&own).try_for_each(|it| start_only(&terms, *it))
}

#[test]
fn proposition_3_1_and_corollary_3_2_no_local_variables() {
    for layer in [Layer::Procedures, Layer::Objects, Layer::Threads] {
        check(layer, 200, &no_local_variables);
    }
}

/// -1 - (-1 - n[1]) is n[1], which was substituted again.
#[test]
fn a_substitution_is_not_applied_to_its_own_result() {
    let text = "nat -> int n;\n|n| = 2;\nn[1] := -1 - n[1];\nn[1] := -1 - n[1];\n";
    let program = Rc::new(effigy_oo::run::read("twice.oo", text).expect("it is read"));
    for seed in 0..50 {
        let (valuation, semantics) = (inputs::valuation(&program, seed), Semantics::default());
        let case = Case { program: Rc::clone(&program), semantics, valuation, schedule: Vec::new(), moves: 10, seed };
        completeness(&case, Traces::default()).unwrap_or_else(|it| panic!("{it}"));
        completeness(&case, Forward::new(Updates::Stores)).unwrap_or_else(|it| panic!("{it}"));
    }
}

#[test]
fn theorems_2_3_and_3_5_correctness() {
    for layer in LAYERS {
        check(layer, 150, &|case| {
            correctness(case, Forward::new(Updates::Stores))?;
            correctness(case, Traces::default())
        });
    }
}
