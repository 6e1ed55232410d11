//! What a person chooses before a program runs.
//!
//! Knows: the treatments of arrays and assertions, the width of integers. Never: the program.

/// How arrays with symbolic subscripts are treated (King 1976, section 9).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Arrays {
    /// "An exhaustive case analysis": a path for each element that may be meant.
    Cases,
    /// "Storing conditional values": one path, whose values say when they are which.
    #[default]
    Conditional,
}

/// The meaning of the statement ASSERT.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Asserts {
    /// As a check, like `PROVE`.
    #[default]
    Checked,
    /// As a cut point of a proof: the first is assumed, the next must hold and ends the path (section 8).
    Cuts,
}

/// How a program is executed.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The treatment of arrays with symbolic subscripts.
    pub arrays: Arrays,
    /// The bits of machine integers, 2 to 4096; numbers are unbounded without.
    pub width: Option<u32>,
    /// The meaning of the statement ASSERT.
    pub asserts: Asserts,
}
