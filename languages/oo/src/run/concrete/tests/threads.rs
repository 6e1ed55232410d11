//! Interleaving.

use super::super::*;
use super::builders::*;
use crate::run::program::*;
use std::collections::BTreeSet;

/// Every interleaving of a program, from defaults.
fn all_runs(build: &Build) -> Vec<Run> {
    let (mut res, mut todo) = (Vec::new(), vec![Vec::new()]);
    while let Some(schedule) = todo.pop() {
        let run = run(&build.program, USUAL, &Valuation::default(), &schedule, 1000);
        for (place, (_, count)) in run.choices.iter().enumerate().skip(schedule.len()) {
            for other in 1..*count {
                let taken = run.choices[..place].iter().map(|it| it.0);
                todo.push(taken.chain([other]).collect::<Vec<_>>());
            }
        }
        res.push(run);
    }
    res
}

fn results(build: &Build) -> BTreeSet<Value> {
    all_runs(build).iter().map(|it| number(it, X)).collect()
}

fn increment(var: VarId, by: VarId) -> StmtKind {
    set(var, op(Op::Add, [super::builders::var(by), lit(1)]))
}

#[test]
fn the_schedule_says_who_moves() {
    let mut build = Build::new();
    let (one, two) = (build.block([set(X, lit(1))]), build.block([set(X, lit(2))]));
    build.main([StmtKind::Par(vec![one, two])]);
    let last = |schedule: &[usize]| {
        let run = run(&build.program, USUAL, &Valuation::default(), schedule, 1000);
        (number(&run, X), run.choices)
    };
    assert_eq!(last(&[]), (int(2), vec![(0, 2)]));
    assert_eq!(last(&[1]), (int(1), vec![(1, 2)]));
}

#[test]
fn k_threads_of_n_moves_have_as_many_interleavings_as_multinomials() {
    let mut build = Build::new();
    let thread = |build: &mut Build| build.block([set(X, lit(1)), set(X, lit(2))]);
    let threads = vec![thread(&mut build), thread(&mut build), thread(&mut build)];
    build.main([StmtKind::Par(threads)]);
    assert_eq!(all_runs(&build).len(), 90);
}

#[test]
fn an_update_that_is_not_atomic_is_lost() {
    let mut build = Build::new();
    let (one, two) = (build.block([set(Y, var(X)), increment(X, Y)]), build.block([increment(X, X)]));
    build.main([StmtKind::Par(vec![one, two])]);
    assert_eq!(results(&build), [int(1), int(2)].into());
}

#[test]
fn nobody_moves_in_the_middle_of_atomic() {
    let mut build = Build::new();
    let atomic = build.block([set(Y, var(X)), increment(X, Y)]);
    let (one, two) = (build.block([StmtKind::Atomic(atomic)]), build.block([increment(X, X)]));
    build.main([StmtKind::Par(vec![one, two])]);
    assert_eq!(results(&build), [int(2)].into());
    assert_eq!(all_runs(&build).len(), 2);
}

#[test]
fn par_goes_on_when_all_have_ended() {
    let mut build = Build::new();
    let (empty, one) = (build.block([]), build.block([set(Y, lit(1)), set(Y, lit(2))]));
    build.main([StmtKind::Par(vec![empty, one]), set(X, var(Y))]);
    assert_eq!(results(&build), [int(2)].into());
}

#[test]
fn threads_start_threads() {
    let mut build = Build::new();
    let (one, two) = (build.block([increment(X, X)]), build.block([increment(X, X)]));
    let (inner, three) = (build.block([StmtKind::Par(vec![one, two]), increment(X, X)]), build.block([set(X, lit(5))]));
    build.main([StmtKind::Par(vec![inner, three])]);
    assert_eq!(results(&build), [5, 6, 7, 8].map(int).into());
    // The start of the inner threads is a move, too.
    assert_eq!(all_runs(&build).len(), 10);
}

#[test]
fn threads_of_a_call_share_its_locals() {
    // f() returns int: { local w; par {w := w + 1} {w := w + 1}; return w }
    let mut build = Build::new();
    let w = build.variable("w", Type::Int, false);
    let f = build.routine("f", &[], &[w], Some(Type::Int));
    let (one, two) = (build.block([increment(w, w)]), build.block([increment(w, w)]));
    let body = build.stmts([StmtKind::Par(vec![one, two]), StmtKind::Return(Some(var(w)))]);
    build.body(f, body);
    build.main([call(Some(Target::Var(X)), f, &[])]);
    assert_eq!(results(&build), [int(2)].into());
}

#[test]
fn calls_interleave() {
    let mut build = Build::new();
    let w = build.variable("w", Type::Int, false);
    let f = build.routine("f", &[], &[w], None);
    let body = build.stmts([set(w, var(X)), increment(X, w)]);
    build.body(f, body);
    let (one, two) = (build.block([call(None, f, &[])]), build.block([call(None, f, &[])]));
    build.main([StmtKind::Par(vec![one, two])]);
    assert_eq!(results(&build), [int(1), int(2)].into());
}

#[test]
fn a_return_inside_of_atomic_lets_go() {
    let mut build = Build::new();
    let f = build.routine("f", &[], &[], None);
    let atomic = build.block([StmtKind::Return(None)]);
    let body = build.stmts([StmtKind::Atomic(atomic)]);
    build.body(f, body);
    let (one, two) = (build.block([call(None, f, &[]), set(X, lit(1))]), build.block([set(X, lit(2))]));
    build.main([StmtKind::Par(vec![one, two])]);
    assert_eq!(results(&build), [int(1), int(2)].into());
}

#[test]
fn a_thread_cannot_return_from_what_it_shares() {
    let mut build = Build::new();
    let one = build.block([StmtKind::Return(None)]);
    build.main([StmtKind::Par(vec![one])]);
    let run = build.run(USUAL, &Valuation::default());
    assert_eq!(run.end, End::Fault { fault: Fault::Unfit, stmt: StmtId(0) });
}

#[test]
fn threads_inside_of_atomic_interleave_with_each_other_only() {
    let mut build = Build::new();
    let (one, two) = (build.block([set(Y, var(X)), increment(X, Y)]), build.block([set(B, truth(true))]));
    let inner = build.block([StmtKind::Par(vec![one, two])]);
    let (atomic, three) = (build.block([StmtKind::Atomic(inner)]), build.block([increment(X, X)]));
    build.main([StmtKind::Par(vec![atomic, three])]);
    assert_eq!(results(&build), [int(2)].into());
    assert_eq!(all_runs(&build).len(), 6);
}

#[test]
fn atomic_inside_of_atomic_keeps_out_its_own_siblings_too() {
    let mut build = Build::new();
    let atomic = build.block([set(Y, var(X)), increment(X, Y)]);
    let (one, two) = (build.block([StmtKind::Atomic(atomic)]), build.block([increment(X, X)]));
    let inner = build.block([StmtKind::Par(vec![one, two])]);
    let (outer, three) = (build.block([StmtKind::Atomic(inner)]), build.block([increment(X, X)]));
    build.main([StmtKind::Par(vec![outer, three])]);
    assert_eq!(results(&build), [int(3)].into());
    assert_eq!(all_runs(&build).len(), 4);
}
