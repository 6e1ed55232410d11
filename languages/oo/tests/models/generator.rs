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

#[test]
fn every_end_is_common() {
    for layer in LAYERS {
        let (seen, runs) = tally(layer);
        let percent = |name| seen.get(name).copied().unwrap_or(0) * 100 / runs;
        assert!(percent("completed") >= 15, "{layer:?} {seen:?}");
        assert!(percent("several tests") >= 20, "{layer:?} {seen:?}");
    }
}
