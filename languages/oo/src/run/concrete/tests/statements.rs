//! Moves of one thread.

use super::super::*;
use super::builders::*;
use crate::run::program::*;

/// How a main statement of one statement ends in the world.
fn end_of(kind: StmtKind) -> End {
    let mut build = Build::new();
    build.main([kind]);
    build.run(USUAL, &world()).end
}

fn fault(fault: Fault) -> End {
    End::Fault { fault, stmt: StmtId(0) }
}

#[test]
fn an_assignment_changes_its_variable_only() {
    let run = ran([set(X, lit(3)), set(Y, op(Op::Add, [var(X), lit(1)]))]);
    assert_eq!((run.end, number(&run, X), number(&run, Y)), (End::Completed, int(3), int(4)));
    assert_eq!(run.steps, 2);
}

#[test]
fn an_update_of_a_field_is_seen_through_every_alias() {
    let mut build = Build::new();
    let field = Target::Field(dot(var(O), F), V);
    build.main([set(P, var(O)), StmtKind::Assign(field, lit(8)), set(X, dot(var(P), V))]);
    assert_eq!(number(&build.run(USUAL, &world()), X), int(8));
}

#[test]
fn an_update_of_an_item_and_of_an_element() {
    let mut build = Build::new();
    build.main([
        StmtKind::Assign(Target::Item(var(A), lit(0)), lit(5)),
        StmtKind::Assign(Target::Element(M, lit(-4)), lit(6)),
        set(X, op(Op::Add, [item(var(A), lit(0)), at(M, lit(-4))])),
    ]);
    assert_eq!(number(&build.run(USUAL, &world()), X), int(11));
}

#[test]
fn the_parts_of_the_target_come_before_the_value() {
    assert_eq!(end_of(StmtKind::Assign(Target::Field(var(P), V), bad())), fault(Fault::NilDereference));
    assert_eq!(end_of(StmtKind::Assign(Target::Item(var(A), lit(2)), bad())), fault(Fault::OutOfBounds));
    assert_eq!(end_of(StmtKind::Assign(Target::Element(N, lit(2)), bad())), fault(Fault::OutOfBounds));
    assert_eq!(end_of(StmtKind::Assign(Target::Item(var(A), bad()), dot(nil(), V))), fault(Fault::DivisionByZero));
}

#[test]
fn the_paper_allows_the_item_behind_the_last() {
    let mut build = Build::new();
    build.main([
        StmtKind::Assign(Target::Item(var(A), lit(2)), lit(5)),
        StmtKind::Assign(Target::Element(N, lit(2)), lit(5)),
        set(X, op(Op::Add, [item(var(A), lit(2)), at(N, lit(2))])),
    ]);
    let run = build.run(PAPER, &world());
    assert_eq!((run.end, number(&run, X)), (End::Completed, int(10)));
}

#[test]
fn a_new_object_is_unlike_all_others_and_has_defaults() {
    let mut build = Build::new();
    build.main([
        StmtKind::New(Target::Var(P), NODE),
        set(B, op(Op::And, [op(Op::Ne, [var(P), var(O)]), op(Op::Eq, [dot(var(P), F), nil()])])),
        set(X, dot(var(P), V)),
    ]);
    let run = build.run(USUAL, &world());
    assert_eq!((number(&run, B), number(&run, X)), (Value::Bool(true), int(0)));
}

#[test]
fn the_object_exists_before_the_target_is_looked_at() {
    let mut build = Build::new();
    build.main([StmtKind::New(Target::Field(var(P), F), NODE)]);
    let run = build.run(USUAL, &world());
    assert_eq!((run.end, run.valuation.heap.objects.len()), (fault(Fault::NilDereference), 3));
}

#[test]
fn the_size_of_an_array_comes_first() {
    let array = |target, size| StmtKind::NewArray(target, INTS, size);
    assert_eq!(end_of(array(Target::Field(var(P), F), lit(-1))), fault(Fault::NegativeSize));
    assert_eq!(end_of(array(Target::Field(var(P), F), bad())), fault(Fault::DivisionByZero));
    assert_eq!(end_of(array(Target::Field(var(P), F), lit(0))), fault(Fault::NilDereference));
    let run = ran([array(Target::Var(A), lit(2)), set(X, dot(var(A), LENGTH)), set(Y, item(var(A), lit(1)))]);
    assert_eq!((run.end, number(&run, X), number(&run, Y)), (End::Completed, int(2), int(0)));
}

