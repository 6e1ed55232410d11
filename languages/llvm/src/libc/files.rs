//! `fcntl.h`, `unistd.h`, `sys/stat.h`: files by their descriptors.
//!
//! Knows: open(2), read(2), write(2), lseek(2), close(2), stat(2), access(2), unlink(2) of Linux. Never: streams.
//! Source of numbers: glibc 2.35 on x86-64.

use super::contents::{MOST_BYTES, Named};
use super::interrupted::Fate;
use super::printf::bytes_of;
use crate::checks::OUT_OF_BOUNDS_WRITE;
use crate::code::Call;
use crate::files::{Content, Files, Opened, Target};
use crate::machine::{Flow, Machine};
use crate::memory::Size;
use crate::step::access::Access;
use crate::value::Val;
use effigy_term::Width;

type Done = Flow<Option<Val>>;

pub(super) const ENOENT: u64 = 2;
pub(super) const EBADF: u64 = 9;
const EEXIST: u64 = 17;
const ESPIPE: u64 = 29;
pub(super) const EINVAL: u64 = 22;

/// -1 as an `int`.
pub(super) const ERROR: u64 = 0xffff_ffff;

/// -1 as a `long`.
const LONG_ERROR: u64 = u64::MAX;

/// `AT_FDCWD` as an `int`.
const HERE: u64 = 0xffff_ff9c;

/// The bytes of `struct stat`, and where in it is what is known of a file (as in `runtime/replay.c`).
const STAT: u64 = 144;
const STAT_LINKS: u64 = 16;
const STAT_MODE: u64 = 24;
const STAT_SIZE: u64 = 48;
const STAT_BLOCK: u64 = 56;

/// `S_IFREG | 0644`
const REGULAR: u64 = 0o100_644;

/// How a file is opened.
#[derive(Clone, Copy, Default)]
pub(super) struct Mode {
    pub(super) reads: bool,
    pub(super) writes: bool,
    pub(super) creates: bool,
    pub(super) truncates: bool,
    pub(super) appends: bool,
    pub(super) exclusive: bool,
}

impl Mode {
    /// Whether it makes a difference if there is such a file already.
    pub(super) fn needs_the_old(self) -> bool {
        !(self.creates && self.truncates && !self.exclusive)
    }

    /// Of the flags of `open`.
    fn of_flags(flags: u64) -> Mode {
        let has = |bits: u64| flags & bits != 0;
        Mode {
            reads: flags & 3 != 1,
            writes: flags & 3 != 0,
            creates: has(0o100),
            exclusive: has(0o200),
            truncates: has(0o1000),
            appends: has(0o2000),
        }
    }
}

/// The result of a function that fails.
pub(super) fn fails(it: &mut Machine<'_, '_>, error: u64, result: u64) -> Done {
    let always = it.ctx.terms.bool(true);
    it.set_errno(always, error);
    Ok(Some(Val::Int(result)))
}

/// Opens the file of a name: its descriptor, or what `errno` says.
pub(super) fn open_content(
    it: &mut Machine<'_, '_>,
    files: &mut Files,
    named: Named,
    mode: Mode,
) -> Flow<Result<u32, u64>> {
    let content = match named {
        Named::Content(_) if mode.creates && mode.exclusive => return Ok(Err(EEXIST)),
        Named::Content(content) => content,
        Named::None(name) if mode.creates && !name.is_empty() => {
            if files.assumed {
                return Err(it.unsupported("making a file in another directory"));
            }
            let content = files.add(Content::empty());
            files.made.insert(name.clone());
            files.names.insert(name, content);
            content
        }
        Named::Other if mode.creates => return Err(it.unsupported("making a file of a symbolic name")),
        Named::None(_) | Named::Other => return Ok(Err(ENOENT)),
    };
    it.in_order(files, content, None)?;
    if mode.truncates {
        if files.contents[content].mapped {
            return Err(it.unsupported("truncating a file that memory was mapped to"));
        }
        it.touch(files, content)?;
        let content = &mut files.contents[content];
        (content.bytes, content.size) = (Default::default(), Size::Known(0));
    }
    let Mode { reads, writes, appends, .. } = mode;
    let target = Target::Content(content);
    Ok(Ok(files.open(Opened { target, position: 0, reads, writes, appends, ahead: false })))
}

/// `int open(const char *name, int flags, ...)`
pub(crate) fn open(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let flags = it.size_argument(arguments, 1)?;
    open_named(it, &it.argument(arguments, 0), Mode::of_flags(flags))
}

/// `int openat(int directory, const char *name, int flags, ...)`
pub(crate) fn openat(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    if it.size_argument(arguments, 0)? & ERROR != HERE {
        return Err(it.unsupported("openat in another directory"));
    }
    let flags = it.size_argument(arguments, 2)?;
    open_named(it, &it.argument(arguments, 1), Mode::of_flags(flags))
}

