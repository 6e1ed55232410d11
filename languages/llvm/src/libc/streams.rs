//! `stdio.h`: streams that are read, files behind streams.
//!
//! Knows: fgetc(3), fgets(3), fread(3), getline(3), fopen(3), fseek(3) and their kin. Never: formats (`printf`), what is
//! written to standard output (`stdio`).

use super::contents::MOST_BYTES;
use super::ending::held_too_long;
use super::files::{EBADF, EINVAL, ERROR, Mode, fails, open_content};
use super::printf::bytes_of;
use super::result_width;
use crate::checks::{NULL_DEREFERENCE, OUT_OF_BOUNDS_WRITE, UNINITIALISED_VALUE};
use crate::code::Call;
use crate::files::{Files, Stream, Target};
use crate::machine::{Flow, Machine};
use crate::memory::bytes::Bytes;
use crate::memory::{Life, ObjectId, ObjectKind, Size};
use crate::state::Chunk;
use crate::step::access::Access;
use crate::value::{Val, signed};
use effigy_term::Width;

type Done = Flow<Option<Val>>;

/// `EOF`, null, -1.
const END: Val = Val::Int(0xffff_ffff);

impl Machine<'_, '_> {
    /// The address of a stream that is open; `None` for one that nobody here has opened.
    pub(super) fn stream(&mut self, stream: &Val) -> Flow<Option<u64>> {
        let address = match stream {
            Val::Int(address) => *address,
            Val::Term(term) => {
                self.require_defined(*term, "a stream")?;
                let terms = self.ctx.terms;
                let given = terms.ne(*term, terms.bv_u64(Width::W64, 0));
                self.require(given, NULL_DEREFERENCE, || "using a stream that is the null pointer".to_owned())?;
                if self.unknown_pointer(*term) == Some(*term) {
                    return Ok(None);
                }
                self.choose_value(*term)?
            }
            _ => return Err(self.violation(UNINITIALISED_VALUE, "a stream is uninitialised".to_owned())),
        };
        let given = self.ctx.terms.bool(address != 0);
        self.require(given, NULL_DEREFERENCE, || "using a stream that is the null pointer".to_owned())?;
        if self.state.process.files.streams.contains_key(&address) {
            return Ok(Some(address));
        }
        // A stream that was closed is no object any more.
        self.resolve(stream, 1, Access::Read)?;
        Ok(None)
    }

    /// The open file of a stream that is read.
    fn read_stream(&mut self, files: &Files, stream: &Val) -> Flow<(u64, usize)> {
        let Some(address) = self.stream(stream)? else {
            return Err(self.unsupported("reading a stream that an unknown function has opened"));
        };
        let descriptor = files.streams.get(&address).map_or(u32::MAX, |it| it.descriptor);
        match files.of_descriptor(u64::from(descriptor)) {
            Some(opened) if files.opened[opened].reads => Ok((address, opened)),
            _ => Err(self.unsupported("reading a stream that is closed or is only written")),
        }
    }

    /// The next character of a stream; `None` at its end.
    fn character(&mut self, files: &mut Files, stream: (u64, usize)) -> Flow<Option<Val>> {
        if let Some(it) = files.streams.get_mut(&stream.0)
            && let Some(unread) = it.unread.pop()
        {
            return Ok(Some(unread));
        }
        let taken = self.fetch(files, stream.1, 1, Some(stream.0))?;
        if taken.is_empty()
            && let Some(it) = files.streams.get_mut(&stream.0)
        {
            it.end = true;
        }
        Ok(taken.into_iter().next())
    }

    /// The characters to the next one of this value (included), at most so many.
    fn characters_to(&mut self, files: &mut Files, stream: (u64, usize), last: u8, most: u64) -> Flow<Vec<Val>> {
        let mut res = Vec::new();
        while (res.len() as u64) < most {
            let Some(character) = self.character(files, stream)? else { break };
            let is_last = match &character {
                Val::Int(bits) => *bits == u64::from(last),
                other => {
                    let term = self.term(other, Width::W8);
                    self.require_defined(term, "a character of a line")?;
                    let terms = self.ctx.terms;
                    self.decide_term(terms.eq(term, terms.bv_u64(Width::W8, u64::from(last))))?
                }
            };
            res.push(character);
            if is_last {
                break;
            }
        }
        Ok(res)
    }
}

/// `int getchar(void)`
pub(crate) fn getchar(it: &mut Machine<'_, '_>, call: &Call, _: &[Val]) -> Done {
    let stdin = Val::Int(it.program.library.streams[0]);
    fgetc(it, call, &[stdin])
}

