//! The two models on the same decisions: equivalent path conditions, the same ends, however feasibility is asked for.

use super::follow::{Again, Answer, Decide, SymbolicEnd, follow};
use super::generate::LAYERS;
use super::harness::{Case, check};
use super::inputs;
use super::theorems::{OTHERS, holds, machine, model_of, path_of, run_of};
use effigy_oo::run::concrete::{End, Fault};
use effigy_oo::run::forward::{Forward, Updates};
use effigy_oo::run::machine::{Errors, Machine, Options};
use effigy_oo::run::memory::Memory;
use effigy_oo::run::obligation;
use effigy_oo::run::traces::Traces;
use effigy_term::{Model, Term, Terms};
use std::rc::Rc;

/// The input of a case and inputs beside it.
fn models(case: &Case, terms: &Terms) -> Vec<Model> {
    let other = |number| inputs::changed(&case.program, &case.valuation, case.seed * OTHERS + number);
    let valuations = [case.valuation.clone()].into_iter().chain((0..OTHERS).map(other));
    valuations.map(|it| model_of(case, terms, &it, &run_of(case, &it))).collect()
}

/// Two conditions are true of the same inputs.
fn equivalent(terms: &Terms, models: &[Model], one: &[Term], other: &[Term]) -> Result<(), String> {
    for (at, model) in models.iter().enumerate() {
        let (one, other) = (holds(terms, model, one)?, holds(terms, model, other)?);
        if one != other {
            return Err(format!("the conditions are {one} and {other} for input {at}"));
        }
    }
    Ok(())
}

fn same_condition(case: &Case) -> Result<(), String> {
    let terms = Terms::new();
    let models = models(case, &terms);
    let forward = path_of(case, &machine(case, Forward::new(Updates::Stores)), &terms, &models[0])?;
    let again = |answers| -> Box<dyn Decide> { Box::new(Again::new(answers)) };
    let conditional = machine(case, Forward::new(Updates::Conditional));
    let conditional = follow(&conditional, &terms, &mut *again(&forward.answers), case.moves)?;
    let traces = machine(case, Traces::default());
    let path = follow(&traces, &terms, &mut *again(&forward.answers), case.moves)?;
    if forward.end != path.end || forward.end != conditional.end {
        return Err(format!("the ends are {:?}, {:?}, {:?}", forward.end, conditional.end, path.end));
    }
    equivalent(&terms, &models, &forward.phi, &conditional.phi)?;
    equivalent(&terms, &models, &forward.phi, &path.phi)?;
    // Definition 4.2; what ended the path is not in ρ.
    let own = path.state.memory.condition(traces.translation(&terms, &path.state));
    let own = own.ok_or("traces have a path condition of their own")?;
    match path.end {
        SymbolicEnd::Completed | SymbolicEnd::OutOfSteps => equivalent(&terms, &models, &path.phi, &[own]),
        SymbolicEnd::Dropped => {
            // An assumption that is false whatever the input is, is not asked about.
            let asked = path.answers.last() == Some(&Answer::Assumed(false));
            equivalent(&terms, &models, &path.phi[..path.phi.len() - usize::from(asked)], &[own])
        }
        SymbolicEnd::Fault(..) => equivalent(&terms, &models, &[path.phi.as_slice(), &[own]].concat(), &path.phi),
    }
}

/// Where errors are excluded, exactly the inputs with errors are dropped; assertions are no such errors.
fn excluded<M: Memory>(case: &Case, start: M) -> Result<(), String> {
    let (terms, run) = (Terms::new(), run_of(case, &case.valuation));
    let model = model_of(case, &terms, &case.valuation, &run);
    let options = Options { semantics: case.semantics, errors: Errors::Exclude, ..Options::default() };
    let machine = Machine::new(Rc::clone(&case.program), start, options);
    let path = path_of(case, &machine, &terms, &model)?;
    let same = match run.end {
        End::Fault { fault: Fault::Assertion, .. } => matches!(path.end, SymbolicEnd::Fault(obligation::ASSERTION, _)),
        End::Fault { .. } | End::AssumptionFailed => path.end == SymbolicEnd::Dropped,
        End::Completed => path.end == SymbolicEnd::Completed,
        End::OutOfSteps => path.end == SymbolicEnd::OutOfSteps,
    };
    if same { Ok(()) } else { Err(format!("the run ends with {:?}, the path with {:?}", run.end, path.end)) }
}

#[test]
fn inputs_with_errors_are_excluded_and_no_others() {
    for layer in LAYERS {
        check(layer, 80, &|case| excluded(case, Forward::new(Updates::Stores)));
        check(layer, 80, &|case| excluded(case, Traces::default()));
    }
}

#[test]
fn both_models_have_equivalent_path_conditions() {
    for layer in LAYERS {
        check(layer, 200, &same_condition);
    }
}
