//! The parser of `utf8parse`, unchanged but for the attribute: on plain bytes it is the crate, and of symbolic ones it knows
//! what UTF-8 is.

#![cfg(source_found)]

use effigy::prelude::*;
use effigy::session::{Limits, Verdict};
use effigy::{input, verify};
use effigy_published::{table, utf8parse as rewritten};
use proptest::prelude::*;
use std::cell::RefCell;
use std::collections::BTreeSet;

/// What a parser tells: a character, or nothing where a sequence is invalid.
#[derive(Default)]
struct Heard(Vec<Option<char>>);

impl utf8parse::Receiver for Heard {
    fn codepoint(&mut self, it: char) {
        self.0.push(Some(it));
    }

    fn invalid_sequence(&mut self) {
        self.0.push(None);
    }
}

impl rewritten::Receiver for Heard {
    fn codepoint(&mut self, it: char) {
        self.0.push(Some(it));
    }

    fn invalid_sequence(&mut self) {
        self.0.push(None);
    }
}

/// What the crate tells of these bytes.
fn of_the_crate(bytes: &[u8]) -> Vec<Option<char>> {
    let (mut parser, mut heard) = (utf8parse::Parser::new(), Heard::default());
    bytes.iter().for_each(|it| parser.advance(&mut heard, *it));
    heard.0
}

fn of_the_rewritten(bytes: &[Sym<u8>]) -> Vec<Option<char>> {
    let (mut parser, mut heard) = (rewritten::Parser::new(), Heard::default());
    bytes.iter().for_each(|it| parser.advance(&mut heard, *it));
    heard.0
}

/// Bytes of texts, with others between them.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let text = any::<char>().prop_map(|it| it.to_string().into_bytes());
    let some = prop_oneof![text, prop::collection::vec(any::<u8>(), 1..3), prop::collection::vec(0x80u8..=0xf5, 1..5)];
    prop::collection::vec(some, 0..12).prop_map(|it| it.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn on_plain_bytes_it_is_the_crate(bytes in bytes()) {
        let plain: Vec<Sym<u8>> = bytes.iter().map(|it| Sym::plain(*it)).collect();
        prop_assert_eq!(of_the_rewritten(&plain), of_the_crate(&bytes));
    }
}

/// The table of states on every text of up to four bytes: it comes back to its start with the last byte, and says of none
/// that it is invalid, if and only if these are one character of UTF-8; and it is what the crate tells.
#[test]
fn the_table_knows_what_a_character_is() {
    let lengths = RefCell::new(BTreeSet::new());
    let report = verify("table", &Options::default(), false, || {
        let bytes: [Sym<u8>; 4] = input("bytes");
        let mut state = table::State::Ground;
        for (at, byte) in bytes.iter().enumerate() {
            let (next, action) = state.advance(*byte);
            let invalid = matches!(action, table::Action::InvalidSequence);
            if invalid || next == table::State::Ground {
                // One value of the path is enough to ask the crate and the standard library, which tell nothing apart here.
                let these: Vec<u8> = bytes[..=at].iter().map(|it| one_value(*it)).collect();
                let is_one = std::str::from_utf8(&these).is_ok_and(|it| it.chars().count() == 1);
                assert_eq!(is_one, !invalid, "{these:x?}");
                assert_eq!(of_the_crate(&these).last().copied().flatten().is_some(), is_one, "{these:x?}");
                lengths.borrow_mut().insert((at + 1, is_one));
                return;
            }
            state = next;
        }
        panic!("four bytes are a character, or none");
    });
    // The oracles were asked with one value of each path.
    assert_eq!(report.account.verdict(), Verdict::Witnessed(vec!["a byte".to_owned()]), "{report}");
    let expected = [(1, false), (1, true), (2, false), (2, true), (3, false), (3, true), (4, false), (4, true)];
    assert_eq!(lengths.into_inner(), BTreeSet::from(expected));
    // No byte is tried on its own.
    assert_eq!(report.account.paths.ended, 28, "{report}");
}

/// A value of a byte on this path, which decides nothing.
fn one_value(byte: Sym<u8>) -> u8 {
    let session = effigy::session::Session::current();
    let term = byte.term(&session);
    match session.witness(term, "a byte") {
        effigy::session::Value::BitVec(it) => it.to_u64().and_then(|it| u8::try_from(it).ok()).expect("a byte"),
        other => panic!("{other:?} is no byte"),
    }
}

/// The whole parser: where it makes a character of bytes, each of their values is a path, and the character is the one.
#[test]
fn the_parser_makes_the_characters_of_its_bytes() {
    let options = Options { limits: Limits { values: 256, ..Limits::default() }, ..Options::default() };
    let report = verify("parser", &options, false, || {
        let byte: Sym<u8> = input("byte");
        let last: Sym<u8> = input("last");
        assume!(last.at_least(0xb0) & last.at_most(0xcf));
        let heard = of_the_rewritten(&[byte, Sym::plain(0x98), last]);
        let bytes = [byte.value(), 0x98, last.value()];
        assert_eq!(heard, of_the_crate(&bytes), "{bytes:x?}");
    });
    assert_eq!(report.account.verdict(), Verdict::Passed, "{report}");
    assert_eq!(report.account.paths.ended, 256 * 32, "{report}");
}
