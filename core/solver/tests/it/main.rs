//! The integration tests of this crate, in one program: it is linked once.

mod answers_of_solvers;
mod arrays;
mod backends;
mod floats;
mod implied;
mod layers;
mod linear;
mod local;
mod model_minimization;
mod narrowing;
mod orders;
mod powers;
mod prover;
mod words;
