//! One number says which Rust is needed: the workspace's `rust-version`. Every member inherits it, the README names it,
//! and no dependency asks for more.
//!
//! Knows: manifests, `Cargo.lock`, the sources that cargo has unpacked. Never: cargo itself, which on a fresh machine
//! cannot list packages of other platforms without the network.

use crate::licences;
use crate::tests::{members, read, root};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// Members of the workspace that `make test` leaves out: what only they depend on may not be unpacked.
const WEB: [&str; 2] = ["crm", "effigy-sea"];

/// The value of `key = "value"` in a section of a manifest.
fn value_of(manifest: &str, section: &str, key: &str) -> Option<String> {
    let section = manifest.split(&format!("[{section}]\n")).nth(1)?.split("\n[").next()?;
    let value = section.lines().find_map(|it| it.strip_prefix(key)?.trim_start().strip_prefix('='))?;
    Some(value.trim().trim_matches('"').to_owned())
}

/// Major, minor and patch; `None` where a text is no version.
fn version(text: &str) -> Option<[u32; 3]> {
    let mut res = [0; 3];
    let parts: Vec<&str> = text.split('.').collect();
    if parts.len() > res.len() {
        return None;
    }
    for (into, part) in res.iter_mut().zip(parts) {
        *into = part.parse().ok()?;
    }
    Some(res)
}

/// The versions of Rust that a text for users asks for: `Rust 1.94`.
fn named_in_prose(text: &str) -> BTreeSet<String> {
    let after = text.split("Rust 1.").skip(1);
    after.map(|it| format!("1.{}", it.chars().take_while(char::is_ascii_digit).collect::<String>())).collect()
}

/// What a member's manifest lacks.
fn complaint_of_member(manifest: &str) -> Option<&'static str> {
    let package = manifest.split("[package]\n").nth(1)?.split("\n[").next()?;
    if package.lines().any(|it| it == "rust-version.workspace = true") { None } else { Some("has a number of its own") }
}

/// A package of `Cargo.lock`.
struct Package {
    name: String,
    version: String,
    is_published: bool,
    /// Names, with a version where one name has several.
    dependencies: Vec<String>,
}

fn packages(lock: &str) -> Vec<Package> {
    let of = |part: &str| {
        let value =
            |key: &str| part.lines().find_map(|it| it.strip_prefix(key)?.strip_prefix(" = \"")?.strip_suffix('"'));
        let dependencies = part.lines().filter_map(|it| it.strip_prefix(" \"")?.strip_suffix("\","));
        Some(Package {
            name: value("name")?.to_owned(),
            version: value("version")?.to_owned(),
            is_published: value("source").is_some(),
            dependencies: dependencies.map(str::to_owned).collect(),
        })
    };
    lock.split("[[package]]\n").filter_map(of).collect()
}

/// The published packages on which the members depend, without those that only members of `without` depend on.
fn dependencies<'a>(packages: &'a [Package], without: &[&str]) -> Vec<&'a Package> {
    let is_meant = |it: &Package, words: &str| {
        let (name, version) = words.split_once(' ').unwrap_or((words, &it.version));
        it.name == name && it.version == version
    };
    let mut pending: Vec<&Package> =
        packages.iter().filter(|it| !it.is_published && !without.contains(&it.name.as_str())).collect();
    let mut res: BTreeMap<(&str, &str), &Package> = BTreeMap::new();
    while let Some(it) = pending.pop() {
        if res.insert((&it.name, &it.version), it).is_none() {
            pending.extend(it.dependencies.iter().flat_map(|words| packages.iter().filter(|it| is_meant(it, words))));
        }
    }
    res.into_values().filter(|it| it.is_published).collect()
}

/// The manifest of a package that cargo has unpacked.
fn unpacked(package: &Package) -> Option<String> {
    fs::read_to_string(licences::unpacked(&package.name, &package.version)?.join("Cargo.toml")).ok()
}

