//! The journal of a walk: a line for everything that is heard of it, so that a walk that was killed goes on from there.
//!
//! Knows: the lines and their order; that the last one may be cut off; lines that travel to other workers in place of
//! being written. Never: what a path means.
//!
//! Whatever is missing at its end is done again: each beginning of a journal is the journal of a walk that was stopped
//! earlier.

use crate::checksum;
use crate::damage::Damage;
use crate::leaf::Leaf;
use effigy_engine::{Decisions, Job, PathId, PathName};
use effigy_walk::{Child, Delta, EndedPath, Ending, Exploration, Start, WalkEvent};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A line of the journal, as JSON.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Line<'a> {
    /// A path forked into these children.
    Forked(PathId, Cow<'a, [Child]>),
    /// A path ended, with its leaf and what the worker found.
    Ended(Box<EndedLine<'a>>),
    /// A path is over; its end was told as that of another.
    Gone(PathId),
    /// A path could not be reached again by its name.
    Lost(PathId, Cow<'a, Ending>),
    /// Notes, coverage and statistics that belong to no path's end.
    Found(Cow<'a, Delta>),
    /// So much time was spent by one session.
    Time(Duration),
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct EndedLine<'a> {
    path: PathId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    beside: Option<Cow<'a, PathName>>,
    ending: Cow<'a, Ending>,
    delta: Cow<'a, Delta>,
    leaf: Cow<'a, Leaf>,
}

/// Why a journal cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file cannot be read or written.
    #[error("{path}: {error}")]
    Io {
        /// The file that was read or written.
        path: PathBuf,
        /// The error of the operating system.
        error: std::io::Error,
    },
    /// A line is none of a journal.
    #[error("{path}:{line}: {why}; the run has to be begun anew")]
    Line {
        /// The file that the line is in.
        path: PathBuf,
        /// The number of the line, from one.
        line: usize,
        /// What is wrong with the line.
        why: String,
    },
}

/// Writes the journal of a walk, line by line.
#[derive(Debug)]
pub struct Journal {
    file: File,
    path: PathBuf,
    /// Lines that are not written yet.
    lines: Lines,
}

/// Lines of a journal that are in no file.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    bytes: Vec<u8>,
}

impl Lines {
    /// Appends the line of one event.
    pub fn note(&mut self, heard: &WalkEvent<Leaf>) {
        let line = match heard {
            WalkEvent::Forked { parent, children } => Line::Forked(*parent, children.into()),
            WalkEvent::Ended(ended) => {
                let EndedPath { path, beside, ending, delta, told } = &**ended;
                Line::Ended(Box::new(EndedLine {
                    path: *path,
                    beside: beside.as_ref().map(Cow::Borrowed),
                    ending: Cow::Borrowed(ending),
                    delta: Cow::Borrowed(delta),
                    leaf: Cow::Borrowed(told),
                }))
            }
            WalkEvent::Gone(path) => Line::Gone(*path),
            WalkEvent::Lost(path, ending) => Line::Lost(*path, Cow::Borrowed(ending)),
            WalkEvent::Found(delta) => Line::Found(Cow::Borrowed(delta)),
            WalkEvent::Died { .. } => return,
        };
        self.add(&line);
    }

    fn add(&mut self, line: &Line<'_>) {
        let before = self.bytes.len();
        match serde_json::to_writer(&mut self.bytes, line) {
            Ok(()) => {
                checksum::seal_line(&mut self.bytes, before);
                self.bytes.push(b'\n');
            }
            // What cannot be said is done again.
            Err(_) => self.bytes.truncate(before),
        }
    }

    /// The lines as they are written to the file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl Journal {
    /// A new journal.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn create(path: &Path) -> Result<Journal, JournalError> {
        Journal::over(path, File::create(path))
    }

    /// Goes on with a journal behind what was read of it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn append(path: &Path, read: &ResumedWalk) -> Result<Journal, JournalError> {
        let open = OpenOptions::new().write(true).open(path).and_then(|mut file| {
            // A line that was cut off is dropped.
            file.set_len(read.bytes)?;
            file.seek(SeekFrom::End(0))?;
            Ok(file)
        });
        Journal::over(path, open)
    }

    fn over(path: &Path, file: std::io::Result<File>) -> Result<Journal, JournalError> {
        let path = path.to_owned();
        match file {
            Ok(file) => Ok(Journal { file, path, lines: Lines::default() }),
            Err(error) => Err(JournalError::Io { path, error }),
        }
    }

    /// Adds an event; [`Journal::flush`] writes it.
    pub fn note(&mut self, heard: &WalkEvent<Leaf>) {
        self.lines.note(heard);
    }

    /// Writes how long a session took.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn time(&mut self, time: Duration) -> Result<(), JournalError> {
        self.lines.add(&Line::Time(time));
        self.flush()
    }

    /// Writes what was added. When this returns, a process that is killed does not lose it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn flush(&mut self) -> Result<(), JournalError> {
        let written = self.file.write_all(&self.lines.bytes);
        self.lines.bytes.clear();
        written.map_err(|error| JournalError::Io { path: self.path.clone(), error })
    }
}

