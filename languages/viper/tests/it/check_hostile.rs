//! Programs that ask too much of the checker: deep, ambiguous, with types that double. They are checked or refused in
//! bounded time, on an ordinary stack: what doubles does not come back.

use effigy_viper::{NoImports, ReadError, read};

const STACK: usize = 2 << 20;

fn check(text: String) -> Result<(), Vec<ReadError>> {
    let run = move || read("hostile.vpr", &text, &mut NoImports).map(drop);
    std::thread::Builder::new().stack_size(STACK).spawn(run).expect("a thread").join().expect("no panic")
}

fn assert_method(exp: &str) -> String {
    format!("field f: Int\npredicate P(x: Ref)\nmethod m(x: Ref, i: Int, b: Bool, q: Perm) {{ assert {exp} }}")
}

#[test]
fn the_deepest_expressions_fit_on_the_stack() {
    let deep = 900;
    for (open, atom, close) in [
        ("b && ", "b", ""),
        ("!", "b", ""),
        ("i == -", "i", ""),
        ("b ==> ", "acc(x.f)", ""),
        ("b ? b : ", "b", ""),
        ("old(", "b", ")"),
        ("[b, ", "b", "]"),
        ("let y == (1) in ", "b", ""),
        ("asserting (b) in ", "b", ""),
        ("b --* ", "b", ""),
        ("@a() ", "b", ""),
    ] {
        let names_differ = open.starts_with("let");
        let opened: String = (0..deep).map(|it| open.replace('y', &format!("y{it}"))).collect();
        let opened = if names_differ { opened } else { open.repeat(deep) };
        let res = check(assert_method(&format!("{opened}{atom}{}", close.repeat(deep))));
        let messages = res.err().unwrap_or_default();
        let fine = messages.iter().all(|it| it.message.contains("deep") || it.message.contains("found"));
        assert!(fine, "{open}: {messages:?}");
    }
    let quantified: String = (0..150).map(|it| format!("forall y{it}: Int :: ")).collect();
    check(assert_method(&format!("{quantified} b"))).expect("it checks");
    let blocks = "if (b) { ".repeat(200) + "i := i" + &" }".repeat(200);
    assert!(check(format!("method m(b: Bool, i: Int) {{ {blocks} }}")).is_err());
}

#[test]
fn what_could_be_many_types_is_decided_in_time() {
    let halves = vec!["1/2"; 400].join(" + ");
    check(assert_method(&format!("q == {halves}"))).expect("it checks");
    check(assert_method(&format!("i == {halves}"))).expect("it checks");
    let quotients = vec!["1"; 400].join("/");
    check(assert_method(&format!("q == {quotients}"))).expect("it checks");
    let lets: String = (0..200).map(|it| format!("let y{it} == (i / 2) in ")).collect();
    let sum = (0..200).map(|it| format!("y{it}")).collect::<Vec<_>>().join(" * ");
    let _ = check(assert_method(&format!("{lets} {sum} == i")));
    let elements = vec!["i/2"; 2_000].join(", ");
    check(assert_method(&format!("|Seq({elements})| == 1"))).expect("it checks");
}

#[test]
fn a_type_that_doubles_is_refused() {
    let lets: String = (1..60).map(|it| format!("let y{it} == (Map(y{0} := y{0})) in ", it - 1)).collect();
    let errors = check(assert_method(&format!("let y0 == (i) in {lets} b"))).expect_err("it is too large");
    assert!(errors.iter().any(|it| it.message.contains("too large")), "{errors:?}");
}

#[test]
fn a_large_method_is_checked_in_time() {
    let stmts = "  x.f := x.f + 1\n".repeat(50_000);
    check(format!("field f: Int\nmethod m(x: Ref) {{\n{stmts}}}")).expect("it checks");
}
