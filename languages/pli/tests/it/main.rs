//! The integration tests of this crate, in one program: it is linked once.

mod asked;
mod commutes;
mod concolic;
mod hostile;
mod merged;
mod printed;
mod reader;
mod replayed;
mod saved_states;
mod semantics;
mod sound;
