//! A test as a tree, as JSON and as coverage: each against the paths of the test itself.

#[path = "../../../../tools/cli/tests/it/schema/mod.rs"]
mod schema;

use effigy::prelude::*;
use effigy::session::{Limits, PathName, RunEnding, Verdict, explore_with};
use effigy::{Pictures, input, pictures, verify};
use effigy_report::tree::{Tree, text};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Which of three is the largest; the second answer is wrong where all are equal.
fn largest(a: Sym<u8>, b: Sym<u8>, c: Sym<u8>) -> Sym<u8> {
    if a > b && a > c {
        return a;
    }
    assert!(!(a == b && b == c), "all are equal");
    if b > c { b } else { c }
}

fn three() {
    let [a, b, c] = input::<[Sym<u8>; 3]>("n");
    assume!(a.less(100));
    largest(a, b, c);
}

fn shown() -> Pictures {
    pictures("pictures::three", &Options::default(), three)
}

/// The names of paths that end well, and of those that fail, by the session's own walk.
fn by_session() -> (BTreeSet<PathName>, BTreeSet<PathName>) {
    let limits = Limits { failures: u64::MAX, ..Limits::default() };
    let (mut ended, mut failed) = (BTreeSet::new(), BTreeSet::new());
    explore_with(&limits, &mut three, &mut |end| match end.ending {
        RunEnding::Ended => drop(ended.insert(end.trail.name())),
        RunEnding::Failed(_) => drop(failed.insert(end.trail.name())),
        _ => {}
    });
    (ended, failed)
}

fn leaves(tree: &Tree) -> Vec<&str> {
    let leaves = tree.nodes.iter().filter_map(|it| it.leaf.as_ref());
    leaves.map(|it| it.result.as_str()).collect()
}

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        Folder(std::env::temp_dir().join(format!("effigy-{name}-{}", std::process::id())))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn the_account_and_the_tree_have_the_paths_of_the_test() {
    let (ended, failed) = by_session();
    let shown = shown();
    let named = |end: &str| {
        let leaves = shown.document.leaves.iter().filter(|it| it.end == end);
        leaves.map(|it| it.decisions.parse().expect("a name")).collect::<BTreeSet<PathName>>()
    };
    assert_eq!((named("exit"), named("bug")), (ended.clone(), failed.clone()));
    assert_eq!((shown.document.paths.completed, shown.document.paths.errored), (ended.len() as u64, 1));
    let mut expected = vec![""; ended.len()];
    expected.push("all are equal");
    let mut found = leaves(&shown.tree);
    found.sort_unstable();
    assert_eq!(found, expected);
    assert!(shown.document.complete);
}

/// The inputs of each leaf, given to the function as plain numbers, end as the leaf says.
#[test]
fn the_inputs_of_a_leaf_take_it() {
    for leaf in shown().document.leaves.iter() {
        let [a, b, c] =
            ["n[0]", "n[1]", "n[2]"].map(|it| leaf.inputs.get(it).map_or(0, |it| it.parse().expect("a byte")));
        let plain = [a, b, c].map(Sym::<u8>::plain);
        assert!(a < 100);
        let ran = std::panic::catch_unwind(|| largest(plain[0], plain[1], plain[2]));
        assert_eq!(if ran.is_ok() { "exit" } else { "bug" }, leaf.end, "{a} {b} {c}");
    }
}

#[test]
fn the_tree_is_drawn_with_the_lines_of_the_source() {
    let shown = shown();
    let texts: BTreeSet<&str> = shown.tree.nodes.iter().map(|it| it.text.as_str()).collect();
    assert!(texts.contains("if a > b && a > c {") && texts.contains("assume!(a.less(100));"), "{texts:?}");
    // Its numbers are the lines of the functions above.
    let drawn = text::render(&shown.tree, text::WIDTH);
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pictures/tree.txt");
    if std::env::var_os("EFFIGY_BLESS").is_some() {
        std::fs::write(path, &drawn).expect("the tree can be written");
    }
    assert_eq!(drawn, std::fs::read_to_string(path).expect("the tree"));
}

#[test]
fn what_is_written_is_what_the_schema_says_and_nothing_of_the_users_is_overwritten() {
    let out = Folder::new("pictures");
    let report = verify("three", &Options::default(), false, three);
    assert_eq!(report.account.verdict(), Verdict::Failed);
    let shown = shown().with_verdict(&report);
    let folder = shown.write(&out.0).expect("a folder");
    assert_eq!(folder, out.0.join("pictures.three"));
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("a file");
    let account: Value = serde_json::from_str(&read("summary.json")).expect("JSON");
    assert_eq!(schema::errors(&account), Vec::<String>::new());
    assert!(!schema::errors_by("fuzz", &account).is_empty(), "another kind of account");
    assert_eq!(account["bugs"][0]["message"], "all are equal");
    assert_eq!(account["tree"]["nodes"].as_array().map(Vec::len), Some(shown.tree.nodes.len()));
    assert!(account["program"]["files"][0].as_str().expect("a file").ends_with("tests/it/pictures.rs"));
    assert!(read("tree.svg").starts_with("<svg") && read("tree.html").contains("all are equal"));
    // Again, and with something of the user's in it.
    std::fs::write(folder.join("mine.txt"), "mine").expect("a file");
    shown.write(&out.0).expect("the folder is ours");
    assert_eq!(read("mine.txt"), "mine");
    let theirs = Folder::new("pictures-theirs");
    let within = theirs.0.join("pictures.three");
    std::fs::create_dir_all(&within).expect("a folder");
    std::fs::write(within.join("tree.svg"), "mine").expect("a file");
    let refused = shown.write(&theirs.0).expect_err("the folder is the user's");
    assert!(refused.to_string().contains("was not made by effigy"), "{refused}");
    assert_eq!(std::fs::read_to_string(within.join("tree.svg")).expect("it is there"), "mine");
}

/// Two answers on a line of which only one is ever given.
#[test]
fn coverage_counts_answers_where_something_is_asked() {
    let asks = || {
        let n: Sym<u8> = input("n");
        assume!(n.less(10));
        if n > 4 && *n.greater(20) {
            panic!("never");
        }
    };
    let shown = pictures("asks", &Options::default(), asks);
    let (_, file) = shown.coverage.files.iter().next().expect("this file");
    let ways: Vec<(usize, usize)> = file.branches.values().copied().collect();
    // `n > 4` came out both ways, the other condition one.
    assert_eq!(ways, [(3, 4)]);
    assert_eq!((shown.coverage.lines_covered, shown.coverage.lines_total), (2, 2));
    let written = effigy_report::coverage::lcov(&shown.coverage);
    assert!(written.contains("BRDA:") && written.ends_with("end_of_record\n"), "{written}");
    // A sum that is out of range, and its comparison, begin at one column: they are two places.
    let sum = || {
        let n: Sym<u8> = input("n");
        assume!(n.at_most(200));
        if n + 10 > 100 {
            assert!(n > 90);
        }
    };
    let shown = pictures("sum", &Options::default(), sum);
    let (_, file) = shown.coverage.files.iter().next().expect("this file");
    let ways: Vec<(usize, usize)> = file.branches.values().copied().collect();
    assert_eq!(ways, [(3, 4), (1, 2)]);
    // Everything is cut at a limit, and says so.
    let short = Options { limits: Limits { paths: 1, ..Limits::default() }, ..Options::default() };
    let cut = pictures("asks", &short, asks);
    assert!(!cut.document.complete && cut.document.paths.cut > 0, "{:?}", cut.document.paths);
}
