//! `pipe(2)`: what is written at one end is read at the other.
//!
//! Knows: when a call on a pipe waits for ever, or ends the process; nobody else has its ends. Never: what is in it
//! (`contents`).

use super::files::{EINVAL, ERROR, fails};
use crate::code::Call;
use crate::files::{Content, Files, Opened, Target};
use crate::machine::{Flow, Machine};
use crate::step::access::Access;
use crate::value::Val;

type Done = Flow<Option<Val>>;

/// So many bytes fit into a pipe: who writes more, waits (pipe(7)).
const CAPACITY: u64 = 1 << 16;

/// `O_CLOEXEC`
const CLOSED_BY_EXEC: u64 = 0o2_000_000;

/// `int pipe(int ends[2])`
pub(crate) fn pipe(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    make(it, &it.argument(arguments, 0))
}

/// `int pipe2(int ends[2], int flags)`
pub(crate) fn pipe2(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    match it.size_argument(arguments, 1)? & ERROR {
        0 | CLOSED_BY_EXEC => make(it, &it.argument(arguments, 0)),
        flags if flags & !(CLOSED_BY_EXEC | 0o44_200) != 0 => fails(it, EINVAL, ERROR),
        _ => Err(it.unsupported("a pipe that does not wait, or keeps packets apart")),
    }
}

fn make(it: &mut Machine<'_, '_>, ends: &Val) -> Done {
    let spot = it.resolve(ends, 8, Access::Write)?;
    let mut files = it.files();
    let content = files.add(Content { pipe: true, ..Content::empty() });
    let end = |writes: bool| Opened {
        target: Target::Content(content),
        position: 0,
        reads: !writes,
        writes,
        appends: true,
        ahead: false,
    };
    let (reads, writes) = (files.open(end(false)), files.open(end(true)));
    it.write(spot, &Val::Int(u64::from(reads) | u64::from(writes) << 32), 8, 64);
    it.keep(files);
    Ok(Some(Val::Int(0)))
}

impl Machine<'_, '_> {
    /// Reading `found` of `wanted` bytes does not wait for ever.
    pub(super) fn does_not_wait(&self, files: &Files, content: usize, wanted: u64, found: u64) -> Flow<()> {
        let waits = files.contents[content].pipe && wanted > 0 && found == 0 && files.is_open(content, |it| it.writes);
        if waits { Err(self.unsupported("reading a pipe that is empty: it waits for ever")) } else { Ok(()) }
    }

    /// Somebody reads what is written to a pipe, and it has room.
    pub(super) fn has_room(&self, files: &Files, content: usize, count: u64) -> Flow<()> {
        let pipe = &files.contents[content];
        if !pipe.pipe {
            return Ok(());
        }
        if !files.is_open(content, |it| it.reads) {
            return Err(self.unsupported("writing to a pipe that nobody reads: SIGPIPE"));
        }
        let mut ends = files.opened.iter().filter(|it| it.target == Target::Content(content) && it.reads);
        let taken = ends.next().map_or(0, |it| it.position);
        if pipe.size.most() - taken + count > CAPACITY {
            return Err(self.unsupported("writing to a pipe that is full: it waits for ever"));
        }
        Ok(())
    }
}
