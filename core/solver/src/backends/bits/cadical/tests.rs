//! The order of calls that the circuits rely on, with clauses small enough to see the answer.

use super::{Cadical, Literal, SearchResult};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

fn literal(index: usize) -> Literal {
    Literal::positive(index).expect("few variables")
}

fn solve(cadical: &mut Cadical, assumptions: &[Literal]) -> SearchResult {
    cadical.solve(assumptions, None, || false).expect("a search")
}

/// So many pigeons and one more in so many holes: unsatisfiable, and hard for resolution.
fn pigeons(holes: usize) -> Cadical {
    let mut cadical = Cadical::new();
    cadical.configure("plain").expect("it is known");
    let sits = |pigeon: usize, hole: usize| literal(pigeon * holes + hole);
    for pigeon in 0..=holes {
        let somewhere: Vec<Literal> = (0..holes).map(|hole| sits(pigeon, hole)).collect();
        cadical.add_clause(&somewhere);
        for (other, hole) in (0..pigeon).flat_map(|other| (0..holes).map(move |hole| (other, hole))) {
            cadical.add_clause(&[!sits(pigeon, hole), !sits(other, hole)]);
        }
    }
    cadical
}

#[test]
fn literals_are_numbered_as_in_dimacs() {
    assert_eq!(literal(0).number(), 1);
    assert_eq!((!literal(2)).number(), -3);
    assert_eq!(literal(2).negated_if(true), !literal(2));
    assert_eq!(!!literal(2).negated_if(false), literal(2));
}

#[test]
fn there_are_no_more_variables_than_cadical_can_number() {
    let most = i32::MAX as usize;
    let last = literal(most - 1);
    assert_eq!((last.number(), (!last).number()), (i32::MAX, -i32::MAX));
    assert_eq!(Literal::positive(most), Err("a formula of more than 2147483647 variables".to_owned()));
    assert!(Literal::positive(usize::MAX).is_err());
}

#[test]
fn unknown_names_are_errors() {
    let mut cadical = Cadical::new();
    assert_eq!(cadical.configure("fast"), Err("CaDiCaL has no configuration fast".to_owned()));
    assert_eq!(cadical.set_option("luck", 0), Err("CaDiCaL has no option luck".to_owned()));
    assert_eq!((cadical.configure("plain"), cadical.set_option("lucky", 0)), (Ok(()), Ok(())));
}

#[test]
fn clauses_of_each_length_constrain_the_model() {
    let all: Vec<Literal> = (0..5).map(literal).collect();
    for length in 1..=all.len() {
        let mut cadical = Cadical::new();
        cadical.add_clause(&all[..length]);
        let others: Vec<Literal> = all[..length - 1].iter().map(|it| !*it).collect();
        assert_eq!(solve(&mut cadical, &others), SearchResult::Sat);
        let values: Vec<bool> = all[..length].iter().map(|it| cadical.is_true(*it)).collect();
        assert_eq!(values, (1..=length).map(|it| it == length).collect::<Vec<_>>());
        let none: Vec<Literal> = all[..length].iter().map(|it| !*it).collect();
        assert_eq!(solve(&mut cadical, &none), SearchResult::Unsat);
    }
    let mut cadical = Cadical::new();
    cadical.add_clause(&[]);
    assert_eq!(solve(&mut cadical, &[]), SearchResult::Unsat);
}

#[test]
fn assumptions_hold_for_one_search() {
    let (a, b) = (literal(0), literal(1));
    let mut cadical = Cadical::new();
    cadical.add_clause(&[a, b]);
    assert_eq!(solve(&mut cadical, &[!a, !b]), SearchResult::Unsat);
    assert_eq!(solve(&mut cadical, &[!a]), SearchResult::Sat);
    assert_eq!((cadical.is_true(a), cadical.is_true(!a), cadical.is_true(b)), (false, true, true));
    assert_eq!(solve(&mut cadical, &[!b]), SearchResult::Sat);
    assert_eq!((cadical.is_true(a), cadical.is_true(b)), (true, false));
}

