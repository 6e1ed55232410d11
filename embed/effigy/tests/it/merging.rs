//! `#[effigy::symbolic(merge)]` and bindings of every shape: each function against the plain one on all bytes.
//!
//! What is refused stands in `merge.rs` (types) and in the macro's own tests (words).

use effigy::prelude::*;
use effigy::session::Verdict;
use effigy::{Report, input, verify};

fn run(body: impl FnMut()) -> Report {
    verify("it", &Options::default(), false, body)
}

/// Comparisons without asking, of plain bytes too.
trait Byte: Copy {
    type Truth: Copy;
    fn lt(self, other: u8) -> Self::Truth;
    fn of(value: u8) -> Self;
}

impl Byte for u8 {
    type Truth = bool;
    fn lt(self, other: u8) -> bool {
        self < other
    }
    fn of(value: u8) -> u8 {
        value
    }
}

impl Byte for Sym<u8> {
    type Truth = Sym<bool>;
    fn lt(self, other: u8) -> Sym<bool> {
        self.less(other)
    }
    fn of(value: u8) -> Sym<u8> {
        Sym::plain(value)
    }
}

fn is<T: Byte>(value: u8) -> T {
    T::of(value)
}

#[derive(Clone, Copy, Debug)]
struct Pair<T> {
    a: T,
    b: T,
}

impl<T: Merge> Merge for Pair<T> {
    fn merge(cond: Sym<bool>, then: Pair<T>, other: Pair<T>) -> Pair<T> {
        Pair { a: T::merge(cond, then.a, other.a), b: T::merge(cond, then.b, other.b) }
    }
}

/// Each body is run on all bytes, and once on a symbolic one: with so many paths.
macro_rules! programs {
    ($($name:ident $paths:literal ($x:ident) $body:block)*) => { $(
        #[test]
        fn $name() {
            #[allow(clippy::all, unused_assignments, unused_variables, reason = "the words of the symbolic function")]
            fn plain($x: u8) -> u8 {
                #[allow(dead_code, reason = "a body may name no type")]
                type N = u8;
                $body
            }
            #[allow(unused_assignments, unused_variables, clippy::all, reason = "the words of the plain function")]
            #[effigy::symbolic(merge)]
            fn merged($x: Sym<u8>) -> Sym<u8> {
                #[allow(dead_code, reason = "a body may name no type")]
                type N = Sym<u8>;
                $body
            }
            let table: Vec<Sym<u8>> = (0..=255).map(|x| Sym::plain(plain(x))).collect();
            let report = run(|| {
                let x: Sym<u8> = input("x");
                expect(merged(x)).to_equal(table.at(x.cast()));
            });
            assert_eq!((report.account.verdict(), report.account.paths.ended), (Verdict::Passed, $paths), "{report}");
            // A wrong table is found, so that a pass says something.
            let report = run(|| {
                let x: Sym<u8> = input("x");
                expect(merged(x)).to_equal(table.at(x.cast()) ^ x.equals(77).select(1u8, 0u8));
            });
            assert_eq!(report.account.verdict(), Verdict::Failed, "{report}");
            assert_eq!(report.counterexamples[0].inputs[0].1, "Sym::from(77u8)", "{report}");
        }
    )* };
}

