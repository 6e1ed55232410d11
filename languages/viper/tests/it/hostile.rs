//! Texts that ask for too much, and texts that are nearly programs: they are refused or read, within limits. Nothing
//! here may panic, overflow the stack or take long: what takes more than linear time does not come back.

use effigy_viper::{NoImports, ReadError, expand, parse};

/// The stack of a thread that nobody asked for more.
const STACK: usize = 2 << 20;

fn read(text: String) -> Result<usize, Vec<ReadError>> {
    let run = move || expand("hostile.vpr", &text, &mut NoImports).map(|it| it.items.len());
    std::thread::Builder::new().stack_size(STACK).spawn(run).expect("a thread").join().expect("no panic")
}

fn refused(text: String, message: &str) {
    let errors = read(text).expect_err(message);
    assert!(errors.iter().any(|it| it.message.contains(message)), "{message}: {errors:?}");
}

fn in_method(stmt: String) -> String {
    format!("method m() {{ {stmt} }}")
}

#[test]
fn nesting_is_bounded() {
    let deep = 10_000;
    for (open, atom, close) in [
        ("(", "x", ")"),
        ("!", "x", ""),
        ("-", "x", ""),
        ("|", "x", "|"),
        ("x[", "x", "]"),
        ("f(", "x", ")"),
        ("[1, ", "x", "]"),
        ("Seq(", "x", ")"),
        ("old(", "x", ")"),
        ("a ? ", "x", " : b"),
        ("a ? b : ", "x", ""),
        ("a --* ", "x", ""),
        ("forall x: Int :: ", "x", ""),
        ("let x == (1) in ", "x", ""),
        ("unfolding P(x) in ", "x", ""),
        ("@a() ", "x", ""),
        ("@a() (", "x", ")"),
        ("1 <==> 1 ==> 1 || 1 && 1 == 1 < 1 + 1 * (", "x", ")"),
        ("1 <==> 1 ==> 1 || 1 && 1 == 1 < 1 + 1 * f(@a() -(c ? ", "x", " : d))"),
    ] {
        refused(in_method(format!("assert {}{atom}{}", open.repeat(deep), close.repeat(deep))), "too deep");
    }
    refused(in_method("{".repeat(deep)), "too deep");
    refused(in_method("if (a) {".repeat(deep)), "too deep");
    refused(in_method("while (a) {".repeat(deep)), "too deep");
    refused(in_method("package a --* b {".repeat(deep)), "too deep");
    refused(in_method(format!("if (a) {{}}{}", "elseif (a) {}".repeat(deep))), "too deep");
    refused(in_method(format!("{}x := 1", "@a() ".repeat(deep))), "too deep");
    refused(format!("field f: {}Int{}", "Seq[".repeat(deep), "]".repeat(deep)), "too deep");
}

#[test]
fn chains_are_bounded_and_reasonable_ones_are_read() {
    let chain = |op: &str, length: usize| in_method(format!("assert x{}", format!(" {op} x").repeat(length)));
    for op in ["-", "*", "==>", "<==>", "==", "<", "++", "union"] {
        assert_eq!(read(chain(op, 400)), Ok(1), "{op}");
        refused(chain(op, 10_000), "too deep");
        refused(chain(op, 100_000), "too deep");
    }
    // These are read as balanced trees.
    for op in ["+", "&&", "||"] {
        for length in [400, 10_000, 100_000] {
            assert_eq!(read(chain(op, length)), Ok(1), "{op}");
        }
    }
    refused(in_method(format!("assert x{}", ".f".repeat(100_000))), "too deep");
    refused(in_method(format!("assert x{}", "[0]".repeat(100_000))), "too deep");
    let parens = |depth: usize| in_method(format!("assert {}x{}", "(".repeat(depth), ")".repeat(depth)));
    assert_eq!(read(parens(200)), Ok(1));
}

#[test]
fn chained_comparisons_do_not_double() {
    let mut exp = "x".to_string();
    for _ in 0..60 {
        exp = format!("a < ({exp}) < b");
    }
    refused(in_method(format!("assert {exp}")), "too many chained comparisons");
}

