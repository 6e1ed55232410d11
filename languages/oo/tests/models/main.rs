//! The theorems of the paper as properties of random programs on random inputs.
//!
//! Source: de Boer and Bonsangue 2021.

mod agreement;
mod explored;
mod follow;
mod generate;
mod generator;
mod harness;
mod inputs;
mod interleavings;
mod lemmas;
mod numbers;
mod reader;
mod same_paths;
mod show;
mod shrink;
mod text;
mod theorems;
mod trace_runs;
