//! The integration tests of this crate, in one program: it is linked once.

mod top;
mod toy;
