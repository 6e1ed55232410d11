//! Constants: numbers in all notations, aggregates, expressions.

use super::{error, global, module};
use effigy_llvm::ir::{CastOp, ConstExpr, Constant, GlobalKind, Module};

/// The initialiser of a variable of this type.
fn constant(ty: &str, text: &str) -> (Module, Constant) {
    let module = module(&format!("@x = global {ty} {text}\n@y = global i32 7\n"));
    let GlobalKind::Variable { init: Some(init), .. } = global(&module, "x").kind else { panic!("a variable") };
    let res = module.constant(init).clone();
    (module, res)
}

fn bits(ty: &str, text: &str) -> String {
    match constant(ty, text).1 {
        Constant::Bits(value) => format!("{:x}", value.to_biguint()),
        other => panic!("{ty} {text}: {other:?}"),
    }
}

#[test]
fn integers_of_any_width_are_exact() {
    assert_eq!(bits("i32", "-1"), "ffffffff");
    assert_eq!(bits("i1", "true"), "1");
    assert_eq!(bits("i1", "-1"), "1");
    assert_eq!(bits("i8", "255"), "ff");
    assert_eq!(bits("i8", "-128"), "80");
    assert_eq!(bits("i64", "18446744073709551615"), "ffffffffffffffff");
    assert_eq!(bits("i64", "-9223372036854775808"), "8000000000000000");
    assert_eq!(bits("i128", "-2"), "fffffffffffffffffffffffffffffffe");
    assert_eq!(bits("i128", "340282366920938463463374607431768211455"), "f".repeat(32));
    assert_eq!(
        bits("i200", "803469022129495137770981046170581301261101496891396417650688"),
        "80000000000000000000000000000000000000000000000000"
    );
    assert_eq!(bits("i32", "zeroinitializer"), "0");
}

#[test]
fn integers_that_do_not_fit_are_refused() {
    for (ty, text) in [("i8", "256"), ("i8", "-129"), ("i1", "2"), ("i64", "18446744073709551616"), ("i32", "12x")] {
        assert!(error(&format!("@x = global {ty} {text}\n")).message.contains("integer"), "{ty} {text}");
    }
}

#[test]
fn floats_have_the_bits_that_llvm_gives_them() {
    let cases = [
        ("double", "1.500000e+00", "3ff8000000000000"),
        ("double", "-0.0", "8000000000000000"),
        ("double", "0x7FF8000000000000", "7ff8000000000000"),
        ("float", "1.500000e+00", "3fc00000"),
        // A float is written as the double of the same value.
        ("float", "0x3FB99999A0000000", "3dcccccd"),
        ("float", "0x7FF0000000000000", "7f800000"),
        ("float", "0x7FF8000020000000", "7fc00001"),
        ("float", "0x7FF0000020000000", "7f800001"),
        // The least subnormal, half of it (to even), and one and a half of it.
        ("float", "0x36A0000000000000", "1"),
        ("float", "0x3690000000000000", "0"),
        ("float", "0x36A8000000000000", "2"),
        ("half", "0xH3C00", "3c00"),
        ("half", "1.0", "3c00"),
        ("half", "-2.5", "c100"),
        ("half", "65504.0", "7bff"),
        ("half", "1e10", "7c00"),
        ("half", "6.103515625e-05", "400"),
        ("half", "5.9604644775390625e-08", "1"),
        ("bfloat", "0xR3FC0", "3fc0"),
        ("bfloat", "1.5", "3fc0"),
        ("x86_fp80", "0xK3FFF8000000000000000", "3fff8000000000000000"),
        // The halves of a quad are written low first.
        ("fp128", "0xL00000000000000013FFF000000000000", "3fff0000000000000000000000000001"),
        // Notations of LLVM 23.
        ("double", "+inf", "7ff0000000000000"),
        ("float", "-inf", "ff800000"),
        ("float", "+qnan", "7fc00000"),
        ("half", "-nan(0x1)", "fe01"),
        ("double", "+snan(0x1)", "7ff0000000000001"),
        ("float", "f0x7FC00000", "7fc00000"),
        ("x86_fp80", "f0x3FFF8000000000000000", "3fff8000000000000000"),
    ];
    for (ty, text, expected) in cases {
        assert_eq!(bits(ty, text), expected, "{ty} {text}");
    }
}

#[test]
fn floats_that_are_none_are_refused() {
    for text in ["0xZZ", "1.2.3", "f0x1FFFFFFFFFFFFFFFF", "+snan(0x0)", "0x1FFFFFFFFFFFFFFFFF", "-"] {
        let error = error(&format!("@x = global double {text}\n"));
        assert!(error.message.contains("floating-point number"), "{text}: {error}");
    }
}

#[test]
fn other_floats_are_kept_by_name() {
    assert!(matches!(constant("ppc_fp128", "0xM00000000000000000000000000000000").1, Constant::Unsupported(_)));
    assert!(matches!(constant("x86_fp80", "1.0").1, Constant::Unsupported(_)));
}

