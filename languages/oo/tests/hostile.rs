//! Any text is read or refused, without a panic, in bounded time.

use effigy_oo::{ErrorId, read};

fn first_error(text: &str) -> String {
    let errors = read("hostile.oo", text).expect_err("this should not be read");
    assert!(!errors.is_empty());
    errors[0].to_string()
}

#[test]
fn deep_nesting_is_an_error() {
    for (open, close) in [("(", ")"), ("!", ""), ("- ", ""), ("old(", ")"), ("true ==> ", ""), ("true ? true : ", "")] {
        let text = format!("assert {}true{};", open.repeat(10_000), close.repeat(10_000));
        assert!(first_error(&text).contains("nested too deeply"), "{open}");
    }
    let blocks = "{".repeat(10_000);
    assert!(first_error(&blocks).contains("nested too deeply"));
    let ifs = format!("if (true) {{}} {}", "else if (true) {} ".repeat(10_000));
    assert!(first_error(&ifs).contains("nested too deeply"));
    let fields = format!("assert x{} = 1;", ".f".repeat(10_000));
    assert!(first_error(&fields).contains("nested too deeply"));
}

#[test]
fn the_deepest_that_is_allowed_is_read() {
    let text = format!("assert {}true{};", "(".repeat(150), ")".repeat(150));
    read("deep.oo", &text).expect("150 levels");
    let text = format!("assert {}true;", "!".repeat(150));
    read("deep.oo", &text).expect("150 levels");
}

#[test]
fn long_rows_do_not_become_deep_trees() {
    let sum = format!("int x := {}1;", "1 + ".repeat(100_000));
    assert!(first_error(&sum).contains("use parentheses"));
    let conjunction = format!("assert {}true;", "true && ".repeat(100_000));
    read("long.oo", &conjunction).expect("balanced");
    let separated = format!("assert {}true;", "true * ".repeat(100_000));
    read("long.oo", &separated).expect("balanced");
    let product = format!("int x := {}1;", "1 * ".repeat(100_000));
    assert!(first_error(&product).contains("use parentheses"));
}

#[test]
fn chained_comparisons_do_not_double() {
    let mut text = "1".to_owned();
    for _ in 0..90 {
        text = format!("(0 <= {text} + 1 + 2 + 3 + 4 + 5 + 6 <= 9 ? 1 : 0)");
    }
    read("nested.oo", &format!("int x := {text};")).expect("nested chains");
}

#[test]
fn a_megabyte_is_read_in_bounded_time() {
    let text = "int x := 0;\n".to_owned() + &"x := x + 1;\n".repeat(90_000);
    read("long.oo", &text).expect("a long main routine");
}

#[test]
fn nonsense_is_refused_with_a_place() {
    for text in ["class", "class C {", "/*", "§", "class C { int }", "9a", "x := ;", "&", "\u{0}", "a.b", "new", "acc"]
    {
        let errors = read("nonsense.oo", text).expect_err(text);
        assert_eq!(errors[0].id, ErrorId::Parser, "{text}");
        assert!(errors[0].span.line >= 1, "{text}");
    }
    assert!(read("empty.oo", "").expect("nothing").main.is_none());
}
