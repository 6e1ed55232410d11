//! No files of a member import each other in a circle, except those that are listed with a reason.
//!
//! Knows: `use` declarations, paths that start with `crate`, `self` or `super`, and the tree of modules. A path leads to
//! the file that declares what it names, also through the `use` of another file.
//! Never: methods; macros. A file and its own parts (`step.rs`, `step/call.rs`) may know each other, unless the way
//! from one to the other leads through a file that is no part of it.

use crate::tests::{members, root, sources};
use std::collections::{BTreeMap, BTreeSet};

/// A member, the files of the circle, and why it stays.
type Known = (&'static str, &'static [&'static str], &'static str);

const KNOWN: &[Known] = &[(
    "embed/session",
    &["confirm", "walk"],
    "a walk confirms each of its paths, by a walk along that path with values, which confirms nothing",
)];

/// A path of modules from the root of a member; of the root itself, empty.
type Path = Vec<String>;

/// What a file says of others.
#[derive(Default)]
struct File {
    /// All paths that it names, from the root of the member.
    paths: Vec<Path>,
    /// The names that its `use` declarations give to paths.
    names: BTreeMap<String, Path>,
    /// Its parts that are there only in tests.
    test_parts: Vec<Path>,
}

/// The tokens of a source text: identifiers, `::`, and characters; without comments, texts and labels.
pub fn tokens(text: &str) -> Vec<&str> {
    let mut res = Vec::new();
    let mut rest = text;
    let after = |text: &str, end: &str| text.find(end).map_or(text.len(), |it| it + end.len());
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            after(rest, "\n")
        } else if rest.starts_with("/*") {
            after(rest, "*/")
        } else if let Some(raw) = rest.strip_prefix("r\"") {
            2 + after(raw, "\"")
        } else if let Some(raw) = rest.strip_prefix("r#\"") {
            3 + after(raw, "\"#")
        } else if first == '"' {
            text_length(rest, '"')
        } else if first == '\'' {
            // A character or a lifetime.
            let closed = rest[1..].starts_with('\\') || rest.chars().nth(2) == Some('\'');
            if closed { text_length(rest, '\'') } else { 1 }
        } else {
            let is_part = |it: char| it.is_alphanumeric() || it == '_';
            let word = rest.find(|it: char| !is_part(it)).unwrap_or(rest.len());
            let length = match word {
                0 if rest.starts_with("::") => 2,
                0 => first.len_utf8(),
                it => it,
            };
            if !first.is_whitespace() {
                res.push(&rest[..length]);
            }
            length
        };
        rest = &rest[length..];
    }
    res
}

/// The bytes of a quoted text with its quotes.
fn text_length(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, it) in text.char_indices().skip(1) {
        match it {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            it if it == quote => return at + it.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

/// Without what is compiled only in tests; the parts that are files of their own are told.
fn without_tests<'a>(tokens: &[&'a str], of: &[String], test_parts: &mut Vec<Path>) -> Vec<&'a str> {
    const ONLY_IN_TESTS: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut res = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if !tokens[at..].starts_with(&ONLY_IN_TESTS) {
            res.push(tokens[at]);
            at += 1;
            continue;
        }
        at += ONLY_IN_TESTS.len();
        let end = tokens[at..].iter().position(|it| [";", "{"].contains(it)).map_or(tokens.len(), |it| at + it);
        if let Some(part) = tokens[at..end].iter().position(|it| *it == "mod") {
            test_parts.push([of, &[tokens[at + part + 1].to_owned()]].concat());
        }
        let mut depth = 0;
        at = end;
        while at < tokens.len() {
            depth += i32::from(tokens[at] == "{") - i32::from(tokens[at] == "}");
            at += 1;
            if depth == 0 {
                break;
            }
        }
    }
    res
}

/// What the file of the module `of` says.
fn read(text: &str, of: &[String], is_module: &dyn Fn(&[String]) -> bool) -> File {
    let mut res = File::default();
    let all = tokens(text);
    let all = without_tests(&all, of, &mut res.test_parts);
    let mut at = 0;
    while at < all.len() {
        let declares = all[at] == "use";
        let starts = all.get(at + 1) == Some(&"::") && all[at].starts_with(char::is_alphabetic);
        if !declares && !starts {
            at += 1;
            continue;
        }
        at += usize::from(declares);
        let mut found = Vec::new();
        at = tree(&all, at, Vec::new(), &mut found);
        for (path, alias) in found {
            let named = path.first().and_then(|it| res.names.get(it)).map(|it| [&it[..], &path[1..]].concat());
            let Some(path) = from_root(&path, of, is_module).or(named) else { continue };
            if let Some(alias) = alias.filter(|_| declares) {
                res.names.insert(alias, path.clone());
            }
            res.paths.push(path);
        }
    }
    res
}

