//! What a session says of closures: verdicts, places, what it cannot do.

use effigy_session::{Account, Kind, Limits, Session, Term, Value, Verdict, explore, explore_confirmed, run_on};
use std::cell::Cell;
use std::collections::BTreeMap;

fn byte(name: &str) -> Term {
    Session::current().fresh(name, Kind::unsigned(8))
}

fn below(term: Term, limit: u64) -> Term {
    let session = Session::current();
    let terms = session.terms();
    terms.bv_ult(term, terms.bv_u64(terms.width(term), limit))
}

fn all(run: impl FnMut()) -> Account {
    explore(&Limits::default(), run)
}

#[test]
fn every_path_is_run_once() {
    let account = all(|| {
        let x = byte("x");
        let session = Session::current();
        let low = session.decide(below(x, 10));
        let lower = session.decide(below(x, 5));
        assert!(low || !lower);
    });
    assert_eq!(account.verdict(), Verdict::Passed);
    assert_eq!((account.paths.ended, account.infeasible), (3, 1));
}

#[test]
fn a_panic_is_a_failure_with_values_and_place() {
    let account = all(|| {
        let x = byte("x");
        if !Session::current().decide(below(x, 100)) {
            panic!("too large");
        }
    });
    assert_eq!(account.verdict(), Verdict::Failed);
    let failure = &account.failures[0];
    assert_eq!(failure.message, "too large");
    assert_eq!(failure.values[0].to_string(), "x = 100");
    let place = failure.place.as_ref().expect("a place");
    assert!(place.file.ends_with("tests/it/session.rs") && place.line > 0, "{place:?}");
}

#[test]
fn a_check_is_asked_of_the_solver_and_run_again() {
    let runs = Cell::new(0);
    let account = all(|| {
        runs.set(runs.get() + 1);
        let (x, session) = (byte("x"), Session::current());
        session.note("before");
        let terms = session.terms();
        let square = terms.bv_mul(x, x);
        session.check(terms.ne(square, terms.bv_u64(terms.width(x), 49)), "nothing squared is 49");
    });
    assert_eq!((account.paths.failed, runs.get()), (1, 2));
    assert_eq!(account.failures[0].message, "nothing squared is 49");
    assert_eq!(account.failures[0].notes, ["before"]);
    let Some(Value::BitVec(x)) = account.failures[0].value("x") else { panic!("a value") };
    let x = x.to_u64().expect("a byte");
    assert_eq!(x * x % 256, 49);
}

#[test]
fn what_is_assumed_holds_and_a_contradiction_is_not_passed() {
    let account = all(|| {
        let x = byte("x");
        let session = Session::current();
        session.assume(session.terms().not(below(x, 250)));
        session.check(session.terms().not(below(x, 100)), "large");
    });
    assert_eq!(account.verdict(), Verdict::Passed);
    let account = all(|| {
        let x = byte("x");
        let session = Session::current();
        session.assume(below(x, 5));
        session.assume(session.terms().not(below(x, 5)));
        panic!("never");
    });
    assert_eq!(account.verdict(), Verdict::Vacuous);
}

#[test]
fn cut_short_is_never_passed() {
    let count = |limits: Limits| {
        explore(&limits, || {
            let x = byte("x");
            let session = Session::current();
            let terms = session.terms();
            let mut at = terms.bv_u64(terms.width(x), 0);
            while session.decide(terms.bv_ult(at, x)) {
                at = terms.bv_add(at, terms.bv_u64(terms.width(x), 1));
            }
        })
    };
    assert_eq!(count(Limits::default()).verdict(), Verdict::Passed);
    assert_eq!(count(Limits::default()).paths.ended, 256);
    let few = count(Limits { paths: 10, ..Limits::default() });
    assert_eq!(few.verdict(), Verdict::Cut(vec!["10 paths".to_owned()]));
    let short = count(Limits { decisions: 10, ..Limits::default() });
    assert!(matches!(short.verdict(), Verdict::Cut(why) if why[0].starts_with("more than 10 questions on one path")));
}