/// `int fgetc(FILE *stream)`, `getc`
pub(crate) fn fgetc(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let mut files = it.files();
    let stream = it.read_stream(&files, &it.argument(arguments, 0))?;
    let res = it.character(&mut files, stream)?;
    it.keep(files);
    Ok(Some(match res {
        None => END,
        Some(Val::Term(byte)) => it.of_term(it.ctx.terms.bv_zero_extend(result_width(call), byte)),
        // What was written to a file and never to memory before.
        Some(Val::Undef) => Val::Undef,
        Some(byte) => byte,
    }))
}

/// `int ungetc(int c, FILE *stream)`
pub(crate) fn ungetc(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let mut files = it.files();
    let (address, _) = it.read_stream(&files, &it.argument(arguments, 1))?;
    let c = it.argument(arguments, 0);
    let term = it.term(&c, Width::W32);
    it.require_defined(term, "a character to put back")?;
    let terms = it.ctx.terms;
    if it.decide_term(terms.eq(term, terms.bv_u64(Width::W32, u64::from(u32::MAX))))? {
        return Ok(Some(END));
    }
    let byte = terms.bv_truncate(Width::W8, term);
    let Some(stream) = files.streams.get_mut(&address) else { return Ok(Some(END)) };
    stream.end = false;
    stream.unread.push(it.of_term(byte));
    it.keep(files);
    Ok(Some(it.of_term(terms.bv_zero_extend(result_width(call), byte))))
}

/// `char *fgets(char *to, int size, FILE *stream)`
pub(crate) fn fgets(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    line(it, arguments, u64::MAX)
}

/// `char *__fgets_chk(char *to, size_t room, int size, FILE *stream)`
pub(crate) fn fgets_chk(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let room = it.size_argument(arguments, 1)?;
    let arguments: Vec<Val> = [0, 2, 3].into_iter().map(|at| it.argument(arguments, at)).collect();
    line(it, &arguments, room)
}

fn line(it: &mut Machine<'_, '_>, arguments: &[Val], room: u64) -> Done {
    let mut files = it.files();
    let size = signed(it.size_argument(arguments, 1)?, 32);
    let stream = it.read_stream(&files, &it.argument(arguments, 2))?;
    let fits = it.ctx.terms.bool(size < 0 || size as u64 <= room);
    it.require(fits, OUT_OF_BOUNDS_WRITE, || format!("reading a line of {size} bytes where {room} have room"))?;
    if size <= 0 {
        return Ok(Some(Val::Int(0)));
    }
    let to = it.argument(arguments, 0);
    let text = it.characters_to(&mut files, stream, b'\n', size as u64 - 1)?;
    if text.is_empty() && size > 1 {
        it.keep(files);
        return Ok(Some(Val::Int(0)));
    }
    finish_text(it, files, &to, text)?;
    Ok(Some(to))
}

/// Writes a text and its end, as the last thing that a function does.
fn finish_text(it: &mut Machine<'_, '_>, files: Files, to: &Val, mut text: Vec<Val>) -> Flow<()> {
    text.push(Val::Int(0));
    let spot = it.resolve(to, text.len() as u64, Access::Write)?;
    let bytes = bytes_of(it, &text);
    it.write_from(spot, &bytes, text.len());
    it.keep(files);
    Ok(())
}

/// `char *gets(char *to)`: without the end of the line.
pub(crate) fn gets(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let mut files = it.files();
    let stream = it.read_stream(&files, &Val::Int(it.program.library.streams[0]))?;
    let mut text = it.characters_to(&mut files, stream, b'\n', MOST_BYTES)?;
    if text.is_empty() {
        it.keep(files);
        return Ok(Some(Val::Int(0)));
    }
    let ended = files.streams.get(&stream.0).is_some_and(|it| it.end);
    if !ended {
        text.pop();
    }
    let to = it.argument(arguments, 0);
    finish_text(it, files, &to, text)?;
    Ok(Some(to))
}

/// `ssize_t getline(char **line, size_t *room, FILE *stream)`
pub(crate) fn getline(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let arguments: Vec<Val> =
        vec![it.argument(arguments, 0), it.argument(arguments, 1), Val::Int(10), it.argument(arguments, 2)];
    getdelim(it, call, &arguments)
}

