//! The harnesses of a program of Rust: functions of which the crate `effigy-harness` has left a record.
//!
//! Knows: the layout of a record (`embed/harness/src/harness.rs`). Never: what a harness does.

use crate::libc;
use crate::lower;
use crate::memory::{Memory, ObjectId};
use crate::options::Uninitialised;
use crate::program::LoadError;
use crate::reachable;

/// What the name of a record contains.
const RECORD: &str = "EFFIGY_HARNESS";

/// Is set in the kind of a record that the crate `kani` has left.
const OF_KANI: u64 = 16;

/// Longer names are none.
const MOST_NAME: u64 = 4096;

/// What a record says of its function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HarnessKind {
    /// The function is a harness.
    Proof,
    /// The harness must panic on some run.
    ShouldPanic,
    /// The harness needs this, which is not supported.
    Refused(String),
}

/// A record of a harness. One harness may have several.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HarnessRecord {
    /// What is said of it.
    pub kind: HarnessKind,
    /// The path of the function from the root of its crate, with the crate's name.
    pub name: String,
    /// The crate that has left the record: `effigy_harness` or `kani`.
    pub library: &'static str,
    /// The file in which it stands, as the compiler was given it.
    pub file: String,
    /// The line of the attribute.
    pub line: u32,
    /// The name of the function in the module.
    pub symbol: String,
    /// The name of the record itself in the module.
    pub record: String,
}

/// The records of a module, by the names and lines of their functions.
///
/// # Errors
/// When the text is no LLVM IR.
pub fn find(name: &str, text: &[u8]) -> Result<Vec<HarnessRecord>, LoadError> {
    if memchr::memmem::find(text, RECORD.as_bytes()).is_none() {
        return Ok(Vec::new());
    }
    let text = reachable::variables(text, |it| it.contains(RECORD));
    let module = crate::reader::read(&text).map_err(|error| LoadError::Read { name: name.to_owned(), error })?;
    let code = lower::link(std::slice::from_ref(&module), libc::names(), Uninitialised::default())?;
    let mut res = Vec::new();
    let is_function = |address: u64| code.callables.contains_key(&ObjectId::of_address(address).0.0);
    let named = code.addresses.iter().filter(|it| it.0.contains(RECORD) && !is_function(*it.1));
    for (global, &address) in named {
        let found = record(&code.memory, address).ok_or_else(|| LoadError::Harness(global.to_string()))?;
        res.extend(found.map(|it| HarnessRecord { record: global.to_string(), ..it }));
    }
    res.sort_by(|a, b| (&a.name, a.line, &a.symbol).cmp(&(&b.name, b.line, &b.symbol)));
    Ok(res)
}

/// The record at an address: a kind, a line, a name, a file, a function. `None` where it is not one; of a record of a kind
/// that a later version has, there is nothing.
fn record(memory: &Memory, address: u64) -> Option<Option<HarnessRecord>> {
    let number = |offset: u64, bytes: u64| number(memory, address + offset, bytes);
    let (kind, line) = (number(0, 4)?, u32::try_from(number(4, 4)?).ok()?);
    let mut name = text(memory, number(8, 8)?, number(16, 8)?)?;
    let file = text(memory, number(24, 8)?, number(32, 8)?)?;
    let symbol = memory.get(ObjectId::of_address(number(40, 8)?).0)?.name.to_string();
    let library = if kind & OF_KANI == 0 { "effigy_harness" } else { "kani" };
    let kind = match kind & !OF_KANI {
        0 => HarnessKind::Proof,
        1 => HarnessKind::ShouldPanic,
        2 => {
            let (path, what) = name.split_once(' ')?;
            let (path, what) = (path.to_owned(), what.to_owned());
            name = path;
            HarnessKind::Refused(what)
        }
        _ => return Some(None),
    };
    Some(Some(HarnessRecord { kind, name, library, file, line, symbol, record: String::new() }))
}

/// The little-endian number of so many bytes at an address.
fn number(memory: &Memory, address: u64, bytes: u64) -> Option<u64> {
    let bytes = known(memory, address, bytes)?;
    Some(bytes.iter().rev().fold(0, |sum, it| sum << 8 | u64::from(*it)))
}

fn text(memory: &Memory, address: u64, length: u64) -> Option<String> {
    String::from_utf8(known(memory, address, length)?).ok()
}

fn known(memory: &Memory, address: u64, length: u64) -> Option<Vec<u8>> {
    let (id, offset) = ObjectId::of_address(address);
    let object = memory.get(id)?;
    let (from, length) = (usize::try_from(offset).ok()?, usize::try_from(length.min(MOST_NAME)).ok()?);
    let end = from.checked_add(length).filter(|it| *it <= object.bytes.len())?;
    object.bytes.slice(from, end - from).map(<[u8]>::to_vec)
}
