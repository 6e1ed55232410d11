//! Symbolic texts against `String`, on all small texts.
//!
//! Each operation is done on a text of symbols first; only then the path is told which text it is, and each text that
//! takes the path is compared with what `String` does. Every text is on one path.

use effigy::prelude::*;
use effigy::session::{Limits, explore};
use effigy::symbolic::set_bound;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// Every text of these characters of at most so many.
fn texts(alphabet: &[char], most: usize) -> BTreeSet<String> {
    let mut res = BTreeSet::from([String::new()]);
    for _ in 0..most {
        let longer = res.iter().flat_map(|it| alphabet.iter().map(move |last| format!("{it}{last}")));
        let longer: Vec<String> = longer.collect();
        res.extend(longer);
    }
    res
}

/// A text of these characters.
fn text(name: &str, alphabet: &[char]) -> SymStr {
    let text = SymStr::symbolic(name);
    for it in text.chars() {
        assume!(alphabet.iter().fold(Sym::plain(false), |any, one| any | it.equals(*one)));
    }
    text
}

/// Runs on every text; each is seen once.
fn on_all(alphabet: &[char], most: usize, mut run: impl FnMut(&SymStr) -> Box<dyn Fn(&str)>) {
    let seen = RefCell::new(Vec::new());
    let limits = Limits { values: 1 << 16, ..Limits::default() };
    let before = set_bound(most);
    let account = explore(&limits, || {
        let symbolic = text("text", alphabet);
        let check = run(&symbolic);
        let value = symbolic.value();
        check(&value);
        seen.borrow_mut().push(value);
    });
    set_bound(before);
    assert!(account.is_ok() && account.failures.is_empty(), "{account}");
    let seen = seen.into_inner();
    let all = texts(alphabet, most);
    assert_eq!(seen.len(), all.len(), "each text is on one path");
    assert_eq!(seen.into_iter().collect::<BTreeSet<_>>(), all);
}

const LETTERS: [char; 8] = ['a', 'Z', 'b', ' ', 'é', '€', '😀', '\u{a0}'];

/// What `String` says.
type Native = fn(&str) -> bool;

fn plain(text: &SymStr) -> String {
    text.value()
}

#[test]
fn what_is_not_asked_is_what_string_says() {
    on_all(&LETTERS, 3, |it| {
        let before = effigy::session::Session::current().questions();
        let truths: Vec<(Sym<bool>, Native)> = vec![
            (it.equals("ab"), |it| it == "ab"),
            (it.equals(""), |it| it.is_empty()),
            (it.starts_with("a"), |it| it.starts_with('a')),
            (it.starts_with("é€"), |it| it.starts_with("é€")),
            (it.starts_with(""), |it| it.starts_with("")),
            (it.ends_with('b'), |it| it.ends_with('b')),
            (it.ends_with("ab"), |it| it.ends_with("ab")),
            (it.contains("ab"), |it| it.contains("ab")),
            (it.contains('😀'), |it| it.contains('😀')),
            (it.contains(""), |it| it.contains("")),
            (it.less("b"), |it| it < "b"),
            (it.less("aé"), |it| it < "aé"),
            (it.less(""), |_| false),
            (it.eq_ignore_ascii_case("AB"), |it| it.eq_ignore_ascii_case("AB")),
            (it.equals("é€") | it.less("Z"), |it| it == "é€" || it < "Z"),
        ];
        let (length, upper, lower) = (it.len(), it.to_ascii_uppercase(), it.to_ascii_lowercase());
        let longer = it.clone() + "é";
        assert_eq!(effigy::session::Session::current().questions(), before, "nothing is asked");
        Box::new(move |text| {
            for (at, (symbolic, native)) in truths.iter().enumerate() {
                assert_eq!(symbolic.holds(), native(text), "{at} of {text:?}");
            }
            assert_eq!(length.value(), text.len(), "{text:?}");
            assert_eq!((plain(&upper), plain(&lower)), (text.to_ascii_uppercase(), text.to_ascii_lowercase()));
            assert_eq!(plain(&longer), format!("{text}é"));
        })
    });
}