/// A path as a declaration has it, and the name that it gives to it.
type Named = (Path, Option<String>);

/// Reads a path or a tree of paths; gives where it ends.
fn tree(all: &[&str], mut at: usize, mut path: Path, into: &mut Vec<Named>) -> usize {
    loop {
        match all.get(at) {
            Some(&"{") => {
                at += 1;
                while at < all.len() && all[at] != "}" {
                    at = if all[at] == "," { at + 1 } else { tree(all, at, path.clone(), into) };
                }
                return at + 1;
            }
            Some(&"*") => {
                into.push((path, None));
                return at + 1;
            }
            Some(it) if it.starts_with(|it: char| it.is_alphabetic() || it == '_') => {
                path.push((*it).to_owned());
                at += 1;
            }
            // `Vec::<T>::new`
            _ => {
                into.push((path, None));
                return at + 1;
            }
        }
        if all.get(at) == Some(&"::") {
            at += 1;
            continue;
        }
        if path.last().is_some_and(|it| it == "self") && path.len() > 1 {
            path.pop();
        }
        let mut alias = path.last().cloned();
        if all.get(at) == Some(&"as") {
            alias = all.get(at + 1).map(|it| (*it).to_owned());
            at += 2;
        }
        into.push((path, alias));
        return at;
    }
}

/// The path from the root of the member; of another crate, none.
fn from_root(path: &[String], of: &[String], is_module: &dyn Fn(&[String]) -> bool) -> Option<Path> {
    let first = path.first()?;
    let ups = path.iter().take_while(|it| *it == "super").count();
    match first.as_str() {
        "crate" => Some(path[1..].to_vec()),
        "super" => Some([&of[..of.len().checked_sub(ups)?], &path[ups..]].concat()),
        "self" => Some([of, &path[1..]].concat()),
        _ => {
            let inner = [of, path].concat();
            is_module(&inner[..=of.len()]).then_some(inner)
        }
    }
}

/// The files of a member, and which others each knows.
struct Graph {
    files: BTreeMap<Path, File>,
}

impl Graph {
    fn of(member: &str) -> Graph {
        let folder = root().join(member).join("src");
        let module = |path: &std::path::Path| -> Path {
            let inner = path.strip_prefix(&folder).expect("in the member").with_extension("");
            let mut res: Path = inner.iter().map(|it| it.to_string_lossy().into_owned()).collect();
            let is_root = res.len() == 1 && ["lib", "main"].contains(&res[0].as_str());
            if is_root || res.last().is_some_and(|it| it == "mod") {
                res.pop();
            }
            res
        };
        let texts: BTreeMap<Path, String> =
            sources(member).into_iter().map(|(path, text)| (module(&path), text)).collect();
        let is_module = |path: &[String]| texts.contains_key(path);
        let mut files: BTreeMap<Path, File> =
            texts.iter().map(|(path, text)| (path.clone(), read(text, path, &is_module))).collect();
        let tests: Vec<Path> = files.values().flat_map(|it| it.test_parts.clone()).collect();
        files.retain(|path, _| !tests.iter().any(|it| path.starts_with(it)));
        Graph { files }
    }

    /// The file that declares what a path names.
    fn declaring(&self, path: &[String], depth: u32) -> Path {
        let length = (0..=path.len()).rev().find(|&it| self.files.contains_key(&path[..it])).unwrap_or(0);
        let (module, rest) = path.split_at(length);
        let named = rest.first().and_then(|it| self.files.get(module)?.names.get(it));
        match named {
            Some(named) if depth > 0 && named[..] != path[..=length] => {
                self.declaring(&[&named[..], &rest[1..]].concat(), depth - 1)
            }
            _ => module.to_vec(),
        }
    }

