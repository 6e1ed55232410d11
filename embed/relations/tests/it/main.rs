//! The integration tests of this crate, in one program: it is linked once.

mod draw;
mod mutated;
mod oracle;
mod refused;
mod texts;
