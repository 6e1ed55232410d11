//! Records of a build: what `effigy cc` notes beside each object, each program and each library.
//!
//! Knows: their JSON. Never: where they lie, how they come about (`effigy cc` of the command).

use super::CompileCommand;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The format of records that this build writes and reads.
const FORMAT: u32 = 1;

/// How one source of an object or program was compiled.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RecordedSource {
    /// The directory in which the compiler ran.
    pub directory: PathBuf,
    /// The source file, absolute.
    pub file: PathBuf,
    /// The words of the command, of which the first is the compiler.
    pub arguments: Vec<String>,
    /// The object file that was written, absolute. `None` for a source that was compiled and linked by one command.
    #[serde(default)]
    pub output: Option<PathBuf>,
    /// The source is that of a library's member, which is linked if something needs it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_member: bool,
}

impl RecordedSource {
    /// The same as the entry of a compilation database.
    pub(super) fn command(&self) -> CompileCommand {
        CompileCommand {
            directory: self.directory.clone(),
            file: self.file.clone(),
            arguments: self.arguments.clone(),
            output: self.output.clone(),
        }
    }
}

/// The sources of an object, a program or a library.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LinkRecord {
    /// The format of the record.
    pub format: u32,
    /// The sources, in the order in which they were linked.
    pub sources: Vec<RecordedSource>,
    /// Flags for the linker that a native program needs as well: libraries, and where they lie.
    #[serde(default)]
    pub link: Vec<String>,
    /// Objects and libraries of which no source is known.
    #[serde(default)]
    pub unknown: Vec<PathBuf>,
}

impl LinkRecord {
    /// A record of these sources in the present format.
    pub fn new(sources: Vec<RecordedSource>) -> LinkRecord {
        LinkRecord { format: FORMAT, sources, link: Vec::new(), unknown: Vec::new() }
    }
}

/// Reads a record.
///
/// # Errors
/// What is wrong, with the line and column of the JSON.
pub fn read_record(bytes: &[u8]) -> Result<LinkRecord, String> {
    let record: LinkRecord = serde_json::from_slice(bytes).map_err(|error| {
        let text = error.to_string();
        let words = text.rsplit_once(" at line ").map_or(&*text, |it| it.0);
        format!("{}:{}: {words}", error.line(), error.column())
    })?;
    match record.format {
        FORMAT => Ok(record),
        other => Err(format!(" it has format {other}, and this effigy reads format {FORMAT}; build the program again")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read_as_it_was_written() {
        let source = RecordedSource {
            directory: "/d".into(),
            file: "/d/a.c".into(),
            arguments: vec!["cc".to_owned(), "-c".to_owned()],
            output: Some("/d/a.o".into()),
            is_member: true,
        };
        let record = LinkRecord { link: vec!["-lz".to_owned()], ..LinkRecord::new(vec![source]) };
        let text = serde_json::to_vec(&record).expect("it can be written");
        assert_eq!(read_record(&text), Ok(record));
        assert_eq!(read_record(b"{").expect_err("refused"), "1:1: EOF while parsing an object");
        let newer = read_record(b"{\"format\": 2, \"sources\": []}").expect_err("refused");
        assert!(newer.contains("format 2"), "{newer}");
    }
}
