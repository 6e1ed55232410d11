//! The integration tests of this crate, in one program: it is linked once.

mod against_z3;
mod floats_against_z3;
mod hostile_scripts;
mod round_trip;
mod scripts;
