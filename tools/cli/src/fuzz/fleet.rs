//! With whom the work is shared: nobody, or whoever is at an address.
//!
//! Knows: addresses, what makes two programs the same. Never: the calls.

use crate::Failure;
use crate::args::FuzzArgs;
use effigy_fleet::{Address, Build, Fleet, LocalFleet, MOST_BITS, RedisFleet, Split};
use effigy_fuzz::{Kind, RUNTIME};
use sha2::{Digest, Sha256};

/// The work list of the campaign.
pub(super) fn open(args: &FuzzArgs, modules: &[(String, Vec<u8>)], kind: Kind) -> Result<Box<dyn Fleet>, Failure> {
    let Some(addresses) = &args.fleet else { return Ok(Box::<LocalFleet>::default()) };
    let build = Build { hash: hash(args, modules, kind), bits: MOST_BITS };
    let campaign = args.campaign.clone().unwrap_or_else(|| build.hash[..16].to_owned());
    let mut parts: Vec<Box<dyn Fleet>> = Vec::new();
    for url in addresses.split(',') {
        let address = Address::new(url, &campaign).map_err(Failure::of)?;
        let joined = RedisFleet::join(address.clone(), build.clone());
        let joined = joined.map_err(|error| Failure(format!("--fleet {address}: {error}")))?;
        parts.push(Box::new(joined));
    }
    match parts.len() {
        1 => Ok(parts.remove(0)),
        // Workers ask different servers first.
        _ => Ok(Box::new(Split::new(parts, u64::from(std::process::id())).map_err(Failure::of)?)),
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
    hash.finalize().iter().map(|it| format!("{it:02x}")).collect()
}

/// Lines of LLVM IR with the path of a source.
fn names_a_file(line: &[u8]) -> bool {
    let has = |it: &[u8]| memchr::memmem::find(line, it).is_some();
    line.starts_with(b"source_filename") || line.starts_with(b"; ModuleID") || has(b"!DIFile(")
}