#[test]
fn a_run_that_asks_something_else_is_not_deterministic() {
    let runs = Cell::new(0);
    let account = all(|| {
        runs.set(runs.get() + 1);
        let (x, session) = (byte("x"), Session::current());
        match runs.get() {
            1 => session.decide(below(x, 10)),
            _ => session.decide(below(x, 11)),
        };
    });
    let Verdict::Error(why) = account.verdict() else { panic!("{account}") };
    assert!(
        why.starts_with(
            "not deterministic at question 1: whether `x < 10` asked at embed/session/tests/it/session.rs:"
        ),
        "{why}"
    );
    assert!(why.contains("and when the run was made again, whether `x < 11` at"), "{why}");
    let runs = Cell::new(0);
    let account = all(|| {
        runs.set(runs.get() + 1);
        if runs.get() == 1 {
            Session::current().choose(2);
        }
    });
    let Verdict::Error(why) = account.verdict() else { panic!("{account}") };
    assert!(why.contains("ended after 0 of 1 questions"), "{why}");
}

#[test]
fn a_question_from_another_thread_is_an_error() {
    let account = all(|| {
        let id = Session::current().id();
        let other = std::thread::Builder::new().name("other".to_owned());
        let other = other.spawn(move || {
            Session::of(id);
        });
        // The panic of the other thread is dropped: the session knows it all the same.
        drop(other.expect("a thread").join());
    });
    let Verdict::Error(why) = account.verdict() else { panic!("{account}") };
    assert!(why.contains("a question from another thread: the session is on thread `"), "{why}");
    assert!(why.contains("this is `other`"), "{why}");
}

#[test]
fn values_are_followed_and_witnesses_are_named() {
    let account = all(|| {
        let x = byte("x");
        let session = Session::current();
        session.assume(below(x, 5));
        let Value::BitVec(value) = session.value(x) else { panic!("bits") };
        assert!(value.to_u64() != Some(3), "three");
    });
    assert_eq!(
        (account.paths.ended + account.paths.failed, account.verdict()),
        (account.paths.total(), Verdict::Failed)
    );
    let account = all(|| {
        let session = Session::current();
        let (x, y) = (byte("x"), byte("y"));
        session.assume(session.terms().eq(x, session.terms().bv_u64(session.terms().width(x), 7)));
        session.witness(x, "x");
        session.witness(y, "y");
    });
    assert_eq!(account.verdict(), Verdict::Witnessed(vec!["y".to_owned()]));
    let account = explore(&Limits { values: 3, ..Limits::default() }, || {
        Session::current().value(byte("x"));
    });
    assert!(matches!(account.verdict(), Verdict::Cut(why) if why[0].starts_with("more than 3 values")));
}

#[test]
fn choices_have_every_answer() {
    let seen = Cell::new(0u32);
    let account = all(|| {
        let session = Session::current();
        seen.set(seen.get() | 1 << (3 * session.choose(3) + session.choose(3)));
    });
    assert_eq!((account.verdict(), account.paths.ended, seen.get()), (Verdict::Passed, 9, 0b1_1111_1111));
}

#[test]
fn what_is_unsupported_is_not_passed() {
    let account = all(|| Session::current().unsupported("floating point"));
    let Verdict::Unsupported(what) = account.verdict() else { panic!("{account}") };
    assert!(what[0].starts_with("floating point, at embed/session/tests/it/session.rs:"), "{what:?}");
}

#[test]
fn a_closure_that_catches_its_end_does_not_go_on() {
    let account = all(|| {
        let x = byte("x");
        let _ = std::panic::catch_unwind(|| Session::current().check(below(x, 10), "small"));
        Session::current().decide(below(x, 20));
    });
    assert_eq!(account.verdict(), Verdict::Failed);
    assert_eq!(account.failures[0].message, "small");
}

#[test]
fn questions_of_destructors_do_not_abort() {
    struct Asks(Term);
    impl Drop for Asks {
        fn drop(&mut self) {
            Session::current().decide(below(self.0, 3));
        }
    }
    let account = all(|| {
        let x = byte("x");
        let _asks = Asks(x);
        if Session::current().decide(below(x, 100)) {
            panic!("low");
        }
    });
    assert_eq!(account.verdict(), Verdict::Failed);
    assert_eq!(account.failures[0].message, "low");
}