/// Whether a package asks for a later Rust than `ours`.
fn asks_for_more(manifest: &str, ours: [u32; 3]) -> bool {
    value_of(manifest, "package", "rust-version").and_then(|it| version(&it)).is_some_and(|it| it > ours)
}

fn ours() -> String {
    value_of(&read("Cargo.toml"), "workspace.package", "rust-version").expect("the workspace says which Rust it needs")
}

#[test]
fn every_member_inherits_the_number() {
    let mut members = members();
    members.push("examples/crm".to_owned());
    for member in members {
        let complaint = complaint_of_member(&read(&format!("{member}/Cargo.toml")));
        assert!(complaint.is_none(), "{member} {}", complaint.unwrap_or_default());
    }
}

#[test]
fn the_readme_names_the_number() {
    assert_eq!(named_in_prose(&read("README.md")), BTreeSet::from([ours()]));
}

#[test]
fn no_dependency_asks_for_more() {
    let ours = version(&ours()).expect("a version");
    let all = packages(&read("Cargo.lock"));
    let tested = dependencies(&all, &WEB);
    let there = tested.iter().filter(|it| unpacked(it).is_some()).count();
    // What only other platforms or features need, cargo does not download.
    assert!(there * 2 > tested.len(), "only {there} of {} dependencies are unpacked below {:?}", tested.len(), root());
    let more: Vec<String> = dependencies(&all, &[])
        .into_iter()
        .filter(|it| unpacked(it).is_some_and(|manifest| asks_for_more(&manifest, ours)))
        .map(|it| format!("{} {}", it.name, it.version))
        .collect();
    assert!(more.is_empty(), "these dependencies need a later Rust than {ours:?}: {more:?}");
}

#[test]
fn planted_numbers_are_found() {
    let member = |line: &str| format!("[package]\nname = \"a\"\n{line}\n\n[lints]\nworkspace = true\n");
    assert_eq!(complaint_of_member(&member("rust-version.workspace = true")), None);
    assert!(complaint_of_member(&member("rust-version = \"1.94\"")).is_some());
    assert!(complaint_of_member(&member("")).is_some());
    assert_eq!(
        named_in_prose("Rust 1.94 or later; Rust 1.85.1 is too old"),
        BTreeSet::from(["1.85", "1.94"].map(str::to_owned))
    );
    let asks = |line: &str| asks_for_more(&member(line), [1, 94, 0]);
    assert!(asks("rust-version = \"1.95\"") && asks("rust-version = \"1.94.1\"") && asks("rust-version = \"2.0\""));
    assert!(!asks("rust-version = \"1.94.0\"") && !asks("rust-version = \"1.9\"") && !asks(""));
}

#[test]
fn dependencies_are_followed_by_name_and_version() {
    let lock = "version = 4\n\n\
        [[package]]\nname = \"member\"\nversion = \"0.0.0\"\ndependencies = [\n \"one\",\n \"two 2.0.0\",\n]\n\n\
        [[package]]\nname = \"web\"\nversion = \"0.0.0\"\ndependencies = [\n \"two 1.0.0\",\n]\n\n\
        [[package]]\nname = \"one\"\nversion = \"0.1.0\"\nsource = \"registry+x\"\ndependencies = [\n \"three\",\n]\n\n\
        [[package]]\nname = \"two\"\nversion = \"1.0.0\"\nsource = \"registry+x\"\n\n\
        [[package]]\nname = \"two\"\nversion = \"2.0.0\"\nsource = \"registry+x\"\n\n\
        [[package]]\nname = \"three\"\nversion = \"3.0.0\"\nsource = \"registry+x\"\n";
    let all = packages(lock);
    let named = |without: &[&str]| {
        dependencies(&all, without).iter().map(|it| format!("{} {}", it.name, it.version)).collect::<Vec<_>>()
    };
    assert_eq!(named(&["web"]), ["one 0.1.0", "three 3.0.0", "two 2.0.0"]);
    assert_eq!(named(&[]), ["one 0.1.0", "three 3.0.0", "two 1.0.0", "two 2.0.0"]);
}
