//! What is read from files and written to them, below descriptors and streams.
//!
//! Knows: which bytes a file has, where questions about them are asked, when a file becomes an input of the path.
//! Never: the functions of C. All of it works on a copy of the path's files, which is put back by [`Machine::keep`]
//! when no question is left.

use super::ending::held_too_long;
use super::printf::Text;
use crate::files::{Files, Target};
use crate::machine::{Flow, Machine};
use crate::memory::Size;
use crate::state::{Chunk, InputRecord};
use crate::surroundings::{ASSUMED_STDIN, size_name};
use crate::value::Val;
use effigy_term::{Sort, SymbolKind, Term, Width};
use std::rc::Rc;

/// More bytes are not read or written at once.
pub(super) const MOST_BYTES: u64 = 1 << 20;

/// The file that a name leads to.
pub(super) enum Named {
    /// The content of this number.
    Content(usize),
    /// There is none of this name.
    None(Rc<[u8]>),
    /// There is none, and the name is symbolic.
    Other,
}

impl Machine<'_, '_> {
    /// The files, to be changed.
    pub(super) fn files(&self) -> Files {
        (*self.state.process.files).clone()
    }

    /// Puts changed files back.
    pub(super) fn keep(&mut self, files: Files) {
        self.state.process.files = Rc::new(files);
    }

    /// The bytes of a content are looked at from now on: it is an input of the path. That is noted at once, since the
    /// function may end in a bug, and no question depends on it.
    pub(super) fn touch(&mut self, files: &mut Files, content: usize) -> Flow<()> {
        let Some(source) = files.contents[content].input.clone().filter(|it| !it.used) else { return Ok(()) };
        let terms = self.ctx.terms;
        let mut bytes = Vec::with_capacity(source.most as usize);
        for index in 0..source.most {
            let piece = if source.most == 1 { source.name.to_string() } else { format!("{}[{index}]", source.name) };
            let byte = self.ctx.input(&piece, Sort::BitVec(Width::W8), SymbolKind::Input);
            terms.set_unsigned_term(byte);
            bytes.push(byte);
        }
        let size = match source.exact {
            true => terms.bv_u64(Width::W64, source.most),
            false => {
                let size = self.ctx.input(&size_name(&source.name), Sort::BitVec(Width::W64), SymbolKind::Input);
                terms.set_unsigned_term(size);
                self.assume(terms.bv_ule(size, terms.bv_u64(Width::W64, source.most)))?;
                size
            }
        };
        if source.assumed {
            let what =
                format!("{} is any text of at most {ASSUMED_STDIN} bytes; --sym-stdin N sets how many", source.name);
            self.note("standard-input", &what, true);
        }
        if !self.state.process.sizes.contains_key(&source.name) {
            Rc::make_mut(&mut self.state.process.sizes).insert(source.name.clone(), size);
            let record = InputRecord { name: source.name, element: 1, signed: true, ty: None, pieces: bytes.clone() };
            Rc::make_mut(&mut self.state.inputs).push(record);
        }
        let content = &mut files.contents[content];
        content.bytes = Rc::new(bytes.iter().map(|&it| self.of_term(it)).collect());
        content.size = match terms.as_bv(size) {
            Some(size) => Size::Known(size.to_u64().unwrap_or(0)),
            None => Size::Symbolic { term: size, most: source.most },
        };
        if let Some(source) = &mut content.input {
            source.used = true;
        }
        Ok(())
    }

    /// How many bytes a content has; asked for where that is symbolic.
    pub(super) fn size_of(&mut self, files: &mut Files, content: usize) -> Flow<u64> {
        self.touch(files, content)?;
        match files.contents[content].size {
            Size::Known(size) => Ok(size),
            Size::Symbolic { term, most } => {
                let size = self.choose_value(term)?.min(most);
                files.contents[content].size = Size::Known(size);
                Ok(size)
            }
        }
    }