/// CaDiCaL aborts the process where a value is read that it does not have.
#[test]
fn no_literal_is_true_without_a_model() {
    let a = literal(0);
    let mut cadical = Cadical::new();
    assert!(!cadical.is_true(a) && !cadical.is_true(!a));
    assert_eq!(solve(&mut cadical, &[a]), SearchResult::Sat);
    assert!(cadical.is_true(a));
    // A variable that no clause has.
    assert!(!cadical.is_true(literal(70)));
    cadical.add_clause(&[!a]);
    assert!(!cadical.is_true(a) && !cadical.is_true(!a));
    assert_eq!(solve(&mut cadical, &[a]), SearchResult::Unsat);
    assert!(!cadical.is_true(a) && !cadical.is_true(!a));
}

#[test]
fn what_nothing_constrains_has_its_phase() {
    let mut cadical = Cadical::new();
    cadical.configure("plain").expect("it is known");
    cadical.set_option("lucky", 0).expect("it is known");
    let all: Vec<Literal> = (0..6).map(literal).collect();
    // Each variable is in a clause, and each clause is satisfied by the phases.
    let phases: Vec<Literal> = all.iter().enumerate().map(|(at, it)| it.negated_if(at % 2 == 1)).collect();
    cadical.add_clause(&phases);
    phases.iter().for_each(|it| cadical.set_phase(*it));
    assert_eq!(solve(&mut cadical, &[]), SearchResult::Sat);
    assert!(phases.iter().all(|it| cadical.is_true(*it)));
    phases.iter().for_each(|it| cadical.set_phase(!*it));
    assert_eq!(solve(&mut cadical, &[phases[3]]), SearchResult::Sat);
    let kept: Vec<bool> = phases.iter().map(|it| cadical.is_true(*it)).collect();
    assert_eq!(kept, [false, false, false, true, false, false]);
}

#[test]
fn a_limit_of_conflicts_is_for_one_search() {
    let mut cadical = pigeons(6);
    assert_eq!(cadical.conflicts(), 0);
    assert_eq!(cadical.solve(&[], Some(10), || false), Ok(SearchResult::Stopped));
    let first = cadical.conflicts();
    assert!((10..20).contains(&first), "{first} conflicts");
    assert!(!cadical.is_true(literal(0)) && !cadical.is_true(!literal(0)));
    // More than CaDiCaL can count is no limit.
    assert_eq!(cadical.solve(&[], Some(u64::MAX), || false), Ok(SearchResult::Unsat));
    assert!(cadical.conflicts() > first);
    let mut cadical = pigeons(6);
    assert_eq!(cadical.solve(&[], Some(10), || false), Ok(SearchResult::Stopped));
    assert_eq!(solve(&mut cadical, &[]), SearchResult::Unsat);
}

#[test]
fn a_search_stops_when_it_must_and_goes_on_in_the_next() {
    let mut cadical = pigeons(7);
    let asked = Arc::new(AtomicU32::new(0));
    let count = Arc::clone(&asked);
    let must_stop = move || count.fetch_add(1, Ordering::Relaxed) >= 3;
    assert_eq!(cadical.solve(&[], None, must_stop), Ok(SearchResult::Stopped));
    let times = asked.load(Ordering::Relaxed);
    assert!(times >= 4, "asked {times} times");
    // The function is gone with its search.
    assert_eq!(Arc::strong_count(&asked), 1);
    assert_eq!(solve(&mut cadical, &[]), SearchResult::Unsat);
    assert_eq!(asked.load(Ordering::Relaxed), times);
}

#[test]
fn the_same_calls_have_the_same_search() {
    let run = || {
        let mut cadical = pigeons(6);
        let free = literal(2000);
        let results = [cadical.solve(&[], Some(50), || false), cadical.solve(&[free], Some(50), || false)];
        (results, cadical.conflicts(), solve(&mut cadical, &[!free]), cadical.conflicts())
    };
    assert_eq!(run(), run());
}

/// An instance is made by one thread and used by the next: a chain of solvers is sent to workers.
#[test]
fn an_instance_may_be_sent() {
    let mut cadical = pigeons(5);
    assert_eq!(cadical.solve(&[], Some(5), || false), Ok(SearchResult::Stopped));
    let other = std::thread::spawn(move || solve(&mut cadical, &[]));
    assert_eq!(other.join().expect("it does not panic"), SearchResult::Unsat);
}