#[test]
fn a_run_on_given_values_asks_nothing() {
    let run = || {
        let (x, session) = (byte("x"), Session::current());
        session.check(below(x, 100), "small");
    };
    let with = |value: u64| {
        let value = Value::BitVec(effigy_session::BvValue::from_u64(effigy_session::Width::W8, value));
        run_on(&Limits::default(), &BTreeMap::from([("x".to_owned(), value)]), run)
    };
    assert_eq!(with(99).verdict(), Verdict::Passed);
    assert_eq!((with(100).verdict(), with(100).questions), (Verdict::Failed, 0));
}

#[test]
fn the_same_name_is_another_symbol() {
    let account = all(|| {
        let (a, b) = (byte("x"), byte("x"));
        let session = Session::current();
        session.check(session.terms().eq(a, b), "the same");
    });
    let names: Vec<&str> = account.failures[0].values.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["x", "x#2"]);
}

fn confirmed(mut run: impl FnMut()) -> Account {
    explore_confirmed(&Limits { failures: 9, ..Limits::default() }, &mut run, &mut |_| {})
}

#[test]
fn each_path_and_each_failure_is_run_again_with_values() {
    let seen = Cell::new(0);
    let account = confirmed(|| {
        let (x, session) = (byte("x"), Session::current());
        let side = session.choose(2);
        assert!(session.decide(below(x, 100)) || side == 0, "large");
        if session.is_concrete() {
            seen.set(seen.get() + 1);
        }
    });
    assert_eq!(account.verdict(), Verdict::Failed, "{account}");
    // Three paths pass; the one that fails is run again, and does not come so far.
    assert_eq!((account.paths.ended, account.confirmed, seen.get()), (3, 4, 3), "{account}");
}

/// What ends otherwise with values than on its path is a fault of ours, whichever way.
#[test]
fn another_end_with_values_is_a_fault() {
    for fails_with_values in [true, false] {
        let account = confirmed(|| {
            let (x, session) = (byte("x"), Session::current());
            let _ = session.decide(below(x, 100));
            assert!(session.is_concrete() != fails_with_values, "it fails");
        });
        let Verdict::Fault(what) = account.verdict() else { panic!("{account}") };
        assert!(what.contains("it passes") && what.contains("it fails"), "{what}");
        assert!(!account.is_ok() && account.failures.is_empty(), "{account}");
    }
}

/// An assumption that does not hold of the values is such an end.
#[test]
fn an_assumption_that_does_not_hold_with_values_is_a_fault() {
    let account = confirmed(|| {
        let session = Session::current();
        let _ = byte("x");
        session.assume(session.terms().bool(!session.is_concrete()));
    });
    let Verdict::Fault(what) = account.verdict() else { panic!("{account}") };
    assert!(what.contains("an assumption does not hold"), "{what}");
}

/// A program that does not do the same twice is told as that, and not as a fault.
#[test]
fn what_is_not_deterministic_is_no_fault() {
    // Only the first run fails, so that the path itself does something else when it is run again.
    let runs = Cell::new(0);
    let account = confirmed(|| {
        runs.set(runs.get() + 1);
        let _ = Session::current().decide(below(byte("x"), 100));
        assert!(runs.get() != 1, "the first");
    });
    let Verdict::Error(what) = account.verdict() else { panic!("{account}") };
    assert!(what.starts_with("not deterministic"), "{what}");
    // Each other run fails, so that two runs with the same values differ.
    let runs = Cell::new(0);
    let account = confirmed(|| {
        runs.set(runs.get() + 1);
        let _ = Session::current().decide(below(byte("x"), 100));
        assert!(runs.get() % 2 == 1, "each other");
    });
    let Verdict::Error(what) = account.verdict() else { panic!("{account}") };
    assert!(what.starts_with("not deterministic"), "{what}");
}

/// The values of a run are not only those near zero.
#[test]
fn paths_are_run_with_values_that_are_drawn() {
    let largest = Cell::new(0);
    let account = confirmed(|| {
        let (x, session) = (byte("x"), Session::current());
        let _ = session.decide(below(x, 10));
        if session.is_concrete()
            && let Some(it) = session.terms().as_bv(x).and_then(|it| it.to_u64())
        {
            largest.set(largest.get().max(it));
        }
    });
    assert_eq!((account.verdict(), account.confirmed), (Verdict::Passed, 2), "{account}");
    assert!(largest.get() > 10, "{}", largest.get());
}