    /// Whether a content has so many bytes.
    fn reaches(&mut self, files: &mut Files, content: usize, count: u64) -> Flow<bool> {
        self.touch(files, content)?;
        match files.contents[content].size {
            Size::Known(size) => Ok(count <= size),
            Size::Symbolic { most, .. } if count > most => Ok(false),
            Size::Symbolic { term, .. } => {
                let terms = self.ctx.terms;
                self.decide_term(terms.bv_ule(terms.bv_u64(Width::W64, count), term))
            }
        }
    }

    /// Reads at most so many bytes where an open file stands; fewer only where it ends. `by` is the stream that reads.
    pub(super) fn fetch(&mut self, files: &mut Files, opened: usize, count: u64, by: Option<u64>) -> Flow<Vec<Val>> {
        let Target::Content(content) = files.opened[opened].target else {
            return Err(self.unsupported("reading from standard output"));
        };
        if count > MOST_BYTES && !matches!(files.contents[content].size, Size::Known(_)) {
            return Err(self.unsupported("reading more than 1 MiB of a file"));
        }
        self.in_order(files, content, by)?;
        if by.is_none() && files.opened[opened].ahead {
            return Err(self.unsupported("reading a file both by a stream and by its descriptor"));
        }
        let position = files.opened[opened].position;
        let wanted = position.saturating_add(count);
        let end = if self.reaches(files, content, wanted)? { wanted } else { self.size_of(files, content)? };
        self.does_not_wait(files, content, count, end.saturating_sub(position))?;
        let bytes = Rc::clone(&files.contents[content].bytes);
        let byte = |at: u64| bytes.get(at as usize).cloned().unwrap_or(Val::Int(0));
        let opened = &mut files.opened[opened];
        opened.position = end.max(position);
        opened.ahead |= by.is_some();
        Ok((position..end).map(byte).collect())
    }

    /// Reads as `pread` does: at a place of its own.
    pub(super) fn at_place(&mut self, files: &mut Files, opened: usize, place: u64, count: u64) -> Flow<Vec<Val>> {
        let stood = std::mem::replace(&mut files.opened[opened].position, place);
        let data = self.fetch(files, opened, count, None)?;
        files.opened[opened].position = stood;
        Ok(data)
    }

    /// Writes bytes where an open file stands. `by` is the stream that writes.
    pub(super) fn put(&mut self, files: &mut Files, opened: usize, data: &[Val], by: Option<u64>) -> Flow<()> {
        let Target::Content(content) = files.opened[opened].target else { return Ok(()) };
        if data.is_empty() {
            return Ok(());
        }
        self.in_order(files, content, by)?;
        if files.contents[content].mapped {
            return Err(self.unsupported("writing to a file that memory was mapped to"));
        }
        self.has_room(files, content, data.len() as u64)?;
        let size = self.size_of(files, content)?;
        let start = if files.opened[opened].appends { size } else { files.opened[opened].position };
        let end = start.saturating_add(data.len() as u64);
        if end > MOST_BYTES {
            return Err(self.unsupported("writing a file of more than 1 MiB"));
        }
        let content = &mut files.contents[content];
        let bytes = Rc::make_mut(&mut content.bytes);
        // What was never written of a file is zero.
        bytes.truncate(size as usize);
        bytes.resize(size.max(end) as usize, Val::Int(0));
        bytes[start as usize..end as usize].clone_from_slice(data);
        content.size = Size::Known(size.max(end));
        content.unwritten = by.or(content.unwritten);
        files.opened[opened].position = end;
        Ok(())
    }

    /// What a stream has written must be with the system before anybody else looks.
    pub(super) fn in_order(&self, files: &Files, content: usize, by: Option<u64>) -> Flow<()> {
        match files.contents[content].unwritten {
            Some(stream) if by != Some(stream) => {
                Err(self.unsupported("using a file while a stream has something to write to it"))
            }
            _ => Ok(()),
        }
    }