programs! {
    // M2 of the review.
    a_binding_of_an_arm 1 (x) {
        match Some(x) {
            Some(mut y) => {
                if Byte::lt(y, 100) { y = is(7); }
                y
            }
            None => is(0),
        }
    }

    // M3.
    a_binding_of_a_loop 1 (x) {
        let mut sum: N = is(0);
        for mut y in [x, is(200), is(3)] {
            if Byte::lt(y, 100) { y = is(7); }
            sum ^= y;
        }
        sum
    }

    // M7.
    a_binding_of_a_conditional 1 (x) {
        if let Some(mut y) = Some(x) {
            if Byte::lt(y, 100) { y = is(7); }
            return y;
        }
        is(1)
    }

    a_binding_of_a_chain 1 (x) {
        let o = Some(x);
        if true && let Some(mut y) = o && true {
            if Byte::lt(x, 100) { y = is(7); } else { y ^= is::<N>(1); }
            return y;
        }
        is(1)
    }

    a_binding_of_a_while 1 (x) {
        let mut all = vec![x, is(9)].into_iter();
        let mut sum: N = is(0);
        while let Some(mut y) = all.next() {
            if Byte::lt(y, 100) { y = is(7); }
            sum ^= y;
        }
        sum
    }

    a_binding_of_a_closure 1 (x) {
        let f = |mut y: N| {
            if Byte::lt(y, 100) { y = is(7); }
            y
        };
        f(x) ^ f(is(200))
    }

    a_binding_with_an_else 1 (x) {
        let Some(mut y) = Some(x) else { return is(0) };
        if Byte::lt(y, 100) { y = is(7); }
        y
    }

    a_binding_of_the_whole 1 (x) {
        match (x, x) {
            mut y @ (_, _) => {
                if Byte::lt(x, 100) { y.0 = is(7); }
                y.0 ^ y.1
            }
        }
    }

    bindings_of_a_slice 1 (x) {
        let [mut first, .., mut last] = [x, is(1), is(2)];
        if Byte::lt(x, 100) { first = last; last = is(9); }
        first ^ last
    }

    the_rest_of_a_slice 1 (x) {
        let [first, mut rest @ ..] = [x, is(1), is(2)];
        if Byte::lt(first, 100) { rest[1] = is(7); } else { rest[0] = first; }
        rest[0] ^ rest[1]
    }

    bindings_of_a_struct 1 (x) {
        let Pair { mut a, b: mut c } = Pair { a: x, b: is(5) };
        if Byte::lt(x, 100) { a = c; c = is(1); }
        a ^ c
    }

    fields_of_a_struct 1 (x) {
        let mut pair = Pair { a: x, b: is(5) };
        if Byte::lt(x, 100) { pair.a = pair.b; pair.b = is(1); } else { pair.b ^= x; }
        pair.a ^ pair.b
    }

    elements_of_an_array 1 (x) {
        let mut all = [x, is(1), is(2)];
        if Byte::lt(x, 100) { all[0] = all[1]; } else { all.swap(1, 2); }
        all[0] ^ all[1]
    }

    // References that the side itself makes are to what is kept.
    a_reference_within_a_side 1 (x) {
        let mut all = [x, is(1), is(2)];
        if Byte::lt(x, 100) {
            for it in all.iter_mut() { *it = is(7); }
        } else if let Some(it) = all.get_mut(1) {
            *it = x;
        }
        all[0] ^ all[1] ^ all[2]
    }

    halves_within_a_side 1 (x) {
        let mut all = [x, is(1), is(2), is(3)];
        if Byte::lt(x, 100) {
            let (a, b) = all.split_at_mut(2);
            a[0] = b[1];
            b[0] = x;
        }
        all[0] ^ all[2]
    }

    a_variable_that_hides_another 1 (x) {
        let mut y: N = is(1);
        {
            let mut y: N = is(2);
            if Byte::lt(x, 100) { y = is(3); }
            if Byte::lt(y, 3) { y ^= x; }
        }
        if Byte::lt(x, 50) { y = is(4); }
        y
    }

    a_variable_of_the_side 1 (x) {
        let mut y: N = is(1);
        if Byte::lt(x, 100) {
            let mut z: N = is(5);
            z ^= x;
            let z = z;
            y = z;
        } else {
            let z: N = y;
            y ^= z;
        }
        y
    }

    a_loop_that_is_left_with_a_value 1 (x) {
        let mut at = 0;
        let found: N = 'all: loop {
            let mut y: N = is(at);
            if Byte::lt(x, 100) { y = is(50); }
            at += 1;
            match at { 3 => break 'all y, _ => {} }
        };
        found
    }

    a_loop_within_a_side 1 (x) {
        let mut y: N = is(1);
        if Byte::lt(x, 100) {
            for at in 0..3 {
                match at { 1 => continue, _ => {} }
                y ^= is::<N>(at);
            }
        }
        y
    }

    values_of_conditionals 1 (x) {
        let y: N = if Byte::lt(x, 100) { is(3) } else if Byte::lt(x, 150) { x } else { is(9) };
        let (a, b): (N, N) = if Byte::lt(y, 50) { (x, y) } else { (y, is(1)) };
        a ^ b
    }

    a_destructuring_assignment 1 (x) {
        let (mut a, mut b): (N, N) = (x, is(9));
        if Byte::lt(x, 100) { (a, b) = (b, a); } else { [a, b] = [is(1), is(2)]; }
        a ^ (b & is::<N>(3))
    }

    macros_that_only_read 1 (x) {
        let mut y: N = is(1);
        if Byte::lt(x, 100) {
            let all = vec![x, y];
            assert_eq!(all.len(), 2);
            assert!(matches!(Some(1), Some(it) if it > 0), "one");
            y = all[0];
        }
        y
    }

    a_closure_around_a_conditional 1 (x) {
        let mut y: N = is(1);
        let mut change = |by: u8| {
            if Byte::lt(x, 100) { y ^= is::<N>(by); } else { y = is(by); }
        };
        change(4);
        change(9);
        y
    }

    what_is_only_read 1 (x) {
        let all = vec![x, is(1), is(2)];
        let pair = Some((x, 3u8));
        let mut y: N = is(1);
        if Byte::lt(x, 100) {
            y = all.iter().copied().fold(is(0), |a: N, b: N| a ^ b);
        } else if let Some((a, b)) = pair {
            y = a ^ is::<N>(b);
        }
        y
    }

    // Sides that ask are run on paths of their own.
    a_side_that_sorts 3 (x) {
        let mut all: [N; 2] = [x, is(50)];
        if Byte::lt(x, 100) { all.sort(); }
        if Byte::lt(x, 10) { all[0] ^= is::<N>(1); }
        all[0]
    }

    a_side_that_may_overflow 2 (x) {
        let mut y = x;
        if Byte::lt(x, 200) { y += is::<N>(50); }
        y
    }
}

