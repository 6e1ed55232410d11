; The flags of a getelementptr: with inbounds or nusw the distance is a signed number of 64 bits, with nuw one without
; sign, with none it wraps around.
define i32 @main() !dbg !3 {
  %a = alloca [4 x i32]
  store [4 x i32] [i32 1, i32 2, i32 3, i32 4], ptr %a
  %way = call i32 @effigy_choose(i32 7)
  switch i32 %way, label %end [
    i32 0, label %none
    i32 1, label %inbounds
    i32 2, label %nusw
    i32 3, label %nuw
    i32 4, label %both
    i32 5, label %unused
    i32 6, label %unsigned
  ]
none:
  %p0 = getelementptr i32, ptr %a, i64 4611686018427387905
  %v0 = load i32, ptr %p0
  ret i32 %v0
inbounds:
  %p1 = getelementptr inbounds i32, ptr %a, i64 4611686018427387905
  %v1 = load i32, ptr %p1, !dbg !100 ; //~ bug: out-of-bounds-read
  ret i32 %v1
nusw:
  %p2 = getelementptr nusw i32, ptr %a, i64 4611686018427387905
  %v2 = load i32, ptr %p2, !dbg !101 ; //~ bug: out-of-bounds-read
  ret i32 %v2
nuw:
  %p3 = getelementptr nuw i32, ptr %a, i64 4611686018427387905
  %v3 = load i32, ptr %p3, !dbg !102 ; //~ bug: out-of-bounds-read
  ret i32 %v3
both:
  %end4 = getelementptr inbounds i32, ptr %a, i64 4
  %p4 = getelementptr inbounds nuw i32, ptr %end4, i64 -1
  %v4 = load i32, ptr %p4, !dbg !103 ; //~ bug: out-of-bounds-read
  ret i32 %v4
unused:
  %p5 = getelementptr inbounds i32, ptr %a, i64 4611686018427387904
  ret i32 5
unsigned:
  %p6 = getelementptr nuw i8, ptr %a, i64 4
  %v6 = load i32, ptr %p6
  ret i32 %v6
end:
  ret i32 0
}
declare i32 @effigy_choose(i32)
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!5}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "wrapped-address.ll", directory: ".")
!2 = !DISubroutineType(types: !4)
!3 = distinct !DISubprogram(name: "main", file: !1, line: 3, type: !2, unit: !0)
!4 = !{null}
!5 = !{i32 2, !"Debug Info Version", i32 3}
!100 = !DILocation(line: 22, column: 3, scope: !3)
!101 = !DILocation(line: 26, column: 3, scope: !3)
!102 = !DILocation(line: 30, column: 3, scope: !3)
!103 = !DILocation(line: 35, column: 3, scope: !3)
