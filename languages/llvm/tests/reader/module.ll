; Constructs of LLVM 14 (typed pointers) and of LLVM 19 and later side by side.
source_filename = "module.c"
target datalayout = "e-m:e-p270:32:32-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

%struct.node = type { i32, %struct.node*, [3 x i16] }
%struct.packed = type <{ i8, i32 }>
%opaque = type opaque

$group = comdat any
@.str = private unnamed_addr constant [6 x i8] c"a\0Ab\22c\00", align 1
@"a quoted name" = dso_local global i32 -7, align 4
@table = internal global [2 x i32 (i32)*] [i32 (i32)* @twice, i32 (i32)* null], align 16
@address = global i8* getelementptr inbounds ([6 x i8], [6 x i8]* @.str, i64 0, i64 2)
@wide = global i128 170141183460469231731687303715884105727
@packed = global %struct.packed <{ i8 1, i32 2 }>
@vector = global <4 x i32> <i32 1, i32 2, i32 undef, i32 4>
@number = global double 0x3FF8000000000000
@extended = external global x86_fp80
@zero = global %struct.node zeroinitializer
@other = alias i32, i32* @"a quoted name"

declare i32 @printf(i8* nocapture readonly, ...) local_unnamed_addr #1
declare !dbg !20 void @external(ptr noundef byval(%struct.node) align 8, i32 signext range(i32 0, 10)) #1

define internal i32 @twice(i32 %x) #0 {
  %2 = shl nsw i32 %x, 1
  ret i32 %2
}

define dso_local noundef i32 @main(i32 noundef %0, ptr nocapture noundef readonly %1) local_unnamed_addr #0 !dbg !10 {
  %3 = alloca i32, align 4
  %n = alloca [4 x i8], i64 2, align 1
    #dbg_declare(ptr %3, !12, !DIExpression(), !13)
  call void @llvm.dbg.declare(metadata i32* %3, metadata !12, metadata !DIExpression()), !dbg !13
  store volatile i32 0, i32* %3, align 4
  %4 = load i32, ptr %3, align 4, !dbg !13, !tbaa !14
  %5 = icmp samesign ult i32 %4, 10
  br i1 %5, label %6, label %"a block", !dbg !13, !prof !15

6:                                                ; preds = %2
  %7 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %8 = tail call fastcc i32 @twice(i32 noundef %4) #2, !dbg !13
  %9 = call i32 (i8*, ...) @printf(i8* getelementptr inbounds ([6 x i8], [6 x i8]* @.str, i32 0, i32 0), i32 %8)
  switch i32 %8, label %"a block" [
    i32 0, label %10
    i32 -1, label %"a block"
  ]

10:                                               ; preds = %6
  %11 = phi i32 [ %8, %6 ]
  %12 = select i1 %5, i32 %11, i32 poison
  %13 = extractvalue { i32, i1 } { i32 1, i1 true }, 0
  %14 = insertvalue { i32, i1 } undef, i32 %13, 0
  %15 = extractelement <4 x i32> <i32 1, i32 2, i32 3, i32 4>, i64 1
  %16 = shufflevector <2 x i32> zeroinitializer, <2 x i32> poison, <4 x i32> <i32 0, i32 undef, i32 1, i32 0>
  %17 = atomicrmw add ptr %3, i32 1 seq_cst, align 4
  %18 = cmpxchg weak ptr %3, i32 0, i32 1 acquire monotonic, align 4
  %19 = fadd fast double 1.000000e+00, 0x7FF0000000000000
  %20 = fcmp nnan oge double %19, 0.000000e+00
  %21 = zext nneg i32 %4 to i64
  %22 = freeze i32 %12
  %23 = call i32 asm sideeffect "nop", "=r,~{memory}"(), !srcloc !16
  fence seq_cst
  br label %"a block"

"a block":                                        ; preds = %10, %6, %2
  ret i32 0, !dbg !13
}

attributes #0 = { nounwind "frame-pointer"="all" }
attributes #1 = { "no-trapping-math"="true" }

!llvm.dbg.cu = !{!0}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, producer: "clang, \22quoted\22", isOptimized: false)
!1 = !DIFile(filename: "module.c", directory: "/tmp")
!10 = distinct !DISubprogram(name: "main", scope: !1, file: !1, line: 3, scopeLine: 3, unit: !0)
!11 = distinct !DILexicalBlock(scope: !10, file: !1, line: 4, column: 3)
!12 = !DILocalVariable(name: "n", scope: !10, file: !1, line: 4)
!13 = !DILocation(line: 5, column: 7, scope: !11)
!14 = !{!"int", !14, i64 0}
!15 = !{!"branch_weights", i32 1, i32 2}
!16 = !{i64 12}
!20 = !DISubprogram(name: "external", scope: !1, file: !1, line: 9, unit: !0)
^0 = module: (path: "module.o", hash: (0, 0, 0, 0, 0))
