//! Reading traces: what other tools write, of any content.
//!
//! Knows: which format a text is in, how long one may be. Never: programs; files (the text is given).
//! Everything is bounded, and an error has its place.

mod plain;
mod sarif;
mod tree;
mod witness;

use crate::trace::Trace;

/// The most steps of a trace: each may have to be left out once.
pub const MOST_STEPS: usize = 20_000;

/// The most bytes of a file.
pub const MOST_BYTES: usize = 64 << 20;

/// The format of a trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TraceFormat {
    /// A code flow of SARIF 2.1.0.
    Sarif,
    /// A violation sequence of SV-COMP's witnesses 2.0, in YAML.
    Witness,
    /// A line `file:line[:T|F]` for each step.
    Plain,
}

/// Why a text is no trace.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct TraceError {
    /// The line of the error, from 1.
    pub line: usize,
    /// The column of the error, from 1.
    pub column: usize,
    /// The message: what is wrong there.
    pub message: String,
}

impl TraceError {
    fn at(line: usize, column: usize, message: impl Into<String>) -> TraceError {
        TraceError { line, column, message: message.into() }
    }
}

impl TraceFormat {
    /// The format that a text looks like.
    pub fn of(text: &str) -> TraceFormat {
        let start = text.trim_start_matches('\u{feff}').trim_start();
        let is_witness = || {
            let mut lines = text.lines().take(200).map(|it| it.trim_start_matches(['-', ' ', '\t']));
            lines.any(|it| it.starts_with("entry_type:") || it.starts_with("\"entry_type\":"))
        };
        match start.as_bytes().first() {
            Some(b'{') => TraceFormat::Sarif,
            _ if is_witness() => TraceFormat::Witness,
            _ => TraceFormat::Plain,
        }
    }
}

/// Reads a trace; of several in one file the one with the number `choice`, from 1.
///
/// # Errors
/// Where the text is none, with the place.
pub fn read(text: &[u8], format: Option<TraceFormat>, choice: usize) -> Result<Trace, TraceError> {
    if text.len() > MOST_BYTES {
        return Err(TraceError::at(1, 1, format!("a trace of more than {MOST_BYTES} bytes")));
    }
    let text = std::str::from_utf8(text).map_err(|error| {
        let before = &text[..error.valid_up_to()];
        let line = before.iter().filter(|it| **it == b'\n').count() + 1;
        let column = before.iter().rev().take_while(|it| **it != b'\n').count() + 1;
        TraceError::at(line, column, "this is no text in UTF-8")
    })?;
    let trace = match format.unwrap_or_else(|| TraceFormat::of(text)) {
        TraceFormat::Sarif => sarif::read(text, choice),
        TraceFormat::Witness => witness::read(text, choice),
        TraceFormat::Plain => plain::read(text, choice),
    }?;
    match trace.steps.len() {
        0 => Err(TraceError::at(1, 1, "there is no step in this trace")),
        it if it > MOST_STEPS => {
            Err(TraceError::at(1, 1, format!("a trace of {it} steps; at most {MOST_STEPS} are taken")))
        }
        _ => Ok(trace),
    }
}

/// The one of `count` that is chosen, from 0; `what` they are.
fn chosen(count: usize, choice: usize, what: &str, remarks: &mut Vec<String>) -> Result<usize, TraceError> {
    if count == 0 {
        return Err(TraceError::at(1, 1, format!("there is no {what} in this file")));
    }
    if choice == 0 || choice > count {
        return Err(TraceError::at(
            1,
            1,
            format!("there are {count} of a {what} in this file, and no number {choice}"),
        ));
    }
    if count > 1 {
        remarks.push(format!("{what} {choice} of {count} in the file"));
    }
    Ok(choice - 1)
}

#[cfg(test)]
mod tests;
