//! Modules: globals, functions, names, debug information.

use super::{body, error, function, global, module, place};
use effigy_llvm::ir::attributes::{FunctionFlags, Linkage, ParameterFlags};
use effigy_llvm::ir::{Constant, GlobalKind, LocalId, Metadata, Op, Operand, Type};

#[test]
fn what_a_module_says_of_itself_is_kept() {
    let module = module(
        r#"source_filename = "a\22b.c"
target datalayout = "e-m:e-i64:64"
target triple = "x86_64-unknown-linux-gnu"
module asm ".globl x"
module asm "x: .byte 1"
$c = comdat any
^0 = module: (path: "[Regular LTO]", hash: (0, 0, 0, 0, 0))
"#,
    );
    assert_eq!(&*module.source, "a\"b.c");
    assert_eq!(&*module.triple, "x86_64-unknown-linux-gnu");
    let lines: Vec<&str> = module.assembly.iter().map(|it| &**it).collect();
    assert_eq!(lines, [".globl x", "x: .byte 1"]);
}

#[test]
fn variables_keep_what_linking_needs() {
    let module = module(
        r#"@a = global i32 1
@b = internal unnamed_addr constant [2 x i8] c"x\00", section ".rodata.b", align 16
@c = external thread_local(initialexec) global i64, align 8
@d = extern_weak global i8
@e = linkonce_odr hidden global i32 0, comdat($e), align 4, !dbg !3 #0
@f = common dso_local global i32 0, align 4
@g = private global i8 1, no_sanitize_address, partition "p", code_model "large", !type !4
"#,
    );
    let linkages: Vec<Linkage> = module.globals.iter().map(|it| it.linkage).collect();
    let expected = [
        Linkage::External,
        Linkage::Internal,
        Linkage::External,
        Linkage::ExternWeak,
        Linkage::LinkonceOdr,
        Linkage::Common,
        Linkage::Private,
    ];
    assert_eq!(linkages, expected);
    assert_eq!(global(&module, "b").section.as_deref(), Some(".rodata.b"));
    assert_eq!(global(&module, "b").align, 16);
    assert!(global(&module, "c").thread_local && !global(&module, "a").thread_local);
    let variable = |name: &str| match &global(&module, name).kind {
        GlobalKind::Variable { init, constant, local, .. } => (init.is_some(), *constant, *local),
        kind => panic!("{kind:?}"),
    };
    assert_eq!(variable("a"), (true, false, false));
    assert_eq!(variable("b"), (true, true, true));
    assert_eq!(variable("c"), (false, false, false));
    assert_eq!(variable("d"), (false, false, false));
    assert_eq!(variable("g"), (true, false, true));
}

#[test]
fn an_alias_is_another_name_and_an_ifunc_is_not() {
    let module = module(
        "@a = alias i32, ptr @x\n@b = weak alias void (), bitcast (i32 ()* @r to void ()*)\n\
         @i = ifunc void (), ptr @r\n@x = global i32 0\ndeclare ptr @r()\n",
    );
    let target = |name: &str| match global(&module, name).kind {
        GlobalKind::Alias(target) => module.constant(target).clone(),
        ref kind => panic!("{kind:?}"),
    };
    assert!(matches!(target("a"), Constant::Global(_)));
    assert!(matches!(target("b"), Constant::Expr(_)));
    // Calling its resolver instead would be silently wrong.
    assert!(matches!(target("i"), Constant::Unsupported(_)));
}

#[test]
fn a_number_and_a_quoted_number_are_different_names() {
    let module = module("@0 = global i8 0\n@\"0\" = global i16 0\n@x = global ptr @\"0\"\n");
    assert_eq!(module.globals.len(), 3);
    let (_, function) = body("i32 %0, i64 %\"0\"", "%2 = add i32 %0, %0\n%3 = add i64 %\"0\", 1");
    assert_eq!(function.types.len(), 4);
    assert_eq!(function.names[0], None);
    assert_eq!(function.names[1].as_deref(), Some("0"));
}

#[test]
fn names_that_are_no_utf8_stay_different() {
    let module = effigy_llvm::reader::read(b"@\"\xff\" = global i8 0\n@\"\xfe\" = global i8 0\n").expect("two names");
    assert_eq!(&*module.globals[0].name, "\\FF");
    assert_eq!(&*module.globals[1].name, "\\FE");
}

