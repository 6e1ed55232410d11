//! A session: a closure of the program's own language is run again for each of its paths.
//!
//! Knows: terms, questions, prefixes of decisions, limits. Never: a type of the user's program, the language that it is
//! written in, what a test is.
//! Source: Near and Jackson 2014, section 2 (the program's own run does the execution); King 1976, section 4 (forking).
//!
//! A run is given the answers to its first questions by the run that it branches off, and carries a model of them. What
//! is asked beyond is answered by that model where it stands, without a solver, and each answer that was not given is
//! filed: it becomes a run of its own, if a solver finds a model of it.
//!
//! ```
//! use effigy_session::{Kind, Limits, Session, Verdict, explore};
//!
//! let account = explore(&Limits::default(), || {
//!     let session = Session::current();
//!     let x = session.fresh("x", Kind::unsigned(8));
//!     let terms = session.terms();
//!     let double = terms.bv_add(x, x);
//!     if session.decide(terms.bv_ult(x, terms.bv_u64(terms.width(x), 100))) {
//!         session.check(terms.bv_ule(x, double), "doubling makes no number smaller");
//!     }
//! });
//! assert_eq!(account.verdict(), Verdict::Passed);
//! assert_eq!(account.paths.ended, 2);
//! ```

pub mod account;
mod answers;
mod confirm;
mod current_session;
mod inspect;
pub mod kind;
pub mod language;
pub mod observed_comparisons;
mod panics;
mod pin;
pub mod place;
pub mod question;
mod registry;
mod run;
pub mod session;
mod sites;
mod sources;
mod surroundings;
mod walk;
mod watchdog;

pub use account::{Account, Failure, Limits, NamedValue, PathCounts, Verdict};
pub use effigy_engine::{PathName, Place, Trail, Valuation};
pub use effigy_term::{BvOp, BvValue, Model, Sort, Symbol, Term, Terms, Value, Width};
pub use effigy_walk::Search;
pub use kind::Kind;
pub use language::Program;
pub use observed_comparisons::ValueSplit;
pub use pin::Pin;
pub use place::place_text;
pub use question::{Answer, Purpose, Question};
pub use registry::SessionId;
pub use session::Session;
pub use sites::QuestionSite;
pub use walk::{RunEnd, RunEnding, explore, explore_confirmed, explore_with, run_on};
