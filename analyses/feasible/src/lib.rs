//! Abstract error traces: whether some input takes the steps that another tool reports, and if none does, the fewest of
//! them that contradict each other.
//!
//! Knows: paths that agree with given steps in their order, which of them goes on first, bounds. What other tools write is
//! read in a room of its own ([`reader`]). Never: questions of a language, the terminal.
//! Source: Ball and Rajamani 2001 (SLAM: an abstract error trace is checked for feasibility, and refined where there is
//! none); the walk is King's, along a guide.

pub mod minimal;
pub mod reader;
pub mod trace;
pub mod walk;

pub use minimal::{Core, core};
pub use trace::{Constraint, Relation, Step, Trace, is_same_file};
pub use walk::{Config, End, Found, Refused, Tools, Unknown, Verdict, feasible, fitted};
