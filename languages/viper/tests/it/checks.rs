//! What must hold is a requirement that the walk sees, with what the prover said of it.

use effigy_programs::{hand_walks, verification};
use effigy_verify::{Config, MemberOutcome, Program, Verdict, members, verify};
use effigy_viper::{NoImports, read};

fn program(text: &str) -> Program {
    read("checks.vpr", text, &mut NoImports).unwrap_or_else(|it| panic!("{}\n{text}", it[0]))
}

/// The outcome of the last member, with all of its errors.
fn outcome(text: &str) -> MemberOutcome {
    let program = program(text);
    let member = members(&program).pop().expect("a member");
    let config = Config { errors: 1000, ..verification::config(20_000, 2_000_000, verification::VIPER) };
    verify(&program, member, &config)
}

#[test]
fn what_holds_is_counted() {
    for (body, held, failed) in [
        ("assert x > 2", 1, 0),
        // What is a constant is nobody's question.
        ("assert 1 + 1 == 2", 0, 0),
        // What fails is not counted; past it, it is known.
        ("assert y > 0 assert y >= 0", 1, 1),
        // Each conjunct is a check.
        ("assert x > 2 && x > 1", 2, 0),
        // Once on each path.
        ("if (y > 0) { y := 1 } else { y := x } assert x > 2", 2, 0),
        // Inside of an expression, too.
        ("y := 10 / x", 1, 0),
        ("y := 10 / y", 0, 1),
    ] {
        let text = format!("method m(x: Int, z: Int) requires x > 3 {{ var y: Int := z {body} }}");
        let MemberOutcome { verdict, effort, .. } = outcome(&text);
        let failures = if let Verdict::Failed(failures) = &verdict { failures.len() } else { 0 };
        assert_eq!((effort.checks, failures), (held, failed), "{body}: {verdict:?}");
    }
}

/// The requirements of a body on the way to its end, as a walk is told them.
fn requirements(body: &str) -> Vec<String> {
    let program = program(&format!("method m(x: Int, y: Int, b: Bool) requires x > 3 {{ var r: Int {body} }}"));
    let member = members(&program).pop().expect("a member");
    let config = verification::config(20_000, 2_000_000, verification::VIPER);
    hand_walks::requirements(&program, member, &config)
}

#[test]
fn a_check_is_a_requirement_of_the_path() {
    assert_eq!(requirements("assert x > 2"), ["assert.failed: x@1 > 2"]);
    assert_eq!(requirements("r := 10 / x"), ["assignment.failed: x@1 ≠ 0"]);
    // Inside of an expression it holds where it is evaluated: under the condition, for each value of what is bound.
    assert_eq!(requirements("r := b ? 10 / x : 0"), ["assignment.failed: ¬b@3 ∨ x@1 ≠ 0"]);
    let forall = requirements("assert forall i: Int :: i > x ==> 10 / i < 3");
    assert_eq!(
        forall,
        ["assert.failed: ∀i@6. x@1 ≥ i@6 ∨ i@6 ≠ 0", "assert.failed: ∀i@6. x@1 ≥ i@6 ∨ (10 div i@6) ≤ 2"]
    );
}
