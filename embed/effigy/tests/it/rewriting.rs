//! `#[effigy::symbolic]`: a rewritten function against the plain one, on all inputs, by both strategies.

use effigy::prelude::*;
use effigy::session::Verdict;
use effigy::{Report, input, verify};

fn run(body: impl FnMut()) -> Report {
    verify("it", &Options::default(), false, body)
}

/// The same words on plain numbers, rewritten on plain numbers, and rewritten on symbolic ones.
macro_rules! three {
    ($attribute:meta: $plain:ident $rewritten:ident $symbolic:ident ($x:ident) -> $out:ty, $wrapped:ty; $body:block) => {
        fn $plain($x: u8) -> $out $body

        #[$attribute]
        fn $rewritten($x: u8) -> $out $body

        #[$attribute]
        fn $symbolic($x: Sym<u8>) -> $wrapped $body
    };
}

const SIX: u8 = 6;

three! { effigy::symbolic: class class_rewritten class_symbolic (x) -> u32, u32; {
    match x {
        0 => 10,
        1..=9 if x == SIX => 66,
        5 => 55,
        SIX | 7 => 67,
        it @ 20..30 => if it < 25 { 20 } else { 25 },
        b'a'..=b'z' => 97,
        200.. => 200,
        other if other & 1 == 1 => 1,
        _ => 2,
    }
}}

#[test]
fn literals_are_matched_as_they_are() {
    (0..=255).for_each(|x| assert_eq!(class(x), class_rewritten(x)));
    let table: Vec<Sym<u32>> = (0..=255).map(|x| Sym::plain(class(x))).collect();
    let report = run(|| {
        let x: Sym<u8> = input("x");
        let class = class_symbolic(x);
        expect(table.at(x.cast())).to_equal(class);
    });
    assert_eq!(report.account.verdict(), Verdict::Passed, "{report}");
    // Values that no pattern tells apart are one path.
    assert_eq!(report.account.paths.ended, 12, "{report}");
}

#[effigy::symbolic]
fn bare(a: Sym<bool>, b: Sym<bool>) -> u8 {
    let mut count = 0;
    if a && !b {
        count += 1;
    }
    while a {
        count += 2;
        if b || count > 4 {
            break;
        }
    }
    match a {
        true => count,
        false => count + 100,
    }
}

#[test]
fn conditions_are_asked() {
    let plain = |a: bool, b: bool| match (a, b) {
        (true, true) => 2,
        (true, false) => 5,
        (false, _) => 100,
    };
    let report = run(|| {
        let (a, b): (Sym<bool>, Sym<bool>) = (input("a"), input("b"));
        let count = bare(a, b);
        assert_eq!(count, plain(a.holds(), b.holds()));
    });
    assert_eq!((report.account.verdict(), report.account.paths.ended), (Verdict::Passed, 4), "{report}");
}

#[effigy::symbolic]
fn initial(c: Sym<char>) -> &'static str {
    match c {
        'a'..='z' | 'A'..='Z' => "letter",
        '0'..='9' => "digit",
        '\u{e000}' => "private",
        _ => "other",
    }
}

#[test]
fn characters_are_matched() {
    let report = run(|| {
        let c: Sym<char> = input("c");
        let is = initial(c);
        expect(c.is_ascii_digit()).to_equal(is == "digit");
        expect(c.is_ascii_alphabetic()).to_equal(is == "letter");
    });
    // Small letters and capitals are two patterns.
    assert_eq!((report.account.verdict(), report.account.paths.ended), (Verdict::Passed, 5), "{report}");
}

// Merging.

/// Each body is merged and forked, and is the plain function on every byte.
macro_rules! strategies {
    ($($test:ident $plain:ident $merged:ident $forked:ident $paths:tt ($x:ident) $body:block)*) => { $(
        #[allow(clippy::all, unused_assignments, reason = "the words are those of the symbolic function")]
        fn $plain($x: u8) -> u8 { type N = u8; $body }

        #[allow(unused_assignments, reason = "a side that assigns what it does not read")]
        #[effigy::symbolic(merge)]
        fn $merged($x: Sym<u8>) -> Sym<u8> { type N = Sym<u8>; $body }

        #[allow(unused_assignments, reason = "a side that assigns what it does not read")]
        #[effigy::symbolic]
        fn $forked($x: Sym<u8>) -> Sym<u8> { type N = Sym<u8>; $body }

        #[test]
        fn $test() {
            let table: Vec<Sym<u8>> = (0..=255).map(|x| Sym::plain($plain(x))).collect();
            let run = |function: fn(Sym<u8>) -> Sym<u8>| run(|| {
                let x: Sym<u8> = input("x");
                expect(function(x)).to_equal(table.at(x.cast()));
            });
            let (merged, forked) = (run($merged), run($forked));
            assert_eq!(merged.account.verdict(), Verdict::Passed, "{merged}");
            assert_eq!(forked.account.verdict(), Verdict::Passed, "{forked}");
            assert_eq!((merged.account.paths.ended, forked.account.paths.ended), $paths);
        }
    )* };
}