/// `ssize_t getdelim(char **line, size_t *room, int last, FILE *stream)`: room for 120 bytes first, as glibc has it.
pub(crate) fn getdelim(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let mut files = it.files();
    let last = it.size_argument(arguments, 2)? as u8;
    let stream = it.read_stream(&files, &it.argument(arguments, 3))?;
    let (line, room) = (it.argument(arguments, 0), it.argument(arguments, 1));
    let old = it.load_scalar(&line, 8, 64)?;
    let (line, room) = (it.resolve(&line, 8, Access::Write)?, it.resolve(&room, 8, Access::Write)?);
    let has_old = match &old {
        Val::Int(address) => *address != 0,
        Val::Undef => return Err(it.violation(UNINITIALISED_VALUE, "the buffer of a line is uninitialised".to_owned())),
        other => {
            let term = it.term(other, Width::W64);
            it.choose_value(term)? != 0
        }
    };
    let had = if has_old { it.read(room, 8, 64) } else { Val::Int(0) };
    let had = it.size_argument(&[had], 0)?;
    let mut text = it.characters_to(&mut files, stream, last, MOST_BYTES)?;
    let length = text.len() as u64;
    let wanted = length + 1;
    let (kept, size) = match has_old && had >= wanted.max(1) {
        true => (true, had),
        false => (false, (if has_old { had.saturating_mul(2) } else { 120 }).max(wanted).max(120)),
    };
    text.push(Val::Int(0));
    // At the end of a file the buffer is there, and nothing is written to it.
    let text = if length == 0 { Vec::new() } else { text };
    if kept {
        if !text.is_empty() {
            let spot = it.resolve(&old, text.len() as u64, Access::Write)?;
            let bytes = bytes_of(it, &text);
            it.write_from(spot, &bytes, text.len());
        }
    } else {
        let new = match has_old {
            true => super::malloc::resize(it, call, &[old, Val::Int(size)])?,
            false => super::malloc::obtain(it, call, &[Val::Int(size)])?,
        };
        let new = new.unwrap_or(Val::Int(0));
        if let Val::Int(address) = new {
            let bytes = bytes_of(it, &text);
            let spot = crate::step::access::Spot {
                object: ObjectId::of_address(address).0,
                offset: crate::step::access::Offset::Known(0),
            };
            it.write_from(spot, &bytes, text.len());
        }
        it.write(line, &new, 8, 64);
        it.write(room, &Val::Int(size), 8, 64);
    }
    it.keep(files);
    Ok(Some(Val::Int(if length == 0 { u64::MAX } else { length })))
}

/// `size_t fread(void *to, size_t size, size_t count, FILE *stream)`
pub(crate) fn fread(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let mut files = it.files();
    let (size, count) = (it.size_argument(arguments, 1)?, it.size_argument(arguments, 2)?);
    let stream = it.read_stream(&files, &it.argument(arguments, 3))?;
    let wanted = size.saturating_mul(count);
    if wanted == 0 {
        return Ok(Some(Val::Int(0)));
    }
    let mut data = Vec::new();
    while (data.len() as u64) < wanted {
        let Some(unread) = files.streams.get_mut(&stream.0).and_then(|it| it.unread.pop()) else { break };
        data.push(unread);
    }
    let rest = wanted - data.len() as u64;
    if rest > 0 {
        let taken = it.fetch(&mut files, stream.1, rest, Some(stream.0))?;
        if (taken.len() as u64) < rest
            && let Some(it) = files.streams.get_mut(&stream.0)
        {
            it.end = true;
        }
        data.extend(taken);
    }
    if !data.is_empty() {
        let spot = it.resolve(&it.argument(arguments, 0), data.len() as u64, Access::Write)?;
        let bytes = bytes_of(it, &data);
        it.write_from(spot, &bytes, data.len());
    }
    it.keep(files);
    Ok(Some(Val::Int(data.len() as u64 / size)))
}

/// `size_t __fread_chk(void *to, size_t room, size_t size, size_t count, FILE *stream)`
pub(crate) fn fread_chk(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let (room, size) = (it.size_argument(arguments, 1)?, it.size_argument(arguments, 2)?);
    let wanted = size.saturating_mul(it.size_argument(arguments, 3)?);
    let fits = it.ctx.terms.bool(wanted <= room);
    it.require(fits, OUT_OF_BOUNDS_WRITE, || format!("reading {wanted} bytes where {room} have room"))?;
    let arguments: Vec<Val> = [0, 2, 3, 4].into_iter().map(|at| it.argument(arguments, at)).collect();
    fread(it, call, &arguments)
}

/// `int feof(FILE *stream)`
pub(crate) fn feof(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    flag(it, arguments, |stream| stream.end)
}