#[test]
fn signatures_keep_the_attributes_that_matter() {
    let module = module(
        r#"%s = type { i64, i64, i64 }
declare !dbg !5 noalias noundef nonnull align 8 ptr @malloc(i64 noundef zeroext range(i64 0, 9)) local_unnamed_addr #1
define internal fastcc i1 @g(ptr noalias nocapture sret(%s) align 8 %r, %s* byval(%s) align(16) %0, ...) noreturn memory(none) "k"="v" section "t" comdat($g) align 32 gc "x" prefix i32 7 personality ptr @p !dbg !9 !prof !{i32 1} {
  unreachable
}
declare i32 @p(...)
attributes #1 = { nounwind willreturn allockind("alloc,uninitialized") allocsize(0) memory(inaccessiblemem: readwrite) alignstack=16 "alloc-family"="malloc" }
"#,
    );
    let malloc = function(&module, "malloc");
    assert!(malloc.result_flags.has(ParameterFlags::NONNULL | ParameterFlags::NOALIAS));
    assert!(malloc.parameters[0].flags.has(ParameterFlags::ZEROEXT));
    assert!(module.flags(&malloc.attributes).has(FunctionFlags::NOUNWIND | FunctionFlags::WILLRETURN));
    assert!(!module.flags(&malloc.attributes).has(FunctionFlags::READNONE));
    assert_eq!((malloc.debug, malloc.blocks.len()), (Some(5), 0));
    let g = function(&module, "g");
    assert!(g.local && g.varargs);
    assert!(module.flags(&g.attributes).has(FunctionFlags::NORETURN | FunctionFlags::READNONE));
    assert!(g.parameters[0].flags.has(ParameterFlags::SRET));
    assert_eq!((g.parameters[0].align, g.parameters[1].align), (8, 16));
    let copied = g.parameters[1].byval.expect("byval");
    assert!(matches!(module.ty(copied), Type::Struct { .. }));
    assert_eq!(g.debug, Some(9));
    assert_eq!(global(&module, "g").align, 32);
}

#[test]
fn locals_and_blocks_without_names_are_counted_as_llvm_does() {
    // The parameter is %0, the entry block %1, the call %2, the block after the first `ret` %3.
    let text = "declare i32 @g()\ndefine i32 @f(i32) {\n  call i32 @g()\n  br label %5\n  ret i32 %2\n5:\n  %6 = add i32 %0, %2\n  ret i32 %6\n}\n";
    let module = module(text);
    let f = function(&module, "f");
    assert_eq!(f.blocks.len(), 3);
    let Op::Br(target) = f.blocks[0].instructions[1].op else { panic!("br") };
    assert_eq!(target.index(), 2);
    let Op::Ret(Some((_, Operand::Local(local)))) = f.blocks[1].instructions[0].op else { panic!("ret") };
    assert_eq!(Some(local), f.blocks[0].instructions[0].result);
}

#[test]
fn blocks_are_numbered_in_the_order_of_the_text() {
    let (_, function) = body("i1 %c", "br i1 %c, label %z, label %a\na:\nbr label %\"q q\"\n\"q q\":\nret void\nz:\n");
    let targets: Vec<Vec<usize>> = function
        .blocks
        .iter()
        .map(|it| {
            let mut found = Vec::new();
            it.instructions[0].op.clone().for_each_block(|block| found.push(block.index()));
            found
        })
        .collect();
    assert_eq!(targets, [vec![3, 1], vec![2], vec![], vec![]]);
}

#[test]
fn a_function_may_stand_on_one_line() {
    let module = module("define i32 @f(i32 %x) { %y = add i32 %x, 1 ret i32 %y } ; a comment\ndeclare void @g()\n");
    assert_eq!(function(&module, "f").blocks[0].instructions.len(), 2);
}

const DEBUG: &str = r#"
define void @f(ptr %p) !dbg !4 {
  %x = alloca i32, align 4
  call void @llvm.dbg.declare(metadata i32* %x, metadata !7, metadata !DIExpression()), !dbg !9
    #dbg_declare(ptr %p, !8, !DIExpression(DW_OP_plus_uconst, 8), !9)
    #dbg_value(i32 poison, !7, !DIExpression(), !9)
  call void @llvm.dbg.value(metadata !DIArgList(i32 1), metadata !7, metadata !DIExpression()), !dbg !9
  store i32 1, ptr %x, align 4, !tbaa !12, !dbg !10
  ret void, !dbg !11
}
declare void @llvm.dbg.declare(metadata, metadata, metadata)
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: "x, scope: !99", isOptimized: false)
!1 = !DIFile(filename: "a \22b\22.c", directory: "/src", checksumkind: CSK_MD5, checksum: "00")
!4 = distinct !DISubprogram(name: "line: 7, scope: !1", linkageName: "_f", scope: !1, file: !1, line: 3, type: !5, unit: !0, retainedNodes: !{})
!6 = distinct !DILexicalBlock(scope: !4, file: !1, line: 4, column: 3)
!7 = !DILocalVariable(name: "count", scope: !6, file: !1, line: 4, type: !5)
!8 = !DILocalVariable(name: "parameter", arg: 1, scope: !4, file: !1, line: 3, type: !5)
!9 = !DILocation(line: 4, column: 7, scope: !6)
!10 = !DILocation(line: 5, column: 9, scope: !6, inlinedAt: !11, atomGroup: 1, atomRank: 2)
!11 = distinct !DILocation(line: 6, scope: !4)
"#;

