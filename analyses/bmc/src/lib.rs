//! Bounded model checking: every path at once, merged where paths meet, with one solver for the whole run.
//!
//! Knows: loops are unwound up to a bound, what must hold is collected, and asked of the solver together; what the
//! solver says needs more is unwound further; several may share the questions. Never: a language, where results are
//! written.
//! Source: Strejček, IA159, "Bounded model checking" (workflow: bug, correct, or unknown up to the bound). Where others
//! begin again with a larger bound, paths wait at the bound and go on.

mod account;
mod ask;
mod confirm;
mod decide;
mod encoding;
mod every_round;
mod guesses;
mod houdini;
mod induct;
mod invariants;
mod obligations;
mod others;
mod paths;
mod unwind;

pub use account::{Account, Ended, Found, Needs, Property, Verdict, Words};
pub use confirm::again;
pub use encoding::{EncodedFormula, Encoding, VersionEquation};
pub use guesses::Bound;
pub use invariants::Invariant;
pub use others::{Others, Question, Told};
pub use unwind::{Config, Dump, Progress, check};
