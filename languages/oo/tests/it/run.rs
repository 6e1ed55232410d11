//! Programs do what their texts say: the lowering, looked at through the concrete interpreter.

use effigy_contracts::concrete::{ConcreteBudget, ConcreteErrorKind, ConcreteValue, World, holds_before, run, run_in};
use effigy_contracts::program::{FieldId, MethodId};
use effigy_oo::{LoweredFile, read};
use std::fs;
use std::path::Path;

fn reading(text: &str) -> LoweredFile {
    read("test.oo", text).unwrap_or_else(|errors| panic!("{}", errors[0]))
}

fn method(reading: &LoweredFile, name: &str) -> MethodId {
    let at = reading.program.methods.iter().position(|it| &*it.name == name).expect("a method");
    MethodId(at as u32)
}

fn field(reading: &LoweredFile, name: &str) -> FieldId {
    let at = reading.program.fields.iter().position(|it| &*it.name == name).expect("a field");
    FieldId(at as u32)
}

/// What ends the main routine, if it does not end by itself.
fn main_ends(text: &str) -> Option<ConcreteErrorKind> {
    let reading = reading(text);
    run(&reading.program, reading.main.expect("a main routine"), &[], ConcreteBudget::of(1_000_000))
        .err()
        .map(|it| it.kind)
}

/// The result of a method `m` of a class `C` without fields.
fn result(members: &str, args: &[ConcreteValue]) -> Result<ConcreteValue, ConcreteErrorKind> {
    let reading = reading(&format!("class C {{ {members} }}"));
    let mut world = World::default();
    let this = world.allocate([]);
    let args: Vec<ConcreteValue> = [this].into_iter().chain(args.iter().cloned()).collect();
    let results = run_in(&reading.program, &mut world, method(&reading, "C.m"), &args, ConcreteBudget::of(1_000_000));
    results.map(|it| it[0].clone()).map_err(|it| it.kind)
}

#[test]
fn the_main_routines_of_the_corpus_run_with_their_contracts_checked() {
    for folder in ["verified", "fig9"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/oo").join(folder);
        for entry in fs::read_dir(folder).expect("the corpus") {
            let path = entry.expect("a file").path();
            let reading = reading(&fs::read_to_string(&path).expect("text"));
            let Some(main) = reading.main else { continue };
            if let Err(error) = run(&reading.program, main, &[], ConcreteBudget::of(1_000_000)) {
                panic!("{}:{error}", path.display());
            }
        }
    }
}

#[test]
fn figure_10_grows_its_array() {
    let text = include_str!("../../../../corpus/oo/verified/fig10.oo");
    let reading = reading(&format!("{text} int i := 0; while (i < 40) {{ l.add(o); i++; }} assert l.getSize() = 42;"));
    run(&reading.program, reading.main.expect("main"), &[], ConcreteBudget::of(10_000_000)).expect("it runs");
}

#[test]
fn effects_happen_from_left_to_right() {
    assert_eq!(result("int m(int i) { return i++ * 10 + i; }", &[3.into()]), Ok(34.into()));
    assert_eq!(result("int m(int i) { return i * 10 + i++; }", &[3.into()]), Ok(33.into()));
    assert_eq!(result("int m(int i) { return i-- - i; }", &[3.into()]), Ok(1.into()));
    let array = "int m(int i) { int[] a := new int[4]; a[i++] := i; a[i] := i++ * 10; return a[0] * 100 + a[1]; }";
    assert_eq!(result(array, &[0.into()]), Ok(110.into()));
    let calls = "int n(int i) { return i + 1; } int m(int i) { return n(n(i)) * 10 + n(i++) + i; }";
    assert_eq!(result(calls, &[1.into()]), Ok(34.into()));
}

#[test]
fn a_star_multiplies_numbers_and_separates_assertions() {
    assert_eq!(result("int m(int i) { return 2 + i * 3 - 4 / 2; }", &[5.into()]), Ok(15.into()));
    let class = "class C { int x; predicate p() { return acc(x); } void m(C c) requires c ≠ null * c.p() * p(); { } }";
    assert_eq!(main_ends(&format!("{class} C c := new C(); C d := new C(); c.m(d);")), None);
    assert_eq!(main_ends(&format!("{class} C c := new C(); c.m(c);")), Some(ConcreteErrorKind::Precondition));
    for ambiguous in ["0 ≤ i * 3 ≤ 9", "i = 1 * i * 2 = 2", "i = 1 = i"] {
        let errors = read("test.oo", &format!("int i := 1; assert {ambiguous};")).expect_err(ambiguous);
        assert!(errors[0].message.contains("parentheses"), "{}", errors[0]);
    }
    // Equations are not chained: the one star between two of them separates.
    assert_eq!(main_ends("int i := 1; assert i = 1 * i + 1 = 2;"), None);
    assert_eq!(main_ends("int i := 1; assert i = 1 * i = 2;"), Some(ConcreteErrorKind::AssertionFalse));
}

#[test]
fn a_parameter_that_is_assigned_keeps_its_value_in_contracts() {
    let text =
        "int m(int i) requires i > 2; ensures result = i - 1 ∧ i > 2; { i := i - 1; int r := i; i := 0; return r; }";
    assert_eq!(result(text, &[3.into()]), Ok(2.into()));
}

