//! Instructions: what each becomes, and operands of the wrong type.

use super::{body, error, function, instruction, module};
use effigy_llvm::ir::attributes::{FunctionFlags, InstructionFlags, Ordering, ParameterFlags, Tail};
use effigy_llvm::ir::{BinaryOp, Callee, CastOp, FloatPredicate, IntPredicate, Op, RmwOp, Type};

#[test]
fn binary_operators_keep_their_promises() {
    let cases = [
        ("add nuw nsw i32 %a, %a", BinaryOp::Add, InstructionFlags::NUW | InstructionFlags::NSW),
        ("sub i32 %a, 5", BinaryOp::Sub, InstructionFlags::NONE),
        ("sdiv exact i32 %a, %a", BinaryOp::SDiv, InstructionFlags::EXACT),
        ("or disjoint i32 %a, %a", BinaryOp::Or, InstructionFlags::DISJOINT),
        ("lshr exact i32 %a, 1", BinaryOp::LShr, InstructionFlags::EXACT),
        ("fadd nnan ninf float %x, 1.0", BinaryOp::FAdd, InstructionFlags::NNAN | InstructionFlags::NINF),
        ("frem fast float %x, %x", BinaryOp::FRem, InstructionFlags::FAST),
        ("xor <2 x i8> %v, splat (i8 -1)", BinaryOp::Xor, InstructionFlags::NONE),
    ];
    for (text, expected, flags) in cases {
        let (_, instruction) = instruction("i32 %a, float %x, <2 x i8> %v", &format!("%r = {text}"));
        let Op::Binary { op, nuw, nsw, .. } = instruction.op else { panic!("{text}: {instruction:?}") };
        assert_eq!((op, instruction.flags), (expected, flags), "{text}");
        assert_eq!((nuw, nsw), (flags.has(InstructionFlags::NUW), flags.has(InstructionFlags::NSW)), "{text}");
    }
}

#[test]
fn conversions_keep_their_promises() {
    let cases = [
        ("zext nneg i32 %a to i64", CastOp::ZExt, InstructionFlags::NNEG),
        ("trunc nuw nsw i32 %a to i8", CastOp::Trunc, InstructionFlags::NUW | InstructionFlags::NSW),
        ("uitofp nneg i32 %a to double", CastOp::UiToFp, InstructionFlags::NNEG),
        ("fptrunc fast double %d to half", CastOp::FpTrunc, InstructionFlags::FAST),
        ("ptrtoaddr ptr %p to i64", CastOp::PtrToInt, InstructionFlags::NONE),
        ("bitcast i8* %p to i32 (i8, ...)**", CastOp::BitCast, InstructionFlags::NONE),
        ("addrspacecast ptr %p to ptr addrspace(1)", CastOp::BitCast, InstructionFlags::NONE),
        ("bitcast double %d to <2 x i32>", CastOp::BitCast, InstructionFlags::NONE),
    ];
    for (text, expected, flags) in cases {
        let (_, instruction) = instruction("i32 %a, double %d, ptr %p", &format!("%r = {text}"));
        let Op::Cast { op, .. } = instruction.op else { panic!("{text}: {instruction:?}") };
        assert_eq!((op, instruction.flags), (expected, flags), "{text}");
    }
}

#[test]
fn comparisons_give_bits() {
    let (module, same) = instruction("<4 x i32> %v", "%r = icmp samesign uge <4 x i32> %v, zeroinitializer");
    assert!(matches!(same.op, Op::Icmp { pred: IntPredicate::Uge, .. }));
    assert_eq!(same.flags, InstructionFlags::SAMESIGN);
    let f = function(&module, "f");
    let Type::Vector(4, bit) = *module.ty(f.types[1]) else { panic!("a vector") };
    assert_eq!(*module.ty(bit), Type::Int(1));
    let (_, float) = instruction("float %x", "%r = fcmp nnan nsz uno float %x, 0.0");
    assert!(matches!(float.op, Op::Fcmp { pred: FloatPredicate(8), .. }));
    assert_eq!(float.flags, InstructionFlags::NNAN | InstructionFlags::NSZ);
    let (_, always) = instruction("float %x", "%r = fcmp true float %x, 0.0");
    assert!(matches!(always.op, Op::Fcmp { pred: FloatPredicate(15), .. }));
}