/// What was read of a journal.
#[derive(Debug)]
pub struct ResumedWalk {
    /// The state from which the walk is resumed.
    pub start: Start,
    /// The paths that ended, in the order in which they did.
    pub leaves: Vec<Leaf>,
    /// The bytes of its whole lines.
    bytes: u64,
}

/// Longer lines are not read.
const LONGEST: u64 = 64 << 20;

/// Reads a journal.
///
/// # Errors
/// When it cannot be read, or a line other than the last is none.
pub fn read(path: &Path) -> Result<ResumedWalk, JournalError> {
    let file = File::open(path).map_err(|error| JournalError::Io { path: path.to_owned(), error })?;
    read_from(BufReader::new(file), path)
}

/// Reads a journal from any source; `path` is its name in errors.
///
/// # Errors
/// As [`read`].
pub fn read_from(file: impl BufRead, path: &Path) -> Result<ResumedWalk, JournalError> {
    let mut reading = JournalReader::new(&[Job::root()]);
    reading.bytes = each_line(file, path, |line| reading.line(line))?;
    Ok(reading.finish())
}

/// What is left of these paths, of which the lines tell.
///
/// # Errors
/// When a line is none, or tells of other paths.
pub fn continued(jobs: &[Job], lines: &[u8]) -> Result<ResumedWalk, JournalError> {
    let mut reading = JournalReader::new(jobs);
    reading.bytes = each_line(lines, Path::new("the lines of a worker"), |line| reading.line(line))?;
    Ok(reading.finish())
}

/// What lines tell, wherever their paths began and whatever waits.
#[derive(Debug)]
pub enum JournalEvent {
    /// What a worker found: notes, coverage, statistics.
    Found(Delta),
    /// A path ended, with this leaf.
    Ended(Ending, Box<Leaf>),
    /// A path could not be reached again by its name.
    Lost(Ending),
}

/// The ends of paths that lines tell of; `name` is that of the lines in errors.
///
/// # Errors
/// When a line is none.
pub fn ends(lines: &[u8], name: &str) -> Result<Vec<JournalEvent>, JournalError> {
    let mut res = Vec::new();
    each_line(lines, Path::new(name), |line| {
        match line {
            Line::Ended(ended) => {
                check(&ended.delta)?;
                res.push(JournalEvent::Found(ended.delta.into_owned()));
                res.push(JournalEvent::Ended(ended.ending.into_owned(), Box::new(ended.leaf.into_owned())));
            }
            Line::Lost(_, ending) => res.push(JournalEvent::Lost(ending.into_owned())),
            Line::Found(delta) => {
                check(&delta)?;
                res.push(JournalEvent::Found(delta.into_owned()));
            }
            Line::Forked(..) | Line::Gone(_) | Line::Time(_) => {}
        }
        Ok(())
    })?;
    Ok(res)
}

