//! The example of Godefroid, Levin and Molnar, and of the slides: `top(char input[4])` from "good".

use effigy_concolic::{ByteLayout, Campaign, Config, Generated, Layer, Limits, Whitebox, concolic, generate_inputs};
use effigy_engine::{Decision, Given, Outcome, Question, Worth};
use effigy_llvm::{Options, Program, driver, load};
use effigy_solver::{SolverConfig, chain};
use effigy_term::Terms;
use std::path::PathBuf;

/// The tree of the slides, its leaves from the left to the right: the side that a condition holds is the right one. The
/// number is how many conditions hold, which is the generation.
const SLIDES: [(u32, &str); 16] = [
    (0, "good"),
    (1, "goo!"),
    (1, "godd"),
    (2, "god!"),
    (1, "gaod"),
    (2, "gao!"),
    (2, "gadd"),
    (3, "gad!"),
    (1, "bood"),
    (2, "boo!"),
    (2, "bodd"),
    (3, "bod!"),
    (2, "baod"),
    (3, "bao!"),
    (3, "badd"),
    (4, "bad!"),
];

fn program(file: &str, entry: Option<&str>) -> Program {
    let files = [PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/cli")).join(file)];
    let options = Options { entry: entry.map(str::to_owned), buffer: 4, ..Options::default() };
    let modules = driver::modules(&files, &[]).expect("clang compiles it");
    load(&modules, options).expect("it is read")
}

fn good() -> Given {
    let mut res = Given::new();
    res.give_bytes("input", b"good".to_vec());
    res
}

fn text(given: &Given) -> String {
    match given.get("input") {
        Some(Worth::Bytes(bytes)) => String::from_utf8_lossy(bytes).into_owned(),
        other => panic!("bytes, not {other:?}"),
    }
}

fn searched(campaign: &Campaign) -> Generated {
    let program = program("generations_top.c", Some("top"));
    let is_block = |it: effigy_engine::Site| program.sites()[it.0 as usize].kind == effigy_llvm::SiteKind::Code;
    let (terms, mut solver) = (Terms::new(), chain(&SolverConfig::default()));
    generate_inputs(&program, &terms, &mut *solver, good(), campaign, &is_block)
}

#[test]
fn the_tree_of_the_slides() {
    let found = searched(&Campaign::default());
    assert!(found.complete);
    // From the left to the right: by what each condition is, the first one first.
    let mut leaves: Vec<_> = found
        .inputs
        .iter()
        .map(|it| {
            let holds: Vec<bool> = it.path.0.iter().map(|it| *it == Decision::Alternative(0)).take(4).collect();
            (holds, it.generation, text(&it.given))
        })
        .collect();
    leaves.sort();
    let leaves: Vec<(u32, &str)> = leaves.iter().map(|it| (it.1, it.2.as_str())).collect();
    assert_eq!(leaves, SLIDES);
    // The error is where three conditions hold.
    for it in &found.inputs {
        let fails = matches!(it.outcome, Some(Ok(Outcome::Violation(_))));
        assert_eq!(fails, it.generation >= 3, "{}", text(&it.given));
        assert!(!it.diverged);
    }
    // A child turns the condition with the number of its bound, and keeps the bytes of its parent but for that one.
    for it in found.inputs.iter().filter(|it| it.parent.is_some()) {
        let parent = &found.inputs[it.parent.expect("a parent")];
        let (own, other) = (text(&it.given), text(&parent.given));
        let differ: Vec<usize> = (0..4).filter(|&at| own.as_bytes()[at] != other.as_bytes()[at]).collect();
        assert_eq!(differ, [it.bound], "{own} of {other}");
        assert!(it.bound >= parent.bound);
    }
    let first: Vec<String> = found.inputs.iter().filter(|it| it.generation == 1).map(|it| text(&it.given)).collect();
    assert_eq!(first, ["bood", "gaod", "godd", "goo!"]);
    assert_eq!(found.why.children(), 15);
    assert_eq!((found.why.unsatisfiable, found.why.diverged), (0, 0));
}

/// The score of an input is the number of blocks that no input before it covered: `cnt++` behind each condition, and
/// `abort` for the first that comes there.
#[test]
fn scores_count_new_blocks() {
    let found = searched(&Campaign::default());
    let scores: Vec<(String, usize)> = found.inputs.iter().map(|it| (text(&it.given), it.score)).collect();
    for name in ["bood", "gaod", "godd", "goo!"] {
        assert_eq!(scores.iter().find(|it| it.0 == name).map(|it| it.1), Some(1), "{scores:?}");
    }
    assert!(scores[0].1 > 1, "the seed covers what it covers: {scores:?}");
    let later: Vec<&(String, usize)> = scores[5..].iter().filter(|it| it.1 > 0).collect();
    assert_eq!(later.len(), 1, "only the first that aborts finds a new block: {later:?}");
}

#[test]
fn one_run_never_forks_and_tells_both_sides() {
    let program = program("generations_top.c", Some("top"));
    let terms = Terms::new();
    let run = concolic(&program, &terms, &good(), &Limits::default());
    assert_eq!(run.outcome, Some(Ok(Outcome::Exit { code: Some(0) })));
    assert_eq!(run.passed.len(), 4);
    for (at, it) in run.passed.iter().enumerate() {
        assert_eq!(it.decided, at);
        assert_eq!(it.place.line, 6 + at as u32);
        assert!(matches!(it.question, Question::Branch { taken: 1, .. }));
        let [other] = &it.others(&terms)[..] else { panic!("one other side") };
        assert_eq!(other.cond, terms.not(it.cond));
    }
}

/// What a fuzzer's other half asks for, of a target of libFuzzer.
#[test]
fn bytes_lead_to_bytes() {
    let program = program("generations_top.c", Some("top"));
    let layout = ByteLayout { memory: "input".to_owned(), size: None, symbolic_size: false, most: 4 };
    let mut whitebox = Whitebox::new(&program, layout, Limits::default(), Config::default(), SolverConfig::default());
    let found = whitebox.expand(b"good", 0, None);
    let bytes: Vec<&[u8]> = found.children.iter().map(|it| it.bytes.as_slice()).collect();
    assert_eq!(bytes, [&b"bood"[..], b"gaod", b"godd", b"goo!"]);
    assert!(found.children.iter().all(|it| it.layer == Layer::Alone));
    let child = &found.children[3];
    let below = whitebox.expand(&child.bytes, child.bound, Some(child.key));
    assert!(below.children.is_empty());
    assert_eq!(below.why.nothing().as_deref(), Some("1 asked before"));
    // Told with the wrong prediction, it is a divergence, and survived.
    let other = whitebox.expand(b"zood", 0, Some(child.key));
    assert_eq!(other.why.diverged, 1);
}

fn found(text: &str, config: Config) -> Generated {
    let scratch = driver::Scratch::new().expect("a folder");
    let file = scratch.path().join("program.c");
    std::fs::write(&file, format!("#include <effigy.h>\n#include <stdlib.h>\n{text}")).expect("it can be written");
    let modules = driver::modules(&[file], &["-w".to_owned()]).expect("clang compiles it");
    let program = load(&modules, Options::default()).expect("it is read");
    let (terms, mut solver) = (Terms::new(), chain(&SolverConfig::default()));
    let campaign = Campaign { expand: config, inputs: Some(50), ..Campaign::default() };
    generate_inputs(&program, &terms, &mut *solver, Given::new(), &campaign, &|_| true)
}

fn errors(found: &Generated) -> Vec<u32> {
    let line = |it: &effigy_concolic::Tried| match &it.outcome {
        Some(Ok(Outcome::Violation(it))) => Some(it.place.line),
        _ => None,
    };
    found.inputs.iter().filter_map(line).collect()
}

/// The path before it excludes a side: an optimistic input is tried, leaves the path that was predicted, and is counted.
#[test]
fn optimistic_inputs_diverge_and_are_survived() {
    let text = "int main(void) {\n  unsigned char x = effigy_uchar(\"x\");\n  int k = 0;\n  if (x < 10) k = 1;\n  \
                if (x > 20) k += 2;\n  if (x == 200) abort();\n  return k;\n}";
    let strict = found(text, Config::default());
    let tried = found(text, Config { optimistic: true, ..Config::default() });
    for it in [&strict, &tried] {
        assert!(it.complete);
        assert_eq!(errors(it), [8]);
    }
    assert!(strict.why.unsatisfiable > 0 && strict.why.optimistic == 0 && strict.why.diverged == 0);
    assert!(
        tried
            .inputs
            .iter()
            .all(|it| it.turned.as_ref().is_none_or(|turned| { turned.layer == Layer::Optimistic || !it.diverged }))
    );
    assert!(tried.why.optimistic > 0 && tried.why.diverged > 0, "{:?}", tried.why);
}

/// A value that cannot be followed is kept, counted, and another one is asked for.
#[test]
fn pinned_values_are_counted_and_turned() {
    let text = "static int zero(void) { return 0; }\nstatic int one(void) { abort(); }\n\
                static int (*const table[])(void) = {zero, one};\nint main(void) {\n  \
                unsigned char x = effigy_uchar(\"x\");\n  effigy_assume(x < 2);\n  return table[x]();\n}";
    let found = found(text, Config::default());
    assert!(found.complete && found.why.pinned >= 2, "{:?}", found.why);
    assert_eq!(errors(&found), [4]);
}

/// What is required is turned, too: the input that fails it, not only those that take branches.
#[test]
fn requirements_are_turned() {
    let text = "int main(void) {\n  int x = effigy_int(\"x\");\n  int y = 100 / (x - 77);\n  return y;\n}";
    let found = found(text, Config::default());
    assert!(errors(&found).contains(&5), "{:?}", found.inputs);
}

/// The budget of a question, of a run, and of one branch in a run: each is counted, none is taken for an answer.
#[test]
fn it_is_told_why_nothing_came() {
    let hard = "int main(void) {\n  unsigned long x = effigy_ulong(\"x\"), y = effigy_ulong(\"y\");\n  \
                if (x > 1 && y > 1 && x * y == 0x1fffffffffffffffUL) return 1;\n  return 0;\n}";
    let few = effigy_solver::QueryBudget { steps: Some(1), time: None };
    let undecided = found(hard, Config { budget: few, alone: few, ..Config::default() });
    assert!(undecided.why.undecided > 0, "{:?}", undecided.why);
    let many = "int main(void) {\n  unsigned x = effigy_uint(\"x\");\n  int n = 0;\n  \
                for (int i = 0; i < 8; i++) if (x >> i & 1) n++;\n  return n;\n}";
    let capped = found(many, Config { cap: 2, ..Config::default() });
    assert!(capped.why.capped > 0 && capped.why.children() > 0, "{:?}", capped.why);
    let unasked = found(many, Config { time: Some(std::time::Duration::ZERO), ..Config::default() });
    assert_eq!(unasked.inputs.len(), 1);
    assert_eq!(unasked.why.nothing().as_deref(), Some("8 behind the budget of the run"));
    let none = found("int main(void) {\n  return 3;\n}", Config::default());
    assert_eq!(none.why.nothing().as_deref(), Some("no condition depends on the input"));
}

/// The run takes uninitialised storage as zero; what another content decides is a bug of the same input.
#[test]
fn what_uninitialised_storage_decides_is_a_bug() {
    let text = "int main(void) {\n  int x = effigy_int(\"x\"), u;\n  if (x == 5) u = 1;\n  if (u == 7) return 1;\n  return 0;\n}";
    let found = found(text, Config::default());
    for it in &found.inputs {
        let bug = matches!(&it.outcome, Some(Ok(Outcome::Violation(it))) if it.kind.0 == "uninitialised-value");
        // Unless x is 5, u is read as it is.
        assert_eq!(bug, it.turns[0].1 == "F", "{it:?}");
    }
}

/// The length of the input is solved for, too: from three bytes to the eleven that the target asks for, and on to the bug.
#[test]
fn a_longer_input_is_found() {
    let files = [PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../corpus/cli/concolic_chunk.c"))];
    let mut modules = driver::modules(&files, &[]).expect("clang compiles it");
    let text = driver::followed_fuzzer(&modules, 64).expect("a target of libFuzzer");
    modules.insert(0, driver::module_of(&text).expect("clang compiles it"));
    let program = load(&modules, Options { buffer: 64, ..Options::default() }).expect("it is read");
    let config = Config { unpin: true, values: 1, ..Config::default() };
    let layout = ByteLayout::fuzzer(64);
    let mut whitebox = Whitebox::new(&program, layout, Limits::default(), config, SolverConfig::default());
    let mut todo = std::collections::VecDeque::from([(b"AAA".to_vec(), 0, None)]);
    let mut lengths = std::collections::BTreeSet::new();
    let mut aborts = 0;
    for _ in 0..200 {
        let Some((bytes, bound, key)) = todo.pop_front() else { break };
        lengths.insert(bytes.len());
        let found = whitebox.expand(&bytes, bound, key);
        if matches!(&found.outcome, Some(Ok(Outcome::Violation(it))) if it.kind.0 == "abort") {
            assert_eq!(&bytes[8..11], b"bad");
            aborts += 1;
        }
        todo.extend(found.children.into_iter().map(|it| (it.bytes, it.bound, Some(it.key))));
    }
    assert!(aborts > 0 && lengths.iter().any(|it| *it >= 11), "{aborts} {lengths:?} {:?}", whitebox.why);
    assert!(whitebox.why.unpinned > 0 && whitebox.why.pinned > 0, "{:?}", whitebox.why);
}