    fn known_by(&self, file: &Path) -> BTreeSet<Path> {
        let paths = self.files[file].paths.iter();
        paths.map(|it| self.declaring(it, 8)).filter(|it| it != file && self.files.contains_key(it)).collect()
    }

    fn circles(&self) -> Vec<BTreeSet<Path>> {
        let edges: BTreeMap<Path, BTreeSet<Path>> =
            self.files.keys().map(|it| (it.clone(), self.known_by(it))).collect();
        circles_among(&edges)
    }
}

/// Sets of files of which each leads to each other.
fn circles_among(edges: &BTreeMap<Path, BTreeSet<Path>>) -> Vec<BTreeSet<Path>> {
    let reached = |from: &Path| -> BTreeSet<&Path> {
        let mut res = BTreeSet::new();
        let mut pending: Vec<&Path> =
            edges[from].iter().filter_map(|it| edges.get_key_value(it)).map(|it| it.0).collect();
        while let Some(it) = pending.pop() {
            if res.insert(it) {
                pending.extend(edges[it].iter().filter_map(|it| edges.get_key_value(it)).map(|it| it.0));
            }
        }
        res
    };
    let reach: BTreeMap<&Path, BTreeSet<&Path>> = edges.keys().map(|it| (it, reached(it))).collect();
    let mut left: BTreeSet<&Path> = edges.keys().collect();
    let mut res = Vec::new();
    while let Some(first) = left.pop_first() {
        let circle: BTreeSet<Path> = left
            .iter()
            .filter(|it| reach[first].contains(**it) && reach[**it].contains(first))
            .map(|it| (*it).clone())
            .collect();
        left.retain(|it| !circle.contains(*it));
        if circle.is_empty() {
            continue;
        }
        // The first in the order of paths is the one whose parts the others may be.
        if circle.iter().all(|it| it.starts_with(first)) {
            let parts = edges.iter().filter(|it| circle.contains(it.0)).map(|(from, to)| (from.clone(), to.clone()));
            res.extend(circles_among(&parts.collect()));
        } else {
            res.push(circle.into_iter().chain([first.clone()]).collect());
        }
    }
    res
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let shown = |circle: &BTreeSet<Path>| circle.iter().map(|it| it.join("/")).collect::<Vec<_>>();
    let found: BTreeSet<(String, Vec<String>)> = members()
        .into_iter()
        .flat_map(|member| {
            Graph::of(&member).circles().iter().map(|it| (member.clone(), shown(it))).collect::<Vec<_>>()
        })
        .collect();
    let owned = |files: &[&str]| files.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
    let known: BTreeSet<(String, Vec<String>)> = KNOWN.iter().map(|it| (it.0.to_owned(), owned(it.1))).collect();
    let new: Vec<_> = found.difference(&known).map(|it| format!("{}: a circle of {}", it.0, it.1.join(", "))).collect();
    let gone: Vec<_> =
        known.difference(&found).map(|it| format!("{}: no circle of {}", it.0, it.1.join(", "))).collect();
    assert!(new.is_empty() && gone.is_empty(), "{}", [new, gone].concat().join("\n"));
}

#[test]
fn paths_lead_to_the_files_that_declare() {
    let path = |text: &str| text.split('/').filter(|it| !it.is_empty()).map(str::to_owned).collect::<Path>();
    let texts = [
        ("", "pub use b::c::{Item, Other as Alias};"),
        (
            "a",
            "use crate::{Alias, d::Plain}; // use crate::x\nfn f() -> super::e::E { let _ = 'x'; part::g(\"e::h\") }",
        ),
        ("a/part", "#[cfg(test)] mod tests { use crate::e::E; }\nuse std::fmt;"),
        ("b", ""),
        ("b/c", ""),
        ("d", "pub struct Plain<'a>(&'a str);"),
        ("e", ""),
    ];
    let texts: BTreeMap<Path, &str> = texts.iter().map(|it| (path(it.0), it.1)).collect();
    let is_module = |path: &[String]| texts.contains_key(path);
    let files = texts.iter().map(|(path, text)| (path.clone(), read(text, path, &is_module))).collect();
    let graph = Graph { files };
    let known: Vec<String> = graph.known_by(&path("a")).iter().map(|it| it.join("/")).collect();
    assert_eq!(known, ["a/part", "b/c", "d", "e"]);
    assert!(graph.known_by(&path("a/part")).is_empty());
}
