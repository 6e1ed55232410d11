//! The book's chapter "As a library, in your own tests": its programs, and what they print.

use effigy::prelude::*;
use effigy::session::Verdict;
use effigy::{input, verify};

/// The first listing, which is a file of its own.
#[path = "tutorial/transfer.rs"]
mod transfer;

/// The same without the line with `assume!`.
#[rustfmt::skip]
#[path = "tutorial/without.rs"]
mod without;

#[test]
fn what_is_printed_without_the_assumption() {
    let listing = include_str!("tutorial/transfer.rs");
    let without: String = listing.split_inclusive('\n').filter(|it| !it.contains("assume!")).collect();
    let expected = " #[should_panic = \"attempt to add with overflow\"]";
    assert_eq!(include_str!("tutorial/without.rs").replace(expected, ""), without);

    let report = verify("transfer_keeps_the_total", &Options::default(), false, || {
        without::transfer_keeps_the_total::on(input("from"), input("to"), input("amount"));
    });
    let printed = report.to_string();
    // The book says where the file goes; the line and the column are those of the listing.
    let folder = printed.lines().nth(1).and_then(|it| it.split("without.rs:").next()).expect("a place").to_owned();
    let printed = printed.replace(&format!("{folder}without.rs"), "tests/transfer.rs");
    assert_eq!(printed + "\n", include_str!("../tutorial/transfer.txt"));
}

// ANCHOR: derive
#[derive(Symbolic, Clone, Debug)]
struct Order {
    quantity: Sym<u8>,
    price: Sym<u16>,
    state: State,
}

#[derive(Symbolic, Clone, Debug, PartialEq)]
enum State {
    Open,
    Paid { amount: Sym<u32> },
}

impl Order {
    fn total(&self) -> Sym<u32> {
        Sym::<u32>::from(self.quantity) * Sym::<u32>::from(self.price)
    }

    fn is_settled(&self) -> bool {
        match &self.state {
            State::Open => self.total() == 0,
            State::Paid { amount } => *amount >= self.total(),
        }
    }
}

#[effigy::test]
fn nobody_owes_after_settling(order: Order) {
    if order.is_settled()
        && let State::Paid { amount } = order.state
    {
        expect(order.total()).to_be_at_most(amount);
    }
}
// ANCHOR_END: derive

// ANCHOR: quantifiers
#[effigy::test]
fn every_number_has_an_opposite() -> Spec {
    forall(|i: Sym<i8>| exists(|j: Sym<i8>| i.wrapping_add(j).equals(0)))
}
// ANCHOR_END: quantifiers

// ANCHOR: symbolic
#[effigy::symbolic]
fn grade(points: Sym<u8>) -> char {
    match points {
        0..=49 => 'F',
        it @ 50..=100 if it >= 90 => 'A',
        50..=100 => 'B',
        _ => '?',
    }
}

#[effigy::symbolic(merge)]
fn clamp(x: Sym<i32>) -> Sym<i32> {
    let mut res = x;
    if x.less(0) {
        res = Sym::from(0);
    } else if x.greater(255) {
        res = Sym::from(255);
    }
    res
}
// ANCHOR_END: symbolic

#[test]
fn four_grades_and_one_clamp() {
    let report = verify("grades", &Options::default(), false, || {
        let points: Sym<u8> = input("points");
        assert!((grade(points) == '?') == (points > 100));
    });
    assert_eq!((report.account.verdict(), report.account.paths.ended), (Verdict::Passed, 4), "{report}");
    let report = verify("clamp", &Options::default(), false, || {
        let x: Sym<i32> = input("x");
        let it = clamp(x);
        expect(it.at_least(0) & it.at_most(255)).to_equal(true);
    });
    assert_eq!((report.account.verdict(), report.account.paths.ended), (Verdict::Passed, 1), "{report}");
}
