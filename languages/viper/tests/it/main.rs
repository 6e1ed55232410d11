//! The integration tests of this crate, in one program: it is linked once.

mod assert_false;
mod check;
mod check_hostile;
mod check_program;
mod checks;
mod counterexamples;
mod hostile;
mod joins;
mod mutated;
mod parser;
mod sound;
mod sound_mutants;
mod walked;
