//! One rule, one test. Programs are built by hand: no reader stands between a rule and its test.

mod build;
mod expressions;
mod statements;
mod threads;