/// Reads whole lines, and says how many bytes they are.
fn each_line(
    mut file: impl BufRead,
    path: &Path,
    mut take: impl FnMut(Line<'static>) -> Result<(), &'static str>,
) -> Result<u64, JournalError> {
    let io = |error| JournalError::Io { path: path.to_owned(), error };
    let (mut text, mut bytes) = (Vec::new(), 0);
    for number in 1.. {
        text.clear();
        let read = std::io::Read::take(&mut file, LONGEST).read_until(b'\n', &mut text).map_err(io)?;
        // What has no end of line was cut off.
        if read == 0 || text.last() != Some(&b'\n') && (read as u64) < LONGEST {
            break;
        }
        let wrong = |why: String| JournalError::Line { path: path.to_owned(), line: number, why };
        let own = text.strip_suffix(b"\n").unwrap_or(&text);
        let own = checksum::unsealed_line(own).ok_or_else(|| wrong("the line is damaged".to_owned()))?;
        let no_line = |error| {
            let Damage { at, what } = Damage::from(error);
            let column = at.map_or(String::new(), |it| format!(" (column {})", it.1));
            wrong(format!("no line of a journal: {what}{column}"))
        };
        let line: Line<'static> = serde_json::from_slice(own).map_err(no_line)?;
        take(line).map_err(|why| wrong(why.to_owned()))?;
        bytes += read as u64;
    }
    Ok(bytes)
}

/// A journal on its way.
struct JournalReader {
    /// Names, and how often they have forked.
    waiting: BTreeMap<PathId, (Decisions, u64)>,
    beside: BTreeSet<PathName>,
    next_id: u64,
    start: Start,
    leaves: Vec<Leaf>,
    bytes: u64,
}

impl JournalReader {
    fn new(jobs: &[Job]) -> JournalReader {
        let waiting = jobs.iter().map(|it| {
            let name: Decisions = it.name.0.iter().cloned().collect();
            (it.id, (name, it.forks))
        });
        JournalReader {
            waiting: waiting.collect(),
            beside: BTreeSet::new(),
            next_id: jobs.iter().map(|it| it.id.0 + 1).max().unwrap_or(0),
            start: Start { jobs: Vec::new(), ..Start::of_program() },
            leaves: Vec::new(),
            bytes: 0,
        }
    }

    fn line(&mut self, line: Line<'_>) -> Result<(), &'static str> {
        let exploration: &mut Exploration = &mut self.start.exploration;
        match line {
            Line::Forked(parent, children) => {
                let (before, _) = self.waiting.remove(&parent).ok_or("a path splits that does not wait")?;
                if !children.iter().any(|it| it.path == parent) {
                    return Err("a path that splits is none of its children");
                }
                for child in children.into_owned() {
                    let name = PathName::from(&child.decisions(&before));
                    if child.kept > before.len() || child.forks >= MOST || !continues(&name, &before) {
                        return Err("a path that does not come of its parent");
                    }
                    self.number(child.path)?;
                    let decisions = child.decisions(&before);
                    if self.waiting.insert(child.path, (decisions, child.forks)).is_some() {
                        return Err("two paths of one number");
                    }
                }
            }
            Line::Ended(ended) => {
                check(&ended.delta)?;
                self.number(ended.path)?;
                match ended.beside {
                    Some(name) if *name == ended.leaf.decisions => {
                        let name = name.into_owned();
                        self.beside.insert(name.clone());
                        self.start.beside.insert(name);
                    }
                    Some(_) => return Err("an end under two names"),
                    None => {
                        let (name, _) = self.waiting.remove(&ended.path).ok_or("a path ends that does not wait")?;
                        if !continues(&ended.leaf.decisions, &name) {
                            return Err("a path ends under another name");
                        }
                    }
                }
                let exploration: &mut Exploration = &mut self.start.exploration;
                exploration.add(&ended.delta);
                exploration.count(&ended.ending);
                self.leaves.push(ended.leaf.into_owned());
            }
            Line::Gone(path) => {
                let (name, _) = self.waiting.remove(&path).ok_or("a path is over that does not wait")?;
                // Its end is that of a violation beside it.
                let own = PathName::from(&name);
                let told = self.beside.range(own..).next().is_some_and(|it| continues(it, &name));
                if !told {
                    return Err("a path is over without an end");
                }
            }
            Line::Lost(path, ending) => {
                self.waiting.remove(&path).ok_or("a path is lost that does not wait")?;
                exploration.count(&ending);
            }
            Line::Found(delta) => {
                check(&delta)?;
                exploration.add(&delta);
            }
            Line::Time(time) => exploration.time = exploration.time.saturating_add(time),
        }
        Ok(())
    }

    /// Paths that come later have greater numbers.
    fn number(&mut self, path: PathId) -> Result<(), &'static str> {
        if path.0 >= MOST {
            return Err("a number that no path has");
        }
        self.next_id = self.next_id.max(path.0 + 1);
        Ok(())
    }

    fn finish(self) -> ResumedWalk {
        let jobs = self.waiting.into_iter();
        let jobs = jobs.map(|(id, (name, forks))| Job::named(id, PathName::from(&name), forks)).collect();
        let start = Start { jobs, next_id: self.next_id, ..self.start };
        ResumedWalk { start, leaves: self.leaves, bytes: self.bytes }
    }
}

/// No walk counts so far.
const MOST: u64 = 1 << 62;

/// Whether a path of this name comes of one that waits under `before`: of its decisions only the last values that a
/// term does not have may be gone.
fn continues(name: &PathName, before: &Decisions) -> bool {
    let own = before.to_vec();
    let kept = own.len() - before.excluded().count();
    name.0.starts_with(&own[..kept])
}

/// No program has more sites.
const MOST_SITES: u32 = 1 << 26;

/// Numbers that are used as such must be those of a program.
fn check(delta: &Delta) -> Result<(), &'static str> {
    let fits = delta.sites.iter().all(|it| it.0 < MOST_SITES) && delta.steps < MOST && delta.forks < MOST;
    if fits { Ok(()) } else { Err("numbers that no walk has") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(name: &str, text: &[u8]) -> PathBuf {
        let path = std::env::temp_dir().join(format!("effigy-journal-{}-{name}", std::process::id()));
        std::fs::write(&path, text).expect("a file");
        path
    }

    #[test]
    fn an_empty_journal_is_that_of_a_walk_that_did_not_begin() {
        let path = file("empty", b"");
        let read = read(&path).expect("a journal");
        assert_eq!(read.start.jobs, [Job::named(PathId(0), PathName::default(), 0)]);
        std::fs::remove_file(path).expect("removed");
    }

    #[test]
    fn a_line_that_was_cut_off_is_dropped_and_written_again() {
        let fork =
            r#"{"forked":[0,[{"path":0,"kept":0,"after":"0","forks":1},{"path":1,"kept":0,"after":"1","forks":1}]]}"#;
        let path = file("cut", format!("{fork}\n{{\"gone\":").as_bytes());
        let first = read(&path).expect("a journal");
        assert_eq!(first.start.jobs.len(), 2);
        let mut journal = Journal::append(&path, &first).expect("a journal");
        journal.note(&WalkEvent::Lost(PathId(0), Ending::Silent));
        journal.flush().expect("written");
        let second = read(&path).expect("a journal");
        assert_eq!(second.start.jobs, [Job::named(PathId(1), "1".parse().expect("a name"), 1)]);
        std::fs::remove_file(path).expect("removed");
    }

    #[test]
    fn what_is_no_journal_is_refused_with_its_line() {
        for (name, text) in [
            ("text", "hello\n"),
            ("parent", "{\"forked\":[7,[]]}\n"),
            ("kept", "{\"forked\":[0,[{\"path\":0,\"kept\":9,\"after\":\"\",\"forks\":0}]]}\n"),
            ("name", "{\"forked\":[0,[{\"path\":0,\"kept\":0,\"after\":\"?\",\"forks\":0}]]}\n"),
            ("childless", "{\"forked\":[0,[]]}\n"),
            ("stranger", "{\"forked\":[0,[{\"path\":1,\"kept\":0,\"after\":\"0\",\"forks\":0}]]}\n"),
            ("gone", "{\"gone\":0}\n"),
            ("lost", "{\"lost\":[5,\"silent\"]}\n"),
            (
                "numbers",
                "{\"forked\":[0,[{\"path\":0,\"kept\":0,\"after\":\"0\",\"forks\":1},\
                 {\"path\":18446744073709551614,\"kept\":0,\"after\":\"1\",\"forks\":1}]]}\n",
            ),
            ("bytes", "\u{0}\u{1}\n"),
            (
                "sites",
                "{\"found\":{\"sites\":[4294967295],\"notes\":[],\"steps\":0,\"forks\":0,\"solver_time\":{\"secs\":0,\"nanos\":0}}}\n",
            ),
        ] {
            let path = file(name, text.as_bytes());
            let error = read(&path).expect_err(name).to_string();
            assert!(error.contains(":1: "), "{name}: {error}");
            std::fs::remove_file(path).expect("removed");
        }
    }
}
