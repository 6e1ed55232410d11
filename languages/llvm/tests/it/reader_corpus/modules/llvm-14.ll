; Constructs of LLVM 14 and 15, hand-written: typed pointers everywhere, constant expressions of all kinds.
source_filename = "fourteen.c"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.node = type { i32, %struct.node*, [3 x i16], i32 (i8*, ...)* }
%struct.packed = type <{ i8, i32 }>
%"class.std::x" = type { %struct.packed, %opaque* }
%opaque = type opaque

$inline = comdat any

@.str = private unnamed_addr constant [6 x i8] c"a\0Ab\22c\00", align 1
@node = dso_local global %struct.node { i32 1, %struct.node* @node, [3 x i16] [i16 1, i16 -2, i16 3], i32 (i8*, ...)* @printf }, align 8
@text = global i8* getelementptr inbounds ([6 x i8], [6 x i8]* @.str, i64 0, i64 2), align 8
@field = global i32* getelementptr inbounds (%struct.node, %struct.node* @node, i32 0, i32 0)
@difference = global i32 trunc (i64 sub (i64 ptrtoint (i8** @text to i64), i64 ptrtoint (i32** @field to i64)) to i32)
@table = internal constant [2 x i32 (i32)*] [i32 (i32)* @twice, i32 (i32)* null], align 16
@old = global i1 fcmp olt (float 1.0, float 2.0)
@vtable = linkonce_odr unnamed_addr constant { [3 x i8*] } { [3 x i8*] [i8* null, i8* bitcast (i32 (i32)* @twice to i8*), i8* inttoptr (i64 -1 to i8*)] }, comdat($inline), align 8
@llvm.global_ctors = appending global [1 x { i32, void ()*, i8* }] [{ i32, void ()*, i8* } { i32 65535, void ()* @start, i8* null }]
@llvm.used = appending global [1 x i8*] [i8* bitcast (i8** @text to i8*)], section "llvm.metadata"
@other = weak dso_local alias i32 (i32), i32 (i32)* @twice
@resolved = ifunc void (), void ()* ()* @resolver

; Function Attrs: nounwind
declare i32 @printf(i8* nocapture noundef readonly, ...) local_unnamed_addr #1
declare void @llvm.dbg.declare(metadata, metadata, metadata) #2
declare void @llvm.memcpy.p0i8.p0i8.i64(i8* noalias nocapture writeonly, i8* noalias nocapture readonly, i64, i1 immarg)
declare i32 @__gxx_personality_v0(...)
declare void ()* @resolver()
declare void @byval(%struct.node* noundef byval(%struct.node) align 8, i32* sret(i32))

define internal i32 @twice(i32 %x) #0 {
  %1 = shl nsw i32 %x, 1
  ret i32 %1
}

define internal void @start() section ".text.startup" {
entry:
  ret void
}

define dso_local i32 @main(i32 noundef %0, i8** nocapture noundef readnone %1) local_unnamed_addr #0 personality i8* bitcast (i32 (...)* @__gxx_personality_v0 to i8*) !dbg !10 {
  %3 = alloca i32, align 4
  %4 = alloca %struct.node, i64 2, align 8
  call void @llvm.dbg.declare(metadata i32* %3, metadata !12, metadata !DIExpression()), !dbg !13
  store volatile i32 0, i32* %3, align 4, !tbaa !14
  %5 = load i32, i32* %3, align 4, !dbg !13
  %6 = getelementptr inbounds %struct.node, %struct.node* %4, i64 1, i32 2, i64 %7
  %7 = sext i32 %5 to i64
  %8 = bitcast %struct.node* %4 to i8*
  call void @llvm.memcpy.p0i8.p0i8.i64(i8* noundef nonnull align 8 dereferenceable(40) %8, i8* align 8 bitcast (%struct.node* @node to i8*), i64 40, i1 false)
  %9 = load i32 (i8*, ...)*, i32 (i8*, ...)** getelementptr inbounds (%struct.node, %struct.node* @node, i32 0, i32 3)
  %10 = call i32 (i8*, ...) %9(i8* getelementptr inbounds ([6 x i8], [6 x i8]* @.str, i32 0, i32 0), i32 %5) #3
  %11 = icmp ult i32 %10, 10
  br i1 %11, label %12, label %"a block", !dbg !13, !prof !15

12:                                               ; preds = %2
  %13 = invoke i32 bitcast (i32 (i32)* @twice to i32 (i64)*)(i64 1)
          to label %14 unwind label %15

14:                                               ; preds = %12
  br label %"a block"

15:                                               ; preds = %12
  %16 = landingpad { i8*, i32 }
          cleanup
          catch i8* null
          filter [0 x i8*] zeroinitializer
  %17 = insertvalue { i8*, i32 } %16, i8* null, 0
  resume { i8*, i32 } %17

"a block":                                        ; preds = %14, %2
  %18 = phi i32 [ 0, %2 ], [ %13, %14 ]
  %19 = call i32 asm sideeffect "bswap $0", "=r,0,~{dirflag},~{flags}"(i32 %18) #4, !srcloc !16
  %20 = select i1 %11, <2 x float> <float 0x3FB99999A0000000, float 1.000000e+00>, <2 x float> undef
  %21 = extractelement <2 x float> %20, i32 0
  %22 = fpext float %21 to x86_fp80
  %23 = fcmp une x86_fp80 %22, 0xK00000000000000000000
  %24 = cmpxchg i32* %3, i32 0, i32 1 seq_cst seq_cst, align 4
  %25 = atomicrmw umax i32* %3, i32 1 monotonic, align 4
  fence syncscope("singlethread") acquire
  ret i32 %19, !dbg !17
}

attributes #0 = { noinline nounwind uwtable "frame-pointer"="all" "min-legal-vector-width"="0" }
attributes #1 = { argmemonly nofree nounwind "no-trapping-math"="true" }
attributes #2 = { nofree nosync nounwind readnone speculatable willreturn }
attributes #3 = { nounwind }
attributes #4 = { nounwind readnone }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!llvm.ident = !{!4}

!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, producer: "a compiler, \22quoted\22", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "fourteen.c", directory: "/tmp")
!2 = !{i32 7, !"Dwarf Version", i32 5}
!3 = !{i32 1, !"wchar_size", i32 4}
!4 = !{!"a compiler"}
!10 = distinct !DISubprogram(name: "main", scope: !1, file: !1, line: 3, type: !11, scopeLine: 3, flags: DIFlagPrototyped, spFlags: DISPFlagDefinition, unit: !0, retainedNodes: !5)
!5 = !{}
!11 = !DISubroutineType(types: !5)
!12 = !DILocalVariable(name: "x", scope: !10, file: !1, line: 4, type: !18)
!13 = !DILocation(line: 4, column: 7, scope: !10)
!14 = !{!"int", !5, i64 0}
!15 = !{!"branch_weights", i32 1, i32 2000}
!16 = !{i64 12}
!17 = !DILocation(line: 9, column: 3, scope: !10)
!18 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
