//! What each construct of the language does: a source, a call, and the table of its leaves.
//!
//! Source: King 1976, sections 2, 3, 6, 8 and 9, and figures 4, 7 and 10.

use effigy_engine::{
    Budget, Context, Coverage, Engine, Feasibility, Inputs, Inspect, Notes, Observer, VariableValue, run_concretely,
};
use effigy_explore::{Config, End, PathEnd, Sink, explore};
use effigy_pli::{Arrays, Options, Program, State, compile};
use effigy_solver::{QueryBudget, Solver, SolverConfig, chain};
use effigy_term::Terms;
use effigy_walk::Search;
use std::sync::Arc;

/// One row for each leaf: `path condition → results`, or the error with its place.
fn table(source: &str, call: &str, options: Options) -> Vec<String> {
    let code = compile("p.pli", source).unwrap_or_else(|it| panic!("{it}"));
    let program = Program::new(code, call, options).unwrap_or_else(|it| panic!("{it}"));
    let terms = Terms::new();
    let mut solver = chain(&SolverConfig::default());
    let query = QueryBudget::default();
    let budget = Budget {
        bugs: None,
        time: None,
        memory: None,
        paths: Some(100),
        steps: None,
        path_steps: Some(300),
        depth: None,
        interrupt: Arc::default(),
    };
    let config = Config { search: Search::Dfs, seed: 1, budget, query, values: 8, feasibility: Feasibility::Branch };
    let mut ends = Ends(Vec::new());
    explore(&program, &terms, &mut *solver, &config, &mut () as &mut dyn Observer<State>, &mut ends);
    ends.0.iter().map(|it| row(&program, &terms, &mut *solver, query, it)).collect()
}

struct Ends(Vec<(State, effigy_engine::Trail, End)>);

impl Sink<State> for Ends {
    fn ended(&mut self, end: &PathEnd<'_, State>) {
        self.0.push((end.state.clone(), end.trail.clone(), end.end.clone()));
    }
}

fn row(
    program: &Program,
    terms: &Terms,
    solver: &mut dyn Solver,
    budget: QueryBudget,
    (state, trail, end): &(State, effigy_engine::Trail, End),
) -> String {
    let mut engine = Engine { terms, solver, budget };
    let condition = engine.readable(trail, &program.assumptions(state));
    let condition: Vec<String> = condition.into_iter().map(|it| program.show(terms, it)).collect();
    let condition = if condition.is_empty() { "true".to_owned() } else { condition.join(" & ") };
    let end = match end {
        End::Exit { .. } => {
            let (inputs, mut coverage, mut notes) = (Inputs::Symbolic, Coverage::default(), Notes::default());
            let mut ctx = Context::new(terms, &inputs, &mut coverage, &mut notes);
            let results = program.results(&mut ctx, state);
            let text = |engine: &mut Engine<'_>, value: &VariableValue| {
                let show = |term| program.show(terms, engine.simplified(trail, term));
                value.text(show).unwrap_or_else(|| "?".to_owned())
            };
            results
                .iter()
                .map(|it| format!("{} = {}", it.name, text(&mut engine, &it.value)))
                .collect::<Vec<_>>()
                .join(", ")
        }
        End::Bug(it) => format!("{} at {}:{}: {}", it.kind.0, it.place.line, it.place.column, it.message),
        End::Silent | End::Infeasible => "dropped".to_owned(),
        End::GaveUp(it) => format!("unsupported: {}", it.what),
        End::Cut(limit) => format!("cut: {limit:?}"),
        End::Undecided { what, .. } => format!("undecided: {what}"),
    };
    format!("{condition} → {end}")
}

/// The body of `P: PROCEDURE (X, Y)` on its second line.
fn body(text: &str) -> String {
    format!("P: PROCEDURE (X, Y);\n{text}\nEND;")
}

