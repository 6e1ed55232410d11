//! A folder with sources, in which compilers and effigy are run.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// A folder of the test's own, removed at the end.
pub(crate) struct BuildFolder(pub(crate) PathBuf);

impl BuildFolder {
    pub(crate) fn new(name: &str) -> BuildFolder {
        let path = std::env::temp_dir().join(format!("effigy-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(path.join("sub")).expect("a folder");
        BuildFolder(path)
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> &BuildFolder {
        fs::write(self.0.join(name), text).expect("a file");
        self
    }

    pub(crate) fn output(&self, program: &str, words: &str) -> Output {
        let words = words.split_whitespace();
        Command::new(program).args(words).current_dir(&self.0).stdin(Stdio::null()).output().expect("it starts")
    }

    /// The exit code, standard output and standard error of effigy.
    pub(crate) fn effigy(&self, words: &str) -> (Option<i32>, String, String) {
        let output = self.output(env!("CARGO_BIN_EXE_effigy"), words);
        let text = |it: &[u8]| String::from_utf8_lossy(it).into_owned();
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    }

    pub(crate) fn succeeds(&self, words: &str) {
        let (code, out, errors) = self.effigy(words);
        assert_eq!((code, &*out, &*errors), (Some(0), "", ""), "{words}");
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.join(name).exists()
    }
}

impl Drop for BuildFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
