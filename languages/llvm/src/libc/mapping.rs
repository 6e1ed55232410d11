//! `sys/mman.h`: memory that is anonymous or a file's.
//!
//! Knows: mmap(2) and munmap(2) of Linux, private mappings and such as are only read. A mapping is an object of whole
//! pages that `free` does not know. Never: memory that changes a file, fixed addresses, parts of a mapping.

use super::files::{EBADF, EINVAL, fails};
use crate::code::Call;
use crate::files::{Files, Target};
use crate::machine::{Flow, Machine};
use crate::memory::bytes::Bytes;
use crate::memory::{Life, Lookup, MAX_SIZE, ObjectId, ObjectKind, Size};
use crate::process::Family;
use crate::step::access::{Offset, Spot};
use crate::value::Val;
use std::rc::Rc;
use std::sync::Arc;

type Done = Flow<Option<Val>>;

/// `MAP_FAILED`
const FAILED: u64 = u64::MAX;
const EACCES: u64 = 13;

/// Bytes of a page.
const PAGE: u64 = 4096;
const PAGE_BITS: u8 = 12;

const PROT_READ: u64 = 1;
const PROT_WRITE: u64 = 2;
const MAP_SHARED: u64 = 1;
const MAP_PRIVATE: u64 = 2;
const MAP_FIXED: u64 = 0x10;
const MAP_ANONYMOUS: u64 = 0x20;

/// `void *mmap(void *address, size_t length, int protection, int flags, int descriptor, off_t offset)`
pub(crate) fn mmap(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let mut number = |index| it.size_argument(arguments, index);
    let (length, protection, flags) = (number(1)?, number(2)?, number(3)?);
    let (descriptor, offset) = (number(4)? & 0xffff_ffff, number(5)?);
    let has = |bit: u64| flags & bit != 0;
    if length == 0 || offset % PAGE != 0 || !(has(MAP_SHARED) || has(MAP_PRIVATE)) {
        return fails(it, EINVAL, FAILED);
    }
    let is_file = !has(MAP_ANONYMOUS);
    let writes = protection & PROT_WRITE != 0;
    let refused = [
        (has(MAP_FIXED), "mmap at a fixed address"),
        (protection & PROT_READ == 0, "mmap of memory that cannot be read"),
        (is_file && writes && has(MAP_SHARED), "mmap of memory that changes a file"),
        (has(MAP_SHARED) && has(MAP_PRIVATE), "MAP_SHARED_VALIDATE"),
        (length > MAX_SIZE, "mmap of more than 1 GiB"),
    ];
    if let Some((_, what)) = refused.iter().find(|it| it.0) {
        return Err(it.unsupported(what));
    }
    let mut files = it.files();
    let data = match is_file {
        false => Vec::new(),
        true => match of_file(it, &mut files, descriptor, offset, length)? {
            Ok(data) => data,
            Err(error) => return fails(it, error, FAILED),
        },
    };
    // Behind the file's last page there is nothing, though addresses are taken.
    let size = if is_file { data.len() as u64 } else { length }.next_multiple_of(PAGE);
    let kind = if writes { ObjectKind::Heap } else { ObjectKind::Constant };
    let name: Arc<str> = format!("the memory mapped at line {}", it.place().line).into();
    let zeros = Bytes::concrete(vec![0; size as usize]);
    let id = it.allocate(kind, Size::Known(size), zeros, 1, &name);
    it.align(id, PAGE_BITS);
    for (at, byte) in data.iter().enumerate().filter(|it| *it.1 != Val::Int(0)) {
        it.write(Spot { object: id, offset: Offset::Known(at) }, byte, 1, 8);
    }
    Rc::make_mut(&mut it.state.process.families).insert(id, Family::Map(length.next_multiple_of(PAGE)));
    it.keep(files);
    Ok(Some(Val::Int(id.base())))
}

/// What is in a file from `offset` on, at most `length` bytes; or what `errno` says.
fn of_file(
    it: &mut Machine<'_, '_>,
    files: &mut Files,
    descriptor: u64,
    offset: u64,
    length: u64,
) -> Flow<Result<Vec<Val>, u64>> {
    let Some(opened) = files.of_descriptor(descriptor) else { return Ok(Err(EBADF)) };
    let content = match files.opened[opened].target {
        Target::Content(content) if files.is_file(content) => content,
        _ => return Err(it.unsupported("mmap of a standard stream")),
    };
    if !files.opened[opened].reads {
        return Ok(Err(EACCES));
    }
    // Whole pages are seen.
    let data = it.at_place(files, opened, offset, length.next_multiple_of(PAGE))?;
    files.contents[content].mapped = true;
    Ok(Ok(data))
}

/// `int munmap(void *address, size_t length)`
pub(crate) fn munmap(it: &mut Machine<'_, '_>, _: &Call, arguments: &[Val]) -> Done {
    let (address, length) = (it.size_argument(arguments, 0)?, it.size_argument(arguments, 1)?);
    if length == 0 {
        return fails(it, EINVAL, super::files::ERROR);
    }
    let (id, offset) = ObjectId::of_address(address);
    let known = match it.state.process.families.get(&id) {
        Some(&Family::Map(all)) => length.checked_next_multiple_of(PAGE) == Some(all),
        _ => false,
    };
    match it.state.memory.lookup(id) {
        Lookup::Object(object) if offset == 0 && known && object.ended.is_none() => {}
        _ => return Err(it.unsupported("munmap of a part of a mapping, of what is none or no more")),
    }
    it.state.memory.kill(id, Life::Freed);
    Rc::make_mut(&mut it.state.process.families).remove(&id);
    Ok(Some(Val::Int(0)))
}
