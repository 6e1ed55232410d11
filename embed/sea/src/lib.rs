//! A symbolic database under an application of axum and sea-orm.
//!
//! Knows: sea-orm's connection, axum's router, the session of a path. Never: what an application is about.
//! Source: Near and Jackson 2014, section 2 (Rubicon); Near and Jackson, Derailer (ASE 2014) and SPACE (ICSE 2016) for
//! exposures and their patterns.
//!
//! The application is not changed: it is given a connection whose driver answers from symbolic tables. Every path is a
//! run of the real handlers, and every path is run again on SQLite in memory; where the answers differ, the fault is ours
//! and the report says so.

mod values;

mod mock_driver;

pub mod formula;

mod exposure;

pub mod sym;

pub mod path;

mod sqlite;

mod constraint_errors;

pub mod world;

pub mod report;

pub mod exposures;

pub use exposure::Exposure;
pub use exposures::{Exposures, Pattern};
pub use formula::Formula;
pub use path::{Answer, Path, Row};
pub use report::Report;
pub use sym::Sym;
pub use world::World;

/// Whether comparisons of values that the application was sent are seen: it was compiled by `cargo effigy test`.
pub fn watches() -> bool {
    effigy_watch::is_on()
}