/// `int ferror(FILE *stream)`
pub(crate) fn ferror(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    flag(it, arguments, |stream| stream.failed)
}

fn flag(it: &mut Machine<'_, '_>, arguments: &[Val], of: impl Fn(&Stream) -> bool) -> Done {
    let stream = it.stream(&it.argument(arguments, 0))?;
    let stream = stream.and_then(|address| it.state.process.files.streams.get(&address));
    Ok(Some(Val::Int(u64::from(stream.is_some_and(of)))))
}

/// `size_t __fpending(FILE *stream)`: what was written and is still in the buffer.
pub(crate) fn fpending(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let address = it.stream(&it.argument(arguments, 0))?;
    if address != Some(it.program.library.streams[1]) {
        let is_known = address.is_some_and(|address| it.program.library.streams.contains(&address));
        return if is_known { Ok(Some(Val::Int(0))) } else { Err(it.unsupported("what a stream holds back")) };
    }
    let flushed = it.state.process.flushed.filter(|_| !held_too_long(it.state));
    let Some(flushed) = flushed else {
        it.note("pending-output", "__fpending returns 0 where the buffer of standard output was changed", true);
        return Ok(Some(Val::Int(0)));
    };
    let held = it.state.output.len() - flushed;
    let mut sum = 0;
    let counts = it.state.output.iter_back().take(held).all(|it| matches!(it, Chunk::Bytes(_)));
    if !counts {
        it.note("pending-output", "__fpending counts a number of unknown digits as one byte", false);
    }
    for chunk in it.state.output.iter_back().take(held) {
        match chunk {
            Chunk::Bytes(bytes) => sum += bytes.len() as u64,
            // How many digits it has, the witness decides; that there are some is what is asked for.
            Chunk::Number { .. } => sum += 1,
        }
    }
    Ok(Some(Val::Int(sum)))
}

/// `int __freading(FILE *stream)`: whether it can only be read, or was read last.
pub(crate) fn freading(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let address = it.stream(&it.argument(arguments, 0))?;
    let [input, output, errors] = it.program.library.streams;
    match address {
        Some(address) if address == input => Ok(Some(Val::Int(1))),
        Some(address) if address == output || address == errors => Ok(Some(Val::Int(0))),
        _ => Err(it.unsupported("whether a stream is read or written")),
    }
}

/// `void clearerr(FILE *stream)`
pub(crate) fn clearerr(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let address = it.stream(&it.argument(arguments, 0))?;
    let mut files = it.files();
    if let Some(stream) = address.and_then(|it| files.streams.get_mut(&it)) {
        (stream.end, stream.failed) = (false, false);
    }
    it.keep(files);
    Ok(None)
}

/// How `fopen` is told to open.
fn mode(text: &[u8]) -> Option<Mode> {
    let update = text.contains(&b'+');
    let mode = Mode { exclusive: text.contains(&b'x'), ..Mode::default() };
    match text.first()? {
        b'r' => Some(Mode { reads: true, writes: update, ..mode }),
        b'w' => Some(Mode { reads: update, writes: true, creates: true, truncates: true, ..mode }),
        b'a' => Some(Mode { reads: update, writes: true, creates: true, appends: true, ..mode }),
        _ => None,
    }
}

/// `FILE *fopen(const char *name, const char *mode)`
pub(crate) fn fopen(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let text = it.text(&it.argument(arguments, 1))?;
    let Some(mode) = mode(&text) else { return fails(it, EINVAL, 0) };
    let mut files = it.files();
    let named = it.named(&mut files, &it.argument(arguments, 0), mode.needs_the_old())?;
    match open_content(it, &mut files, named, mode)? {
        Ok(descriptor) => {
            // A stream that only appends begins at the end.
            if mode.appends
                && !mode.reads
                && let Some(opened) = files.of_descriptor(u64::from(descriptor))
                && let Target::Content(content) = files.opened[opened].target
            {
                files.opened[opened].position = it.size_of(&mut files, content)?;
            }
            Ok(Some(new_stream(it, files, descriptor)))
        }
        Err(error) => {
            it.keep(files);
            fails(it, error, 0)
        }
    }
}

fn new_stream(it: &mut Machine<'_, '_>, mut files: Files, descriptor: u32) -> Val {
    // Its bytes are the library's own; it is no object to be freed.
    let bytes = Bytes::concrete(vec![0; 216]);
    let stream = it.allocate(ObjectKind::Global, Size::Known(216), bytes, 1, &"a stream".into()).base();
    files.streams.insert(stream, Stream::new(descriptor));
    it.keep(files);
    Val::Int(stream)
}

