//! No file of the tree names the host of a package registry: packages come through the ordinary clients by their names,
//! which find a mirror where one is configured.
//!
//! Knows: the bytes of tracked files. Never: what they mean.

use crate::tests::{root, tracked_files};
use std::fs;

/// The hosts, each in two parts, so that this file does not name them.
const HOSTS: &[(&str, &str)] = &[
    ("deb", "debian.org"),
    ("ftp", "debian.org"),
    ("snapshot", "debian.org"),
    ("security", "debian.org"),
    ("archive", "ubuntu.com"),
    ("security", "ubuntu.com"),
    ("static", "crates.io"),
    ("index", "crates.io"),
    ("pypi", "org"),
    ("files", "pythonhosted.org"),
    ("registry", "npmjs.org"),
    ("registry", "yarnpkg.com"),
    ("proxy", "golang.org"),
    ("repo", "maven.apache.org"),
    ("repo1", "maven.org"),
];

/// Hosts whose names are words of prose, too: forbidden only in an address.
const HOSTS_IN_ADDRESSES: &[(&str, &str)] = &[("crates", "io"), ("www.npmjs", "com"), ("rubygems", "org")];

/// What cargo itself writes into a lock file for each package of its default registry, where it is the whole line. It is
/// the registry's name; the host from which cargo downloads is another.
const SOURCE_IN_LOCK_FILES: &str = r#"source = "registry+https://github.com/rust-lang/crates.io-index""#;

/// Lines of a file that name the host of a registry.
fn lines_with_hosts(path: &str, text: &str) -> Vec<String> {
    let is_lock_file = path.rsplit('/').next() == Some("Cargo.lock");
    let index = format!("{}.io-index", "github.com/rust-lang/crates");
    let mut needles: Vec<String> = HOSTS.iter().map(|(host, domain)| format!("{host}.{domain}")).collect();
    needles.extend(HOSTS_IN_ADDRESSES.iter().map(|(host, domain)| format!("://{host}.{domain}")));
    needles.push(index);
    let mut res = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if is_lock_file && line == SOURCE_IN_LOCK_FILES {
            continue;
        }
        let lower = line.to_lowercase();
        if let Some(host) = needles.iter().find(|it| lower.contains(it.as_str())) {
            res.push(format!("{path}:{}: names {host}", number + 1));
        }
    }
    res
}

#[test]
fn no_file_names_the_host_of_a_registry() {
    let mut found = Vec::new();
    for path in tracked_files().iter().filter(|it| *it != "xtask/src/registry_hosts.rs") {
        // A tracked file that is deleted but not yet committed has no text.
        let Ok(bytes) = fs::read(root().join(path)) else { continue };
        found.extend(lines_with_hosts(path, &String::from_utf8_lossy(&bytes)));
    }
    assert!(found.is_empty(), "packages come by their clients (bench/common/packages.py):\n{}", found.join("\n"));
}

#[test]
fn a_host_in_a_planted_file_is_found() {
    for (host, domain) in HOSTS {
        let text = format!("first line\nurl: HTTPS://{}.{domain}/pool/x.tar.gz\n", host.to_uppercase());
        assert_eq!(lines_with_hosts("a/b.json", &text), [format!("a/b.json:2: names {host}.{domain}")]);
    }
    let address = |scheme: &str| format!("{scheme}{}.io/api/v1", "crates");
    assert_eq!(lines_with_hosts("a.md", &address("https://")).len(), 1);
    assert!(lines_with_hosts("a.md", &address("found on ")).is_empty(), "the registry's name in prose");
}

#[test]
fn only_a_lock_file_may_name_the_index_of_cargo() {
    assert!(lines_with_hosts("fuzz/Cargo.lock", SOURCE_IN_LOCK_FILES).is_empty());
    assert_eq!(lines_with_hosts("a/config.toml", SOURCE_IN_LOCK_FILES).len(), 1);
    let resolved = format!("resolved = \"https://{}.{}/x\"", "registry", "npmjs.org");
    assert_eq!(lines_with_hosts("Cargo.lock", &resolved).len(), 1);
}
