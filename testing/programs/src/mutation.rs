//! Mutants of verified examples: none verifies, except those that are named with the reason why they may.
//!
//! Knows: the folder of the examples, the list of those that may survive. Never: the language, which is given.

use crate::mutants::{Mutant, chosen, mutants};
use effigy_verify::{Config, Member, Program, Verdict, members, verify};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What of an example is mutated, and what has to verify of it.
#[derive(Default)]
pub struct Scope {
    /// The lines that are mutated, from 1; all of them without.
    pub lines: Option<BTreeSet<usize>>,
    /// The members that verify; all of them without.
    pub members: Option<BTreeSet<Arc<str>>>,
}

/// A language whose programs have contracts.
pub trait Contracts {
    /// The program of a text, if it is one.
    fn read(&self, text: &str) -> Option<Program>;

    /// The configuration of the verifier.
    fn config(&self) -> Config;

    /// The text of an example that is mutated; it may leave out what fails.
    fn example(&self, text: String) -> String {
        text
    }

    /// What verifies of an example.
    fn scope(&self, _text: &str) -> Scope {
        Scope::default()
    }

    /// What goes wrong when the program of a text runs; `None` when nothing does, or it is not known.
    fn goes_wrong(&self, _text: &str) -> Option<String> {
        None
    }
}

/// The name of a member of the program.
pub fn name(program: &Program, member: Member) -> &Arc<str> {
    match member {
        Member::Function(it) => &program.functions[it.index()].name,
        Member::Predicate(it) => &program.predicates[it.index()].name,
        Member::Method(it) => &program.methods[it.index()].name,
    }
}

/// The root of the tree.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files of a folder of the tree, with their names, in their order.
pub(crate) fn files(folder: &str) -> Vec<(String, String)> {
    let files = fs::read_dir(root().join(folder))
        .expect("the corpus")
        .map(|it| it.expect("a file").path())
        .filter(|it| it.is_file());
    let named = |it: PathBuf| (it.file_name().expect("a name").to_string_lossy().into_owned(), it);
    let mut res: Vec<(String, String)> =
        files.map(named).map(|(name, path)| (name, fs::read_to_string(path).expect("text"))).collect();
    res.sort();
    res
}

/// `file:line:column: change | why it is equivalent`, on each line.
fn survivors(file: &str) -> BTreeSet<String> {
    fs::read_to_string(root().join(file))
        .expect("the list of survivors")
        .lines()
        .filter(|it| !it.starts_with('#') && !it.is_empty())
        .map(|it| it.split_once(" | ").expect("a reason").0.to_owned())
        .collect()
}

/// So many mutants of the examples in a folder of the corpus; the file beside them names those that are equivalent.
///
/// # Panics
/// When a mutant verifies that is not known to be equivalent, or that goes wrong when it runs.
pub fn mutation(language: &impl Contracts, folder: &str, equivalent: &str, tried: usize) {
    let known = survivors(equivalent);
    let examples: Vec<(String, String)> =
        files(folder).into_iter().map(|(name, text)| (name, language.example(text))).collect();
    let scopes: BTreeMap<&str, Scope> =
        examples.iter().map(|(name, text)| (name.as_str(), language.scope(text))).collect();
    let all: Vec<(&str, Mutant)> = examples
        .iter()
        .flat_map(|(name, text)| mutants(text, 2).into_iter().map(move |it| (name.as_str(), it)))
        .filter(|(name, it)| scopes[name].lines.as_ref().is_none_or(|lines| lines.contains(&it.line)))
        .filter(|(_, it)| language.read(&it.text).is_some())
        .collect();
    // Whether it verifies with its paths merged is tried first, then with each alone: neither may.
    let config = Config { merge_after: Some(0), ..language.config() };
    let mut unsound = Vec::new();
    let (mut killed, mut survived) = (0, 0);
    for (name, mutant) in chosen(all, tried, 1) {
        if !verifies(language, &mutant.text, &scopes[name], &config) {
            killed += 1;
            continue;
        }
        survived += 1;
        let change = format!("{name}:{}:{}", mutant.line, mutant.change);
        if let Some(error) = language.goes_wrong(&mutant.text) {
            unsound.push(format!("{change} verifies, but {error}"));
        } else if !known.contains(&change) {
            unsound.push(format!("{change} verifies"));
        }
    }
    let counts = format!("{killed} mutants do not verify, {survived} are equivalent");
    assert!(unsound.is_empty(), "{counts}\n{}", unsound.join("\n"));
    assert!(killed > survived, "{counts}");
}

/// Whether everything of a mutant verifies that should.
fn verifies(language: &impl Contracts, text: &str, scope: &Scope, config: &Config) -> bool {
    let Some(program) = language.read(text) else { return false };
    let wanted = |it: Member| scope.members.as_ref().is_none_or(|known| known.contains(name(&program, it)));
    let mut all = members(&program).into_iter().filter(|&it| wanted(it));
    all.all(|it| matches!(verify(&program, it, config).verdict, Verdict::Verified))
}