#[test]
fn places_come_from_debug_information() {
    let module = module(DEBUG);
    let f = function(&module, "f");
    let [_, store, ret] = f.blocks[0].instructions.as_slice() else { panic!("debug calls are dropped") };
    assert_eq!(place(&module, store), Some((5, 9, "line: 7, scope: !1".to_owned())));
    assert_eq!(place(&module, ret), Some((6, 0, "line: 7, scope: !1".to_owned())));
    let Some(Metadata::Location { inlined_at, .. }) = module.metadata.get(&store.debug) else { panic!("location") };
    assert_eq!(*inlined_at, Some(11));
    let Some(Metadata::File { name, directory }) = module.metadata.get(&1) else { panic!("file") };
    assert_eq!((&**name, &**directory), ("a \"b\".c", "/src"));
    let Some(Metadata::Unit { language, file }) = module.metadata.get(&0) else { panic!("unit") };
    assert_eq!((&**language, *file), ("DW_LANG_C11", Some(1)));
}

#[test]
fn variables_have_their_source_names() {
    let module = module(DEBUG);
    let f = function(&module, "f");
    let name = |local: u32| module.variable_name(f, LocalId(local)).map(|it| it.to_string());
    assert_eq!(name(0).as_deref(), Some("parameter"));
    assert_eq!(name(1).as_deref(), Some("count"));
}

#[test]
fn errors_name_the_place() {
    let cases = [
        ("define void @f() {\n  %x = add i32 1, %y\n  ret void\n}\n", 2, 19, "not defined"),
        ("define void @f() {\n  br label %b\n}\n", 2, 12, "does not exist"),
        ("define void @f() {\na:\n  br label %a\na:\n  ret void\n}\n", 4, 1, "two blocks"),
        ("define void @f(i32 %x) {\n  %x = add i32 1, 1\n  ret void\n}\n", 2, 3, "defined before"),
        (
            "define void @f() {\n  %y = add i64 %x, 1\n  %x = add i32 1, 1\n  ret void\n}\n",
            2,
            16,
            "defined with type i32",
        ),
        ("define void @f(i32 %x) {\n  %y = add i64 %x, 1\n  ret void\n}\n", 2, 16, "has type i32"),
        ("define void @f() {\n  %y = frob i64 1\n}\n", 2, 8, "`frob` is no instruction"),
        ("define void @f() {\n  %x = add i32 1, 1\n}\n", 3, 1, "terminator"),
        ("define i32 @f() {\n  ret i64 0\n}\n", 2, 10, "of type i32, not i64"),
        ("define void @f() {\n", 1, 1, "`}`"),
        ("@x = global i32 0\n@x = global i32 1\n", 2, 1, "@x is defined twice"),
        ("declare void @f()\ndeclare void @f()\n", 2, 14, "declared twice"),
        ("target datalayout = \"E-m:e\"\n", 1, 21, "little-endian"),
        ("target datalayout = \"e-p:32:32\"\n", 1, 21, "64-bit pointers"),
        ("target datalayout = \"e-i64:7\"\n", 1, 21, "`i64:7`"),
        ("nonsense\n", 1, 1, "not `nonsense`"),
    ];
    for (text, line, column, message) in cases {
        let error = error(text);
        assert!(error.message.contains(message), "{text}\n{error}");
        if message != "`}`" {
            assert_eq!((error.line, error.column), (line, column), "{text}\n{error}");
        }
        assert_eq!(text.lines().nth(error.line as usize - 1), Some(&*error.excerpt), "{text}\n{error}");
    }
}

#[test]
fn hand_written_modules_of_each_version_are_read() {
    let texts = [
        ("llvm-14", include_str!("modules/llvm-14.ll")),
        ("llvm-16", include_str!("modules/llvm-16.ll")),
        ("llvm-19", include_str!("modules/llvm-19.ll")),
        ("llvm-22", include_str!("modules/llvm-22.ll")),
    ];
    for (name, text) in texts {
        let read = effigy_llvm::reader::read(text.as_bytes());
        assert!(read.is_ok(), "{name}.ll: {}", read.err().map_or(String::new(), |it| format!("{it}\n{}", it.excerpt)));
    }
}
