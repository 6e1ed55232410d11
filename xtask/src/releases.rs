//! What is published can be published: manifests, versions and the files that name them agree.

use crate::tests::{members, root};
use std::fs;

/// Members that users name themselves; the others come along.
const NAMED: [&str; 5] = ["tools/cli", "embed/effigy", "embed/cargo", "embed/harness", "embed/sea"];

fn manifest(member: &str) -> String {
    fs::read_to_string(root().join(member).join("Cargo.toml")).expect("a manifest")
}

/// The lines of a section of a manifest, without comments.
fn section<'a>(manifest: &'a str, name: &str) -> Vec<&'a str> {
    let own =
        manifest.lines().skip_while(|it| *it != format!("[{name}]")).skip(1).take_while(|it| !it.starts_with('['));
    own.filter(|it| !it.is_empty() && !it.starts_with('#')).collect()
}

fn is_published(member: &str) -> bool {
    section(&manifest(member), "package").contains(&"publish = true")
}

fn workspace() -> String {
    fs::read_to_string(root().join("Cargo.toml")).expect("the workspace")
}

fn version() -> String {
    let workspace = workspace();
    let lines = section(&workspace, "workspace.package");
    let version = lines.iter().find_map(|it| it.strip_prefix("version = \"")?.strip_suffix('"'));
    version.expect("the workspace has a version").to_owned()
}

/// The folder of a member that a line of dependencies names, and whether the line gives it a version.
fn dependency(line: &str, member: &str) -> Option<(String, bool)> {
    let name = line.split([' ', '.', '=']).next().filter(|it| it.starts_with("effigy"))?;
    let workspace = workspace();
    let (own, base) = match line.contains("workspace = true") || line.ends_with(".workspace = true") {
        true => (workspace.lines().find(|it| it.starts_with(&format!("{name} = ")))?, String::new()),
        false => (line, format!("{member}/")),
    };
    let path = own.split("path = \"").nth(1)?.split('"').next()?;
    let folder = root().join(format!("{base}{path}")).canonicalize().expect("a member's folder");
    let folder = folder.strip_prefix(root().canonicalize().expect("the tree")).expect("in the tree").to_owned();
    Some((folder.to_string_lossy().into_owned(), own.contains("version = ")))
}

#[test]
fn what_a_user_depends_on_is_published() {
    let mut needed: Vec<String> = NAMED.map(str::to_owned).into();
    let mut at = 0;
    while let Some(member) = needed.get(at).cloned() {
        at += 1;
        assert!(is_published(&member), "{member} is needed by what is published: `publish = true`");
        for line in section(&manifest(&member), "dependencies") {
            let Some((folder, has_version)) = dependency(line, &member) else { continue };
            assert!(has_version, "{member}: {line}: a path alone is no dependency of a published package");
            if !needed.contains(&folder) {
                needed.push(folder);
            }
        }
    }
    assert!(needed.len() > 20, "{needed:?}");
    for member in members() {
        assert_eq!(is_published(&member), needed.contains(&member), "{member}: published, or needed, and not both");
    }
}

/// Tests may go in circles (a language is tested with the analyses of it), packages may not: a dependency without a
/// version is left out of a package.
#[test]
fn tests_depend_on_members_by_path_alone() {
    for member in members().iter().filter(|it| is_published(it)) {
        for line in section(&manifest(member), "dev-dependencies") {
            if let Some((_, has_version)) = dependency(line, member) {
                assert!(!has_version, "{member}: {line}: name it by its path");
            }
        }
    }
}

#[test]
fn a_published_member_says_what_it_is() {
    for member in members().iter().filter(|it| is_published(it)) {
        let manifest = manifest(member);
        let lines = section(&manifest, "package");
        let value = |key: &str| lines.iter().find_map(|it| it.strip_prefix(key)?.strip_prefix(" = "));
        for key in ["description", "readme", "documentation", "keywords", "categories"] {
            assert!(value(key).is_some_and(|it| it.len() > 4), "{member} has no {key}");
        }
        for key in ["version", "license", "repository", "rust-version"] {
            assert!(lines.contains(&&*format!("{key}.workspace = true")), "{member} has no {key} of the workspace");
        }
        let keywords: Vec<&str> = value("keywords").expect("above").split('"').skip(1).step_by(2).collect();
        assert!(keywords.len() <= 5 && keywords.iter().all(|it| it.len() <= 20), "{member}: {keywords:?}");
        let name = value("name").expect("a name").trim_matches('"');
        let readme = fs::read_to_string(root().join(member).join("README.md")).expect("a README");
        assert!(readme.starts_with(&format!("# {name}\n")), "{member}/README.md names another package");
        for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
            let own = fs::read(root().join(member).join(licence)).expect(licence);
            assert!(own == fs::read(root().join(licence)).expect(licence), "{member}/{licence} is not the one above");
        }
    }
}

#[test]
fn one_version_stands_everywhere() {
    let version = version();
    for line in workspace().lines().filter(|it| it.starts_with("effigy") && it.contains("version = ")) {
        assert!(line.contains(&format!("version = \"{version}\"")), "{line}: the workspace is {version}");
    }
    for (file, text) in [
        ("CHANGELOG.md", format!("\n## {version} ")),
        ("CITATION.cff", format!("\nversion: {version}\n")),
        ("fuzz/Cargo.toml", format!("\nversion = \"{version}\"\n")),
        ("book/src/json.md", format!("\"version\": \"{version}\"")),
    ] {
        let whole = fs::read_to_string(root().join(file)).expect(file);
        assert!(whole.contains(&text), "{file} does not contain {text:?}");
    }
}
