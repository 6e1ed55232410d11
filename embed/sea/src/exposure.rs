//! Exposures: the columns that an answer shows, and to whom.
//!
//! Knows: names. Never: how it was found.

/// A column of a table that is shown, and to whom.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Exposure {
    /// The column that is shown: `opportunity.name`.
    pub what: String,
    /// The patterns that hold; none: nobody said that this may be seen.
    pub allowed_by: Vec<String>,
}

/// An exposure on one path.
#[derive(Clone, Debug)]
pub(crate) struct ExposedRow {
    pub(crate) exposure: Exposure,
    pub(crate) row: i64,
}
