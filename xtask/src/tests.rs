//! Dependencies go one way, the map is true, and forbidden things stay where they belong.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

pub use crate::licences::root;

/// The folders of all members.
pub fn members() -> Vec<String> {
    let mut res = vec!["xtask".to_owned()];
    for room in ["core", "languages", "analyses", "tools", "embed", "testing"] {
        for entry in fs::read_dir(root().join(room)).expect("a room").flatten() {
            if entry.path().join("Cargo.toml").is_file() {
                res.push(format!("{room}/{}", entry.file_name().to_string_lossy()));
            }
        }
    }
    res.sort();
    res
}

pub fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The files that git tracks, by their paths from the root.
pub fn tracked_files() -> Vec<String> {
    static FILES: OnceLock<Vec<String>> = OnceLock::new();
    FILES.get_or_init(list_tracked_files).clone()
}

fn list_tracked_files() -> Vec<String> {
    let git = Command::new("git").args(["ls-files", "-z"]).current_dir(root()).output().expect("git is installed");
    assert!(git.status.success(), "the tree is a clone: {}", String::from_utf8_lossy(&git.stderr));
    let paths = String::from_utf8(git.stdout).expect("paths in UTF-8");
    paths.split('\0').filter(|it| !it.is_empty()).map(str::to_owned).collect()
}

/// The members that a member depends on, of a section of its manifest: `dependencies`, `dev-dependencies`.
fn dependencies(member: &str, section: &str) -> Vec<String> {
    let manifest = read(&format!("{member}/Cargo.toml"));
    let section = manifest.split(&format!("[{section}]")).nth(1).unwrap_or("");
    let section = section.split("\n[").next().unwrap_or("");
    let names = section.lines().filter_map(|it| it.split(['.', ' ', '=']).next()?.strip_prefix("effigy-"));
    let folder = |name: &str| members().into_iter().find(|it| it.ends_with(&format!("/{name}")));
    names.filter_map(folder).collect()
}

pub fn sources(member: &str) -> Vec<(PathBuf, String)> {
    let mut res = Vec::new();
    let mut folders = vec![root().join(member).join("src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("sources").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|it| it == "rs") {
                let text = fs::read_to_string(&path).expect("a source file");
                res.push((path, text));
            }
        }
    }
    res
}

#[test]
fn dependencies_go_one_way() {
    let rank = |member: &str| match member {
        "core/term" => 0,
        "core/solver" => 1,
        "core/engine" | "core/smtlib" => 2,
        "core/contracts" => 1,
        "core/heap" | "core/walk" => 3,
        "core/testing" => 4,
        // A work list, which knows nothing of programs.
        "tools/fleet" => 5,
        it if it.starts_with("languages/") || it.starts_with("analyses/") => 5,
        // A session, relations and the macros know nothing of the other parts of the library; a connection knows them all.
        "embed/session" | "embed/relations" | "embed/macros" | "embed/harness-macros" => 5,
        "tools/cli" | "embed/sea" | "embed/effigy" => 7,
        _ => 6,
    };
    for member in members() {
        for dependency in dependencies(&member, "dependencies") {
            assert!(rank(&dependency) < rank(&member), "{member} depends on {dependency}");
        }
        // Languages are tested with analyses, and all with the generators; but the core with nothing above it.
        for dependency in dependencies(&member, "dev-dependencies") {
            let is_core = |it: &str| it.starts_with("core/");
            assert!(is_core(&dependency) || !is_core(&member), "the tests of {member} depend on {dependency}");
        }
    }
}

#[test]
fn processes_are_started_only_where_they_may_be() {
    let allowed = [
        "core/solver/src/backends/",
        "languages/llvm/src/driver",
        "tools/fuzz/src/",
        "tools/cli/src/",
        "embed/cargo/src/",
    ];
    for member in members().iter().filter(|it| *it != "xtask") {
        for (path, text) in sources(member) {
            let place = path.strip_prefix(root()).expect("in the tree").to_string_lossy().into_owned();
            let starts = text.contains("std::process::Command") || text.contains("process::{Child");
            assert!(!starts || allowed.iter().any(|it| place.starts_with(it)), "{place} starts processes");
        }
    }
}

