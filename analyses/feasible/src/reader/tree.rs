//! A document of YAML as a tree with places.
//!
//! Knows: sequences, mappings, scalars. Never: what they mean; aliases (they could stand for any amount: they are refused).

use super::TraceError;
use saphyr_parser::{Event, Parser};

/// Nested at most this deep, and with at most so many nodes.
const MOST_DEPTH: usize = 64;
const MOST_NODES: usize = 2_000_000;

/// A node, and where it begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Node {
    pub(super) line: usize,
    pub(super) column: usize,
    pub(super) kind: Kind,
}

/// The content of a node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Scalar(String),
    Sequence(Vec<Node>),
    /// Keys and values in turn.
    Mapping(Vec<Node>),
}

impl Node {
    /// The value of a key.
    pub(super) fn get(&self, key: &str) -> Option<&Node> {
        let Kind::Mapping(parts) = &self.kind else { return None };
        let is_key = |it: &Node| matches!(&it.kind, Kind::Scalar(text) if text == key);
        parts.chunks_exact(2).find(|it| is_key(&it[0])).map(|it| &it[1])
    }

    /// The text of a scalar.
    pub(super) fn text(&self) -> Option<&str> {
        match &self.kind {
            Kind::Scalar(text) => Some(text),
            _ => None,
        }
    }

    /// The parts of a sequence.
    pub(super) fn parts(&self) -> &[Node] {
        match &self.kind {
            Kind::Sequence(parts) => parts,
            _ => &[],
        }
    }

    pub(super) fn error(&self, message: impl Into<String>) -> TraceError {
        TraceError::at(self.line, self.column, message)
    }
}

/// The first document of a text.
pub(super) fn read(text: &str) -> Result<Node, TraceError> {
    let mut open: Vec<Node> = Vec::new();
    let mut count = 0;
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| {
            TraceError::at(error.marker().line(), error.marker().col() + 1, error.info().to_owned())
        })?;
        let (line, column) = (span.start.line(), span.start.col() + 1);
        let begun = |kind| Node { line, column, kind };
        count += 1;
        if count > MOST_NODES || open.len() > MOST_DEPTH {
            return Err(TraceError::at(line, column, "this is nested too deep, or too long"));
        }
        let done = match event {
            Event::Scalar(text, ..) => begun(Kind::Scalar(text.into_owned())),
            Event::SequenceStart(..) => {
                open.push(begun(Kind::Sequence(Vec::new())));
                continue;
            }
            Event::MappingStart(..) => {
                open.push(begun(Kind::Mapping(Vec::new())));
                continue;
            }
            Event::SequenceEnd | Event::MappingEnd => match open.pop() {
                Some(node) => node,
                None => continue,
            },
            Event::Alias(_) => return Err(TraceError::at(line, column, "an alias (`*name`) is not taken")),
            _ => continue,
        };
        match open.last_mut().map(|it| &mut it.kind) {
            Some(Kind::Sequence(parts) | Kind::Mapping(parts)) => parts.push(done),
            _ => return Ok(done),
        }
    }
    Err(TraceError::at(1, 1, "there is no document in this file"))
}
