//! How words are marked on a terminal.
//!
//! Knows: the terminal's codes. Never: what is marked.

/// How words are marked.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style {
    /// With the terminal's colours.
    pub colour: bool,
}

impl Style {
    /// Marked as wrong.
    pub fn error(self, text: &str) -> String {
        self.wrap("1;31", text)
    }

    /// Marked as a heading.
    pub fn strong(self, text: &str) -> String {
        self.wrap("1", text)
    }

    /// Marked as less important.
    pub fn faint(self, text: &str) -> String {
        self.wrap("2", text)
    }

    fn wrap(self, code: &str, text: &str) -> String {
        if self.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}
