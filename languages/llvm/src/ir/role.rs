//! What a block is to a condition or a loop, as far as its label says.
//!
//! Knows: clang's names (`if.then`, `land.rhs12`). Never: what a block does. A module whose names were discarded has none.

/// What a block is to the branch that leads to it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum BlockRole {
    /// Nothing that its label says.
    #[default]
    Other,
    /// The way on where a condition holds.
    Holds,
    /// The way on where a condition does not hold.
    Fails,
    /// The next part of a condition.
    Part,
    /// One of the two values of `? :`.
    Choice,
}

impl BlockRole {
    /// That of a label.
    pub fn of_label(label: &str) -> BlockRole {
        match label.trim_end_matches(|it: char| it.is_ascii_digit()) {
            "if.then" | "while.body" | "for.body" | "do.body" => BlockRole::Holds,
            "if.else" | "if.end" | "while.end" | "while.exit" | "for.end" | "for.cond.cleanup" | "do.end" => {
                BlockRole::Fails
            }
            "cond.true" | "cond.false" => BlockRole::Choice,
            "land.lhs.true" | "land.rhs" | "land.end" | "lor.lhs.false" | "lor.rhs" | "lor.end" => BlockRole::Part,
            _ => BlockRole::Other,
        }
    }
}
