//! A symbolic value that becomes text, a hash or a plain number: each program against plain Rust on all inputs.

use effigy::prelude::*;
use effigy::session::{Limits, Verdict};
use effigy::{Report, input, verify};
use std::cell::Cell;
use std::collections::hash_map::DefaultHasher;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt::{self, Write};
use std::hash::{Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};

fn run(body: impl FnMut()) -> Report {
    let limits = Limits { values: 300, ..Limits::default() };
    verify("it", &Options { limits, ..Options::default() }, false, body)
}

/// Inputs below this one are tried: so many have one digit, so many have two.
const INPUTS: u8 = 14;

/// What effigy says of a program is what plain Rust does on all inputs: no false pass, no false failure, and the values of
/// a counterexample are one.
fn compare(name: &str, plain: fn(u8) -> bool, symbolic: fn(Sym<u8>) -> bool) {
    let passes = |x: u8| catch_unwind(|| plain(x)).unwrap_or(false);
    let failing: Vec<u8> = (0..INPUTS).filter(|it| !passes(*it)).collect();
    let report = run(|| {
        let x: Sym<u8> = input("x");
        assume!(x < INPUTS);
        assert!(symbolic(x), "the program says no");
    });
    match report.account.verdict() {
        Verdict::Passed => assert_eq!(failing, [] as [u8; 0], "{name}: {report}"),
        Verdict::Failed => {
            let literal = &report.counterexamples[0].inputs[0].1;
            let x: u8 = literal["Sym::from(".len()..literal.len() - "u8)".len()].parse().expect("a byte");
            assert!(failing.contains(&x), "{name}: {x} does not fail: {report}");
        }
        other => panic!("{name}: {other}"),
    }
    assert_eq!(report.account.unconfirmed.len(), 0, "{name}: {report}");
}

macro_rules! programs {
    ($($name:ident($x:ident) $body:block)*) => { $(
        #[test]
        fn $name() {
            #[allow(dead_code, clippy::all, reason = "the words are those of the symbolic program")]
            fn plain($x: u8) -> bool {
                type N = u8;
                $body
            }
            #[allow(dead_code, clippy::all, reason = "the words are those of the plain program")]
            fn symbolic($x: Sym<u8>) -> bool {
                type N = Sym<u8>;
                $body
            }
            compare(stringify!($name), plain, symbolic);
        }
    )* };
}

fn hash_of(it: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    it.hash(&mut hasher);
    hasher.finish()
}

#[derive(Debug, Clone, Copy)]
struct Pair<T> {
    #[allow(dead_code, reason = "it is written")]
    a: T,
}

/// An error whose text has a value.
#[derive(Debug)]
struct Refused<T>(T);

impl<T: fmt::Display> fmt::Display for Refused<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "refused {}", self.0)
    }
}

impl<T: fmt::Display + fmt::Debug> std::error::Error for Refused<T> {}