/// `FILE *fdopen(int descriptor, const char *mode)`
pub(crate) fn fdopen(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let descriptor = it.size_argument(arguments, 0)?;
    let files = it.files();
    match files.of_descriptor(descriptor) {
        Some(_) => Ok(Some(new_stream(it, files, descriptor as u32))),
        None => fails(it, EBADF, 0),
    }
}

/// What a stream has written goes to the system.
fn flush(files: &mut Files, stream: u64) {
    for content in &mut files.contents {
        content.unwritten = content.unwritten.filter(|it| *it != stream);
    }
}

/// `int fflush(FILE *stream)`: of all of them where it is null.
pub(crate) fn fflush(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let mut files = it.files();
    let stream = it.argument(arguments, 0);
    if stream == Val::Int(0) || stream == Val::Int(it.program.library.streams[1]) {
        let written = it.state.output.len();
        it.state.process.flushed = it.state.process.flushed.map(|_| written);
    }
    if stream == Val::Int(0) {
        files.contents.iter_mut().for_each(|it| it.unwritten = None);
    } else if let Some(stream) = it.stream(&stream)? {
        flush(&mut files, stream);
    }
    it.keep(files);
    Ok(Some(Val::Int(0)))
}

/// `int fclose(FILE *stream)`
pub(crate) fn fclose(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let Some(address) = it.stream(&it.argument(arguments, 0))? else { return Ok(Some(Val::Int(0))) };
    let mut files = it.files();
    flush(&mut files, address);
    if let Some(stream) = files.streams.remove(&address) {
        files.descriptors.remove(&stream.descriptor);
    }
    it.keep(files);
    it.state.memory.kill(ObjectId::of_address(address).0, Life::Freed);
    Ok(Some(Val::Int(0)))
}

/// The open file of a stream whose place is asked for.
fn seekable(it: &mut Machine<'_, '_>, files: &Files, stream: &Val) -> Flow<(u64, usize, usize)> {
    if let Some(address) = it.stream(stream)?
        && let Some(stream) = files.streams.get(&address)
        && let Some(opened) = files.of_descriptor(u64::from(stream.descriptor))
        && let Target::Content(content) = files.opened[opened].target
        && content != 0
        && files.is_file(content)
    {
        return Ok((address, opened, content));
    }
    Err(it.unsupported("the place in a standard stream or in one that is closed"))
}

/// `int fseek(FILE *stream, long offset, int whence)`
pub(crate) fn fseek(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let mut files = it.files();
    let (offset, whence) = (it.size_argument(arguments, 1)?, it.size_argument(arguments, 2)?);
    let (address, opened, content) = seekable(it, &files, &it.argument(arguments, 0))?;
    let unread = files.streams.get(&address).map_or(0, |it| it.unread.len() as u64);
    flush(&mut files, address);
    let base = match whence {
        0 => 0,
        1 => files.opened[opened].position.wrapping_sub(unread),
        2 => it.size_of(&mut files, content)?,
        _ => return fails(it, EINVAL, ERROR),
    };
    let position = base.wrapping_add(offset);
    if position > i64::MAX as u64 {
        return fails(it, EINVAL, ERROR);
    }
    files.opened[opened].position = position;
    if let Some(stream) = files.streams.get_mut(&address) {
        stream.unread.clear();
        stream.end = false;
    }
    it.keep(files);
    Ok(Some(Val::Int(0)))
}

/// `long ftell(FILE *stream)`
pub(crate) fn ftell(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let files = it.files();
    let (address, opened, _) = seekable(it, &files, &it.argument(arguments, 0))?;
    let unread = files.streams.get(&address).map_or(0, |it| it.unread.len() as u64);
    Ok(Some(Val::Int(files.opened[opened].position.wrapping_sub(unread))))
}

/// `void rewind(FILE *stream)`
pub(crate) fn rewind(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    fseek(it, call, &[it.argument(arguments, 0), Val::Int(0), Val::Int(0)])?;
    clearerr(it, call, arguments)
}

/// `int fileno(FILE *stream)`
pub(crate) fn fileno(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let stream = it.stream(&it.argument(arguments, 0))?;
    let stream = stream.and_then(|address| it.state.process.files.streams.get(&address));
    match stream {
        Some(stream) => Ok(Some(Val::Int(u64::from(stream.descriptor)))),
        None => Err(it.unsupported("the descriptor of a stream that an unknown function has opened")),
    }
}