impl Pair<Sym<u8>> {
    /// M4 of the review.
    #[effigy::symbolic(merge)]
    fn moved(mut self, by: Sym<u8>) -> Pair<Sym<u8>> {
        if by.less(100) {
            self.a = by;
        }
        self
    }
}

#[test]
fn a_receiver_is_merged() {
    let report = run(|| {
        let (x, by): (Sym<u8>, Sym<u8>) = (input("x"), input("by"));
        let pair = Pair { a: x, b: x }.moved(by);
        expect(pair.a).to_equal(by.less(100).select(by, x));
        expect(pair.b).to_equal(x);
    });
    assert_eq!((report.account.verdict(), report.account.paths.ended), (Verdict::Passed, 1), "{report}");
}

/// Under a plain condition one side is run, and it may write what it likes.
#[effigy::symbolic(merge)]
fn plain_condition(all: Vec<u8>, low: u8) -> Vec<u8> {
    let mut all = all;
    for it in all.iter_mut() {
        if *it < low {
            *it = low;
        }
    }
    all
}

#[test]
fn plain_conditions_write_through_references() {
    assert_eq!(plain_condition(vec![1, 7, 3], 3), [3, 7, 3]);
}

thread_local! {
    static COUNT: std::cell::Cell<u8> = const { std::cell::Cell::new(0) };
}

/// What a function writes elsewhere the attribute does not see.
fn counted() -> Sym<u8> {
    COUNT.set(COUNT.get() + 1);
    Sym::plain(COUNT.get())
}

#[effigy::symbolic(merge)]
fn counts(x: Sym<u8>) -> Sym<u8> {
    if x.less(100) { counted() } else { counted() }
}

/// The run with values sees it, whether the path was to pass or to fail: the verdict is ours.
#[test]
fn a_fault_of_merging_is_told_as_ours() {
    for (then, other) in [(1, 2), (1, 1)] {
        let report = run(|| {
            COUNT.set(0);
            let x: Sym<u8> = input("x");
            expect(counts(x)).to_equal(x.less(100).select(then, other));
        });
        assert!(matches!(report.account.verdict(), Verdict::Fault(_)), "{report}");
        assert!(!report.account.is_ok() && report.counterexamples.is_empty(), "{report}");
        assert!(report.to_string().contains("a fault of effigy"), "{report}");
    }
}
