//! What is found where comparisons are seen, against every value one by one.
//!
//! The program is a random tree of comparisons over plain values. It tells what it compares as a compiled one does, by the
//! functions that the hooks call.

use effigy_relations::text;
use effigy_session::{BvValue, Kind, Limits, Session, Sort, Value, Verdict, Width, explore};
use effigy_watch::{bytes, entered, number, switch};
use proptest::prelude::*;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// The letters of which texts are made, and so many of them at most.
const LETTERS: [u8; 2] = [b'a', b'b'];
const LONGEST: usize = 2;

/// What a program decides by.
#[derive(Clone, Debug)]
enum Test {
    Less(usize, i8),
    Same(usize, i8),
    /// The first number is less than the second.
    Ordered,
    Case(usize, Vec<i8>),
    Text(String),
    Begins(u8),
    Length(u64),
}

#[derive(Clone, Debug)]
enum Tree {
    Leaf(u32),
    Node(Test, Box<Tree>, Box<Tree>),
}

fn test() -> impl Strategy<Value = Test> {
    let small = prop_oneof![-3i8..4, Just(i8::MIN), Just(i8::MAX), Just(77), any::<i8>()];
    let letters = prop::collection::vec(prop::sample::select(LETTERS.to_vec()), 0..=LONGEST);
    prop_oneof![
        (0..2usize, small.clone()).prop_map(|(at, it)| Test::Less(at, it)),
        (0..2usize, small.clone()).prop_map(|(at, it)| Test::Same(at, it)),
        Just(Test::Ordered),
        (0..2usize, prop::collection::vec(small, 1..4)).prop_map(|(at, it)| Test::Case(at, it)),
        letters.prop_map(|it| Test::Text(String::from_utf8(it).expect("letters"))),
        prop::sample::select(LETTERS.to_vec()).prop_map(Test::Begins),
        (0..4u64).prop_map(Test::Length),
    ]
}

fn tree() -> impl Strategy<Value = Tree> {
    let leaf = Just(Tree::Leaf(0));
    leaf.prop_recursive(4, 24, 2, |inner| {
        (test(), inner.clone(), inner).prop_map(|(test, yes, no)| Tree::Node(test, Box::new(yes), Box::new(no)))
    })
    .prop_map(|mut it| {
        number_leaves(&mut it, &mut 0);
        it
    })
}

fn number_leaves(tree: &mut Tree, next: &mut u32) {
    match tree {
        Tree::Leaf(it) => {
            *it = *next;
            *next += 1;
        }
        Tree::Node(_, yes, no) => {
            number_leaves(yes, next);
            number_leaves(no, next);
        }
    }
}

/// As a compiler's hooks are called, with the number in so many bits as the program has it.
fn told(a: i8, b: i8, constant: bool) {
    number(u64::from(a as u8), u64::from(b as u8), 8, constant);
}

fn holds(test: &Test, numbers: [i8; 2], it: &str) -> bool {
    match test {
        Test::Less(at, than) => {
            told(*than, numbers[*at], true);
            numbers[*at] < *than
        }
        Test::Same(at, as_) => {
            told(*as_, numbers[*at], true);
            numbers[*at] == *as_
        }
        Test::Ordered => {
            told(numbers[0], numbers[1], false);
            numbers[0] < numbers[1]
        }
        Test::Case(at, of) => {
            let cases: Vec<u64> = of.iter().map(|it| u64::from(*it as u8)).collect();
            switch(u64::from(numbers[*at] as u8), 8, &cases);
            of.contains(&numbers[*at])
        }
        Test::Text(other) => {
            // The standard library's comparison: the lengths, then the bytes.
            entered();
            number(it.len() as u64, other.len() as u64, 64, false);
            it.len() == other.len() && {
                bytes(it.as_bytes(), other.as_bytes());
                it == other
            }
        }
        Test::Begins(letter) => {
            number(isize::MAX as u64, it.len() as u64, 64, true);
            number(0, it.len() as u64, 64, true);
            !it.is_empty() && {
                bytes(&it.as_bytes()[..1], &[*letter]);
                it.as_bytes()[0] == *letter
            }
        }
        Test::Length(than) => {
            number(isize::MAX as u64, it.len() as u64, 64, true);
            number(*than, it.len() as u64, 64, true);
            (it.len() as u64) < *than
        }
    }
}

fn run(tree: &Tree, numbers: [i8; 2], text: &str) -> u32 {
    match tree {
        Tree::Leaf(it) => *it,
        Tree::Node(test, yes, no) => run(if holds(test, numbers, text) { yes } else { no }, numbers, text),
    }
}

/// All texts of the letters.
fn texts() -> Vec<String> {
    let mut all = vec![String::new()];
    for length in 1..=LONGEST {
        for number in 0..LETTERS.len().pow(length as u32) {
            let letter = |at: usize| char::from(LETTERS[number / LETTERS.len().pow(at as u32) % LETTERS.len()]);
            all.push((0..length).map(letter).collect());
        }
    }
    all
}

fn by_enumeration(tree: &Tree) -> BTreeSet<u32> {
    let texts = texts();
    let mut res = BTreeSet::new();
    for a in i8::MIN..=i8::MAX {
        for b in i8::MIN..=i8::MAX {
            res.extend(texts.iter().map(|it| run(tree, [a, b], it)));
        }
    }
    res
}

