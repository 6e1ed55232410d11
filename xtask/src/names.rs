//! The rules for names and doc comments: a reader who knows the field must understand both without the code behind them.
//!
//! Knows: the text of sources, line by line. Never: Rust's grammar beyond what a line shows.

use crate::tests::{members, public_types, sources};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Members whose public items still have doc comments of fewer than five words. The list only shrinks.
const WITH_SHORT_COMMENTS: &[&str] = &["core/term", "languages/llvm"];

/// File names that say nothing to a reader who knows the field: participles, pronouns and riddles.
const RIDDLES: &[&str] = &[
    "crew",
    "deliver",
    "desk",
    "found",
    "given",
    "guesses",
    "heard",
    "hurry",
    "kept",
    "known",
    "likely",
    "live",
    "looked",
    "mark",
    "moment",
    "opened",
    "others",
    "ours",
    "passed",
    "parts",
    "renew",
    "seam",
    "seen",
    "shown",
    "silence",
    "smaller",
    "soon",
    "strays",
    "told",
    "turns",
    "unwritten",
    "verified",
    "walked",
    "why",
];

/// Files that still have such a name. The list only shrinks.
const RIDDLES_LEFT: &[&str] = &[
    "core/engine/src/given.rs",
    "core/engine/src/passed.rs",
    "core/term/src/plain/known.rs",
    "languages/llvm/src/flow/soon.rs",
    "languages/llvm/src/lower/unwritten.rs",
    "languages/llvm/src/memory/strays.rs",
    "analyses/bmc/src/guesses.rs",
    "analyses/bmc/src/others.rs",
    "analyses/concolic/src/why.rs",
    "analyses/verify/src/moment.rs",
    "analyses/verify/src/parts.rs",
];

/// Names of public types that several members still use for different things. The list only shrinks.
const SHARED_NAMES: &[&str] = &[
    "Account",
    "Answer",
    "Argument",
    "Axiom",
    "BinaryOp",
    "Binding",
    "Block",
    "Call",
    "Callable",
    "Cell",
    "Changes",
    "Child",
    "Chunk",
    "Code",
    "Config",
    "Content",
    "Domain",
    "DomainFunction",
    "End",
    "Ended",
    "Exp",
    "ExpKind",
    "Expr",
    "ExprKind",
    "Failure",
    "Family",
    "Field",
    "Found",
    "Frame",
    "Function",
    "Given",
    "Heap",
    "Key",
    "Limits",
    "Memory",
    "Method",
    "Name",
    "Node",
    "Object",
    "ObjectId",
    "Op",
    "Options",
    "Passed",
    "Predicate",
    "Program",
    "Progress",
    "Proof",
    "Quantified",
    "Question",
    "ReadError",
    "Run",
    "Session",
    "Span",
    "Standing",
    "State",
    "Statement",
    "Step",
    "Stmt",
    "StmtKind",
    "Target",
    "Tools",
    "Type",
    "UnaryOp",
    "Unknown",
    "Valuation",
    "Value",
    "Variable",
    "Verdict",
];

/// The fewest words of a doc comment that says what an item is.
const FEWEST_WORDS: usize = 5;

fn words(text: &str) -> usize {
    text.split_whitespace().filter(|it| it.chars().any(char::is_alphanumeric)).count()
}

/// The kind of item that opens a block, if a line declares one: `pub enum`, `pub(crate) struct`, `impl`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Block {
    /// A public enumeration or trait, whose members are public.
    PublicMembers,
    /// A structure that is not public, whose fields are not public either.
    Hidden,
    Other,
}

fn block(line: &str) -> Option<Block> {
    let is_public = line.starts_with("pub ");
    let line = line.strip_prefix("pub").unwrap_or(line);
    let line = if line.starts_with('(') { line.split_once(')')?.1 } else { line };
    let line = line.trim_start().trim_start_matches("unsafe ");
    let kind = line.split([' ', '<']).next()?;
    match kind {
        "enum" | "trait" if is_public => Some(Block::PublicMembers),
        "struct" | "enum" | "trait" if !is_public => Some(Block::Hidden),
        "struct" | "impl" | "mod" | "fn" | "enum" | "trait" => Some(Block::Other),
        _ => None,
    }
}

