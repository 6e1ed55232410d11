//! Any bytes are a script or refused at a place; what is asked is answered, and every model that is shown satisfies what
//! was asserted.
#![no_main]

use effigy_smtlib::{QueryForm, ReadLimits, Reader, Script, ScriptSession};
use effigy_solver::{Backend, QueryBudget, SolverConfig, chain};
use effigy_term::Terms;
use libfuzzer_sys::fuzz_target;
use std::time::Duration;

fuzz_target!(|bytes: &[u8]| {
    let config = SolverConfig { backend: Backend::Bits, ..SolverConfig::default() };
    let terms = Terms::new();
    let mut solver = chain(&config);
    let budget = QueryBudget { steps: Some(1000), time: Some(Duration::from_secs(1)) };
    let session = ScriptSession::new(&terms, &mut *solver, budget, QueryForm::Grown);
    let limits = ReadLimits { terms: 100_000, ..ReadLimits::default() };
    let mut script = Script::new(Reader::new(&terms, limits), session);
    if let Err(error) = script.feed(bytes, &mut |_| {}) {
        let lines = 1 + bytes.iter().filter(|it| **it == b'\n').count();
        assert!(error.place.line >= 1 && error.place.line <= lines, "{error}");
        assert!(!error.to_string().contains("a bug of the solver"), "{error}");
    }
});
