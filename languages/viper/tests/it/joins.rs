//! Paths that meet become one: in time that does not double with each branch, and what they claim, paths alone claim.

use effigy_programs::verification;
use effigy_verify::{Config, Effort, MemberOutcome, Verdict, members, verify};
use effigy_viper::{NoImports, read};
use std::fmt::Write;

/// The outcome of the last member of a program.
fn outcome(text: &str, merge_after: Option<u64>, steps: u64) -> MemberOutcome {
    let program = read("joins.vpr", text, &mut NoImports).unwrap_or_else(|it| panic!("{}\n{text}", it[0]));
    let config = Config { merge_after, ..verification::config(steps, 2_000_000, verification::VIPER) };
    let member = members(&program).pop().expect("a member");
    verify(&program, member, &config)
}

fn verifies(text: &str) -> bool {
    let res = outcome(text, Some(0), 1_000_000).verdict;
    let alone = outcome(text, None, 1_000_000).verdict;
    assert_eq!(matches!(res, Verdict::Verified), matches!(alone, Verdict::Verified), "{res:?}\n{alone:?}\n{text}");
    matches!(res, Verdict::Verified)
}

/// So many branches in a row, each of which adds one to a number or not, and what is said at the end.
fn branches(count: usize, end: &str) -> String {
    let parameters: Vec<String> = (0..count).map(|it| format!("x{it}: Int")).collect();
    let mut res = format!("method m({}) {{\n  var n: Int := 0\n", parameters.join(", "));
    for it in 0..count {
        writeln!(res, "  if (x{it} == 0) {{ n := n + 1 }}").expect("text");
    }
    res + end + "\n}\n"
}

fn effort(count: usize, end: &str) -> Effort {
    let res = outcome(&branches(count, end), Some(32), 100_000);
    assert!(matches!(res.verdict, Verdict::Verified), "{count} branches: {:?}", res.verdict);
    res.effort
}

#[test]
fn twice_the_branches_take_twice_the_steps() {
    let (few, many) = (effort(100, ""), effort(200, ""));
    assert!(many.steps < 3 * few.steps, "{few:?} {many:?}");
    effort(14, "  assert 0 <= n && n <= 14");
}

#[test]
fn a_failure_among_many_paths_is_one_of_a_path_alone() {
    // The last path of 2^7 that is walked, of which no other fails.
    let res = outcome(&branches(7, "  assert n > 0"), Some(8), 100_000);
    let Verdict::Failed(failures) = res.verdict else { panic!("{:?}", res.verdict) };
    assert!(failures[0].branches.len() == 7 && failures[0].branches.iter().all(|it| !it.1), "{failures:?}");
}

#[test]
fn what_one_side_has_learnt_holds_on_that_side() {
    let method = |body: &str| {
        let head = "field f: Int\nfield g: Ref\nfunction k(i: Int): Ref\n\
                    method m(b: Bool, c: Bool, x: Ref, i: Int) requires acc(x.f) && acc(x.g)\n";
        format!("{head}{{\n  var y: Ref := x\n  var n: Int := 0\n{body}\n}}\n")
    };
    for (body, holds) in [
        // An assumption, and what follows from it.
        ("if (b) { assume i > 3 } else { n := 1 } assert b ==> i > 3", true),
        ("if (b) { assume i > 3 } else { n := 1 } assert i > 3", false),
        ("if (b) { assume i > 3 } else { assume i > 5 } assert i > 3", true),
        ("if (b) { assume false } assert !b", true),
        ("if (b) { assume false } assert false", false),
        ("if (b) { assume false } else { assume false } assert false", true),
        // Values.
        ("if (b) { x.f := 1 } else { x.f := 2 } assert x.f == (b ? 1 : 2)", true),
        ("if (b) { x.f := 1 } else { x.f := 2 } assert x.f == 1", false),
        ("if (b) { if (c) { n := 1 } else { n := 2 } } else { n := 3 } assert n == (b ? (c ? 1 : 2) : 3)", true),
        ("if (b) { if (c) { n := 1 } else { n := 2 } } else { n := 3 } assert n < 3", false),
        // Objects: what is new on one side is not on the other.
        ("if (b) { y := new() } assert b ==> y != x", true),
        ("if (b) { y := new() } assert y != x", false),
        ("if (b) { y := new() } else { y := new() } assert y != x && y != null", true),
        ("if (b) { y := new() } else { y := new() } assert false", false),
        // Of three paths one meets each of the others in turn: an object that two of them have comes into being once.
        ("exhale b ? acc(x.f, 1/2) : acc(x.f, 1/2) y := new() if (c) { } assert false", false),
        ("exhale b ? acc(x.f, 1/2) : acc(x.f, 1/2) y := new() if (c) { } assert y != x", true),
        // What was there before on one side only: the object may be it on the other.
        ("if (b) { x.g := k(3) } y := new() assert b ==> y != k(3)", true),
        ("if (b) { x.g := k(3) } y := new() assert y != k(3)", false),
        ("if (b) { x.g := k(3) } else { y := new() assume y == k(3) } assert false", false),
        ("if (b) { x.g := k(3) y := new() } else { y := new() assume y == k(3) } assert false", false),
        // Permissions.
        ("if (b) { exhale acc(x.f) inhale acc(x.f) } assert acc(x.f)", true),
        ("if (b) { exhale acc(x.f) } assert acc(x.f)", false),
        ("if (b) { exhale acc(x.f, 1/2) } assert acc(x.f, 1/2)", true),
        ("if (b) { exhale acc(x.f, 1/2) } assert acc(x.f)", false),
        // Old values and labels.
        ("if (b) { x.f := 1 } label l if (c) { x.f := 2 } assert old[l](x.f) == (b ? 1 : old(x.f))", true),
        ("if (b) { x.f := 1 } label l if (c) { x.f := 2 } assert old[l](x.f) == 1", false),
        // Loops.
        (
            "if (b) { n := 1 } while (n < i) invariant n >= 0 invariant acc(x.f) { if (c) { n := n + 1 } } assert n >= i",
            true,
        ),
        ("if (b) { n := 1 } while (n < i) invariant acc(x.f) { if (c) { n := n - 1 } } assert n >= 0", false),
        // A way out.
        ("if (b) { goto out } n := 1 if (c) { n := 2 } label out assert n == (b ? 0 : (c ? 2 : 1))", true),
        ("if (b) { goto out } n := 1 if (c) { n := 2 } label out assert n > 0", false),
    ] {
        assert_eq!(verifies(&method(body)), holds, "{body}");
    }
}