/// `int creat(const char *name, mode_t mode)`
pub(crate) fn creat(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let mode = Mode { writes: true, creates: true, truncates: true, ..Mode::default() };
    open_named(it, &it.argument(arguments, 0), mode)
}

fn open_named(it: &mut Machine<'_, '_>, name: &Val, mode: Mode) -> Done {
    let mut files = it.files();
    let named = it.named(&mut files, name, mode.needs_the_old())?;
    let res = open_content(it, &mut files, named, mode)?;
    it.keep(files);
    match res {
        Ok(descriptor) => Ok(Some(Val::Int(u64::from(descriptor)))),
        Err(error) => fails(it, error, ERROR),
    }
}

/// `ssize_t read(int descriptor, void *to, size_t count)`
pub(crate) fn read(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let (descriptor, count) = (it.size_argument(arguments, 0)?, it.size_argument(arguments, 2)?);
    let mut files = it.files();
    let opened = files.of_descriptor(descriptor).filter(|&it| files.opened[it].reads);
    let Some(opened) = opened else { return fails(it, EBADF, LONG_ERROR) };
    let stood = files.opened[opened].position;
    let fate = it.fate(&files);
    if let Some(error) = it.failure(&fate)? {
        return fail(it, fate, files, error);
    }
    let mut data = it.fetch(&mut files, opened, count.min(MOST_BYTES), None)?;
    let is_short = come_short(it, &fate, &mut data)?;
    files.opened[opened].position = stood + data.len() as u64;
    fill(it, &it.argument(arguments, 1), &data)?;
    it.is_settled(fate, &mut files, is_short);
    it.keep(files);
    Ok(Some(Val::Int(data.len() as u64)))
}

/// Leaves of the bytes of a call those that move; whether these are fewer.
fn come_short(it: &mut Machine<'_, '_>, fate: &Fate, data: &mut Vec<Val>) -> Flow<bool> {
    let all = data.len();
    data.truncate(it.moving(fate, all as u64)? as usize);
    Ok(data.len() < all)
}

/// The result of a call that moves no byte.
fn fail(it: &mut Machine<'_, '_>, fate: Fate, mut files: Files, error: u64) -> Done {
    it.is_settled(fate, &mut files, true);
    it.keep(files);
    fails(it, error, LONG_ERROR)
}

/// Writes what was read to memory.
fn fill(it: &mut Machine<'_, '_>, to: &Val, data: &[Val]) -> Flow<()> {
    if !data.is_empty() {
        let spot = it.resolve(to, data.len() as u64, Access::Write)?;
        let bytes = bytes_of(it, data);
        it.write_from(spot, &bytes, data.len());
    }
    Ok(())
}

/// `ssize_t __read_chk(int descriptor, void *to, size_t count, size_t room)`
pub(crate) fn read_chk(it: &mut Machine<'_, '_>, call: &Call, arguments: &[Val]) -> Done {
    let (count, room) = (it.size_argument(arguments, 2)?, it.size_argument(arguments, 3)?);
    let fits = it.ctx.terms.bool(count <= room);
    it.require(fits, OUT_OF_BOUNDS_WRITE, || format!("reading {count} bytes where {room} have room"))?;
    read(it, call, arguments)
}

/// `ssize_t write(int descriptor, const void *at, size_t count)`
pub(crate) fn write(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let (descriptor, count) = (it.size_argument(arguments, 0)?, it.size_argument(arguments, 2)?);
    let mut files = it.files();
    let opened = files.of_descriptor(descriptor).filter(|&it| files.opened[it].writes);
    let Some(opened) = opened else { return fails(it, EBADF, LONG_ERROR) };
    if count > MOST_BYTES {
        return Err(it.unsupported("writing more than 1 MiB"));
    }
    let fate = it.fate(&files);
    if let Some(error) = it.failure(&fate)? {
        return fail(it, fate, files, error);
    }
    let mut data = bytes_at(it, &it.argument(arguments, 1), count)?;
    let is_short = come_short(it, &fate, &mut data)?;
    it.put(&mut files, opened, &data, None)?;
    let shown = files.opened[opened].target == Target::Output;
    if shown {
        it.show(&data)?;
    }
    it.is_settled(fate, &mut files, is_short);
    it.keep(files);
    Ok(Some(Val::Int(data.len() as u64)))
}

