//! The integration tests of this crate, in one program: it is linked once.

mod common;
mod hostile;
mod kills;
mod one_list;
mod refusals;
mod simulated;
mod tls;
