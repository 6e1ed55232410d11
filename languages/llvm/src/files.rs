//! The files of a path: what is in them, who has opened them, where each stands.
//!
//! Knows: contents, open files, descriptors, streams. Never: what a function of C does with them (`libc/files`,
//! `libc/streams`). A function changes a copy, and puts it back once it has no question left.

use crate::memory::Size;
use crate::value::Val;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

/// The files of a path.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Files {
    /// What is in each file, by number.
    pub contents: Vec<Content>,
    /// The directory.
    pub names: BTreeMap<Rc<[u8]>, usize>,
    /// What was opened, by number.
    pub opened: Vec<Opened>,
    /// What each descriptor refers to.
    pub descriptors: BTreeMap<u32, usize>,
    /// The streams, by their addresses.
    pub streams: BTreeMap<u64, Stream>,
    /// The names that the program itself has made and removed: it knows that there are no such files.
    pub made: BTreeSet<Rc<[u8]>>,
    /// Somebody has said which files there are.
    pub declared: bool,
    /// How many calls have failed, or moved fewer bytes than asked, where they need not have.
    pub failures: u64,
    /// Something is assumed of other directories: a native run need not do the same.
    pub assumed: bool,
}

/// What is in a file.
#[derive(Clone, PartialEq, Debug)]
pub struct Content {
    /// Its bytes: each a number or a term of 8 bits.
    pub bytes: Rc<Vec<Val>>,
    /// How many of them there are.
    pub size: Size,
    /// The input that it is, if it is one.
    pub input: Option<Source>,
    /// What a stream has written, and the system does not have yet: the stream's address.
    pub unwritten: Option<u64>,
    /// Memory shows what is in it; what is written to it now would show there, or not.
    pub mapped: bool,
    /// It is what was written at one end of a pipe.
    pub pipe: bool,
}

/// The input that a file is.
#[derive(Clone, PartialEq, Debug)]
pub struct Source {
    /// Its name.
    pub name: Arc<str>,
    /// The bytes that it has at most.
    pub most: u64,
    /// It has no fewer.
    pub exact: bool,
    /// Nobody has said that there is such an input.
    pub assumed: bool,
    /// Whether the program has looked at it.
    pub used: bool,
}

/// An open file.
#[derive(Clone, PartialEq, Debug)]
pub struct Opened {
    /// Where it leads.
    pub target: Target,
    /// The next byte.
    pub position: u64,
    /// Whether it can be read.
    pub reads: bool,
    /// Whether it can be written.
    pub writes: bool,
    /// Whether all that is written is written at the end.
    pub appends: bool,
    /// A stream has read it, and may have read further than the program has.
    pub ahead: bool,
}

/// Where an open file leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Target {
    /// To the content of this number.
    Content(usize),
    /// To standard output.
    Output,
    /// To standard error.
    Errors,
}

/// A stream (`FILE *`).
#[derive(Clone, PartialEq, Debug)]
pub struct Stream {
    /// Its descriptor.
    pub descriptor: u32,
    /// What `ungetc` has put back, the next one last.
    pub unread: Vec<Val>,
    /// Whether the end was reached.
    pub end: bool,
    /// Whether something has failed.
    pub failed: bool,
}

impl Stream {
    /// A stream of this descriptor.
    pub fn new(descriptor: u32) -> Stream {
        Stream { descriptor, unread: Vec::new(), end: false, failed: false }
    }
}

impl Files {
    /// Whether a content is that of a file, and of no pipe. Whether standard input is a file or a pipe, nobody has said,
    /// unless its size is declared: then it is a file.
    pub fn is_file(&self, content: usize) -> bool {
        let is_declared = || self.contents[0].input.as_ref().is_none_or(|it| !it.assumed);
        if content == 0 { is_declared() } else { !self.contents[content].pipe }
    }

    /// Whether a descriptor leads to a content by an open file of this kind.
    pub fn is_open(&self, content: usize, of: impl Fn(&Opened) -> bool) -> bool {
        let mut opened = self.descriptors.values().map(|&it| &self.opened[it]);
        opened.any(|it| it.target == Target::Content(content) && of(it))
    }

    /// The number of the open file of a descriptor.
    pub fn of_descriptor(&self, descriptor: u64) -> Option<usize> {
        self.descriptors.get(&u32::try_from(descriptor).ok()?).copied()
    }

    /// Opens something under the least descriptor that is free.
    pub fn open(&mut self, opened: Opened) -> u32 {
        self.opened.push(opened);
        self.refer(self.opened.len() - 1)
    }

    /// What is open has one descriptor more: the least that is free.
    pub fn refer(&mut self, opened: usize) -> u32 {
        let used = |it: &u32| self.descriptors.contains_key(it);
        let descriptor = (0..).find(|it| !used(it)).unwrap_or(u32::MAX);
        self.descriptors.insert(descriptor, opened);
        descriptor
    }

    /// Adds a content without bytes, not in the directory yet.
    pub fn add(&mut self, content: Content) -> usize {
        self.contents.push(content);
        self.contents.len() - 1
    }
}

impl Content {
    /// No bytes.
    pub fn empty() -> Content {
        Content { bytes: Rc::default(), size: Size::Known(0), input: None, unwritten: None, mapped: false, pipe: false }
    }

    /// An input of at most so many bytes, or of exactly so many.
    pub fn input(name: Arc<str>, most: u64, exact: bool, assumed: bool) -> Content {
        let source = Source { name, most, exact, assumed, used: false };
        Content { input: Some(source), ..Content::empty() }
    }
}