#[test]
fn accesses_keep_alignment_and_ordering() {
    let (_, load) =
        instruction("ptr %p", "%r = load atomic volatile i32, ptr %p syncscope(\"agent\") acquire, align 4, !dbg !7");
    assert!(matches!(load.op, Op::Load { .. }));
    assert_eq!(load.flags, InstructionFlags::ATOMIC | InstructionFlags::VOLATILE);
    assert_eq!((load.ordering, load.align, load.debug), (Ordering::Acquire, 4, 7));
    let (_, store) = instruction("i8** %p", "store volatile i8* null, i8** %p, align 8, !nontemporal !1");
    assert!(matches!(store.op, Op::Store { .. }));
    assert_eq!((store.flags, store.align, store.debug), (InstructionFlags::VOLATILE, 8, u32::MAX));
    let (_, alloca) = instruction("i64 %n", "%r = alloca inalloca [4 x i8], i64 %n, align 32, addrspace(5)");
    assert!(matches!(alloca.op, Op::Alloca { count: Some(_), .. }));
    assert_eq!((alloca.flags, alloca.align), (InstructionFlags::INALLOCA, 32));
    let (_, fence) = instruction("", "fence syncscope(\"singlethread\") seq_cst");
    assert_eq!(fence.ordering, Ordering::SeqCst);
}

#[test]
fn atomic_operations_are_read() {
    let cases =
        [("xchg", RmwOp::Xchg), ("add", RmwOp::Binary(BinaryOp::Add)), ("nand", RmwOp::Nand), ("umin", RmwOp::UMin)];
    for (word, expected) in cases {
        let (_, it) = instruction("ptr %p", &format!("%r = atomicrmw volatile {word} ptr %p, i32 1 acq_rel, align 4"));
        let Op::AtomicRmw { op, .. } = it.op else { panic!("{word}: {it:?}") };
        assert_eq!((op, it.ordering), (expected, Ordering::AcqRel));
    }
    for word in ["fmax", "fminimum", "uinc_wrap", "usub_sat", "mul"] {
        let (_, it) = instruction("ptr %p", &format!("%r = atomicrmw {word} ptr %p, i32 1 seq_cst"));
        assert!(matches!(&it.op, Op::Unsupported(name) if name.contains(word)), "{word}");
    }
    let (module, exchange) =
        instruction("i32* %p", "%r = cmpxchg weak volatile i32* %p, i32 0, i32 1 acq_rel monotonic, align 4");
    assert!(matches!(exchange.op, Op::CmpXchg { .. }));
    assert_eq!(exchange.flags, InstructionFlags::WEAK | InstructionFlags::VOLATILE);
    let result = function(&module, "f").types[1];
    assert!(matches!(module.ty(result), Type::Struct { fields, .. } if fields.len() == 2));
}

#[test]
fn addresses_of_elements_are_read() {
    let (_, typed) = instruction(
        "[4 x i32]* %p, i64 %i",
        "%r = getelementptr inbounds [4 x i32], [4 x i32]* %p, i64 0, i64 %i, !dbg !3",
    );
    assert!(matches!(&typed.op, Op::Gep { indices, .. } if indices.len() == 2));
    assert_eq!((typed.flags, typed.debug), (InstructionFlags::INBOUNDS, 3));
    let (_, new) = instruction("ptr %p", "%r = getelementptr nusw nuw i8, ptr %p, i64 1");
    assert_eq!(new.flags, InstructionFlags::NUSW | InstructionFlags::NUW);
    let (module, _) = instruction("ptr %p, <2 x i64> %i", "%r = getelementptr i8, ptr %p, <2 x i64> %i");
    assert!(matches!(module.ty(function(&module, "f").types[2]), Type::Vector(2, _)));
}

