//! Which build of effigy this is.
//!
//! Knows: the bytes of its own executable. Never: what depends on them.
//!
//! A version or a commit says too little: a build of changed sources has the same. What another build wrote (a journal,
//! a verdict) may be wrong for this one, so it is compared by the hash of the executable.

use crate::Failure;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::Read;
use std::path::PathBuf;
use std::sync::OnceLock;

/// So many digits are shown.
const SHOWN: usize = 12;

/// The SHA-256 of the executable that runs, in hexadecimal. It is read at the first call: 33 MB take 20 ms of a
/// processor with SHA instructions, so nothing asks for it that does not need it.
pub(crate) fn build_identity() -> Result<&'static str, Failure> {
    static IDENTITY: OnceLock<Result<String, String>> = OnceLock::new();
    let identity = IDENTITY.get_or_init(|| hash_of_executable().map_err(|error| error.to_string()));
    identity.as_deref().map_err(|error| Failure(format!("effigy cannot read its own executable: {error}")))
}

fn hash_of_executable() -> std::io::Result<String> {
    let mut file = File::open(executable()?)?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 18];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hex(&hash.finalize())),
            count => hash.update(&buffer[..count]),
        }
    }
}

/// Where the executable stands. On Linux it is the file that runs even if a new build has taken its name since.
fn executable() -> std::io::Result<PathBuf> {
    if cfg!(target_os = "linux") { Ok(PathBuf::from("/proc/self/exe")) } else { std::env::current_exe() }
}

/// The bytes as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|it| format!("{it:02x}")).collect()
}

/// The version that the sources have.
pub(crate) fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// The digits of an identity that people compare; all of what is no identity.
pub(crate) fn shown(identity: &str) -> &str {
    identity.get(..SHOWN).unwrap_or(identity)
}

/// What `effigy --version` prints: the version, the git commit, the build.
pub(crate) fn version_line() -> String {
    let build = build_identity().map_or("unknown", shown);
    format!("effigy {} ({}, build {build})", version(), env!("EFFIGY_COMMIT"))
}
