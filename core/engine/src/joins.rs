//! Which paths become one, of those that meet and can.
//!
//! Knows: names. Never: how it is found out.

/// Which of the states become one that stand at the same place.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Joins {
    /// All that can.
    #[default]
    Always,
    /// Those at which the program says so.
    Marked,
    /// Those that differ in nothing that is soon asked of.
    Heuristic,
}
