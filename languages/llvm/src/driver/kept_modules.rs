//! Modules that one command has compiled, kept for its other processes: each entry of a program has one.
//!
//! Knows: a folder, whose name the environment has. Never: how a file is compiled.

use super::CompileUnit;
use std::path::{Path, PathBuf};

/// The variable of the environment with the folder. Only a command that starts processes of its own sets it, for as long as
/// it runs: nobody changes the sources meanwhile.
pub const KEPT_MODULES: &str = "EFFIGY_KEPT_MODULES";

/// Where the module of a file is kept, or is to be.
pub(super) struct KeptModule {
    path: PathBuf,
    /// The first line of the file: what was compiled, as a comment.
    head: Vec<u8>,
}

impl KeptModule {
    /// `None` outside of such a command.
    pub(super) fn of(unit: &CompileUnit) -> Option<KeptModule> {
        let folder = PathBuf::from(std::env::var_os(KEPT_MODULES)?);
        let mut head = b"; ".to_vec();
        head.extend(serde_json::to_vec(unit).ok()?);
        head.push(b'\n');
        let mut hasher = rustc_hash::FxHasher::default();
        std::hash::Hasher::write(&mut hasher, &head);
        let name = format!("{:016x}.ll", std::hash::Hasher::finish(&hasher));
        Some(KeptModule { path: folder.join(name), head })
    }

    /// Writes the module to `output`, if it is there. Its warnings were shown when it was compiled.
    pub(super) fn read(&self, output: &Path) -> bool {
        let text = std::fs::read(&self.path).ok().filter(|it| it.starts_with(&self.head));
        text.is_some_and(|it| std::fs::write(output, &it[self.head.len()..]).is_ok())
    }

    /// Keeps a module. Without room for it, the next process compiles the file again.
    pub(super) fn write(&self, output: &Path) {
        let part = self.path.with_extension(format!("{}", std::process::id()));
        let written = std::fs::read(output).and_then(|it| std::fs::write(&part, [&self.head[..], &it].concat()));
        if written.and_then(|()| std::fs::rename(&part, &self.path)).is_err() {
            let _ = std::fs::remove_file(&part);
        }
    }
}
