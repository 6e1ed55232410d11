//! Policies of merging: which paths that meet become one.
//!
//! Knows: the names of the policies. Never: how a language carries them out.

/// The policy that says which states that stand at the same place are merged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Joins {
    /// All states that the language can merge.
    #[default]
    Always,
    /// States at places that the program marks for merging.
    Marked,
    /// States whose differences do not reach the conditions that are asked about soon, as the language estimates it.
    Heuristic,
}
