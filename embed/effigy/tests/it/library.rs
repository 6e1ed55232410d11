//! The library as its user sees it.

use effigy::prelude::*;
use effigy::session::Verdict;
use effigy::{Report, input, verify};

fn run(body: impl FnMut()) -> Report {
    verify("it", &Options::default(), false, body)
}

// Attributes.

fn transfer(from: Sym<u32>, to: Sym<u32>, amount: Sym<u32>) -> (Sym<u32>, Sym<u32>) {
    if amount > from { (from, to) } else { (from - amount, to + amount) }
}

#[effigy::test]
fn transfer_keeps_the_total(from: Sym<u32>, to: Sym<u32>, amount: Sym<u32>) {
    assume!(from.checked_add(to).is_some());
    let (a, b) = transfer(from, to, amount);
    expect(a + b).to_equal(from + to);
}

#[effigy::test(paths = 2)]
#[should_panic = "cut short, nothing failed so far: 2 paths"]
fn few_paths_are_not_passed(x: Sym<u8>) {
    let _ = (x < 10, x < 5, x < 2);
}

#[effigy::test]
#[should_panic = "attempt to add with overflow"]
fn overflow_is_found(x: Sym<u8>) {
    let _ = x + 1;
}

#[effigy::test]
async fn questions_are_asked_across_awaits(x: Sym<u8>) -> Spec {
    async fn half(x: Sym<u8>) -> Sym<u8> {
        std::future::ready(()).await;
        x / 2
    }
    let half = half(x).await;
    expect(half).to_be_at_most(127)
}

// In breadth first order the short path comes before the limit cuts the others.
#[effigy::test(paths = 2, search = "bfs", seed = 3)]
#[should_panic = "the short path fails"]
fn an_order_of_paths_can_be_chosen(x: Sym<u8>) {
    if x > 250 {
        panic!("the short path fails");
    }
    let _ = (x < 10, x < 5, x < 2, x < 1);
}

#[test]
fn the_attribute_knows_every_order_that_follows_no_coverage() {
    let known = ["dfs", "bfs", "random-path", "random-state"];
    let all = effigy::session::Search::ALL.iter().filter(|it| !it.1.needs_coverage());
    assert!(all.map(|it| it.0).eq(known));
}

#[effigy::test(bound = 4)]
fn the_standard_library_sorts(mut list: Vec<Sym<u8>>) {
    list.sort();
    for pair in list.windows(2) {
        expect(pair[0]).to_be_at_most(pair[1]);
    }
}

// Counterexamples.

#[derive(Symbolic, Clone, Debug, PartialEq)]
struct Account {
    balance: Sym<i32>,
    state: State,
}

#[derive(Symbolic, Clone, Debug, PartialEq)]
enum State {
    Open,
    Frozen { since: Sym<u16> },
    Closed(Option<Sym<bool>>),
}

#[test]
fn a_counterexample_is_rust() {
    let report = run(|| {
        let account: Account = input("account");
        if let State::Frozen { since } = account.state {
            assert!(account.balance >= 0 || since != 7, "frozen");
        }
    });
    let [found] = &report.counterexamples[..] else { panic!("{report}") };
    let value = "Account { balance: Sym::from(-1i32), state: State::Frozen { since: Sym::from(7u16) } }";
    assert_eq!(found.inputs, [("account".to_owned(), value.to_owned())]);
    let pasted = Account { balance: Sym::from(-1i32), state: State::Frozen { since: Sym::from(7u16) } };
    assert!(pasted.balance < 0);
    let folder = std::env::temp_dir().join(format!("effigy-tests-{}", std::process::id()));
    report.write_tests(&folder).expect("a folder");
    assert_eq!(std::fs::read_to_string(folder.join("it_fails_1.rs")).expect("a test"), found.test);
    std::fs::remove_dir_all(&folder).expect("the folder");
    assert_eq!(found.test, format!("#[test]\nfn it_fails_1() {{\n    it::on({value});\n}}\n"));
}

/// What a counterexample of `overflow_is_found` prints, pasted.
#[test]
#[should_panic = "attempt to add with overflow"]
fn overflow_is_found_fails_1() {
    overflow_is_found::on(Sym::from(255u8));
}

#[test]
fn each_shape_is_made_up() {
    let mut shapes = std::collections::BTreeSet::new();
    let report = run(|| {
        let it: (Option<Sym<u8>>, State, Vec<Sym<bool>>, bool) = input("it");
        let state = match it.1 {
            State::Open => "open",
            State::Frozen { .. } => "frozen",
            State::Closed(None) => "closed",
            State::Closed(Some(_)) => "closed for a reason",
        };
        shapes.insert((it.0.is_some(), state, it.2.len(), it.3));
    });
    assert_eq!(report.account.verdict(), Verdict::Passed);
    assert_eq!((shapes.len(), report.account.paths.ended), (2 * 4 * 4 * 2, 64));
}

// Values.

#[test]
fn indices_out_of_bounds_panic_and_others_are_followed() {
    let table = Vec::from([3u8, 1, 4, 1, 5]);
    let report = run(|| {
        let at: Sym<usize> = input("at");
        assert!(table[at] > 0);
    });
    assert_eq!(report.account.failures[0].message, "index out of bounds: the len is 5 but the index is at");
    let symbolic: Vec<Sym<u8>> = table.iter().map(|it| Sym::plain(*it)).collect();
    let report = run(|| {
        let at: Sym<usize> = input("at");
        assume!(at < 5);
        let mut symbolic = symbolic.clone();
        let there = symbolic.at(at);
        expect(there).to_be_at_most(5);
        symbolic.set_at(at, Sym::plain(9));
        expect(symbolic).to_include(9u8);
    });
    // One path: the table is a choice, not a fork.
    assert_eq!((report.account.verdict(), report.account.paths.ended), (Verdict::Passed, 1), "{report}");
}

