; Debug information that contradicts the program and itself: nothing of it is believed beyond what is read.
define i32 @main() !dbg !5 {
entry:
  %x = alloca i32
  %y = alloca [4 x i32]
  store i32 3, ptr %x, !dbg !20
    #dbg_declare(ptr %x, !10, !DIExpression(), !20)
    #dbg_declare(ptr %y, !12, !DIExpression(), !20)
  %p = getelementptr i32, ptr %y, i64 1, !dbg !21
  store i32 7, ptr %p, !dbg !21
  %v = load i32, ptr %x, !dbg !22
  ret i32 %v, !dbg !22
}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1)
!1 = !DIFile(filename: "/nowhere/h.c", directory: "")
!5 = distinct !DISubprogram(name: "main", scope: !1, file: !1, line: 1, unit: !0)
!10 = !DILocalVariable(name: "x", scope: !5, file: !1, line: 2, type: !11)
!11 = !DICompositeType(tag: DW_TAG_array_type, baseType: !13, size: 18446744073709551615, elements: !14)
!12 = !DILocalVariable(name: "y", scope: !5, file: !1, line: 2, type: !16)
!13 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!14 = !{!15}
!15 = !DISubrange(count: 4611686018427387903)
!16 = !DICompositeType(tag: DW_TAG_structure_type, name: "loop", size: 128, elements: !17)
!17 = !{!18, !19, !30}
!18 = !DIDerivedType(tag: DW_TAG_member, name: "self", baseType: !16, size: 32, offset: 18446744073709551608)
!19 = !DIDerivedType(tag: DW_TAG_member, name: "b", baseType: !13, size: 32, offset: 32)
!30 = !DIDerivedType(tag: DW_TAG_member, name: "t", baseType: !31, size: 32, offset: 32)
!31 = !DIDerivedType(tag: DW_TAG_typedef, name: "t", baseType: !31)
!20 = !DILocation(line: 2, column: 1, scope: !5)
!21 = !DILocation(line: 3, column: 1, scope: !5)
!22 = !DILocation(line: 4294967295, column: 1, scope: !5)