#[test]
fn returns_leave_loops() {
    let text = "int m(int n) { int i := 0; while (true) { if (i * i >= n) { return i; } i++; } return -1; }";
    assert_eq!(result(text, &[17.into()]), Ok(5.into()));
}

#[test]
fn arrays_check_their_bounds_and_begin_with_zeros() {
    assert_eq!(result("int m(int n) { int[] a := new int[n]; return a.length; }", &[100.into()]), Ok(100.into()));
    assert_eq!(result("bool m(int n) { bool[] a := new bool[n]; return a[n - 1]; }", &[70.into()]), Ok(false.into()));
    let outside = result("int m(int n) { int[] a := new int[3]; return a[n]; }", &[3.into()]);
    assert_eq!(outside, Err(ConcreteErrorKind::IndexOutOfRange));
    let negative = result("int m(int n) { int[] a := new int[n]; return 0; }", &[(-1).into()]);
    assert_eq!(negative, Err(ConcreteErrorKind::AssertionFalse));
    let rows = "int m(int n) { int[][] a := new int[2][]; a[1] := new int[3]; a[1][2] := n; return a[1][2]; }";
    assert_eq!(result(rows, &[7.into()]), Ok(7.into()));
}

#[test]
fn division_rounds_as_in_viper() {
    assert_eq!(result("int m(int a, int b) { return a / b; }", &[(-7).into(), 2.into()]), Ok((-4).into()));
    assert_eq!(result("int m(int a, int b) { return a % b; }", &[(-7).into(), 2.into()]), Ok(1.into()));
    let zero = result("int m(int a, int b) { return a / b; }", &[1.into(), 0.into()]);
    assert_eq!(zero, Err(ConcreteErrorKind::DivisionByZero));
}

#[test]
fn what_a_verified_program_never_does_is_found() {
    let cell = "class Cell { int x; Cell next; void touch() { } }";
    let ends = |main: &str| main_ends(&format!("{cell} {main}"));
    assert_eq!(ends("Cell c := new Cell(); assert c.x = 0 ∧ c.next = null;"), None);
    assert_eq!(ends("Cell c := new Cell(); assert c.x = 1;"), Some(ConcreteErrorKind::AssertionFalse));
    assert_eq!(ends("Cell c; c.x := 1;"), Some(ConcreteErrorKind::NullDereference));
    assert_eq!(ends("Cell c; int i := c.x;"), Some(ConcreteErrorKind::NullDereference));
    assert_eq!(ends("Cell c; c.touch();"), Some(ConcreteErrorKind::AssertionFalse));
    assert_eq!(ends("int i := 0; while (true) { i++; }"), Some(ConcreteErrorKind::OutOfSteps));
    assert_eq!(
        ends("Cell c := new Cell(); Cell d := c; assert acc(c.x) * acc(d.x);"),
        Some(ConcreteErrorKind::AssertionFalse)
    );
}

#[test]
fn contracts_are_checked_where_they_are_met() {
    let class =
        "class C { int x; void m(int i) requires acc(x) * i > 0; ensures acc(x) * x = old(x) + i; { x := x + 1; } }";
    assert_eq!(main_ends(&format!("{class} C c := new C(); c.m(1);")), None);
    assert_eq!(main_ends(&format!("{class} C c := new C(); c.m(2);")), Some(ConcreteErrorKind::Postcondition));
    assert_eq!(main_ends(&format!("{class} C c := new C(); c.m(0);")), Some(ConcreteErrorKind::Precondition));
    let bad_loop = "int i := 0; while (i < 3) invariant i < 3; { i++; }";
    assert_eq!(main_ends(bad_loop), Some(ConcreteErrorKind::Invariant));
}

#[test]
fn untouched_compares_what_its_assertion_asks_for() {
    let class = "class C { int x, y; predicate p() { return acc(x); }
        void m(int i) requires p() * acc(y); ensures p() * acc(y) * untouched(p()); { open p(); x := x + i; y := 1; close p(); } }";
    assert_eq!(main_ends(&format!("{class} C c := new C(); close c.p(); c.m(0);")), None);
    let touched = main_ends(&format!("{class} C c := new C(); close c.p(); c.m(1);"));
    assert_eq!(touched, Some(ConcreteErrorKind::Postcondition));
}

#[test]
fn a_precondition_tells_which_inputs_fit() {
    let reading = reading(
        "class Node { int value; Node next;
           predicate chain() { return acc(value) * acc(next) * (next ≠ null ==> next.chain()); }
           void m() requires chain(); { } }",
    );
    let (value, next) = (field(&reading, "Node.value"), field(&reading, "Node.next"));
    let mut world = World::default();
    let last = world.allocate([(value, 1.into()), (next, ConcreteValue::Null)]);
    let first = world.allocate([(value, 2.into()), (next, last.clone())]);
    let fits = |world: &World, this: &ConcreteValue| {
        let budget = ConcreteBudget::of(10_000);
        holds_before(&reading.program, world, method(&reading, "Node.m"), std::slice::from_ref(this), budget)
    };
    assert_eq!(fits(&world, &first), Ok(true));
    assert_eq!(fits(&world, &ConcreteValue::Null), Ok(false));
    // A cycle asks for the same location twice.
    let ConcreteValue::Object(object) = last else { panic!("an object") };
    world.set(object, next, first.clone());
    assert_eq!(fits(&world, &first), Ok(false));
}