    /// Adds characters to what was printed, before what standard output still holds back.
    pub(super) fn show(&mut self, characters: &[Val]) -> Flow<()> {
        let mut text = Text::default();
        for character in characters {
            text.character(self, character, Width::W8)?;
        }
        let written = self.state.output.len();
        let Some(flushed) = self.state.process.flushed.filter(|_| !held_too_long(self.state)) else {
            return Err(self
                .unsupported("writing to standard output by its descriptor where its buffer was changed or is full"));
        };
        let held: Vec<Chunk> = self.state.output.iter_back().take(written - flushed).cloned().collect();
        let (chunks, _) = text.pieces(self.ctx.terms);
        self.state.output = self.state.output.first(flushed);
        self.state.process.flushed = Some(flushed + chunks.len());
        for chunk in chunks.into_iter().chain(held.into_iter().rev()) {
            self.state.output.push(chunk);
        }
        Ok(())
    }

    /// The file of the name at `ptr`. A symbolic name is compared with those that there are. `matters` says whether it
    /// makes a difference that there is none.
    pub(super) fn named(&mut self, files: &mut Files, ptr: &Val, matters: bool) -> Flow<Named> {
        let mut name = Vec::new();
        let mut symbolic = false;
        for at in 0..4096 {
            let byte = self.byte_at(ptr, at)?;
            let byte = match byte {
                Val::Int(bits) => bits as u8,
                other => {
                    symbolic = true;
                    let term = self.term(&other, Width::W8);
                    self.require_defined(term, "a character of a file's name")?;
                    match self.same_as_a_name(files, &name, term)? {
                        Some(byte) => byte,
                        None => {
                            // The directory itself, and what is beyond it.
                            let terms = self.ctx.terms;
                            let is = |it: u8| terms.eq(term, terms.bv_u64(Width::W8, u64::from(it)));
                            if at == 0 && self.decide_term(terms.or(is(b'.'), is(b'/')))? {
                                return Err(self.unsupported("opening a directory"));
                            }
                            self.other_files(files.declared, "a file with another name than those of --sym-file");
                            return Ok(Named::Other);
                        }
                    }
                }
            };
            if byte == 0 {
                break;
            }
            name.push(byte);
        }
        let name = name.strip_prefix(b"./").unwrap_or(&name);
        if let Some(&content) = files.names.get(name) {
            return Ok(Named::Content(content));
        }
        let last = name.rsplit(|it| *it == b'/').next().unwrap_or_default();
        if !name.is_empty() && (last.is_empty() || last == b"." || last == b"..") {
            return Err(self.unsupported("opening a directory"));
        }
        if !name.is_empty() && !files.made.contains(name) {
            let text = String::from_utf8_lossy(name).into_owned();
            // Nobody has said what is in other directories, nor does a native run find what is assumed of them.
            let elsewhere = name.contains(&b'/');
            files.assumed |= elsewhere;
            if matters || elsewhere {
                self.other_files(files.declared && !elsewhere, &format!("the file {text:?}"));
            }
        }
        if symbolic { Ok(Named::Other) } else { Ok(Named::None(name.into())) }
    }

    /// The next character of a name that begins so, where it is a character of a name that there is.
    fn same_as_a_name(&mut self, files: &Files, begin: &[u8], byte: Term) -> Flow<Option<u8>> {
        let mut next: Vec<u8> = Vec::new();
        for name in files.names.keys() {
            let rest = name.strip_prefix(begin);
            let c = rest.map(|it| it.first().copied().unwrap_or(0));
            next.extend(c.filter(|it| !next.contains(it)));
        }
        for c in next {
            let terms = self.ctx.terms;
            if self.decide_term(terms.eq(byte, terms.bv_u64(Width::W8, u64::from(c))))? {
                return Ok(Some(c));
            }
        }
        Ok(None)
    }

    /// What nobody has said anything about is taken not to exist. Where files were declared, these are all.
    fn other_files(&mut self, declared: bool, what: &str) {
        let hint = if declared { "" } else { "; --sym-file NAME N makes one" };
        self.note("files", &format!("{what} is taken not to exist{hint}"), !declared);
    }
}