#[test]
fn texts_are_searched() {
    let report = run(|| {
        let text: SymStr = input("text");
        if text.len() == 3 && *text.starts_with("a") && *text.contains("bc") {
            assert!(text != "abc", "found");
        }
    });
    assert_eq!(
        report.counterexamples[0].inputs[0].1,
        "SymStr::from_iter([Sym::from('a'), Sym::from('b'), Sym::from('c')])"
    );
}

#[test]
fn characters_are_characters() {
    let report = run(|| {
        let it: Sym<char> = input("it");
        let code = it.code();
        expect(code).not().to_equal(0xd800u32);
        expect(code).to_be_at_most(0x10_ffffu32);
        assert!(!*it.is_ascii_digit() || *it.is_ascii());
    });
    assert_eq!(report.account.verdict(), Verdict::Passed);
}

#[test]
fn keys_of_tables_are_values() {
    let report = run(|| {
        let key: Sym<u8> = input("key");
        assume!(key < 4);
        let table: std::collections::HashMap<Sym<u8>, u8> = (0..4u8).map(|it| (Sym::plain(it), it)).collect();
        assert!(key == table[&key]);
    });
    assert_eq!((report.account.verdict(), report.account.paths.ended), (Verdict::Passed, 4));
}

// Specifications.

#[test]
fn quantifiers_and_connectives() {
    let check = |spec: fn() -> Spec| {
        let report = run(|| drop(spec()));
        (report.account.verdict() == Verdict::Passed, report.conditions.last().cloned().unwrap_or_default())
    };
    let (holds, text) = check(|| forall(|i: Sym<u8>, j: Sym<u8>| i.less(j).implies(Spec::from(i.differs(j)))));
    assert_eq!((holds, text.as_str()), (true, "all i: u8, j: u8 | i < j implies i != j"));
    let (holds, text) = check(|| forall(|i: Sym<u32>| exists(|j: Sym<u32>| i.less(j))));
    assert_eq!((holds, text.as_str()), (false, "all i: u32 | some j: u32 | i < j"));
    let (holds, _) = check(|| forall(|i: Sym<u8>| exists(|j: Sym<u8>| i.wrapping_add(j).equals(0))));
    assert!(holds);
    let (holds, _) = check(|| exists(|i: Sym<u8>| forall(|j: Sym<u8>| i.at_most(j))));
    assert!(holds);
    let (holds, _) = check(|| exists(|i: Sym<u8>| forall(|j: Sym<u8>| i.less(j))).negated());
    assert!(holds);
    let (holds, _) = check(|| forall(|i: Sym<u8>| i.at_most(7)).iff(forall(|i: Sym<u8>| i.less(8))));
    assert!(holds);
    let (holds, _) = check(|| forall(|i: Sym<i8>| i.less(0).or(i.equals(0)).or(i.greater(0))));
    assert!(holds);
}

#[test]
fn a_block_runs_where_its_premise_holds() {
    let report = run(|| {
        let x: Sym<u8> = input("x");
        // The division would panic elsewhere.
        x.greater(0).implies(|| expect(100 / x).to_be_at_most(100));
    });
    assert_eq!((report.account.verdict(), report.account.paths.ended), (Verdict::Passed, 2), "{report}");
    assert!(report.conditions.iter().any(|it| it == "x != 0 implies 100 / x <= 100"), "{report}");
}

#[test]
fn what_decides_on_a_bound_variable_is_not_supported() {
    let report = run(|| {
        exists(|i: Sym<u8>| i < 5);
    });
    let Verdict::Unsupported(what) = report.account.verdict() else { panic!("{report}") };
    assert!(what[0].contains("which depends on a bound variable"), "{what:?}");
    let report = run(|| {
        forall(|i: Sym<u8>| if i < 5 { i.less(9) } else { i.at_least(5) }).negated();
    });
    let Verdict::Unsupported(what) = report.account.verdict() else { panic!("{report}") };
    assert!(what[0].contains("whose body decides on i"), "{what:?}");
}

#[test]
fn an_expectation_is_checked_even_when_nobody_looks() {
    let report = run(|| {
        let x: Sym<u8> = input("x");
        let _unused = expect(x).to_equal(5u8);
    });
    assert_eq!(report.account.failures[0].message, "does not hold: x = 5");
    let place = report.account.failures[0].place.as_ref().map(|it| it.file.to_string());
    assert!(place.is_some_and(|it| it.ends_with("library.rs")));
}

#[test]
fn a_condition_is_smtlib() {
    let mut text = String::new();
    run(|| {
        let (x, y): (Sym<u8>, Sym<u8>) = (input("x"), input("y"));
        assume!(x.less(y));
        let spec = expect(x).not().to_equal(y);
        // The runs with values come later.
        if text.is_empty() {
            text = spec.smtlib();
        }
    });
    assert!(text.contains("(declare-fun |s0!x| () (_ BitVec 8))"), "{text}");
    assert!(text.contains("bvult") && text.ends_with("(check-sat)\n"), "{text}");
}

#[test]
fn contradictory_assumptions_are_not_passed() {
    let report = run(|| {
        let x: Sym<u8> = input("x");
        assume!(x < 3);
        assume!(x > 5);
    });
    assert_eq!(report.account.verdict(), Verdict::Vacuous);
}
