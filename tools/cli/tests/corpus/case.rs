//! A file of the corpus: what its comments announce, and how a test of it is run.

use effigy_cli::{Case, STACK};
use libtest_mimic::{Failed, Trial};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The root of the tree.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the tree")
}

/// The files below a folder of the tree that have one of these extensions, in the order of their names.
pub fn files(folder: &str, extensions: &[&str]) -> Vec<PathBuf> {
    let mut res = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the corpus can be read").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| extensions.iter().any(|extension| it == *extension)) {
                res.push(path);
            }
        }
    }
    res.sort();
    res
}

/// The value of the line `//@ NAME: VALUE`.
pub fn directive<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines().find_map(|it| it.strip_prefix("//@ ")?.strip_prefix(name)?.strip_prefix(": ").map(str::trim))
}

/// A test named after its file. It gets a folder of its own, which is removed afterwards, and the stack that the
/// command gives to whoever walks a program.
pub fn trial(file: PathBuf, check: impl FnOnce(&Path, &Path) -> Result<(), String> + Send + 'static) -> Trial {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let (corpus, root) = (root().join("corpus"), root());
    let name = file.strip_prefix(corpus).or_else(|_| file.strip_prefix(root)).unwrap_or(&file);
    let name = name.to_string_lossy().into_owned();
    Trial::test(name, move || {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("effigy-corpus-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(|it| it.to_string())?;
        let own = folder.clone();
        let thread = std::thread::Builder::new().stack_size(STACK).spawn(move || check(&file, &own));
        let result = thread.map_err(|it| it.to_string())?.join();
        let _ = std::fs::remove_dir_all(folder);
        match result {
            Ok(result) => result.map_err(Failed::from),
            Err(_) => Err("the test panicked".into()),
        }
    })
}

/// The JSON that a command line prints of an opened program, and its exit code.
pub fn walk(case: &Case, words: &[&str]) -> Result<(Value, u8), String> {
    let outcome = case.walk(words);
    let json = serde_json::from_str(&outcome.output)
        .map_err(|_| format!("no JSON, but exit code {} and: {}", outcome.code, outcome.output))?;
    Ok((json, outcome.code))
}
