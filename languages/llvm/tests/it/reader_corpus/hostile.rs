//! Texts that ask for too much: they are refused, or read without taking what they ask for.

use super::{error, module};
use effigy_llvm::ir::{Constant, GlobalKind};
use effigy_llvm::reader::read;

#[test]
fn nesting_is_bounded_wherever_it_occurs() {
    let many = 100_000;
    let deep = |open: &str, middle: &str, close: &str| format!("{}{middle}{}", open.repeat(many), close.repeat(many));
    let texts = [
        format!("@x = global {} zeroinitializer", deep("[1 x ", "i8", "]")),
        format!("@x = global {} zeroinitializer", deep("{ ", "i8", " }")),
        format!("@x = global {} zeroinitializer", deep("<{ ", "i8", " }>")),
        format!("@x = global i32 {}* null", deep("(i32 ", "", ")")),
        format!("@x = global ptr {}", deep("getelementptr (i8, ptr ", "null", ", i64 0)")),
        format!("@x = global i64 {}", deep("add (i64 ", "1", ", i64 2)")),
        format!("@x = global i64 {}", deep("select (i1 true, i64 ", "1", ", i64 2)")),
        format!("define void @f() {{\ncall void @g(i64 {})\nret void\n}}", deep("add (i64 ", "1", ", i64 2)")),
    ];
    for text in texts {
        let error = error(&text);
        assert!(error.message.contains("nest more than"), "{}", error.message);
    }
    // What is only skipped may nest.
    let text = format!("declare void @f({} i32) #0", deep("(", "", ")").replacen('(', "i32 range(", 1));
    let _ = read(text.as_bytes());
    let text = format!("@x = global i32 0, !a !{}\n", deep("{", "", "}"));
    module(&text);
}

#[test]
fn sizes_are_not_allocated() {
    let module = module(
        "@a = global [99999999999 x i8] zeroinitializer\n\
         @b = global [18446744073709551615 x [18446744073709551615 x i8]] undef\n\
         @c = global <4294967295 x i64> zeroinitializer\n",
    );
    assert_eq!(module.constants.len(), 3);
    assert!(error("@x = global i8388609 0\n").message.contains("8388608 bits"));
    assert!(error("@x = global i0 0\n").message.contains("bits"));
    assert!(error("@x = global i99999999999999999999 0\n").message.contains("bits"));
    assert!(error("@x = global [99999999999999999999 x i8] undef\n").message.contains("64 bits"));
    assert!(error("@x = global <4294967296 x i8> undef\n").message.contains("32 bits"));
    assert!(error("@x = global <0 x i8> undef\n").message.contains("vector"));
}

#[test]
fn splats_have_a_common_budget() {
    let mut text = String::new();
    for index in 0..1000 {
        text.push_str(&format!("@x{index} = global <65536 x i64> splat (i64 {index})\n"));
    }
    assert!(error(&text).message.contains("too many elements"));
    assert!(error("@x = global <4294967295 x i8> splat (i8 1)\n").message.contains("too many elements"));
}

#[test]
fn wide_integers_are_not_spelled_out() {
    let module = module("@x = global i8388608 -1\n@y = global i4096 -1\n");
    let constant = |index: usize| match module.globals[index].kind {
        GlobalKind::Variable { init: Some(init), .. } => module.constant(init),
        ref kind => panic!("{kind:?}"),
    };
    assert!(matches!(constant(0), Constant::Unsupported(_)));
    assert!(matches!(constant(1), Constant::Bits(_)));
    // Decimal conversion takes quadratic time.
    assert!(error(&format!("@x = global i4096 {}\n", "9".repeat(1_000_000))).message.contains("4096 bits"));
    assert!(error(&format!("@x = global i32 {}\n", "9".repeat(1_000_000))).message.contains("32 bits"));
    assert!(error(&format!("@x = global double 0x{}\n", "9".repeat(1_000_000))).message.contains("floating-point"));
}

#[test]
fn texts_that_end_too_soon_are_refused_on_a_line_that_exists() {
    for text in [
        "@",
        "%",
        "@x",
        "@x =",
        "@\"",
        "define",
        "define void @f() {",
        "define void @f() {\n\n\n",
        "%a = type {",
        "attributes #0 = {",
        "@x = global i32",
        "target",
        "target datalayout",
        "module",
        "declare",
        "@x = global [2 x i8] c\"a",
    ] {
        let error = error(text);
        assert!(error.line as usize <= text.lines().count(), "{text}: {error}");
    }
    for text in ["", "\n", "; only a comment", "!0 = !{", "^", "$"] {
        module(text);
    }
}

#[test]
fn bytes_of_any_kind_are_refused_or_read() {
    for byte in 0..=255u8 {
        for prefix in [
            "",
            "@x = global i8 ",
            "define void @f() {\n  ",
            "define void @f() {\n  %x = add ",
            "%",
            "declare void @f(",
        ] {
            let text = [prefix.as_bytes(), &[byte, byte, b'\n', byte]].concat();
            let _ = read(&text);
        }
    }
}

#[test]
fn names_cost_what_they_are_long() {
    // Each local is mentioned before it is defined: the worst order for the tables.
    let mut text = "define void @f() {\n  br label %b\nb:\n".to_owned();
    for index in 0..20_000 {
        text.push_str(&format!("  %x{index} = phi i32 [ %x{}, %b ]\n", (index + 7919) % 20_000));
    }
    text.push_str("  br label %b\n}\n");
    assert_eq!(module(&text).globals.len(), 1);
}