/// The doc comments of public items that have too few words, each with its line, from 1. Code is formatted, so that what
/// stands in a block is indented deeper than the line that opens it.
fn short_comments(text: &str) -> Vec<(usize, String)> {
    let lines: Vec<&str> = text.lines().collect();
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut around: Vec<(usize, Block)> = Vec::new();
    let mut res = Vec::new();
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        let start = at;
        let mut comment = String::new();
        while let Some(more) = lines.get(at).and_then(|it| it.trim_start().strip_prefix("///")) {
            comment.push_str(more);
            at += 1;
        }
        while lines.get(at).is_some_and(|it| it.trim_start().starts_with("#[")) {
            while lines.get(at).is_some_and(|it| !it.trim_end().ends_with(']')) {
                at += 1;
            }
            at += 1;
        }
        let Some(item) = lines.get(at) else { break };
        while around.last().is_some_and(|it| it.0 >= indent(line)) && !line.trim().is_empty() {
            around.pop();
        }
        let item_text = item.trim_start();
        let within = around.last().map_or(Block::Other, |it| it.1);
        let is_public = within == Block::PublicMembers || (item_text.starts_with("pub ") && within != Block::Hidden);
        if !comment.is_empty() && is_public && words(&comment) < FEWEST_WORDS {
            res.push((start + 1, comment.trim().to_owned()));
        }
        if let Some(it) = block(item_text) {
            around.push((indent(item), it));
        }
        at += 1;
    }
    res
}

#[test]
fn short_comments_are_those_of_public_items() {
    let text = "/// Too short.\npub enum A {\n    /// Also too short.\n    B,\n    /// It has five words here.\n    C,\n}\n\
                /// Private.\nstruct D {\n    /// Hidden.\n    pub e: u8,\n}\nimpl A {\n    /// Short.\n    #[must_use]\n    \
                pub fn f() {}\n    /// Own.\n    fn g() {}\n}\n";
    let found: Vec<usize> = short_comments(text).into_iter().map(|it| it.0).collect();
    assert_eq!(found, [1, 3, 14]);
}

/// The path of a source from the root, with `/` between its parts.
fn from_root(path: &Path) -> String {
    path.strip_prefix(crate::tests::root()).expect("in the tree").to_string_lossy().into_owned()
}

#[test]
fn doc_comments_say_what_an_item_is() {
    for member in members() {
        let mut found = Vec::new();
        for (path, text) in sources(&member) {
            found.extend(
                short_comments(&text).into_iter().map(|(line, it)| format!("{}:{line}: {it}", from_root(&path))),
            );
        }
        if WITH_SHORT_COMMENTS.contains(&&*member) {
            assert!(!found.is_empty(), "{member} has no short doc comment any more: take it off the list");
        } else {
            assert!(found.is_empty(), "doc comments of fewer than {FEWEST_WORDS} words:\n{}", found.join("\n"));
        }
    }
}

#[test]
fn no_file_name_is_a_riddle() {
    let mut left: BTreeSet<&str> = RIDDLES_LEFT.iter().copied().collect();
    for member in members() {
        for (path, _) in sources(&member) {
            let place = from_root(&path);
            let stem = path.file_stem().map(|it| it.to_string_lossy().into_owned()).unwrap_or_default();
            assert!(left.remove(&*place) || !RIDDLES.contains(&&*stem), "{place}: the name does not say what is in it");
        }
    }
    assert!(left.is_empty(), "not there any more, take them off the list: {left:?}");
}

#[test]
fn a_type_has_one_name() {
    let is_held = |it: &str| {
        let room = it.split('/').next().unwrap_or("");
        (["core", "analyses", "languages"].contains(&room) && it != "core/testing") || it == "embed/session"
    };
    let mut users: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for member in members().into_iter().filter(|it| is_held(it)) {
        for (_, text) in sources(&member) {
            for name in public_types(&text) {
                users.entry(name.to_owned()).or_default().insert(member.clone());
            }
        }
    }
    for (name, members) in &users {
        let is_shared = members.len() > 1;
        assert!(!is_shared || SHARED_NAMES.contains(&&**name), "{name} is a type of several members: {members:?}");
    }
    let gone = SHARED_NAMES.iter().filter(|it| users.get(**it).is_none_or(|members| members.len() < 2));
    assert_eq!(gone.collect::<Vec<_>>(), Vec::<&&str>::new(), "shared no more, take them off the list");
}