programs! {
    displayed(x) { format!("{x}") != "7" }
    to_a_string(x) { x.to_string().len() == 1 }
    to_a_string_of_two(x) { x.to_string().len() <= 2 }
    debug(x) { format!("{x:?}") != "13" }
    parsed(x) { format!("{x}").parse::<u8>().is_ok_and(|it| it < 12) }
    parsed_is_itself(x) { format!("{x}").parse::<u8>().is_ok_and(|it| x == it) }
    padded(x) { format!("{x:3}").starts_with(' ') }
    padded_to_the_left(x) { format!("{x:<4}|") != "9   |" }
    padded_to_the_right(x) { format!("{x:>4}") != "   9" }
    in_the_middle(x) { format!("{x:^5}") != " 11  " }
    with_zeros(x) { format!("{x:03}") != "012" }
    with_a_sign(x) { format!("{x:+}") != "+5" }
    of_a_width_that_is_given(x) { let width = 4; format!("{x:width$}") != "   3" }
    hexadecimal(x) { format!("{x:x}") != "a" }
    hexadecimal_in_capitals(x) { format!("{x:#X}") != "0xB" }
    binary(x) { format!("{x:#b}") != "0b101" }
    octal(x) { format!("{x:o}") != "11" }
    exponential(x) { format!("{x:e}") != "1.2e1" }
    written_to_a_text(x) { let mut out = String::new(); write!(out, "<{x}>").is_ok() && out != "<11>" }
    arguments(x) { fmt::format(format_args!("{x}")) != "2" }
    in_an_option(x) { format!("{:?}", Some(x)) != "Some(3)" }
    in_a_list(x) { format!("{:?}", vec![x, x]) != "[4, 4]" }
    in_a_tuple(x) { format!("{:?}", (x, 'a')) != "(6, 'a')" }
    in_a_struct(x) { format!("{:?}", Pair { a: x }) != "Pair { a: 10 }" }
    pretty(x) { !format!("{:#?}", Pair { a: x }).contains(" 13,") }
    in_a_map(x) { format!("{:?}", BTreeMap::from([(x, x)])) != "{8: 8}" }
    in_an_error(x) { let it: Result<(), _> = Err(Refused(x)); it.unwrap_err().to_string() != "refused 6" }
    in_a_boxed_error(x) { let it: Box<dyn std::error::Error> = Box::new(Refused(x)); it.to_string().ends_with("d 0") }
    as_a_dynamic_value(x) { let it: &dyn fmt::Display = &x; format!("{it}") != "5" }
    joined(x) { [x, x].iter().map(ToString::to_string).collect::<Vec<_>>().join(",") != "1,1" }
    digits_are_added(x) { x.to_string().chars().filter_map(|it| it.to_digit(10)).sum::<u32>() != 4 }
    reversed(x) { let text = x.to_string(); text.chars().rev().collect::<String>() == text }
    first_byte(x) { x.to_string().as_bytes()[0] != b'7' }
    in_the_order_of_texts(x) { x.to_string() >= "1".to_string() }
    sorted_by_text(x) { let mut all = [x.to_string(), "5".to_string()]; all.sort(); all[0] == "5" }
    a_key_of_text(x) { !HashMap::from([(x.to_string(), 1)]).contains_key("3") }
    a_key(x) { !HashMap::from([(x, 1)]).contains_key(&N::from(9u8)) }
    in_a_set(x) { HashSet::from([N::from(1u8), x]).len() == 2 }
    in_an_ordered_set(x) { BTreeSet::from([N::from(1u8), x]).first().is_some_and(|it| *it == 1) }
    hashed(x) { hash_of(&x) != hash_of(&5u8) }
    hashed_in_a_tuple(x) { hash_of(&(x, 1u8)) != hash_of(&(4u8, 1u8)) }
    as_a_wide_number(x) { num_traits_to(&x) != Some(11) }
    as_a_float(x) { num_traits::ToPrimitive::to_f64(&x) != Some(2.0) }
    ordered(x) { x.cmp(&N::from(7u8)) != std::cmp::Ordering::Equal }
    the_largest(x) { std::cmp::max(x, N::from(5u8)) != 13 }
    a_message_that_is_made_before(x) { let text = format!("x is {x}"); if text == "x is 3" { panic!("{text}") } true }
    a_message_that_names_it(x) { assert!(x != 5, "not {x}"); true }
    a_message_of_both(x) { assert_eq!(x.min(N::from(7u8)), x); true }
    an_error_that_is_unwrapped(x) { let it = if x == 3 { Err(Refused(x)) } else { Ok(()) }; it.unwrap(); true }
    a_panic_that_is_caught(x) { catch_unwind(|| assert!(x < 9)).is_ok() == (x < 9) }
    a_text_of_a_condition(x) { (x == 4).to_string() != "true" }
}

fn num_traits_to(it: &impl num_traits::ToPrimitive) -> Option<u128> {
    it.to_u128()
}

/// The defaults of `num_traits` go by 64 bits.
#[test]
fn wide_numbers_are_converted_whole() {
    use num_traits::{FromPrimitive, ToPrimitive};
    for it in [u128::MAX, 1 << 64, 7] {
        let sym = Sym::plain(it);
        assert_eq!((sym.to_u128(), sym.to_u64(), sym.to_f64()), (it.to_u128(), it.to_u64(), it.to_f64()));
        assert_eq!(Sym::<u128>::from_u128(it).and_then(Sym::as_plain), Some(it));
    }
    assert_eq!(Sym::plain(i128::MIN).to_i128(), Some(i128::MIN));
}

#[test]
fn texts_are_values() {
    let report = run(|| {
        let (a, b): (Sym<char>, Sym<char>) = (input("a"), input("b"));
        assume!(a.at_least('a') & a.at_most('c') & b.at_least('x') & b.at_most('y'));
        let text: SymStr = [a, b].into_iter().collect();
        let plain = format!("{text}|{text:>4}|{text:?}");
        assert!(text == plain[..2]);
        assert!(plain != "by|  by|\"by\"", "found");
    });
    let [found] = &report.counterexamples[..] else { panic!("{report}") };
    assert_eq!(found.failure.message, "found");
    assert_eq!((found.inputs[0].1.as_str(), found.inputs[1].1.as_str()), ("Sym::from('b')", "Sym::from('y')"));
}

#[test]
fn a_text_of_plain_characters_is_padded() {
    assert_eq!(format!("{:>4}|{:?}", SymStr::from("ab"), SymStr::from("a\"b")), "  ab|\"a\\\"b\"");
}

