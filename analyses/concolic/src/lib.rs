//! Concolic execution: a program is executed on a real input and on symbols at once, and what is learnt of the path
//! that it takes leads to inputs that take others.
//!
//! Knows: one run with its path condition (`run`), the inputs that leave it (`expand`), SAGE's search over inputs
//! (`generational`), inputs that are bytes (`whitebox`). Never: a language, a native program, files, the terminal.
//! Source: Godefroid, Levin, Molnar 2008, "Automated whitebox fuzz testing".

pub mod expand;
pub mod generational;
pub mod key;
pub mod run;
pub mod whitebox;
pub mod why;

pub use expand::{Child, Config, Expander, Expansion, Layer};
pub use generational::{Campaign, Generated, Tried, generate_inputs};
pub use key::Key;
pub use run::{Limits, Run, concolic};
pub use whitebox::{ByteChild, ByteExpansion, ByteLayout, ByteParts, Whitebox};
pub use why::Why;