#[test]
fn macros_do_not_explode() {
    let mut text = "define m0 x\n".to_string();
    for it in 1..100 {
        text += &format!("define m{it} (m{} + m{})\n", it - 1, it - 1);
    }
    refused(text + "method m() { assert m99 }", "macros expand to too much");

    let mut text = "define m0 { x := 1 }\n".to_string();
    for it in 1..100 {
        text += &format!("define m{it} {{ m{} m{} }}\n", it - 1, it - 1);
    }
    refused(text + "method m() { m99 }", "macros expand to too much");

    let nested = format!("define two(x) (x + x) method m() {{ assert {}1{} }}", "two(".repeat(50), ")".repeat(50));
    refused(nested, "macros expand to too much");

    let mut text = "define m0 x\n".to_string();
    for it in 1..10_000 {
        text += &format!("define m{it} m{}\n", it - 1);
    }
    refused(text + "method m() { assert m9999 }", "too deep");

    let body = format!("define m(x) x{}", " + x".repeat(400));
    refused(format!("{body} method m() {{ assert {}1{} }}", "m(".repeat(3), ")".repeat(3)), "");
}

#[test]
fn a_large_method_is_read() {
    let mut text = String::new();
    while text.len() < 1 << 20 {
        text += "  x := x + 1; if (x > 10) { assert x in s } else { y.f := f(x)[0] }\n";
    }
    assert_eq!(read(in_method(text)), Ok(1));
    let variables = (0..50_000).map(|it| format!("x{it}: Int")).collect::<Vec<_>>().join(", ");
    assert_eq!(read(in_method(format!("define m(a) {{ var {variables} }} m(1) m(2)"))), Ok(1));
}

#[test]
fn numbers_are_bounded() {
    assert_eq!(read(in_method(format!("assert {} == x", "9".repeat(5_000)))), Ok(1));
    refused(in_method(format!("assert {} == x", "9".repeat(1 << 20))), "too many digits");
}

#[test]
fn what_does_not_end() {
    refused("method m() { /* never".into(), "a comment that does not end");
    refused("import \"never".into(), "a string that does not end");
    refused("import <never\n>".into(), "a path that does not end");
    refused("method m() {".into(), "found the end of the file");
    refused("method m() { assert".into(), "found the end of the file");
    refused("@a(".into(), "found the end of the file");
    refused("@".into(), "`@` without the name of an annotation");
}

#[test]
fn nonsense_is_refused() {
    for text in [
        "\0",
        "method m() { \0 }",
        "\u{feff}\u{feff}",
        "ä",
        "😀",
        "}",
        "{",
        "\"",
        "method",
        "define",
        "adt",
        ")(",
        "..",
        "#",
    ] {
        assert!(read(text.to_string()).is_err(), "{text:?}");
    }
    for text in ["", "\n\n", "// nothing", "/* nothing */", "\u{feff}"] {
        assert_eq!(read(text.to_string()), Ok(0), "{text:?}");
    }
    let noise: String = (0..200_000u32).map(|it| char::from((it.wrapping_mul(2_654_435_761) >> 24) as u8)).collect();
    assert!(read(noise).is_err());
}

/// Every prefix, and every text with a token left out or doubled, is read or refused.
#[test]
fn nearly_programs() {
    let text = include_str!("../../../../corpus/viper/parse/everything.vpr");
    let at: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    for &end in &at {
        let _ = parse("prefix.vpr", &text[..end]);
    }
    let words: Vec<&str> = text.split_inclusive([' ', '\n', '(', ')', '{', '}', '[', ']', ',', ';']).collect();
    for it in 0..words.len() {
        let without = [&words[..it], &words[it + 1..]].concat().concat();
        let doubled = [&words[..=it], &words[it..]].concat().concat();
        let _ = expand("without.vpr", &without, &mut NoImports);
        let _ = expand("doubled.vpr", &doubled, &mut NoImports);
    }
}
