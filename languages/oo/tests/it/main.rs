//! The integration tests of this crate, in one program: it is linked once.

mod corpus;
mod hostile;
mod models;
mod mutants;
mod mutated;
mod printed;
mod run;
mod run_reader;
mod termination;
mod threads;
mod verdicts;
mod walked;
