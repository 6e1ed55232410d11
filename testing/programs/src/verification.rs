//! How programs are verified in tests: within steps, which are the same on every machine, and without a clock.
//!
//! Knows: the budgets. Never: languages.

use effigy_solver::prover::ProverConfig;
use effigy_verify::{Config, Inference, MERGE_AFTER};
use effigy_walk::Search;
use std::sync::Arc;

/// Nothing is inferred; functions are unrolled on demand, as Viper's are.
pub const VIPER: Inference = Inference { contracts: false, close: 0, open: false, functions: true };

/// Everything that can be inferred is.
pub const ALL: Inference = Inference { contracts: true, close: 3, open: true, functions: true };

/// Nothing at all is inferred.
pub const NONE: Inference = Inference { contracts: false, close: 0, open: false, functions: false };

/// A verification of members in so many steps, in each of which the solver may spend so many of its own units.
pub fn config(steps: u64, solver_steps: u64, inference: Inference) -> Config {
    let smt = "z3 -in".to_owned();
    Config {
        prover: ProverConfig { smt, steps: solver_steps, local: true, interrupt: Arc::default() },
        errors: 1,
        steps,
        time: None,
        trace: false,
        counterexample: false,
        inference,
        merge_after: Some(MERGE_AFTER),
        search: Search::Dfs,
        seed: 1,
    }
}
