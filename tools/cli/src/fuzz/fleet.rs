//! The fleet that a fuzzer shares its work with: none, or the one at an address.
//!
//! Knows: what makes two programs the same. Never: the calls.

use crate::Failure;
use crate::args::FuzzArgs;
use crate::build_identity::hex;
use crate::fleet::join;
use effigy_fleet::{Build, Fleet, LocalFleet, MOST_BITS};
use effigy_fuzz::{Kind, RUNTIME};
use sha2::{Digest, Sha256};

/// The work list of the campaign.
pub(super) fn open(args: &FuzzArgs, modules: &[(String, Vec<u8>)], kind: Kind) -> Result<Box<dyn Fleet>, Failure> {
    match args.shared.fleet {
        None => Ok(Box::<LocalFleet>::default()),
        Some(_) => join(&args.shared, Build { hash: hash(args, modules, kind), bits: MOST_BITS }),
    }
}

/// A seed that no other worker has.
pub(super) fn own_seed(seed: u64) -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let now = u64::try_from(since.as_nanos() & u128::from(u64::MAX)).unwrap_or(0);
    seed ^ now.rotate_left(17) ^ u64::from(std::process::id()) << 40
}

/// What decides which edges a program has, and what inputs mean to it; not where it lies.
fn hash(args: &FuzzArgs, modules: &[(String, Vec<u8>)], kind: Kind) -> String {
    let mut hash = Sha256::new();
    hash.update(RUNTIME);
    hash.update([kind as u8]);
    hash.update(args.entry.as_deref().unwrap_or("").as_bytes());
    hash.update(args.buffer.to_le_bytes());
    for (_, module) in modules {
        for line in module.split(|it| *it == b'\n').filter(|it| !names_a_file(it)) {
            hash.update(line);
            hash.update(b"\n");
        }
    }
    hex(&hash.finalize())
}

/// Lines of LLVM IR with the path of a source.
fn names_a_file(line: &[u8]) -> bool {
    let has = |it: &[u8]| memchr::memmem::find(line, it).is_some();
    line.starts_with(b"source_filename") || line.starts_with(b"; ModuleID") || has(b"!DIFile(")
}
