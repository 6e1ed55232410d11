//! The paper's language: from the text of a `.oo` file to a checked [`effigy_heap::Program`].
//!
//! Knows: classes, contracts, ghost statements. Never: terms, verification, files, the terminal.
//! Source: Smans, Jacobs, Piessens (2010), figure 4 and the sugar of section 4.