#[test]
fn a_choice_takes_the_side_of_its_test() {
    for (outcome, expected) in [(true, 1), (false, 2)] {
        let mut build = Build::new();
        let (then, other) = (build.block([set(X, lit(1))]), build.block([set(X, lit(2))]));
        build.main([StmtKind::If(truth(outcome), then, other)]);
        let run = build.run(USUAL, &Valuation::default());
        assert_eq!((number(&run, X), run.branches), (int(expected), vec![outcome]));
    }
}

#[test]
fn an_iteration_tests_before_each_round() {
    let mut build = Build::new();
    let body = build.block([set(X, op(Op::Add, [var(X), lit(1)]))]);
    build.main([StmtKind::While(op(Op::Lt, [var(X), lit(2)]), body), set(Y, lit(9))]);
    let run = build.run(USUAL, &Valuation::default());
    assert_eq!(run.branches, [true, true, false]);
    assert_eq!((number(&run, X), number(&run, Y)), (int(2), int(9)));
}

#[test]
fn a_test_that_faults_has_no_outcome() {
    let mut build = Build::new();
    let empty = build.block([]);
    build.main([StmtKind::While(op(Op::Lt, [bad(), lit(2)]), empty)]);
    let run = build.run(USUAL, &Valuation::default());
    assert_eq!((run.end, run.branches), (fault(Fault::DivisionByZero), vec![]));
}

#[test]
fn a_loop_without_end_runs_out_of_steps() {
    let mut build = Build::new();
    let empty = build.block([]);
    build.main([StmtKind::While(truth(true), empty)]);
    let run = build.run(USUAL, &Valuation::default());
    assert_eq!((run.end, run.steps), (End::OutOfSteps, 1000));
}

#[test]
fn assumptions_and_assertions() {
    assert_eq!(end_of(StmtKind::Assume(truth(true))), End::Completed);
    assert_eq!(end_of(StmtKind::Assume(truth(false))), End::AssumptionFailed);
    assert_eq!(end_of(StmtKind::Assume(op(Op::Eq, [bad(), lit(0)]))), fault(Fault::DivisionByZero));
    assert_eq!(end_of(StmtKind::Assert(truth(true))), End::Completed);
    assert_eq!(end_of(StmtKind::Assert(truth(false))), fault(Fault::Assertion));
    assert_eq!(end_of(StmtKind::Bound(N, lit(2))), End::Completed);
    assert_eq!(end_of(StmtKind::Bound(N, lit(3))), End::AssumptionFailed);
    assert_eq!(end_of(StmtKind::Bound(N, bad())), fault(Fault::DivisionByZero));
}

#[test]
fn a_fault_keeps_what_was_done_before_it() {
    let run = ran([set(X, lit(1)), set(Y, bad()), set(X, lit(2))]);
    assert_eq!(run.end, End::Fault { fault: Fault::DivisionByZero, stmt: StmtId(1) });
    assert_eq!(number(&run, X), int(1));
}

#[test]
fn return_ends_the_program() {
    let run = ran([set(X, lit(1)), StmtKind::Return(Some(lit(5))), set(X, lit(2))]);
    assert_eq!((run.end, run.result.clone(), number(&run, X)), (End::Completed, Some(int(5)), int(1)));
}

/// double(u) returns int: { while true { x := u; return u + u } }
fn double(build: &mut Build) -> RoutineId {
    let u = build.variable("u", Type::Int, false);
    let routine = build.routine("double", &[u], &[], Some(Type::Int));
    let body = build.block([set(X, var(u)), StmtKind::Return(Some(op(Op::Add, [var(u), var(u)])))]);
    let body = build.stmts([StmtKind::While(truth(true), body)]);
    build.body(routine, body);
    routine
}

#[test]
fn return_ends_the_call_out_of_any_block_and_gives_the_value_to_the_target() {
    let mut build = Build::new();
    let callee = double(&mut build);
    build.main([call(Some(Target::Var(Y)), callee, &[lit(4)]), set(B, truth(true))]);
    let run = build.run(USUAL, &Valuation::default());
    assert_eq!((number(&run, X), number(&run, Y), number(&run, B)), (int(4), int(8), Value::Bool(true)));
}

#[test]
fn the_target_is_looked_at_after_the_call() {
    let mut build = Build::new();
    let callee = double(&mut build);
    build.main([call(Some(Target::Element(M, var(X))), callee, &[lit(4)])]);
    let run = build.run(USUAL, &Valuation::default());
    assert_eq!(run.valuation.maps[&M].exceptions, [(int(4), int(8))].into());
}