#[test]
fn aggregates_have_the_shape_of_their_type() {
    let (_, bytes) = constant("[4 x i8]", "c\"a\\22\\\\\\00\"");
    let Constant::Bytes(bytes) = bytes else { panic!("{bytes:?}") };
    assert_eq!(&*bytes, b"a\"\\\0");
    let texts = [
        ("[2 x i32]", "[i32 1, i32 2]", 2),
        ("[0 x i32]", "[]", 0),
        ("{ i32, { i8 } }", "{ i32 1, { i8 } { i8 2 } }", 2),
        ("{}", "{}", 0),
        ("<{ i8, i32 }>", "<{ i8 1, i32 2 }>", 2),
        ("<2 x float>", "<float 1.0, float 2.0>", 2),
        ("<3 x i32>", "splat (i32 5)", 3),
        ("<2 x ptr>", "<ptr @x, ptr null>", 2),
    ];
    for (ty, text, count) in texts {
        let (_, constant) = constant(ty, text);
        let Constant::Aggregate(_, elements) = constant else { panic!("{ty} {text}: {constant:?}") };
        assert_eq!(elements.len(), count, "{ty} {text}");
    }
    assert!(matches!(constant("[99999999999 x i8]", "zeroinitializer").1, Constant::Zero(_)));
    assert!(matches!(constant("{ i8, i32 }", "undef").1, Constant::Undef(_)));
    assert!(matches!(constant("ptr", "poison").1, Constant::Undef(_)));
}

#[test]
fn constants_of_another_type_are_refused() {
    let cases = [
        ("[2 x i8]", "c\"abc\""),
        ("[3 x i16]", "c\"abc\""),
        ("[2 x i32]", "[i32 1]"),
        ("[2 x i32]", "[i32 1, i32 2, i32 3]"),
        ("[2 x i32]", "[i32 1, i64 2]"),
        ("[2 x i32]", "<i32 1, i32 2>"),
        ("{ i8 }", "<{ i8 1 }>"),
        ("i32", "null"),
        ("i32", "@y"),
        ("i32", "true"),
        ("i32", "1.0"),
        ("ptr", "1"),
        ("<2 x i32>", "splat (i64 1)"),
        ("i32", "splat (i32 1)"),
        ("i32", "ptrtoint (ptr @y to i64)"),
        ("i64", "trunc (i32 1 to i64)"),
        ("i64", "add (i64 1, i32 2)"),
        ("ptr", "getelementptr (i8, i64 0, i64 1)"),
        ("ptr", "getelementptr (i8, ptr @y, float 1.0)"),
        ("void", "undef"),
    ];
    for (ty, text) in cases {
        error(&format!("@x = global {ty} {text}\n@y = global i32 7\n"));
    }
}

#[test]
fn expressions_of_all_versions_are_read() {
    let cases = [
        ("i8*", "getelementptr inbounds ([6 x i8], [6 x i8]* bitcast (i32* @y to [6 x i8]*), i64 0, i32 2)"),
        ("ptr", "getelementptr inbounds nuw (i8, ptr @y, i64 2)"),
        ("ptr", "getelementptr inbounds inrange(-16, 24) ({ [3 x ptr] }, ptr @y, i32 0, i32 0, i32 2)"),
        ("ptr", "getelementptr inbounds ({ [3 x ptr] }, ptr @y, i32 0, inrange i32 0, i32 2)"),
        ("i32", "trunc (i64 sub (i64 ptrtoint (ptr @y to i64), i64 ptrtoint (ptr @x to i64)) to i32)"),
        ("i64", "add nuw nsw (i64 ptrtoint (ptr @y to i64), i64 1)"),
        ("i1", "icmp eq (ptr @x, ptr @y)"),
        ("i32", "select (i1 icmp ne (ptr @x, ptr null), i32 1, i32 2)"),
        ("ptr", "inttoptr (i64 16 to ptr)"),
        ("i64", "ptrtoaddr (ptr @y to i64)"),
        ("i32 addrspace(1)*", "addrspacecast (i32* @y to i32 addrspace(1)*)"),
        ("float", "bitcast (i32 1 to float)"),
        ("i32", "xor (i32 ptrtoint (ptr @y to i32), i32 -1)"),
    ];
    for (ty, text) in cases {
        let (_, constant) = constant(ty, text);
        assert!(matches!(constant, Constant::Expr(_)), "{ty} {text}: {constant:?}");
    }
    let (module, constant) = constant("i64", "ptrtoint (ptr @y to i64)");
    let Constant::Expr(expression) = constant else { panic!("{constant:?}") };
    let ConstExpr::Cast { op: CastOp::PtrToInt, value, .. } = *expression else { panic!("{expression:?}") };
    assert!(matches!(module.constant(value), Constant::Global(_)));
}

#[test]
fn expressions_that_are_not_evaluated_are_kept_by_name() {
    let cases = [
        ("ptr", "ptrauth (ptr @y, i32 0, i64 1)"),
        ("i1", "fcmp oeq (float 1.0, float 2.0)"),
        ("i32", "extractelement (<2 x i32> <i32 1, i32 2>, i32 0)"),
        ("float", "fneg (float 1.0)"),
    ];
    for (ty, text) in cases {
        assert!(matches!(constant(ty, text).1, Constant::Unsupported(_)), "{ty} {text}");
    }
    for text in ["dso_local_equivalent @y", "no_cfi @y"] {
        assert!(matches!(constant("ptr", text).1, Constant::Global(_)), "{text}");
    }
}