/// Cases of (body, call, rows).
fn check(cases: &[(&str, &str, &[&str])]) {
    let mut wrong = String::new();
    for (text, call, expected) in cases {
        let source = if text.contains("PROC") { (*text).to_owned() } else { body(text) };
        let rows = table(&source, call, Options::default());
        if rows != *expected {
            wrong.push_str(&format!("{text}\n{call}\n  is       {rows:#?}\n  expected {expected:#?}\n"));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn operators_on_numbers() {
    let value =
        |expression: &str| table(&body(&format!("RETURN ({expression});")), "P((\"A\"), (\"B\"))", Options::default());
    for (expression, expected) in [
        ("7 / 2", "3"),
        ("-7 / 2", "-3"),
        ("7 / (-2)", "-3"),
        ("MOD(-7, 3)", "2"),
        ("REM(-7, 3)", "-1"),
        ("2 ** 3 ** 2", "512"),
        ("-2 ** 2", "-4"),
        ("0 ** 0", "1"),
        ("10 - 3 - 2", "5"),
        ("2 + 3 * 4", "14"),
        ("ABS(-3) + MIN(1, 2) * MAX(3, 4)", "7"),
        ("99999999999999999999 * 10 + +1", "999999999999999999991"),
        ("X + Y - X", "B"),
        ("(2*X+4)/2", "A + 2"),
        ("X × 3 − 3·X", "0"),
    ] {
        let expected = expected.replace('A', "\"A\"").replace('B', "\"B\"");
        assert_eq!(value(expression), [format!("true → RETURNS = {expected}")], "{expression}");
    }
}

#[test]
fn every_spelling_of_a_comparison() {
    // Which of X = 1, 2, 3 satisfy the condition.
    let satisfying = |condition: &str| -> Vec<i32> {
        let source = body(&format!("IF {condition} THEN RETURN (1); RETURN (0);"));
        let holds = |x: &i32| table(&source, &format!("P({x}, 2)"), Options::default()) == ["true → RETURNS = 1"];
        [1, 2, 3].into_iter().filter(holds).collect()
    };
    for (conditions, expected) in [
        (&["X = Y", "X ¬> Y & X ¬< Y"][..], &[2][..]),
        (&["X ¬= Y", "X ^= Y", "X <> Y", "X ≠ Y", "¬(X = Y)", "^(X = Y)"], &[1, 3]),
        (&["X < Y"], &[1]),
        (&["X <= Y", "X ≤ Y", "X ¬> Y", "X ^> Y"], &[1, 2]),
        (&["X > Y"], &[3]),
        (&["X >= Y", "X ≥ Y", "X ¬< Y", "X ^< Y"], &[2, 3]),
        (&["X > 1 => X > 2", "X > 1 ⊃ X > 2"], &[1, 3]),
        (&["X = 1 | X = 2 & X = 3", "X = 1 ∨ X = 2 ∧ X = 3"], &[1]),
        (&["X = 3 => X = 2 => X = 1", "TRUE"], &[1, 2, 3]),
        (&["FALSE", "¬(X = 1 | X = 2 | X = 3)"], &[]),
    ] {
        for condition in conditions {
            assert_eq!(satisfying(condition), expected, "{condition}");
        }
    }
}

#[test]
fn branches_fork_where_both_sides_are_possible() {
    check(&[
        ("IF X > 5 THEN Y = 1; ELSE Y = 2;", "P(\"X\", Y)", &["\"X\" > 5 → Y = 1", "\"X\" ≤ 5 → Y = 2"]),
        ("IF X > 5 THEN; Y = 1;", "P(7, Y)", &["true → Y = 1"]),
        (
            "IF X > 5 THEN IF X > 3 THEN Y = 1; ELSE Y = 2; ELSE Y = 3;",
            "P(\"X\", Y)",
            &["\"X\" > 5 → Y = 1", "\"X\" ≤ 5 → Y = 3"],
        ),
        ("X, Y = 4;", "P(X, Y)", &["true → X = 4, Y = 4"]),
        ("X ← 4; Y = X;", "P(X, Y)", &["true → X = 4, Y = 4"]),
    ]);
}

#[test]
fn declarations() {
    check(&[
        ("DCL A(5) FIXED BINARY(31,0); A(1) = 3; A(5) = 4; Y = A(1) + A(5);", "P(1, Y)", &["true → Y = 7"]),
        ("DECLARE A(0:9) INTEGER, B FIXED BIN; A(0) = 3; B = 1; Y = A(0) + B;", "P(1, Y)", &["true → Y = 4"]),
        ("DCL A(6) INTEGER INITIAL(1, (3) -2, (2) 5) AUTOMATIC; Y = A(1) + A(4) + A(6);", "P(1, Y)", &["true → Y = 4"]),
        ("DCL (A, B) INTEGER INIT(3); Y = A + B;", "P(1, Y)", &["true → Y = 6"]),
        (
            "P: PROCEDURE (Y);\nCALL COUNT(Y);\nCALL COUNT(Y);\nCALL COUNT(Y);\nEND;\n\
             COUNT: PROCEDURE (N);\nDCL C INTEGER STATIC INITIAL(10);\nC = C + 1;\nN = C;\nEND;",
            "P(Y)",
            &["true → Y = 13"],
        ),
        (
            "P: PROCEDURE (A, N);\nDCL A(*) INTEGER;\nA(2) = N;\nN = A(1) + HBOUND(A) - LBOUND(A);\nEND;",
            "DCL B(3) INTEGER INITIAL(1, 2, 3), M INTEGER INITIAL(7); CALL P(B, M)",
            &["true → B = (1, 7, 3), M = 3"],
        ),
    ]);
}

#[test]
fn loops() {
    check(&[
        ("Y = 0; DO I = 1 TO 5; Y = Y + I; END;", "P(1, Y)", &["true → Y = 15"]),
        ("Y = 0; DO I = 1 TO 6 BY 2; Y = 10*Y + I; END;", "P(1, Y)", &["true → Y = 135"]),
        ("Y = 0; DO I = 3 TO 1 BY -1; Y = 10*Y + I; END; X = I;", "P(X, Y)", &["true → X = 0, Y = 321"]),
        ("Y = 0; DO I = 5 TO 1; Y = 1; END;", "P(1, Y)", &["true → Y = 0"]),
        ("Y = 8; DO WHILE (Y > 3); Y = Y - 2; END;", "P(1, Y)", &["true → Y = 2"]),
        ("Y = 0; DO I = 1 TO 9 WHILE (Y < 6); Y = Y + I; END;", "P(1, Y)", &["true → Y = 6"]),
        ("Y = 0; DO I = 7; Y = Y + I; END;", "P(1, Y)", &["true → Y = 7"]),
        ("Y = 0; DO I = 7 BY 1 WHILE (I < 10); Y = Y + I; END;", "P(1, Y)", &["true → Y = 24"]),
        // The bound and the step are evaluated once.
        ("X = 3; Y = 0; DO I = 1 TO X BY X-2; X = 9; Y = Y + 1; END;", "P(X, Y)", &["true → X = 9, Y = 3"]),
        (
            "Y = 0; DO I = 1 TO X; IF I > 2 THEN GO TO OUT; Y = Y + I; END; OUT: ;",
            "P(\"N\", Y)",
            &["\"N\" ≥ 3 → Y = 3", "\"N\" = 2 → Y = 3", "\"N\" = 1 → Y = 1", "\"N\" < 1 → Y = 0"],
        ),
        ("Y = 0; L: Y = Y + 1; IF Y < 4 THEN GOTO L; DO; Y = Y + 10; END;", "P(1, Y)", &["true → Y = 14"]),
    ]);
}

#[test]
fn arguments() {
    let source = "P: PROCEDURE (X, Y);\nX = X + 1;\nY = X;\nEND;\n\
                  Q: PROCEDURE (A, N);\nDCL A(*) INTEGER;\nCALL P(A(N), N);\nEND;\n\
                  R: PROCEDURE (N);\nCALL P((N), N);\nEND;\n\
                  F: PROCEDURE (N);\nIF N <= 1 THEN RETURN (1);\nRETURN (N * F(N - 1));\nEND;";
    for (call, expected) in [
        // By reference; the same variable twice is one variable.
        ("DCL I INTEGER INITIAL(3); CALL P(I, J)", "I = 4, J = 4"),
        ("DCL I INTEGER INITIAL(3); CALL P(I, I)", "I = 4"),
        // An expression gets a dummy, as does a parenthesised argument.
        ("P(3 + 1, J)", "J = 5"),
        ("DCL I INTEGER INITIAL(3); CALL P((I), J)", "J = 4"),
        ("DCL I INTEGER INITIAL(3); CALL R(I)", "I = 4"),
        // An element by reference: which one is decided at the call.
        ("DCL A(3) INTEGER INITIAL(10, 20, 30), I INTEGER INITIAL(2); CALL Q(A, I)", "A = (10, 21, 30), I = 21"),
        ("CALL F(5)", "RETURNS = 120"),
    ] {
        assert_eq!(table(source, call, Options::default()), [format!("true → {expected}")], "{call}");
    }
}

#[test]
fn input_and_output() {
    check(&[(
        "READ (X, Y); WRITE (X + Y, 3); IF X = Y THEN WRITE (0);",
        "P(A, B)",
        &[
            "READ(1) = READ(2) → A = READ(1), B = READ(2), WRITES = READ(1) + READ(2), 3, 0",
            "READ(1) ≠ READ(2) → A = READ(1), B = READ(2), WRITES = READ(1) + READ(2), 3",
        ],
    )]);
}

#[test]
fn assumptions_and_assertions() {
    check(&[
        ("ASSUME (X > 3); IF X > 2 THEN Y = 1; ELSE Y = 2;", "P(\"X\", Y)", &["\"X\" > 3 → Y = 1"]),
        ("ASSUME (X > 3);", "P(2, Y)", &["true → dropped"]),
        (
            "PROVE (X > 3); Y = 1;",
            "P(\"X\", Y)",
            &["\"X\" ≤ 3 → assertion-failed at 2:1: what is to be proved does not hold", "\"X\" > 3 → Y = 1"],
        ),
        (
            "X = X + 1; ASSERT (X = OLD(X) + 1); ASSERT (FORALL K (1 <= K & K <= 3 => K < 4) & EXISTS K (1 <= K & K <= 3 & K = 2));",
            "P(\"X\", Y)",
            &["true → Y = ?"],
        ),
        (
            "DCL A(3) INTEGER INITIAL(1, 2, 3); ASSERT (FORALL I, K (1 <= I & I < K & K <= 3 => A(I) < A(K))); A(3) = 0; \
             ASSERT (FORALL K (1 <= K & K <= 3 => A(K) > 0));",
            "P(1, 1)",
            &["true → assertion-failed at 2:109: the assertion does not hold"],
        ),
    ]);
}

#[test]
fn each_error_is_told_with_its_place() {
    check(&[
        (
            "Y = 1;\n  Y = 6 / X;",
            "P(\"X\", Y)",
            &["\"X\" = 0 → division-by-zero at 3:9: the divisor can be zero", "\"X\" ≠ 0 → Y = 6/\"X\""],
        ),
        ("Y = MOD(6, X - X);", "P(\"X\", Y)", &["true → division-by-zero at 2:5: the divisor can be zero"]),
        (
            "DCL A(5) INTEGER INITIAL((5) 1); Y = A(X);",
            "P(7, Y)",
            &["true → subscript-out-of-bounds at 2:38: the subscript 7 of A is not within 1:5"],
        ),
        (
            "DCL A(0:1) INTEGER; A(X) = 1;",
            "P(-1, 1)",
            &["true → subscript-out-of-bounds at 2:21: the subscript -1 of A is not within 0:1"],
        ),
        ("Y = Z;", "P(1, Y)", &["true → uninitialised-value at 2:5: Z is used before it has a value"]),
        (
            "DCL A(2) INTEGER; Y = A(1);",
            "P(1, Y)",
            &["true → uninitialised-value at 2:23: A(1) is used before it has a value"],
        ),
        ("Y = 2 ** X;", "P(-1, Y)", &["true → negative-exponent at 2:7: the exponent can be negative"]),
        (
            "P: PROCEDURE (Y);\nY = F(1);\nEND;\nF: PROCEDURE (X);\nX = 2;\nEND;",
            "P(Y)",
            &["true → no-value at 6:1: F returns without a value, and its value is used"],
        ),
        (
            "Y = 2 ** 99999999;",
            "P(1, Y)",
            &["true → unsupported: a number of more than 1048576 bits, 20000 summands or 5000 factors in a summand"],
        ),
    ]);
}

#[test]
fn machine_integers_overflow() {
    let options = || Options { width: Some(8), ..Options::default() };
    assert_eq!(
        table(&body("Y = X + 1;"), "P(\"X\", Y)", options()),
        ["\"X\" > 126 → signed-overflow at 2:1: the result of + does not fit 8 bits", "\"X\" ≤ 126 → Y = \"X\" + 1",]
    );
    assert_eq!(table(&body("Y = X + 1;"), "P(\"X\", Y)", Options::default()), ["true → Y = \"X\" + 1"]);
}

#[test]
fn arrays_by_cases_and_by_conditional_values() {
    let source = body("DCL A(2) INTEGER INITIAL(5, 6); A(X) = 7; Y = A(1);");
    let cases = Options { arrays: Arrays::Cases, ..Options::default() };
    assert_eq!(
        table(&source, "P(\"X\", Y)", cases),
        [
            "\"X\" ≤ 0 | \"X\" > 2 → subscript-out-of-bounds at 2:33: the subscript \"X\" of A is not within 1:2",
            "\"X\" = 1 → Y = 7",
            "\"X\" = 2 → Y = 5",
        ]
    );
    assert_eq!(
        table(&source, "P(\"X\", Y)", Options::default()).len(),
        2,
        "one path, whose value says when it is which"
    );
}

#[test]
fn statements_are_numbered_as_in_the_figures() {
    let numbers = |name: &str| -> Vec<(u32, String)> {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/pli").join(name);
        let code = compile(name, &std::fs::read_to_string(path).expect("a program")).expect("it compiles");
        let program = Program::without_call(code, Options::default());
        program.statements().into_iter().map(|it| (it.number, it.text.to_string())).collect()
    };
    let shown = |name: &str| -> Vec<String> {
        numbers(name).into_iter().map(|(number, text)| format!("{number} {text}")).collect()
    };
    // Figure 4.
    assert_eq!(
        shown("power.pli"),
        [
            "1 POWER: PROCEDURE (X, Y);",
            "2 Z ← 1",
            "3 J ← 1",
            "4 LAB: IF Y ≥ J THEN",
            "5 Z ← Z * X",
            "6 J ← J + 1",
            "7 GO TO LAB",
            "8 RETURN (Z)",
            "9 END;",
        ]
    );
    // Figure 7.
    assert_eq!(
        shown("twoloops.pli"),
        ["1 TWOLOOPS: PROCEDURE (N);", "2 DO J = 1 TO N", "3 S = J", "4 DO K = 1 TO N", "5 S = K", "6 END;"]
    );
    // Figure 10: declarations have no number.
    assert_eq!(
        shown("search.pli"),
        [
            "1 SEARCH: PROC(A, L, U, X, FOUND, J);",
            "4 FOUND = 0",
            "5 DO WHILE (L ¬> U & FOUND = 0)",
            "6 J = (L+U)/2",
            "7 IF X = A(J) THEN",
            "7 FOUND = 1",
            "8 IF X < A(J) THEN",
            "9 U = J-1",
            "10 L = J+1",
            "12 IF FOUND = 0 THEN",
            "12 J = L-1",
            "13 END;",
        ]
    );
}

#[test]
fn the_concrete_run_agrees() {
    let code = compile("p.pli", &body("IF X > 3 THEN WRITE (X * X); ELSE WRITE (Y);")).expect("it compiles");
    for (call, expected) in [("P(4, 1)", "16"), ("P(3, 1)", "1")] {
        let program = Program::new(code.clone(), call, Options::default()).expect("a call");
        let run = run_concretely(&program, &Terms::new(), &Inputs::Concrete(Default::default()), 100);
        assert_eq!(String::from_utf8_lossy(&run.witness.output), expected);
    }
}
