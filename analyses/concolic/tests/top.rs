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
        let fails = matches!(it.outcome, Some(Outcome::Violation(_)));
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
    assert_eq!(run.outcome, Some(Outcome::Exit { code: Some(0) }));
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