/// The values that are not followed are named, not the line of the library that writes them.
#[test]
fn too_many_values_are_cut_by_name() {
    let report = verify("it", &Options::default(), false, || {
        let x: Sym<u8> = input("x");
        drop(x.to_string());
    });
    let cut = "more than 64 values of one term: a value that is written as text";
    assert_eq!(report.account.verdict(), Verdict::Cut(vec![cut.to_owned()]), "{report}");
}

/// The report of a path that fails names symbols, and asks nothing for that.
#[test]
fn messages_of_panics_name_symbols() {
    let report = run(|| {
        let x: Sym<u32> = input("x");
        assert!(x < 5, "x is {x}, {:?}", Some(x));
    });
    assert_eq!(report.account.failures[0].message, "x is x, Some(x)");
    assert_eq!((report.account.paths.total(), report.account.confirmed), (2, 2), "{report}");
}

/// A program can read the message of a panic that it catches: this is no pass.
#[test]
fn a_message_that_is_caught_is_named() {
    let report = run(|| {
        let x: Sym<u8> = input("x");
        let caught = catch_unwind(|| panic!("{x}")).unwrap_err();
        assert!(caught.downcast_ref::<String>().is_some_and(|it| it != "77"));
    });
    let text = "the text of a panic that the program catches".to_owned();
    assert_eq!(report.account.verdict(), Verdict::Witnessed(vec![text]), "{report}");
}

/// What a destructor asks while a panic unwinds is answered by the model alone.
#[test]
fn a_question_of_a_destructor_is_no_pass_where_the_panic_is_caught() {
    struct Looks<'a>(Sym<u8>, &'a Cell<bool>);
    impl Drop for Looks<'_> {
        fn drop(&mut self) {
            if self.0 == 77 {
                self.1.set(true);
            }
        }
    }
    let report = run(|| {
        let x: Sym<u8> = input("x");
        let is_found = Cell::new(false);
        let caught = catch_unwind(AssertUnwindSafe(|| {
            let _looks = Looks(x, &is_found);
            panic!("away");
        }));
        assert!(caught.is_err() && !is_found.get());
    });
    let Verdict::Unsupported(what) = report.account.verdict() else { panic!("{report}") };
    assert_eq!(what, ["a destructor asks while a panic unwinds that the program catches"]);
}

#[test]
fn a_text_on_another_thread_is_an_error() {
    let report = run(|| {
        let x: Sym<u8> = input("x");
        let text = std::thread::spawn(move || x.to_string()).join();
        assert!(text.is_err() || text.is_ok_and(|it| it != "77"));
    });
    let Verdict::Error(what) = report.account.verdict() else { panic!("{report}") };
    assert!(what.contains("a question from another thread"), "{what}");
}

/// Texts that name symbols are for reports; a program that makes one is told so.
#[test]
fn a_specification_as_text_is_named() {
    let report = run(|| {
        let x: Sym<u8> = input("x");
        let spec = expect(x).to_be_at_most(255u8);
        assert!(spec.to_string() != "7 <= 255" && effigy::Exp::written(&x).to_string() != "7");
    });
    let names = ["a specification that was written as text", "a value that was written as a term"];
    assert_eq!(report.account.verdict(), Verdict::Witnessed(names.map(str::to_owned).to_vec()), "{report}");
}

/// The place of a comparison is the line of the user's that compares.
#[test]
fn comparisons_have_the_place_of_the_user() {
    let few = Options { limits: Limits { decisions: 5, ..Limits::default() }, ..Options::default() };
    macro_rules! places {
        ($($compare:expr),*) => { $(
            let report = verify("it", &few, false, || {
                let x: Sym<u8> = input("x");
                let compare: fn(Sym<u8>) -> bool = $compare;
                while compare(x) {}
            });
            assert!(report.to_string().contains("tests/it/formatting.rs"), "{}: {report}", stringify!($compare));
        )* };
    }
    places!(
        |x| x != 1,
        |x| x != Sym::plain(1),
        |x| 1 != x,
        |x| x == 1,
        |x| x < 1,
        |x| x >= 1,
        |x| 1 == x,
        |x| 1 < x,
        |x| x.cmp(&Sym::plain(1)).is_gt(),
        |x| x.partial_cmp(&1).is_none_or(|it| it.is_gt()),
        |x| x.max(Sym::plain(1)) == 1,
        |x| 1 <= x.min(Sym::plain(9)),
        |x| x.clamp(Sym::plain(1), Sym::plain(9)) < 3
    );
    let report = verify("it", &few, false, || {
        let text: SymStr = input("text");
        // Of another length it is another text, and nothing is asked.
        while text.chars().count() == 3 && text != "abc" {}
    });
    assert!(report.to_string().contains("tests/it/formatting.rs"), "{report}");
}
