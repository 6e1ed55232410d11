//! Many random programs, one property; a program that fails is made small and shown.

use super::generate::{self, Layer};
use super::numbers::Numbers;
use super::{inputs, show, shrink, text};
use effigy_oo::run::concrete::Valuation;
use effigy_oo::run::program::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

/// Inputs on which each program is tried.
pub const INPUTS: u64 = 3;

/// Moves of a run; most end before.
pub const MOVES: usize = 60;

/// A program with an input, a schedule and the paper's or the usual semantics.
pub struct Case {
    pub program: Rc<Program>,
    pub semantics: Semantics,
    pub valuation: Valuation,
    pub schedule: Vec<usize>,
    pub moves: usize,
    pub seed: u64,
}

impl Case {
    /// The program as it is read from its text.
    fn read(program: &Program, seed: u64) -> Result<Case, String> {
        let text = text::text(program, seed.is_multiple_of(2));
        let read = effigy_oo::run::read("random.oo", &text);
        read.map(|it| Case::new(&Rc::new(it), seed)).map_err(|it| format!("it is not read: {}", it[0]))
    }

    fn new(program: &Rc<Program>, seed: u64) -> Case {
        let mut numbers = Numbers::new(seed ^ 0x5EED);
        let valuation = inputs::valuation(program, seed);
        let schedule = (0..MOVES).map(|_| numbers.below(12)).collect();
        // A prefix of a run is one, too.
        let moves = if numbers.once_in(4) { numbers.below(MOVES / 2) } else { MOVES };
        let semantics = Semantics { paper: seed % 2 == 1 };
        Case { program: Rc::clone(program), semantics, valuation, schedule, moves, seed }
    }
}

/// Tries a property on `programs` random programs of a layer, with some inputs each.
pub fn check(layer: Layer, programs: u32, property: &dyn Fn(&Case) -> Result<(), String>) {
    for number in 0..u64::from(effigy_programs::cases(programs)) {
        let program = generate::program(layer, number);
        for input in 0..INPUTS {
            let seed = number * INPUTS + input;
            let fails = |program: &Program| {
                let tried = || Case::read(program, seed).and_then(|it| property(&it));
                match catch_unwind(AssertUnwindSafe(tried)) {
                    Ok(res) => res.err(),
                    Err(panic) => Some(format!("a panic: {}", message(&*panic))),
                }
            };
            if let Some(why) = fails(&program) {
                let (program, why) = shrink::smallest(program.clone(), why, &fails);
                panic!("{layer:?} {number}: {why}\n{}", shown(&program, seed));
            }
        }
    }
}

/// A program that failed, with its input.
fn shown(program: &Program, seed: u64) -> String {
    let text = text::text(program, seed.is_multiple_of(2));
    let Ok(case) = Case::read(program, seed) else { return text };
    let paper = if case.semantics.paper { "the paper's semantics" } else { "the usual semantics" };
    format!("{text}{paper}, {} moves\n    {}", case.moves, show::valuation(&case.program, &case.valuation))
}

fn message(panic: &dyn std::any::Any) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    text.or_else(|| panic.downcast_ref::<&str>().map(|it| (*it).to_owned())).unwrap_or_default()
}
