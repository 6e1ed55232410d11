//! Layouts of types, by the data layout of the module.

use super::{error, global, module};
use effigy_llvm::ir::GlobalKind;

const X86_64: &str = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128";
const X86_64_OLD: &str = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128";

/// Size and alignment of a type.
fn layout(target: &str, ty: &str) -> Option<(u64, u64)> {
    let text = format!("target datalayout = \"{target}\"\n%t = type {{ i8, i64 }}\n@x = external global {ty}\n");
    let module = module(&text);
    let GlobalKind::Variable { ty, .. } = global(&module, "x").kind else { panic!("a variable") };
    module.layout(ty).map(|it| (it.size, it.align))
}

#[test]
fn layouts_are_those_of_the_target() {
    let cases = [
        ("i1", 1, 1),
        ("i8", 1, 1),
        ("i24", 4, 4),
        ("i33", 8, 8),
        ("i64", 8, 8),
        ("i65", 16, 16),
        ("i128", 16, 16),
        ("i200", 32, 16),
        ("half", 2, 2),
        ("float", 4, 4),
        ("double", 8, 8),
        ("x86_fp80", 16, 16),
        ("fp128", 16, 16),
        ("ptr", 8, 8),
        ("i32 (i8, ...)*", 8, 8),
        ("[3 x i16]", 6, 2),
        ("[0 x i64]", 0, 8),
        ("<4 x i32>", 16, 16),
        ("<3 x i32>", 16, 16),
        ("<8 x i1>", 1, 1),
        ("<3 x ptr>", 32, 32),
        ("{ i8, i32, i8 }", 12, 4),
        ("<{ i8, i32, i8 }>", 6, 1),
        ("{}", 0, 1),
        ("{ i8, %t }", 24, 8),
        ("[2 x { i8, <{ i32 }> }]", 10, 1),
        ("{ i8, i128 }", 32, 16),
    ];
    for (ty, size, align) in cases {
        assert_eq!(layout(X86_64, ty), Some((size, align)), "{ty}");
    }
    // Before LLVM 18, i128 was aligned as i64 on x86-64.
    assert_eq!(layout(X86_64_OLD, "{ i8, i128 }"), Some((24, 8)));
    // What LLVM assumes when a layout does not say it.
    assert_eq!(layout("e", "{ i8, i64 }"), Some((12, 4)));
}

#[test]
fn offsets_are_those_of_the_fields() {
    let module = module("@x = external global { i8, i32, { i8, i64 }, i8 }\n@y = external global [9 x i32]\n");
    let ty = |name: &str| match global(&module, name).kind {
        GlobalKind::Variable { ty, .. } => ty,
        ref kind => panic!("{kind:?}"),
    };
    let offsets: Vec<Option<u64>> = (0..5).map(|it| module.element_offset(ty("x"), it)).collect();
    assert_eq!(offsets, [Some(0), Some(4), Some(8), Some(24), None]);
    assert_eq!(module.element_offset(ty("y"), 3), Some(12));
    assert_eq!((module.scalars(ty("x")), module.scalars(ty("y"))), (5, 9));
}

#[test]
fn what_has_no_size_has_no_layout() {
    let types = [
        "%unknown",
        "<vscale x 4 x i32>",
        "[18446744073709551615 x i64]",
        "[9223372036854775808 x i8]",
        "{ %unknown }",
    ];
    for ty in types {
        assert_eq!(layout(X86_64, ty), None, "{ty}");
    }
    // A pointer of another size is not taken for an ordinary one.
    assert_eq!(layout(X86_64, "i8 addrspace(270)*"), None);
    assert_eq!(layout(X86_64, "ptr addrspace(1)"), Some((8, 8)));
}

#[test]
fn types_contain_themselves_only_behind_pointers() {
    module("%a = type { i32, %a*, %b* }\n%b = type { %a, [2 x %a] }\n@x = global %b zeroinitializer\n");
    let cycle = error("%b = type { i8 }\n%a = type { i32, [2 x { %a }] }\n");
    assert!(cycle.message.contains("%a contains itself") && cycle.line == 2, "{cycle}");
    let long = error("%a = type { %b }\n%b = type { %c }\n%c = type { %a }\n");
    assert!(long.message.contains("contains itself"), "{long}");
}

#[test]
fn shared_types_are_measured_once() {
    // Measured along every path, this would take 2^200 steps.
    let mut text = "%t0 = type {}\n".to_owned();
    for level in 1..200 {
        text.push_str(&format!("%t{level} = type {{ %t{}, %t{} }}\n", level - 1, level - 1));
    }
    text.push_str("@x = external global %t199\n");
    let module = module(&text);
    let GlobalKind::Variable { ty, .. } = global(&module, "x").kind else { panic!("a variable") };
    assert_eq!(module.layout(ty).map(|it| it.size), Some(0));
}

#[test]
fn types_nest_to_a_bound() {
    let mut text = "%t0 = type { i8 }\n".to_owned();
    for level in 1..100_000 {
        text.push_str(&format!("%t{level} = type {{ %t{} }}\n", level - 1));
    }
    assert!(error(&text).message.contains("nests more than"));
}

#[test]
fn a_name_of_another_type_is_that_type() {
    module("%n = type i32\n@x = global %n 7\n@y = global [2 x %n] [i32 1, %n 2]\n");
    assert!(error("@x = external global %n\n%n = type i32\n").message.contains("used before"));
    assert!(error("%n = type { i8 }\n%n = type { i8 }\n").message.contains("defined twice"));
}