#[test]
fn the_core_reads_no_files() {
    for member in ["core/term", "core/smtlib", "core/contracts", "core/engine", "core/heap"] {
        for (path, text) in sources(member) {
            assert!(!text.contains("std::fs") && !text.contains("std::io"), "{}", path.display());
        }
    }
}

#[test]
fn the_engine_knows_no_bitvector() {
    for (path, text) in sources("core/engine") {
        let without_defaults = text.split("fn default_of").next().unwrap_or("");
        let uses = without_defaults.lines().filter(|it| !it.trim_start().starts_with("//"));
        let bitvectors = uses.filter(|it| it.contains("bv_") || it.contains("BvValue"));
        assert_eq!(bitvectors.count(), 0, "{}", path.display());
    }
}

/// The names of the types that a source makes public.
pub fn public_types(text: &str) -> impl Iterator<Item = &str> {
    let kinds = ["struct ", "enum ", "trait ", "type ", "union "];
    let declared = text.lines().filter_map(move |line| {
        let rest = line.strip_prefix("pub ")?;
        kinds.iter().find_map(|it| rest.strip_prefix(it))
    });
    declared.filter_map(|it| it.split(|it: char| !it.is_alphanumeric() && it != '_').next())
}

#[test]
fn no_analysis_matches_on_questions() {
    for member in members().iter().filter(|it| it.starts_with("analyses/") || it.starts_with("tools/")) {
        for (path, text) in sources(member) {
            // What implements `Language` asks; a walk over it must not look at what it asks.
            if text.contains(" Language for ") {
                assert!(!text.contains("advance("), "{}: a language that walks itself", path.display());
                continue;
            }
            let asks = ["Branch", "Require", "Value", "Assume"].iter().any(|it| text.contains(&format!("Step::{it}")));
            assert!(
                !asks,
                "{}: what a question means for a path is said in core/engine/src/advance.rs",
                path.display()
            );
        }
    }
}

#[test]
fn every_module_says_what_it_is() {
    for member in members() {
        for (path, text) in sources(&member) {
            assert!(text.starts_with("//!"), "{} has no first lines", path.display());
        }
    }
}

#[test]
fn the_map_is_true() {
    let map = read("ARCHITECTURE.md");
    for member in members() {
        assert!(map.contains(&format!("`{member}`")), "ARCHITECTURE.md does not name {member}");
    }
    for path in map.split('`').skip(1).step_by(2).filter(|it| it.contains('/') && !it.contains(['*', ' ', ':'])) {
        assert!(root().join(path).exists(), "ARCHITECTURE.md names {path}, which does not exist");
    }
}

#[test]
fn nothing_is_fetched_from_git() {
    assert!(!read("Cargo.lock").contains("git+"), "a dependency on a git repository");
}

#[test]
fn nothing_asks_for_libclang() {
    for lock in ["Cargo.lock", "fuzz/Cargo.lock"] {
        let text = read(lock);
        for package in ["bindgen", "clang-sys"] {
            assert!(!text.contains(&format!("name = \"{package}\"\n")), "{lock}: {package} needs libclang to build");
        }
        assert!(text.contains("name = \"cadical-sys\"\n"), "{lock} has the SAT solver");
    }
}

#[test]
fn the_book_lists_its_chapters() {
    let summary = read("book/src/SUMMARY.md");
    for entry in fs::read_dir(root().join("book/src")).expect("the book").flatten() {
        // Pictures and tables stand in folders.
        if entry.path().is_dir() {
            continue;
        }
        let name = entry.file_name().to_string_lossy().into_owned();
        assert!(name == "SUMMARY.md" || summary.contains(&format!("({name})")), "{name} is in no table of contents");
    }
}
