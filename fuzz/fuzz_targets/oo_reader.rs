//! Any text is a program or a list of errors with places; a program can be executed.
#![no_main]

use effigy_contracts::concrete::{ConcreteBudget, run};
use effigy_oo::read;
use effigy_oo::run::concrete::{self, Valuation};
use effigy_oo::run::program::Semantics;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match read("fuzz.oo", text) {
        Ok(reading) => {
            if let Some(main) = reading.main {
                // Whatever comes of it: no panic.
                let _ = run(&reading.program, main, &[], ConcreteBudget::of(2_000));
            }
        }
        Err(errors) => {
            assert!(!errors.is_empty());
            assert!(errors.iter().all(|it| it.span.line >= 1 && it.span.column >= 1 && !it.message.is_empty()));
        }
    }
    match effigy_oo::run::read("fuzz.oo", text) {
        Ok(program) => {
            let _ = concrete::run(&program, Semantics::default(), &Valuation::default(), &[], 2_000);
        }
        Err(errors) => {
            assert!(!errors.is_empty());
            assert!(errors.iter().all(|it| it.span.line >= 1 && it.span.column >= 1 && !it.message.is_empty()));
        }
    }
});
