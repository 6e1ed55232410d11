//! The git commit that the command is built from, for `effigy --version`.
//!
//! Knows: the files below `.git`. Never: git itself, cargo, the network.
//!
//! A published package carries its commit in `.cargo_vcs_info.json`. A checkout has `.git` two folders up, and nowhere
//! else: whose home is a repository has a commit of something else there. Where there is neither, the commit is
//! "unknown".

use std::path::{Path, PathBuf};
use std::{env, fs};

/// So many digits are shown.
const SHOWN: usize = 7;

fn main() {
    let package = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let commit = published(&package).or_else(|| checked_out(&package.join("../../.git")));
    let shown = commit.as_deref().map_or("unknown", |it| &it[..SHOWN]);
    println!("cargo::rustc-env=EFFIGY_COMMIT={shown}");
    println!("cargo::rerun-if-changed=build.rs");
}

/// The commit of a package that cargo made.
pub(crate) fn published(package: &Path) -> Option<String> {
    let text = fs::read_to_string(package.join(".cargo_vcs_info.json")).ok()?;
    text.split('"').find_map(hash)
}

/// The commit that `HEAD` names. A commit, a checkout or `git gc` changes a file that is watched.
pub(crate) fn checked_out(git: &Path) -> Option<String> {
    // In a worktree `.git` is a file that names a folder.
    let folder = match fs::read_to_string(git) {
        Ok(text) => git.parent()?.join(text.trim().strip_prefix("gitdir:")?.trim()),
        Err(_) => git.to_owned(),
    };
    let head = watched(&folder.join("HEAD"))?;
    let Some(name) = head.trim().strip_prefix("ref:") else { return hash(head.trim()) };
    // What worktrees share stands elsewhere.
    let shared = fs::read_to_string(folder.join("commondir")).map_or(folder.clone(), |it| folder.join(it.trim()));
    let name = name.trim();
    let packed = watched(&shared.join("packed-refs"));
    let loose = shared.join(name);
    if let Some(text) = watched(&loose) {
        return hash(text.trim());
    }
    // A commit will make the file: its folder changes then.
    let refs = shared.join("refs");
    if let Some(folder) = loose.ancestors().skip(1).find(|it| it.is_dir() && it.starts_with(&refs)) {
        watch(folder);
    }
    packed?.lines().find_map(|it| it.strip_suffix(name)?.strip_suffix(' ').and_then(hash))
}

/// The text of a file, whose change is noticed. A file that is not there is not watched: cargo would build each time.
fn watched(path: &Path) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    watch(path);
    Some(text)
}

fn watch(path: &Path) {
    println!("cargo::rerun-if-changed={}", path.display());
}

/// The text, if it is the name of a commit: SHA-1 or SHA-256.
fn hash(text: &str) -> Option<String> {
    let is_hash = matches!(text.len(), 40 | 64) && text.bytes().all(|it| it.is_ascii_hexdigit());
    is_hash.then(|| text.to_owned())
}