/// The bytes in memory, of which none may be uninitialised.
fn bytes_at(it: &mut Machine<'_, '_>, at: &Val, count: u64) -> Flow<Vec<Val>> {
    if count > 0 {
        it.resolve(at, count, Access::Read)?;
    }
    let mut data = Vec::with_capacity(count as usize);
    for index in 0..count {
        let byte = it.byte_at(at, index)?;
        if !matches!(byte, Val::Int(_)) {
            let term = it.term(&byte, Width::W8);
            it.require_defined(term, "a byte that is written")?;
            data.push(it.of_term(term));
        } else {
            data.push(byte);
        }
    }
    Ok(data)
}

/// A stream reads so many bytes at once.
const BUFFER: u64 = 4096;

/// How far a place may be from a file's begin depends on the file system.
const FARTHEST: u64 = 1 << 40;

/// `off_t lseek(int descriptor, off_t offset, int whence)`
pub(crate) fn lseek(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let (descriptor, offset) = (it.size_argument(arguments, 0)?, it.size_argument(arguments, 1)?);
    let whence = it.size_argument(arguments, 2)?;
    let mut files = it.files();
    let Some(opened) = files.of_descriptor(descriptor) else { return fails(it, EBADF, LONG_ERROR) };
    let content = match files.opened[opened].target {
        Target::Content(content) if files.is_file(content) && !files.opened[opened].ahead => content,
        // A stream that has read has read all that its buffer takes.
        Target::Content(content) if files.is_file(content) && whence == 1 && offset == 0 => {
            let size = it.size_of(&mut files, content)?;
            if size > BUFFER {
                return Err(it.unsupported("the place in a file that a stream reads"));
            }
            it.keep(files);
            return Ok(Some(Val::Int(size)));
        }
        Target::Content(content) if files.contents[content].pipe => return fails(it, ESPIPE, LONG_ERROR),
        _ => return Err(it.unsupported("the place in a standard stream, or in a file that a stream reads")),
    };
    it.in_order(&files, content, None)?;
    let base = match whence {
        0 => 0,
        1 => files.opened[opened].position,
        2 => it.size_of(&mut files, content)?,
        _ => return fails(it, EINVAL, LONG_ERROR),
    };
    let position = base.wrapping_add(offset);
    if position > i64::MAX as u64 {
        return fails(it, EINVAL, LONG_ERROR);
    }
    if position > FARTHEST {
        return Err(it.unsupported("a place beyond 1 TiB of a file"));
    }
    files.opened[opened].position = position;
    it.keep(files);
    Ok(Some(Val::Int(position)))
}

/// `ssize_t pread(int descriptor, void *to, size_t count, off_t offset)`
pub(crate) fn pread(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let (descriptor, count) = (it.size_argument(arguments, 0)?, it.size_argument(arguments, 2)?);
    let place = it.size_argument(arguments, 3)?;
    let mut files = it.files();
    let opened = files.of_descriptor(descriptor).filter(|&it| files.opened[it].reads);
    let Some(opened) = opened else { return fails(it, EBADF, LONG_ERROR) };
    if place > i64::MAX as u64 {
        return fails(it, EINVAL, LONG_ERROR);
    }
    match files.opened[opened].target {
        Target::Content(content) if files.is_file(content) => {}
        Target::Content(content) if files.contents[content].pipe => return fails(it, ESPIPE, LONG_ERROR),
        _ => return Err(it.unsupported("a place in a standard stream")),
    }
    let fate = it.fate(&files);
    if let Some(error) = it.failure(&fate)? {
        return fail(it, fate, files, error);
    }
    let mut data = it.at_place(&mut files, opened, place, count.min(MOST_BYTES))?;
    let is_short = come_short(it, &fate, &mut data)?;
    fill(it, &it.argument(arguments, 1), &data)?;
    it.is_settled(fate, &mut files, is_short);
    it.keep(files);
    Ok(Some(Val::Int(data.len() as u64)))
}

/// `int dup(int descriptor)`
pub(crate) fn dup(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let descriptor = it.size_argument(arguments, 0)?;
    let mut files = it.files();
    let Some(opened) = files.of_descriptor(descriptor) else { return fails(it, EBADF, ERROR) };
    let another = files.refer(opened);
    it.keep(files);
    Ok(Some(Val::Int(u64::from(another))))
}

/// Descriptors are surely no more than so many (`RLIMIT_NOFILE`).
const DESCRIPTORS: u64 = 1024;

/// `int dup2(int descriptor, int other)`
pub(crate) fn dup2(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let (descriptor, other) = (it.size_argument(arguments, 0)?, it.size_argument(arguments, 1)? & ERROR);
    let mut files = it.files();
    let Some(opened) = files.of_descriptor(descriptor) else { return fails(it, EBADF, ERROR) };
    if other > i32::MAX as u64 {
        return fails(it, EBADF, ERROR);
    }
    let is_streams = other <= 2 || files.streams.values().any(|it| u64::from(it.descriptor) == other);
    if other != descriptor && (is_streams || other >= DESCRIPTORS) {
        return Err(it.unsupported("dup2 to the descriptor of a stream, or beyond 1023"));
    }
    files.descriptors.insert(other as u32, opened);
    it.keep(files);
    Ok(Some(Val::Int(other)))
}