/// What is reached with two numbers and a text that are watched; every path is a run with these very values.
fn by_watching(tree: &Tree) -> (BTreeSet<u32>, Verdict) {
    let found = RefCell::new(BTreeSet::new());
    let account = explore(&Limits { paths: 100_000, ..Limits::default() }, || {
        let session = Session::current();
        let terms = session.terms();
        let number = |name: &str, likely: i64| {
            let narrow = session.fresh(name, Kind::signed(8));
            let wide = terms.bv_sign_extend(Width::W64, narrow);
            let likely = [likely, -likely, likely / 2].map(|it| Value::BitVec(BvValue::from_i64(Width::W64, it)));
            match session.watched(wide, name, &likely) {
                Value::BitVec(it) => it.to_i64().and_then(|it| i8::try_from(it).ok()).expect("eight bits"),
                other => panic!("{other:?}"),
            }
        };
        let numbers = [number("a", 77), number("b", 91)];
        let Sort::BitVec(width) = text::sort() else { unreachable!("a text is bits") };
        let it = session.fresh("text", Kind::Bits { width, signed: false });
        let all: Vec<Value> = texts().iter().rev().map(|it| bits(it)).collect();
        let is_one = terms.or_all(all.iter().map(|value| terms.eq(it, terms.of_value(text::sort(), value))));
        session.assume(is_one);
        let text = text::decode(&session.watched(it, "text", &all)).expect("letters");
        found.borrow_mut().insert(run(tree, numbers, &text));
    });
    (found.into_inner(), account.verdict())
}

fn bits(text: &str) -> Value {
    let byte = |at: usize| u128::from(text.as_bytes().get(at).copied().unwrap_or(0));
    let value = (0..text::LONGEST).fold(0, |value, at| value << 8 | byte(at));
    Value::BitVec(BvValue::from_u128(text::WIDTH, value))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn what_is_found_is_what_there_is(tree in tree()) {
        let (found, verdict) = by_watching(&tree);
        prop_assert_eq!(found, by_enumeration(&tree));
        let is_fine = matches!(verdict, Verdict::Compared { .. } | Verdict::Witnessed(_));
        prop_assert!(is_fine, "{}", verdict);
    }
}

fn byte(name: &str, likely: i64) -> i64 {
    let session = Session::current();
    let wide = session.terms().bv_sign_extend(Width::W64, session.fresh(name, Kind::signed(32)));
    match session.watched(wide, name, &[Value::BitVec(BvValue::from_i64(Width::W64, likely))]) {
        Value::BitVec(it) => it.to_i64().expect("64 bits"),
        other => panic!("{other:?}"),
    }
}

/// The same value again is the same, and the verdict tells what was seen from what was not.
#[test]
fn the_verdict_says_what_was_seen() {
    let account = explore(&Limits::default(), || {
        let (seen, unseen) = (byte("seen", 23_063), byte("unseen", 23_064));
        number(1000, seen as u32 as u64, 32, true);
        assert!(seen != 1000 || unseen != 7, "not seen");
    });
    assert_eq!(account.paths.ended, 3);
    let expected = Verdict::Compared { seen: vec!["seen".to_owned()], taken: vec!["unseen".to_owned()] };
    assert_eq!(account.verdict(), expected);
    assert_eq!(
        expected.to_string(),
        "no counterexample; every comparison that was seen was followed of: seen; one value was taken for all of: unseen"
    );
}

/// A value that is used in a way that is not seen: another question is no fault of the program, and never *passed*.
#[test]
fn what_is_not_seen_is_told() {
    let account = explore(&Limits::default(), || {
        let it = byte("amount", 23_063);
        let session = Session::current();
        let other = session.fresh("other", Kind::Bool);
        let third = session.fresh("third", Kind::Bool);
        // Its remainder decides what is asked.
        session.decide(if it % 2 == 0 { other } else { third });
        number(6, it as u32 as u64, 32, true);
    });
    let Verdict::Cut(why) = account.verdict() else { panic!("{account}") };
    assert!(why[0].starts_with("a value is used in a way that is not seen: one of amount"), "{why:?}");
    assert!(account.failures.is_empty() && account.error.is_none());
}

/// What fails is a run: its values are those that the program had, whatever else the path allows.
#[test]
fn a_failure_has_the_values_of_its_run() {
    let had = RefCell::new(0);
    let account = explore(&Limits::default(), || {
        let it = byte("amount", 23_063);
        number(1000, it as u32 as u64, 32, true);
        *had.borrow_mut() = it;
        assert!(it <= 1000, "much");
    });
    assert_eq!(account.verdict(), Verdict::Failed);
    let Some(Value::BitVec(value)) = account.failures[0].value("amount") else { panic!("{account}") };
    assert_eq!(value.sign_extend(Width::W64).to_i64(), Some(had.into_inner()));
}

/// An assumption that does not hold of the program's value holds of others: these are run.
#[test]
fn what_is_assumed_later_is_of_all_values() {
    let seen = RefCell::new(Vec::new());
    let account = explore(&Limits::default(), || {
        let it = byte("amount", 23_063);
        let session = Session::current();
        let terms = session.terms();
        let symbol = session.symbols()[0].2;
        let term = terms.bv_sign_extend(Width::W64, terms.of_symbol(symbol));
        session.assume(terms.bv_slt(term, terms.bv_u64(Width::W64, 10)));
        seen.borrow_mut().push(it);
    });
    assert_eq!(account.verdict(), Verdict::Witnessed(vec!["amount".to_owned()]), "{account}");
    let seen = seen.into_inner();
    assert!(seen.len() == 1 && seen[0] < 10, "{seen:?}");
}
