//! Pictures of execution trees: King's figures, and what holds for every tree.

mod figures;
mod mutated;
mod properties;
mod samples;
mod tables;