#[test]
fn a_fault_of_the_target_is_one_of_the_call() {
    let mut build = Build::new();
    let callee = double(&mut build);
    build.main([call(Some(Target::Field(var(P), V)), callee, &[lit(4)])]);
    let stmt = build.program.routine(Program::MAIN).body[0].id;
    let run = build.run(USUAL, &Valuation::default());
    assert_eq!(run.end, End::Fault { fault: Fault::NilDereference, stmt });
    assert_eq!(number(&run, X), int(4));
}

#[test]
fn each_call_has_its_own_locals() {
    // down(u): { w := u; if 0 < u { down(u - 1) } {}; x := x * 10 + w; w starts as 0 }
    let mut build = Build::new();
    let (u, w) = (build.variable("u", Type::Int, false), build.variable("w", Type::Int, false));
    let down = build.routine("down", &[u], &[w], None);
    let (then, empty) = (build.block([call(None, down, &[op(Op::Sub, [var(u), lit(1)])])]), build.block([]));
    let shift = op(Op::Add, [op(Op::Mul, [var(X), lit(10)]), var(w)]);
    let body = build.stmts([
        StmtKind::Assert(op(Op::Eq, [var(w), lit(0)])),
        set(w, var(u)),
        StmtKind::If(op(Op::Lt, [lit(0), var(u)]), then, empty),
        set(X, shift),
    ]);
    build.body(down, body);
    build.main([call(None, down, &[lit(3)])]);
    let run = build.run(USUAL, &Valuation::default());
    assert_eq!((run.end, number(&run, X)), (End::Completed, int(123)));
    assert_eq!(run.branches, [true, true, true, false]);
}

#[test]
fn a_recursion_without_end_runs_out_of_steps_and_not_of_the_stack() {
    let mut build = Build::new();
    let forever = build.routine("forever", &[], &[], None);
    let body = build.stmts([call(None, forever, &[])]);
    build.body(forever, body);
    build.main([call(None, forever, &[])]);
    let run = run(&build.program, USUAL, &Valuation::default(), &[], 100_000);
    assert_eq!((run.end, run.frames.len()), (End::OutOfSteps, 100_001));
}

#[test]
fn the_end_of_a_body_returns_the_default() {
    let mut build = Build::new();
    let empty = build.routine("empty", &[], &[], Some(Type::Object(NODE)));
    build.main([call(Some(Target::Var(O)), empty, &[])]);
    assert_eq!(build.run(USUAL, &world()).valuation.globals[&O], Value::Nil);
}

#[test]
fn the_receiver_of_a_call_is_not_nil_and_comes_before_the_arguments() {
    // Node.get(u) returns int: { return this.v + u }
    let mut build = Build::new();
    let (this, u) = (build.variable("this", Type::Object(NODE), false), build.variable("u", Type::Int, false));
    let get = build.routine("Node.get", &[u], &[], Some(Type::Int));
    build.program.routines[get.index()].this = Some(this);
    build.program.routines[get.index()].locals.push(this);
    let body = build.stmts([StmtKind::Return(Some(op(Op::Add, [dot(var(this), V), var(u)])))]);
    build.body(get, body);
    let method = |receiver, argument| {
        let target = Some(Target::Var(X));
        StmtKind::Call(Box::new(Call { target, callee: get, receiver: Some(receiver), arguments: vec![argument] }))
    };
    build.main([method(var(O), lit(3))]);
    assert_eq!(number(&build.run(USUAL, &world()), X), int(10));
    for (receiver, argument, fault) in [
        (var(P), bad(), Fault::NilDereference),
        (var(O), bad(), Fault::DivisionByZero),
        (dot(var(P), F), lit(0), Fault::NilDereference),
    ] {
        build.main([method(receiver, argument)]);
        let stmt = build.program.routine(Program::MAIN).body[0].id;
        assert_eq!(build.run(USUAL, &world()).end, End::Fault { fault, stmt });
    }
}

#[test]
fn a_prefix_of_a_run_shows_its_open_calls() {
    let mut build = Build::new();
    let callee = double(&mut build);
    build.main([call(None, callee, &[lit(4)])]);
    let run = run(&build.program, USUAL, &Valuation::default(), &[], 3);
    let u = build.program.routine(callee).parameters[0];
    assert_eq!((run.end, run.frames), (End::OutOfSteps, vec![Locals::new(), [(u, int(4))].into()]));
}
