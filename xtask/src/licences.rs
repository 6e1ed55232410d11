//! Licences of the crates that a release is made of, and the notices that go with them.
//!
//! Knows: `cargo tree`, the unpacked crates, `deny.toml`. Never: the sources of the crates.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The packages that users install or depend on.
const RELEASED: [&str; 3] = ["effigy-cli", "effigy", "cargo-effigy"];

/// What a release is built for. The crates are the same on other Linux machines.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// A crate of the registry.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Package {
    /// The name that its manifest gives it.
    pub name: String,
    /// The version that the lock file chose.
    pub version: String,
    /// Its licence expression, as its manifest has it.
    pub licence: String,
}

/// The folder of the workspace.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is in the tree").to_owned()
}

/// The crates of the registry that are linked into what is released. Whoever has built the command has them: cargo
/// needs no network.
pub fn packages() -> BTreeSet<Package> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["tree", "--offline", "--locked", "--edges", "normal", "--prefix", "none", "--target", TARGET]);
    cargo.args(["--format", "{p}\t{l}"]).args(RELEASED.iter().flat_map(|it| ["--package", it])).current_dir(root());
    let output = cargo.output().expect("cargo starts");
    assert!(output.status.success(), "cargo tree: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("cargo writes UTF-8");
    text.lines().filter_map(package).collect()
}

/// The package of a line `name vVERSION [(proc-macro)]<tab>LICENCE`; none for members, whose lines name their folder.
fn package(line: &str) -> Option<Package> {
    // What was listed before is marked by a star.
    let (package, licence) = line.strip_suffix(" (*)").unwrap_or(line).split_once('\t')?;
    if package.contains('/') {
        return None;
    }
    let mut words = package.split(' ');
    let (name, version) = (words.next()?.to_owned(), words.next()?.strip_prefix('v')?.to_owned());
    Some(Package { name, version, licence: licence.to_owned() })
}

/// The names of the licences that `deny.toml` allows.
pub fn allowed() -> BTreeSet<String> {
    let text = fs::read_to_string(root().join("deny.toml")).expect("deny.toml");
    let list = text.split("\nallow = [").nth(1).and_then(|it| it.split(']').next()).expect("deny.toml allows licences");
    list.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Whether a licence expression can be satisfied by the licences of `allowed`: `OR` (also written `/`), `AND`, `WITH`
/// and parentheses. An expression that cannot be read is not satisfied.
pub fn is_allowed(expression: &str, allowed: &BTreeSet<String>) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let mut words = spaced.split_whitespace().peekable();
    let satisfied = any(&mut words, allowed);
    words.next().is_none() && satisfied == Some(true)
}

type Words<'a, 'b> = &'a mut std::iter::Peekable<std::str::SplitWhitespace<'b>>;

fn any(words: Words<'_, '_>, allowed: &BTreeSet<String>) -> Option<bool> {
    let mut res = all(words, allowed)?;
    while words.next_if_eq(&"OR").is_some() {
        res |= all(words, allowed)?;
    }
    Some(res)
}

fn all(words: Words<'_, '_>, allowed: &BTreeSet<String>) -> Option<bool> {
    let mut res = one(words, allowed)?;
    while words.next_if_eq(&"AND").is_some() {
        res &= one(words, allowed)?;
    }
    Some(res)
}

fn one(words: Words<'_, '_>, allowed: &BTreeSet<String>) -> Option<bool> {
    let first = words.next()?;
    if first == "(" {
        let res = any(words, allowed)?;
        return (words.next()? == ")").then_some(res);
    }
    if matches!(first, "OR" | "AND" | "WITH" | ")") {
        return None;
    }
    let licence = match words.next_if_eq(&"WITH") {
        Some(_) => format!("{first} WITH {}", words.next()?),
        None => first.to_owned(),
    };
    Some(allowed.contains(&licence))
}

/// Where cargo has unpacked a crate; `None` where it has not.
pub(crate) fn unpacked(name: &str, version: &str) -> Option<PathBuf> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cargo")))?;
    let registries = fs::read_dir(home.join("registry/src")).ok()?;
    let name = format!("{name}-{version}");
    registries.flatten().map(|it| it.path().join(&name)).find(|it| it.is_dir())
}

/// Where cargo has unpacked a crate of the release.
fn folder(package: &Package) -> PathBuf {
    let Package { name, version, .. } = package;
    unpacked(name, version).unwrap_or_else(|| panic!("cargo has not unpacked {name}-{version}"))
}