/// A constant of the type that the function is about.
trait Constant {
    fn is(value: u8) -> Self;
}

impl Constant for u8 {
    fn is(value: u8) -> u8 {
        value
    }
}

impl Constant for Sym<u8> {
    fn is(value: u8) -> Sym<u8> {
        Sym::plain(value)
    }
}

fn is<T: Constant>(value: u8) -> T {
    T::is(value)
}

trait Compare {
    type Truth;
    fn lt(self, other: u8) -> Self::Truth;
}

impl Compare for u8 {
    type Truth = bool;
    fn lt(self, other: u8) -> bool {
        self < other
    }
}

impl Compare for Sym<u8> {
    type Truth = Sym<bool>;
    fn lt(self, other: u8) -> Sym<bool> {
        self.less(other)
    }
}

strategies! {
    // Section 3.2: x := 5; if sv then x := 6 else x := 7
    assigned_on_both_sides assigned assigned_merged assigned_forked (1, 2) (x) {
        let mut y: N = is(5);
        if Compare::lt(x, 100) { y = is(6); } else { y = is(7); }
        y
    }

    // Section 3.2: x := 5; if sv then x := 6
    assigned_on_one_side half half_merged half_forked (1, 2) (x) {
        let mut y: N = is(5);
        if Compare::lt(x, 100) { y = is(6); }
        y
    }

    conditionals_within_conditionals nested nested_merged nested_forked (1, 4) (x) {
        let mut y: N = is(1);
        let mut z: N = is(2);
        let w: N = if Compare::lt(x, 100) {
            if Compare::lt(x, 50) { y = z; z = is(9); } else { z = y; }
            y
        } else if Compare::lt(x, 200) {
            y = is(40);
            z
        } else {
            is(0)
        };
        y ^ z ^ w
    }

    one_after_the_other sequence sequence_merged sequence_forked (1, 4) (x) {
        let mut y: N = is(0);
        if Compare::lt(x, 10) { y |= 1; }
        if Compare::lt(x, 20) { y |= 2; }
        if Compare::lt(x, 30) { y |= 4; }
        y
    }

    // The sum is asked about: that conditional forks, the one before it does not.
    what_asks_is_forked asks asks_merged asks_forked (2, 3) (x) {
        let mut y: N = is(3);
        if Compare::lt(x, 100) { y = is(4); }
        if Compare::lt(x, 200) { y += x; }
        y
    }
}

#[effigy::symbolic(merge)]
fn careful(x: Sym<u8>) -> Sym<u8> {
    let mut y = x;
    if x.less(200) {
        y += 50;
    }
    y
}

/// The overflow check of a side is that of the inputs that take it.
#[test]
fn a_side_does_not_fail_for_those_who_do_not_take_it() {
    let report = run(|| {
        let x: Sym<u8> = input("x");
        careful(x);
    });
    assert_eq!((report.account.verdict(), report.account.paths.ended), (Verdict::Passed, 2), "{report}");
}

#[test]
fn a_merged_value_is_a_choice() {
    let mut text = String::new();
    run(|| {
        let written = effigy::Exp::written(&assigned_merged(input("x"))).to_string();
        // The runs with values come later.
        if text.is_empty() {
            text = written;
        }
    });
    assert_eq!(text, "if(x < 100, 6, 7)");
}

/// Plain numbers under a plain condition need none: nothing is merged.
#[effigy::symbolic(merge)]
fn plain(x: u8, text: String) -> String {
    let mut text = text;
    if x < 3 {
        text.push('a');
    } else {
        text.push('b');
    }
    text
}

#[test]
fn plain_conditions_merge_nothing() {
    assert_eq!((plain(1, "x".to_owned()), plain(5, "x".to_owned())), ("xa".to_owned(), "xb".to_owned()));
}
