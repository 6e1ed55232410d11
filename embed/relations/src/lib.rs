//! A symbolic database: SQL on bounded tables whose rows may be there or not.
//!
//! Knows: schemas, statements of SQL as SQLite reads them, rows whose presence is a condition and whose cells are terms.
//! Never: an object-relational mapper, a connection, a session (whom it asks is [`Questions`]), a test.
//! Source: Near and Jackson 2014, section 2.3 (the database is symbolic); Kodkod (bounded relations).
//!
//! What a statement is about is a term. Only what is sent to the program forks: whether a row is in the result, in the
//! order of rows; then the order of those that are in; then their finite cells. What is decided on a path is not asked
//! again. What is not in the subset is refused with the statement and the place, and never an empty result.

mod ask;
mod bounds;
pub mod value;

pub mod text;

pub mod logic;

pub mod schema;

mod ddl;

pub mod error;

mod cells;
mod names;
mod start;

pub mod database;

mod aggregate;
mod expression;
mod functions;
mod order;
mod scope;
mod select;

mod concretize;
mod sentinels;
mod violation;
mod write;

mod open;

pub use ask::Questions;
pub use database::{Database, Outcome};
pub use error::{Refusal, SqlError, Violation};
pub use schema::{Column, ForeignKey, Kind, Schema, Table};
pub use start::Start;
pub use value::{Const, Data, SentValue, Val};
