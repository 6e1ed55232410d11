//! Code that nobody here wrote, generic over its number type, called with symbolic numbers.

use effigy::prelude::*;
use effigy::session::{Limits, Verdict};
use effigy::{input, verify};
use euclid::default::{Box2D, Point2D};
use num_rational::Ratio;

/// `num-rational`, unchanged: which sums of small fractions its `i8` arithmetic cannot hold.
#[test]
fn fractions_overflow_where_their_reduced_sum_would_fit() {
    let options = Options { limits: Limits { failures: 1, ..Limits::default() }, ..Options::default() };
    let report = verify("sum", &options, false, || {
        let (a, b): (Sym<i8>, Sym<i8>) = (input("a"), input("b"));
        assume!(a.greater(0) & a.at_most(3) & b.greater(0) & b.at_most(3));
        let (x, y) = (Ratio::new(Sym::plain(1), a), Ratio::new(Sym::plain(1), b));
        let sum = x + y;
        assert!(sum > Ratio::new(Sym::plain(0), Sym::plain(1)));
        assert!(sum <= Ratio::new(Sym::plain(2), Sym::plain(1)));
    });
    assert_eq!(report.account.verdict(), Verdict::Passed, "{report}");
    let report = verify("denominator", &options, false, || {
        let d: Sym<i8> = input("d");
        let _ = Ratio::new(Sym::plain(1i8), d);
    });
    assert_eq!(report.account.verdict(), Verdict::Failed, "{report}");
}

/// The sort of the standard library, unchanged: its result is in order and has the elements that it was given.
#[test]
fn the_standard_library_sorts_and_searches() {
    let report = verify("sort", &Options::default(), false, || {
        let given: [Sym<i16>; 4] = input("given");
        let mut list = given.to_vec();
        list.sort_unstable();
        for pair in list.windows(2) {
            expect(pair[0]).to_be_at_most(pair[1]);
        }
        for it in given {
            expect(list.clone()).to_include(it);
        }
    });
    assert_eq!(report.account.verdict(), Verdict::Passed, "{report}");
    let report = verify("search", &Options::default(), false, || {
        let at: Sym<u8> = input("at");
        let list: Vec<Sym<u8>> = [2u8, 3, 5, 7, 11].map(Sym::plain).to_vec();
        match list.binary_search(&at) {
            Ok(place) => assert!(list[place] == at),
            Err(place) => assert!(list[..place].iter().all(|it| *it < at) && list[place..].iter().all(|it| *it > at)),
        }
    });
    assert_eq!((report.account.verdict(), report.account.paths.ended), (Verdict::Passed, 10), "{report}");
}

/// A box between two corners, which may be empty.
fn any_box(name: &str) -> Box2D<Sym<i32>> {
    let [a, b, c, d] = input::<[Sym<i32>; 4]>(name);
    Box2D::new(Point2D::new(a, b), Point2D::new(c, d))
}

/// `euclid`, unchanged: what is in both boxes is in their intersection, and only that.
#[test]
fn boxes_intersect_in_the_points_of_both() {
    let report = verify("intersection", &Options::default(), false, || {
        let (a, b) = (any_box("a"), any_box("b"));
        let [x, y] = input::<[Sym<i32>; 2]>("point");
        let point = Point2D::new(x, y);
        let both = a.contains(point) && b.contains(point);
        let within = a.intersection(&b).is_some_and(|it| it.contains(point));
        assert_eq!(both, within);
    });
    assert_eq!(report.account.verdict(), Verdict::Passed, "{report}");
    // The area of a box that is not empty: its sides, or their product, need not be an `i32`.
    let report = verify("area", &Options::default(), false, || {
        let it = any_box("box");
        assume!(!it.is_empty());
        let _ = it.area();
    });
    let message = report.account.failures.first().map(|it| it.message.as_str());
    assert!(
        matches!(message, Some("attempt to subtract with overflow" | "attempt to multiply with overflow")),
        "{report}"
    );
}
