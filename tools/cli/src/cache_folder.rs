//! Where effigy keeps what it may compute again.
//!
//! Knows: the folder. Never: what is kept there.

use std::path::PathBuf;

/// The folder of all caches: `$XDG_CACHE_HOME/effigy`, or `~/.cache/effigy`. Verdicts lie in it, and in `library` what
/// clang made of effigy's own library. `None` where the environment names no home.
pub(crate) fn cache_folder() -> Option<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|it| it.is_absolute());
    absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache"))).map(|it| it.join("effigy"))
}