/// `int close(int descriptor)`
pub(crate) fn close(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let descriptor = it.size_argument(arguments, 0)?;
    let mut files = it.files();
    if files.of_descriptor(descriptor).is_none() {
        return fails(it, EBADF, ERROR);
    }
    let fate = it.fate(&files);
    let failure = it.failure(&fate)?;
    it.is_settled(fate, &mut files, failure.is_some());
    // Linux has it closed even so.
    files.descriptors.remove(&(descriptor as u32));
    it.keep(files);
    match failure {
        Some(error) => fails(it, error, ERROR),
        None => Ok(Some(Val::Int(0))),
    }
}

/// `int stat(const char *name, struct stat *to)`, `lstat`: there are no links.
pub(crate) fn stat(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let mut files = it.files();
    match it.named(&mut files, &it.argument(arguments, 0), true)? {
        Named::Content(content) => tell(it, files, Some(content), &it.argument(arguments, 1)),
        Named::None(_) | Named::Other => {
            it.keep(files);
            fails(it, ENOENT, ERROR)
        }
    }
}

/// `int fstat(int descriptor, struct stat *to)`
pub(crate) fn fstat(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let descriptor = it.size_argument(arguments, 0)?;
    let files = it.files();
    let Some(opened) = files.of_descriptor(descriptor) else { return fails(it, EBADF, ERROR) };
    let content = match files.opened[opened].target {
        Target::Content(content) if files.is_file(content) => Some(content),
        Target::Content(content) if files.contents[content].pipe => return Err(it.unsupported("fstat of a pipe")),
        _ => None,
    };
    tell(it, files, content, &it.argument(arguments, 1))
}

/// Fills a `struct stat`. Who owns a file, when it was changed and where it is are inputs; of standard streams that holds
/// for all.
fn tell(it: &mut Machine<'_, '_>, mut files: Files, content: Option<usize>, to: &Val) -> Done {
    if let Some(content) = content {
        it.touch(&mut files, content)?;
        it.in_order(&files, content, None)?;
    }
    let spot = it.resolve(to, STAT, Access::Write)?;
    it.input_memory(to, STAT, "stat")?;
    if let Some(content) = content {
        let terms = it.ctx.terms;
        let size = match files.contents[content].size {
            Size::Known(size) => Val::Int(size),
            Size::Symbolic { term, .. } => Val::Term(term),
        };
        let fields = [(STAT_LINKS, Val::Int(1), 8), (STAT_MODE, Val::Int(REGULAR), 4), (STAT_SIZE, size, 8)];
        for (at, value, bytes) in fields.into_iter().chain([(STAT_BLOCK, Val::Int(4096), 8)]) {
            it.write(spot.plus(terms, at), &value, bytes, bytes as u32 * 8);
        }
    }
    it.keep(files);
    Ok(Some(Val::Int(0)))
}

/// `int access(const char *name, int mode)`: files can be read and written, and not executed.
pub(crate) fn access(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    const EACCES: u64 = 13;
    let executes = it.size_argument(arguments, 1)? & 1 != 0;
    let mut files = it.files();
    let named = it.named(&mut files, &it.argument(arguments, 0), true)?;
    it.keep(files);
    match named {
        Named::Content(_) if executes => fails(it, EACCES, ERROR),
        Named::Content(_) => Ok(Some(Val::Int(0))),
        Named::None(_) | Named::Other => fails(it, ENOENT, ERROR),
    }
}

/// `int unlink(const char *name)`, `remove`
pub(crate) fn unlink(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let mut files = it.files();
    let named = it.named(&mut files, &it.argument(arguments, 0), true)?;
    let Named::Content(content) = named else {
        it.keep(files);
        return fails(it, ENOENT, ERROR);
    };
    let names: Vec<_> = files.names.iter().filter(|it| *it.1 == content).map(|it| it.0.clone()).collect();
    for name in names {
        files.names.remove(&name);
        files.made.insert(name);
    }
    it.keep(files);
    Ok(Some(Val::Int(0)))
}

/// `int isatty(int descriptor)`
pub(crate) fn isatty(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    const ENOTTY: u64 = 25;
    let descriptor = it.size_argument(arguments, 0)?;
    let Some(_) = it.state.process.files.of_descriptor(descriptor) else { return fails(it, EBADF, 0) };
    if descriptor <= 2 {
        it.note("files", "standard streams are taken to be no terminal", true);
    }
    fails(it, ENOTTY, 0)
}
