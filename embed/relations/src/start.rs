//! How large the database is at the start.
//!
//! Knows: numbers of rows. Never: rows.

use std::collections::BTreeMap;

/// How large the database is at the start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Start {
    every: usize,
    of: BTreeMap<String, usize>,
}

impl Start {
    /// Up to `rows` rows in every table.
    pub fn rows_of_all(rows: usize) -> Start {
        Start { every: rows, of: BTreeMap::new() }
    }

    /// Up to `rows` rows in this table.
    #[must_use]
    pub fn with(mut self, table: &str, rows: usize) -> Start {
        self.of.insert(table.to_ascii_lowercase(), rows);
        self
    }

    /// How many this table has at most.
    pub fn rows(&self, table: &str) -> usize {
        self.of.get(&table.to_ascii_lowercase()).copied().unwrap_or(self.every)
    }
}
