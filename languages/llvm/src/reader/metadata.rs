//! Debug metadata: the four kinds that a source position needs.
//!
//! Knows: `!N = !DILocation(...)` and its like. Never: what else metadata may say; it is skipped by the line.

use super::{Reader, Result};
use crate::ir::Metadata;

impl Reader<'_> {
    /// A line that starts with `!`.
    pub(super) fn metadata_line(&mut self) -> Result<()> {
        let start = self.cursor.position();
        self.cursor.skip_line();
        let line = self.cursor.since(start);
        if let Some((number, metadata)) = parse(line) {
            self.module.metadata.insert(number, metadata);
        }
        Ok(())
    }
}

fn parse(line: &[u8]) -> Option<(u32, Metadata)> {
    let rest = line.strip_prefix(b"!")?;
    let digits = rest.iter().take_while(|it| it.is_ascii_digit()).count();
    let number: u32 = std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()?;
    let rest = rest[digits..].strip_prefix(b" = ")?;
    let rest = rest.strip_prefix(b"distinct ").unwrap_or(rest).strip_prefix(b"!DI")?;
    let open = memchr::memchr(b'(', rest)?;
    let fields = &rest[open..];
    let metadata = match &rest[..open] {
        b"Location" => Metadata::Location {
            line: field(fields, b"line: ").unwrap_or(0),
            column: field(fields, b"column: ").unwrap_or(0),
            scope: field(fields, b"scope: !")?,
            inlined_at: field(fields, b"inlinedAt: !"),
        },
        b"Subprogram" => Metadata::Subprogram {
            name: text(fields, b"name: \"")?,
            file: field(fields, b"file: !"),
            line: field(fields, b"line: ").unwrap_or(0),
        },
        b"LexicalBlock" | b"LexicalBlockFile" => {
            Metadata::Block { scope: field(fields, b"scope: !")?, file: field(fields, b"file: !") }
        }
        b"File" => Metadata::File {
            name: text(fields, b"filename: \"")?,
            directory: text(fields, b"directory: \"").unwrap_or_default(),
        },
        _ => return None,
    };
    Some((number, metadata))
}

/// The start of a field's value: `key` after `(` or `, `.
fn value<'a>(fields: &'a [u8], key: &[u8]) -> Option<&'a [u8]> {
    let mut from = 0;
    loop {
        let at = from + memchr::memmem::find(&fields[from..], key)?;
        if at > 0 && matches!(fields[at - 1], b'(' | b' ') {
            return Some(&fields[at + key.len()..]);
        }
        from = at + 1;
    }
}

fn field(fields: &[u8], key: &[u8]) -> Option<u32> {
    let rest = value(fields, key)?;
    let digits = rest.iter().take_while(|it| it.is_ascii_digit()).count();
    std::str::from_utf8(&rest[..digits]).ok()?.parse().ok()
}

fn text(fields: &[u8], key: &[u8]) -> Option<std::rc::Rc<str>> {
    let rest = value(fields, key)?;
    let end = memchr::memchr(b'"', rest)?;
    Some(String::from_utf8_lossy(&rest[..end]).into())
}