#[test]
fn aggregates_are_taken_apart_and_put_together() {
    let (_, function) = body(
        "{ i32, [2 x i8] } %a, <4 x float> %v, i32 %i",
        "%x = extractvalue { i32, [2 x i8] } %a, 1, 0, !dbg !1\n\
         %y = insertvalue { i32, [2 x i8] } %a, i8 %x, 1, 1\n\
         %z = extractelement <4 x float> %v, i32 %i\n\
         %w = insertelement <4 x float> %v, float %z, i64 0\n\
         %s = shufflevector <4 x float> %w, <4 x float> poison, <2 x i32> <i32 0, i32 poison>",
    );
    let ops = &function.blocks[0].instructions;
    assert!(matches!(&ops[0].op, Op::ExtractValue { path, .. } if path == &[1, 0]));
    assert!(matches!(&ops[1].op, Op::InsertValue { path, .. } if path == &[1, 1]));
    assert!(matches!(&ops[4].op, Op::ShuffleVector { .. }));
}

#[test]
fn calls_keep_what_they_say() {
    let text = r#"%r = musttail call fastcc noundef zeroext i8 (ptr, ...) @g(ptr noundef nonnull align 8 dereferenceable(8) %p, i32 signext -1, ptr byval(i64) align 4 %p) noreturn nounwind "x"="y" #3 [ "align"(ptr %p, i64 16), "deopt"() ], !dbg !8, !srcloc !9"#;
    let (module, it) = instruction("ptr %p", text);
    let Op::Call(call) = &it.op else { panic!("{it:?}") };
    assert_eq!((call.tail, it.debug), (Tail::Must, 8));
    assert_eq!(*module.ty(call.result), Type::Int(8));
    assert!(call.result_flags.has(ParameterFlags::ZEROEXT | ParameterFlags::NOUNDEF));
    assert_eq!(call.arguments.len(), 3);
    assert!(call.arguments[0].flags.has(ParameterFlags::NONNULL));
    assert_eq!((call.arguments[0].align, call.arguments[2].align), (8, 4));
    assert!(call.arguments[2].byval.is_some() && call.arguments[0].byval.is_none());
    assert!(call.attributes.own.has(FunctionFlags::NORETURN | FunctionFlags::NOUNWIND));
    assert_eq!(call.attributes.groups.as_slice(), [3]);
    let bundles: Vec<(&str, usize)> = call.bundles.iter().map(|it| (&*it.tag, it.arguments.len())).collect();
    assert_eq!(bundles, [("align", 2), ("deopt", 0)]);
}

#[test]
fn callees_of_all_kinds_are_read() {
    for text in [
        "call void %p()",
        "call void () %p()",
        "call cc 10 addrspace(0) void @g(i32 1)",
        "call void bitcast (void (...)* @h to void ()*)()",
        "tail call spir_func void inttoptr (i64 16 to ptr)()",
        "%r = call fast float @k(float 1.0)",
        "%r = call i32 (i8*, ...) @printf(i8* getelementptr ([1 x i8], [1 x i8]* @s, i32 0, i32 0))",
        "call void @g(metadata !1, metadata !\"text, )\", metadata i32 %x, metadata !DIExpression(DW_OP_deref))",
        "call void @g(ptr captures(none) initializes((0, 8)) dead_on_return nofpclass(nan inf) @s)",
        "call void @g(i32 inreg range(i32 0, 5) noundef trunc (i64 1 to i32))",
    ] {
        let (_, it) = instruction("ptr %p, i32 %x", text);
        assert!(matches!(&it.op, Op::Call(call) if matches!(call.callee, Callee::Operand(_))), "{text}");
    }
    let (_, it) = instruction(
        "i32 %x",
        "%r = call i32 asm sideeffect alignstack inteldialect \"bswap $0, \\22\", \"=r,r\"(i32 %x), !srcloc !1",
    );
    let Op::Call(call) = it.op else { panic!("a call") };
    assert!(matches!(&call.callee, Callee::Assembly(text) if &**text == "bswap $0, \""));
}

