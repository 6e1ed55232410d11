//! Mutants of the verified examples: none verifies, except those that are named with the reason why they may.

use effigy_contracts::concrete::{ConcreteBudget, run};
use effigy_oo::read;
use effigy_programs::mutation::{Contracts, mutation};
use effigy_programs::{cases, verification};
use effigy_verify::{Config, Program};

struct Oo;

impl Contracts for Oo {
    fn read(&self, text: &str) -> Option<Program> {
        read("mutant.oo", text).ok().map(|it| it.program)
    }

    fn config(&self) -> Config {
        verification::config(100_000, 2_000_000, verification::ALL)
    }

    /// The main routine runs with its contracts checked.
    fn goes_wrong(&self, text: &str) -> Option<String> {
        let reading = read("mutant.oo", text).ok()?;
        let error = run(&reading.program, reading.main?, &[], ConcreteBudget::of(200_000)).err()?;
        error.kind.is_failure().then(|| error.to_string())
    }
}

#[test]
fn no_mutant_verifies_that_is_not_equivalent() {
    mutation(&Oo, "corpus/oo/verified", "corpus/oo/mutants/survivors.txt", cases(60) as usize);
}
