; Constructs of LLVM 19, hand-written: debug records, new flags, splats, ranges.
source_filename = "nineteen.rs"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@vtable.0 = private unnamed_addr constant <{ [24 x i8], ptr }> <{ [24 x i8] c"\00\00\00\00\00\00\00\00\08\00\00\00\00\00\00\00\08\00\00\00\00\00\00\00", ptr @"_ZN4core3fmt9Formatter17hE" }>, align 8
@alloc_5 = private unnamed_addr constant [3 x i8] c"a\FFb", align 1
@in = global ptr getelementptr inbounds inrange(-16, 16) ({ [4 x ptr] }, ptr @vtable.0, i32 0, i32 0, i32 2)
@bytes = global ptr getelementptr inbounds nuw (i8, ptr @alloc_5, i64 2), code_model "large"
@lanes = constant <4 x i32> splat (i32 7)

define noundef i1 @"_ZN4core3fmt9Formatter17hE"(ptr noalias noundef readonly align 1 nocapture %self.0, i64 noundef range(i64 0, -9223372036854775808) %self.1, ptr dead_on_unwind noalias writable sret([24 x i8]) align 8 dereferenceable(24) %out) unnamed_addr #0 !dbg !5 {
start:
  %x = alloca [8 x i8], align 8
    #dbg_declare(ptr %x, !7, !DIExpression(), !9)
    #dbg_value(ptr %self.0, !8, !DIExpression(DW_OP_LLVM_fragment, 0, 64), !9)
    #dbg_assign(i1 undef, !8, !DIExpression(), !10, ptr %x, !DIExpression(), !9)
    #dbg_label(!11, !9)
  call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %x)
  %0 = icmp ult i64 %self.1, 10, !dbg !9
  %1 = zext nneg i64 %self.1 to i128
  %2 = trunc nuw nsw i128 %1 to i64
  %3 = or disjoint i64 %2, 1
  %4 = getelementptr inbounds nuw i8, ptr %self.0, i64 %3
  %_5 = uitofp nneg i64 %3 to double
  %6 = call nnan nofpclass(nan) double @llvm.maxnum.f64(double %_5, double nofpclass(nan inf) 0.000000e+00)
  %7 = tail call range(i64 0, 65) i64 @llvm.ctpop.i64(i64 %3), !range !12
  %8 = xor <4 x i32> splat (i32 -1), <i32 1, i32 2, i32 3, i32 4>
  %9 = select i1 %0, ptr %4, ptr null, !prof !13
  switch i64 %7, label %bb3 [
    i64 0, label %bb1
    i64 -9223372036854775808, label %bb2
  ], !dbg !9

bb1:                                              ; preds = %start
  %10 = invoke noundef zeroext i1 %9(ptr %self.0, i64 %7)
          to label %bb2 unwind label %cleanup, !dbg !9

bb2:                                              ; preds = %bb1, %start
  %_0 = phi i1 [ %10, %bb1 ], [ false, %start ]
  ret i1 %_0

bb3:                                              ; preds = %start
  unreachable

cleanup:                                          ; preds = %bb1
  %11 = landingpad { ptr, i32 }
          filter [0 x ptr] zeroinitializer
  call void @"_RNvNtCs1_4core9panicking5panic"() #3
  unreachable
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1
declare double @llvm.maxnum.f64(double, double)
declare i64 @llvm.ctpop.i64(i64)
; Function Attrs: cold noinline noreturn
declare void @"_RNvNtCs1_4core9panicking5panic"() unnamed_addr #2

attributes #0 = { inlinehint nonlazybind uwtable "probe-stack"="inline-asm" "target-cpu"="x86-64" }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { cold noinline noreturn nonlazybind uwtable }
attributes #3 = { cold noreturn nounwind }

!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!2}
!0 = !{i32 8, !"PIC Level", i32 2}
!2 = distinct !DICompileUnit(language: DW_LANG_Rust, file: !3, producer: "clang LLVM (rustc version 1.85.0)", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug)
!3 = !DIFile(filename: "nineteen.rs/@/nineteen.1-cgu.0", directory: "/tmp")
!5 = distinct !DISubprogram(name: "fmt<core::fmt::Formatter, (a, b)>", linkageName: "_ZN4core3fmt9Formatter17hE", scope: !6, file: !3, line: 12, unit: !2)
!6 = !DINamespace(name: "{impl#1}", scope: null)
!7 = !DILocalVariable(name: "x", scope: !5, file: !3, line: 13, align: 64)
!8 = !DILocalVariable(name: "self", arg: 1, scope: !5, file: !3, line: 12)
!9 = !DILocation(line: 13, column: 9, scope: !5)
!10 = distinct !DIAssignID()
!11 = !DILabel(scope: !5, name: "l", file: !3, line: 14)
!12 = !{i64 0, i64 65}
!13 = !{!"branch_weights", !"expected", i32 1, i32 2000}