#[test]
fn control_flow_is_read() {
    let text = "
declare i32 @g(i32)
declare void @h()
define i32 @f(i8 %x, ptr %q) personality ptr @p {
  switch i8 %x, label %d [
    i8 -1, label %a
    i8 2, label %d ]
a:
  %r = invoke i32 @g(i32 1) nounwind [ \"x\"() ]
          to label %b unwind label %l, !dbg !4
b:
  %m = phi i32 [ %r, %a ], !dbg !4
  invoke void @h() to label %d unwind label %l
l:
  %e = landingpad { ptr, i32 }
          cleanup
          catch ptr null
          filter [1 x ptr] [ptr @t], !dbg !4
  resume { ptr, i32 } %e
c:
  callbr void asm sideeffect \"jmp ${0:l}\", \"!i\"() #1
          to label %d [label %a, label %b]
i:
  indirectbr ptr %q, [label %a, label %b]
d:
  %v = va_arg ptr %q, i64
  %z = freeze i64 %v
  ret i32 0
}
declare i32 @p(...)
@t = external global i8
";
    let module = module(text);
    let f = function(&module, "f");
    let last = |block: usize| f.blocks[block].instructions.last().expect("a terminator");
    let Op::Switch { cases, default, .. } = &last(0).op else { panic!("{:?}", last(0)) };
    assert_eq!((cases.len(), cases[0].1.index(), default.index()), (2, 1, 6));
    let Op::Call(call) = &last(1).op else { panic!("{:?}", last(1)) };
    assert_eq!(call.normal.map(|it| it.index()), Some(2));
    assert_eq!(call.unwind.map(|it| it.index()), Some(3));
    assert_eq!(last(1).debug, 4);
    let Op::LandingPad { cleanup, clauses, .. } = &f.blocks[3].instructions[0].op else { panic!("{:?}", f.blocks[3]) };
    assert!(*cleanup);
    assert_eq!(clauses.iter().map(|it| it.catches).collect::<Vec<_>>(), [true, false]);
    assert!(matches!(&last(3).op, Op::Resume { .. }));
    assert!(matches!(&last(4).op, Op::Unsupported(it) if &**it == "callbr"));
    // A jump to an address is a choice among the labels that it may be, and nothing else.
    let Op::Switch { cases, default, .. } = &last(5).op else { panic!("{:?}", last(5)) };
    let labels = cases.iter().map(|it| match module.constant(it.0) {
        effigy_llvm::ir::Constant::Label(_, label) => (&**label, it.1.index()),
        other => panic!("{other:?}"),
    });
    assert_eq!(labels.collect::<Vec<_>>(), [("a", 1), ("b", 2)]);
    assert!(matches!(last(default.index()).op, Op::Unreachable) && default.index() == f.blocks.len() - 1);
    assert_eq!(f.blocks[3].instructions[0].debug, 4);
}

#[test]
fn exceptions_of_windows_are_read_as_unsupported() {
    let text = "
define void @f() personality ptr @p {
  invoke void @f() to label %n unwind label %s
s:
  %cs = catchswitch within none [label %c] unwind label %u
c:
  %cp = catchpad within %cs [ptr null, i32 64, ptr null]
  call void @f() [ \"funclet\"(token %cp) ]
  catchret from %cp to label %n
u:
  %cl = cleanuppad within none []
  cleanupret from %cl unwind to caller
n:
  ret void
}
declare i32 @p(...)
";
    assert_eq!(function(&module(text), "f").blocks.len(), 5);
    let missing = error(&text.replace("to label %n\nu:", "to label %nowhere\nu:"));
    assert!(missing.message.contains("does not exist"), "{missing}");
}

#[test]
fn scalable_vectors_pass_through() {
    let text = "%a = add <vscale x 4 x i32> %v, splat (i32 1)\n\
                %c = icmp eq <vscale x 4 x i32> %a, zeroinitializer\n\
                %s = select <vscale x 4 x i1> %c, <vscale x 4 x i32> %a, <vscale x 4 x i32> %v\n\
                %e = extractelement <vscale x 4 x i32> %s, i64 0\n\
                %x = add i32 %e, 1\n\
                %b = shufflevector <vscale x 4 x i32> %s, <vscale x 4 x i32> poison, <vscale x 4 x i32> zeroinitializer";
    let (module, function) = body("<vscale x 4 x i32> %v", text);
    assert!(module.layout(function.types[0]).is_none());
}

#[test]
fn operands_of_the_wrong_type_are_refused() {
    let cases = [
        "%r = add float %x, 1.0",
        "%r = fadd i32 %a, 1",
        "%r = add ptr %p, %p",
        "%r = fneg i32 %a",
        "%r = icmp eq float %x, %x",
        "%r = fcmp oeq i32 %a, %a",
        "%r = zext i32 %a to i8",
        "%r = trunc i32 %a to i64",
        "%r = trunc i32 %a to i32",
        "%r = sext i32 %a to <2 x i64>",
        "%r = bitcast i32 %a to i64",
        "%r = bitcast ptr %p to i64",
        "%r = inttoptr ptr %p to ptr",
        "%r = fptosi i32 %a to i32",
        "%r = load i32, i32 %a",
        "store i32 1, i32 %a",
        "%r = load void, ptr %p",
        "%r = getelementptr i8, i32 %a, i64 1",
        "%r = getelementptr i8, ptr %p, float 1.0",
        "%r = select i32 %a, i32 1, i32 2",
        "%r = select i1 true, i32 1, i64 2",
        "%r = select <3 x i1> undef, <2 x i8> %v, <2 x i8> %v",
        "%r = extractvalue { i32 } undef, 1",
        "%r = extractvalue { i32 } undef",
        "%r = extractvalue [2 x i32] undef, 2",
        "%r = extractvalue i32 %a, 0",
        "%r = insertvalue { i32 } undef, i64 1, 0",
        "%r = extractelement i32 %a, i32 0",
        "%r = insertelement <2 x i8> %v, i16 1, i32 0",
        "%r = shufflevector <2 x i8> %v, <3 x i8> undef, <2 x i32> zeroinitializer",
        "%r = shufflevector <2 x i8> %v, <2 x i8> %v, <2 x i8> zeroinitializer",
        "%r = atomicrmw add i32 %a, i32 1 seq_cst",
        "%r = cmpxchg ptr %p, i32 1, i64 2 seq_cst seq_cst",
        "%r = alloca void",
        "%r = alloca i32, float %x",
        "call void @g(void)",
        "%r = call void @g()",
        "call void @g(i32 %p)",
        "br i32 %a, label %l, label %l\nl:",
        "switch float %x, label %l []\nl:",
        "switch i32 %a, label %l [ i64 1, label %l ]\nl:",
        "switch i32 %a, label %l [ i32 undef, label %l ]\nl:",
        "ret i32 0",
        "%r = add i32 %a",
        "%r = add i32 %a, 1, 2",
        "%r = phi i32",
        "%r = icmp foo i32 %a, %a",
        "%r = va_arg i32 %a, i32",
    ];
    for text in cases {
        let error = error(&format!("define void @f(i32 %a, float %x, ptr %p, <2 x i8> %v) {{\n{text}\nret void\n}}\n"));
        assert!(error.line <= 3, "{text}: {error}");
    }
}
