//! One rule, one test. Programs are built by hand: no reader stands between a rule and its test.

mod builders;
mod expressions;
mod statements;
mod threads;
