//! What the random programs and inputs are like: without this, no property says anything.

use super::generate::{LAYERS, Layer};
use super::harness::check;
use super::theorems::run_of;
use effigy_oo::run::concrete::{End, Fault};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// How often something happened, of how many runs.
fn tally(layer: Layer) -> (BTreeMap<&'static str, usize>, usize) {
    let (seen, runs) = (RefCell::new(BTreeMap::new()), RefCell::new(0));
    check(layer, 300, &|case| {
        let run = run_of(case, &case.valuation);
        let mut seen = seen.borrow_mut();
        *runs.borrow_mut() += 1;
        let mut count = |name| *seen.entry(name).or_insert(0) += 1;
        count(match run.end {
            End::Completed => "completed",
            End::AssumptionFailed => "assumption",
            End::OutOfSteps if case.moves < super::harness::MOVES => "prefix",
            End::OutOfSteps => "endless",
            End::Fault { fault, .. } => match fault {
                Fault::NilDereference => "nil",
                Fault::OutOfBounds => "bounds",
                Fault::DivisionByZero => "division",
                Fault::NegativeSize => "size",
                Fault::Assertion => "assertion",
                Fault::Unfit => return Err("the program is not well-typed".to_owned()),
            },
        });
        if run.branches.len() > 1 {
            count("several tests");
        }
        if run.valuation.heap.objects.len() > case.valuation.heap.objects.len() + 1 {
            count("several creations");
        }
        if run.frames.len() > 2 {
            count("ended in a recursion");
        }
        if run.choices.len() > 1 {
            count("several choices of threads");
        }
        Ok(())
    });
    (seen.into_inner(), runs.into_inner())
}

/// At least so many percent of the runs of a layer.
const COMMON: &[(Layer, &str, usize)] = &[
    (Layer::Basic, "completed", 50),
    (Layer::Basic, "several tests", 40),
    (Layer::Basic, "division", 2),
    (Layer::Basic, "assertion", 1),
    (Layer::Arrays, "completed", 25),
    (Layer::Arrays, "bounds", 8),
    (Layer::Procedures, "completed", 25),
    (Layer::Procedures, "ended in a recursion", 1),
    (Layer::Objects, "completed", 20),
    (Layer::Objects, "nil", 10),
    (Layer::Objects, "several creations", 4),
    (Layer::Objects, "several tests", 40),
    (Layer::Threads, "completed", 15),
    (Layer::Threads, "several choices of threads", 30),
];

#[test]
fn what_matters_is_common() {
    for layer in LAYERS {
        let (seen, runs) = tally(layer);
        for (_, name, percent) in COMMON.iter().filter(|it| it.0 == layer) {
            let found = seen.get(name).copied().unwrap_or(0) * 100 / runs;
            assert!(found >= *percent, "{layer:?}: {found} percent {name}, of {runs}: {seen:?}");
        }
    }
}
