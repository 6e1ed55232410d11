//! The integration tests of this crate, in one program: it is linked once.

mod annotations;
mod bad_input;
mod bmc_invariants;
mod bmc_shared;
mod builds;
mod cargo;
mod common;
mod concolic;
mod damaged;
mod debug;
mod feasible;
mod fleet;
mod fuzz;
mod fuzz_processes;
mod json;
mod oracle_c;
mod oracle_exceptions;
mod oracle_floats;
mod project;
mod prove;
mod random_c;
mod resume;
mod run_fleet;
mod schema;
mod shell;
mod verify_hostile;