#[test]
fn what_is_asked_is_what_string_says() {
    on_all(&LETTERS, 3, |it| {
        let (found, far) = (it.find("b"), it.find("€a"));
        let (trimmed, end) = (it.trim(), it.trim_end());
        let stripped = it.strip_prefix("a");
        let suffix = it.strip_suffix("b ");
        let once = it.split_once(' ');
        let parts: Vec<SymStr> = it.split('a').collect();
        Box::new(move |text| {
            assert_eq!(found.map(Sym::value), text.find('b'), "{text:?}");
            assert_eq!(far.map(Sym::value), text.find("€a"), "{text:?}");
            assert_eq!(
                (plain(&trimmed), plain(&end)),
                (text.trim().to_owned(), text.trim_end().to_owned()),
                "{text:?}"
            );
            assert_eq!(stripped.as_ref().map(plain).as_deref(), text.strip_prefix('a'), "{text:?}");
            assert_eq!(suffix.as_ref().map(plain).as_deref(), text.strip_suffix("b "), "{text:?}");
            let native = text.split_once(' ').map(|(a, b)| (a.to_owned(), b.to_owned()));
            assert_eq!(once.as_ref().map(|(a, b)| (plain(a), plain(b))), native, "{text:?}");
            let native: Vec<&str> = text.split('a').collect();
            assert_eq!(parts.iter().map(plain).collect::<Vec<_>>(), native, "{text:?}");
        })
    });
}

#[test]
fn bytes_are_those_of_utf_8() {
    on_all(
        &['a', '\u{7f}', '\u{80}', 'é', '\u{7ff}', '\u{800}', '€', '\u{ffff}', '\u{10000}', '😀', '\u{10ffff}'],
        2,
        |it| {
            let bytes: Vec<Sym<u8>> = it.bytes().collect();
            Box::new(move |text| {
                assert_eq!(bytes.iter().map(|it| it.value()).collect::<Vec<u8>>(), text.as_bytes(), "{text:?}");
            })
        },
    );
}

#[test]
fn numbers_are_read_as_rust_reads_them() {
    let digits = ['-', '+', '0', '1', '2', '9', 'x', 'é'];
    macro_rules! read {
        ($($type:ty)*) => { $(
            on_all(&digits, 4, |it| {
                let read = it.parse::<$type>();
                Box::new(move |text| {
                    let read = read.clone().map(Sym::value);
                    assert_eq!(read, text.parse::<$type>(), "{text:?} as {}", stringify!($type));
                })
            });
        )* };
    }
    read!(i8 u8);
    let digits = ['-', '+', '9', 'x'];
    macro_rules! read_more {
        ($($type:ty)*) => { $(
            on_all(&digits, 4, |it| {
                let read = it.parse::<$type>();
                Box::new(move |text| {
                    assert_eq!(read.clone().map(Sym::value), text.parse::<$type>(), "{text:?} as {}", stringify!($type));
                })
            });
        )* };
    }
    read_more!(i16 u16 i64 usize);
}

#[test]
fn two_texts_are_compared_as_strings_are() {
    let alphabet = ['a', 'é', '😀'];
    let seen = RefCell::new(BTreeSet::new());
    let before = set_bound(2);
    let account = explore(&Limits::default(), || {
        let (a, b) = (text("a", &alphabet), text("b", &alphabet));
        let order = a.cmp(&b);
        let (equal, within) = (a.equals(&b), a.contains(&b));
        let (x, y) = (a.value(), b.value());
        assert_eq!(order, x.cmp(&y), "{x:?} {y:?}");
        assert_eq!((equal.holds(), within.holds()), (x == y, x.contains(&y)), "{x:?} {y:?}");
        seen.borrow_mut().insert((x, y));
    });
    set_bound(before);
    assert!(account.is_ok(), "{account}");
    let all = texts(&alphabet, 2).len();
    assert_eq!(seen.into_inner().len(), all * all);
}

/// On plain characters: the same words as Rust's, on every character.
#[test]
fn white_space_is_that_of_unicode() {
    for it in '\0'..=char::MAX {
        assert_eq!(Sym::plain(it).is_whitespace().as_plain(), Some(it.is_whitespace()), "{it:?}");
    }
}

#[effigy::symbolic]
fn command(word: SymStr) -> u8 {
    match word {
        "get" => 1,
        "put" | "add" => 2,
        _ => 3,
    }
}

#[test]
fn a_text_is_matched_with_literals() {
    let seen = RefCell::new(BTreeSet::new());
    let account = explore(&Limits::default(), || {
        let word: SymStr = SymStr::symbolic("word");
        let told = command(word.clone());
        let expected = if *word.equals("get") {
            1
        } else if *(word.equals("put") | word.equals("add")) {
            2
        } else {
            3
        };
        assert_eq!(told, expected);
        seen.borrow_mut().insert(told);
    });
    assert!(account.is_ok(), "{account}");
    assert_eq!(seen.into_inner(), BTreeSet::from([1, 2, 3]));
}
