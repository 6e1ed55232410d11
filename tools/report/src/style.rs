//! How words are marked on a terminal.
//!
//! Knows: the terminal's codes. Never: what is marked.

/// Marks words with colour and weight, or leaves them plain.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style {
    /// Whether the terminal's colour codes are written.
    pub colour: bool,
}

impl Style {
    /// Marks the text as an error.
    pub fn error(self, text: &str) -> String {
        self.wrap("1;31", text)
    }

    /// Marks the text as a heading.
    pub fn strong(self, text: &str) -> String {
        self.wrap("1", text)
    }

    /// Marks the text as less important.
    pub fn faint(self, text: &str) -> String {
        self.wrap("2", text)
    }

    fn wrap(self, code: &str, text: &str) -> String {
        if self.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}