/// The files of licences in a folder and below, by their names from there.
fn licence_files(folder: &Path, depth: usize) -> Vec<(String, String)> {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder).expect("a crate").flatten().map(|it| it.path()).collect();
    entries.sort();
    let mut res = Vec::new();
    for path in entries {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            if depth > 0 {
                let below = licence_files(&path, depth - 1);
                res.extend(below.into_iter().map(|it| (format!("{name}/{}", it.0), it.1)));
            }
            continue;
        }
        let upper = name.to_uppercase();
        let is_licence = ["LICENSE", "LICENCE", "COPYING", "NOTICE"].iter().any(|it| upper.contains(it));
        if let (true, Ok(text)) = (is_licence && !upper.ends_with(".RS"), fs::read_to_string(&path)) {
            res.push((name, text));
        }
    }
    res
}

/// The texts that a crate's licence asks to hand on. Who may choose takes MIT.
fn texts(package: &Package) -> Vec<String> {
    let mut files = licence_files(&folder(package), 3);
    let chooses = package.licence.replace('/', " OR ").contains(" OR ");
    let is_mit = |it: &(String, String)| it.0.to_uppercase().contains("MIT");
    if chooses && files.iter().any(is_mit) {
        // What stands in a folder is the licence of other sources in the crate.
        files.retain(|it| is_mit(it) || it.0.contains('/'));
    }
    let normal =
        |text: &str| text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n").trim_matches('\n').to_owned();
    files.iter().map(|it| normal(&it.1)).filter(|it| !it.is_empty()).collect()
}

/// The text that `THIRD-PARTY-NOTICES.md` must have.
pub fn notices() -> String {
    let packages = packages();
    let mut by_text: BTreeMap<String, Vec<&Package>> = BTreeMap::new();
    let mut without = Vec::new();
    for package in &packages {
        let texts = texts(package);
        if texts.is_empty() {
            without.push(package);
        }
        for text in texts {
            let of_text = by_text.entry(text).or_default();
            if of_text.last() != Some(&package) {
                of_text.push(package);
            }
        }
    }
    let mut res = String::from(
        "# Third-party notices\n\n\
         Effigy itself is under MIT or Apache-2.0 (`LICENSE-MIT`, `LICENSE-APACHE`).\n\
         Its releases contain the crates below. Two of them bring sources in other languages: the SAT solver CaDiCaL \
         (MIT, C++) and the allocator mimalloc (MIT, C).\n\
         Where a crate leaves the choice, it is used under MIT.\n\n\
         `cargo run -p xtask -- notices` writes this file.\n\n\
         | crate | version | licence |\n|---|---|---|\n",
    );
    for it in &packages {
        let _ = writeln!(res, "| {} | {} | {} |", it.name, it.version, it.licence);
    }
    if !without.is_empty() {
        let names: Vec<&str> = without.iter().map(|it| &*it.name).collect();
        let _ = writeln!(res, "\nNo file of a licence is in the packages of {}.", names.join(", "));
    }
    res.push_str("\n## Texts\n");
    // By the first crate that has it.
    let mut by_name: Vec<(&String, &Vec<&Package>)> = by_text.iter().collect();
    by_name.sort_by_key(|it| (it.1, it.0));
    for (text, packages) in by_name {
        let names: Vec<&str> = packages.iter().map(|it| &*it.name).collect();
        let _ = write!(res, "\n### {}\n\n````text\n{text}\n````\n", names.join(", "));
    }
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_read_as_spdx_has_them() {
        let allowed: BTreeSet<String> = ["MIT", "Zlib", "Apache-2.0 WITH LLVM-exception"].map(str::to_owned).into();
        for (expression, expected) in [
            ("MIT", true),
            ("Apache-2.0", false),
            ("Apache-2.0/MIT", true),
            ("GPL-3.0 OR MIT", true),
            ("GPL-3.0 AND MIT", false),
            ("(GPL-3.0 OR MIT) AND Zlib", true),
            ("MIT AND GPL-3.0 OR Zlib", true),
            ("Apache-2.0 WITH LLVM-exception", true),
            ("MIT WITH LLVM-exception", false),
            ("(MIT", false),
            ("MIT Zlib", false),
            ("OR MIT", false),
            ("", false),
        ] {
            assert_eq!(is_allowed(expression, &allowed), expected, "{expression}");
        }
    }

    #[test]
    fn every_crate_of_a_release_is_under_a_licence_that_is_allowed() {
        let (packages, allowed) = (packages(), allowed());
        assert!(packages.len() > 50 && allowed.len() > 5, "{packages:?} {allowed:?}");
        for it in packages {
            assert!(is_allowed(&it.licence, &allowed), "{} {} is under {:?}", it.name, it.version, it.licence);
        }
    }

    #[test]
    fn the_notices_are_those_of_the_lock_file() {
        let text = fs::read_to_string(root().join("THIRD-PARTY-NOTICES.md")).expect("THIRD-PARTY-NOTICES.md");
        assert!(text == notices(), "THIRD-PARTY-NOTICES.md is old: `cargo run -p xtask -- notices` writes it");
        for it in ["Armin Biere", "Daan Leijen"] {
            assert!(text.contains(it), "{it} is missing: the sources of CaDiCaL or mimalloc have another licence file");
        }
    }
}
