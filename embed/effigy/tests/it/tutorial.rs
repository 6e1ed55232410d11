//! The book's chapter "As a library, in your own tests": its programs, and what they print.

use effigy::prelude::*;
use effigy::session::Verdict;
use effigy::{input, verify};

// ANCHOR: transfer
/// Generic code, or code about `Sym<u32>`: arithmetic and comparisons are written as always.
fn transfer(from: Sym<u32>, to: Sym<u32>, amount: Sym<u32>) -> (Sym<u32>, Sym<u32>) {
    if amount > from {
        return (from, to);
    }
    (from - amount, to + amount)
}

#[effigy::test]
fn transfer_keeps_the_total(from: Sym<u32>, to: Sym<u32>, amount: Sym<u32>) {
    assume!(from.checked_add(to).is_some());
    let (a, b) = transfer(from, to, amount);
    expect(a + b).to_equal(from + to);
}
// ANCHOR_END: transfer

#[test]
fn what_is_printed_without_the_assumption() {
    let report = verify("transfer_keeps_the_total", &Options::default(), false, || {
        let (from, to, amount) = (input("from"), input("to"), input("amount"));
        let (a, b) = transfer(from, to, amount);
        expect(a.wrapping_add(b)).to_equal(from.wrapping_add(to));
    });
    let printed = report.to_string();
    // The line of the source moves with this file.
    let place = printed.lines().nth(1).and_then(|it| it.split(": ").next()).expect("a place").to_owned();
    assert_eq!(printed.replace(&place, "src/lib.rs:6:24") + "\n", include_str!("../tutorial/transfer.txt"));
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
