; //@ replay: nobody natively compares layouts
; Rust's allocator wants the layout back that it was asked for. (Of a Rust program the places are lines of std's alloc.rs.)
define i32 @main() !dbg !3 {
  %way = call i32 @effigy_choose(i32 8)
  switch i32 %way, label %end [
    i32 0, label %size
    i32 1, label %alignment
    i32 2, label %old_size
    i32 3, label %new_size
    i32 4, label %nothing
    i32 5, label %of_c
    i32 6, label %to_c
  ]
size:
  %p0 = call ptr @_RNvCsfLfy6EI15iL_7___rustc12___rust_alloc(i64 8, i64 4)
  call void @_RNvCsfLfy6EI15iL_7___rustc14___rust_dealloc(ptr %p0, i64 16, i64 4), !dbg !100 ; //~ bug: alloc-dealloc-mismatch
  ret i32 0
alignment:
  %p1 = call ptr @_RNvCsfLfy6EI15iL_7___rustc12___rust_alloc(i64 8, i64 4)
  call void @_RNvCsfLfy6EI15iL_7___rustc14___rust_dealloc(ptr %p1, i64 8, i64 8), !dbg !101 ; //~ bug: alloc-dealloc-mismatch
  ret i32 0
old_size:
  %p2 = call ptr @_RNvCsfLfy6EI15iL_7___rustc19___rust_alloc_zeroed(i64 8, i64 4)
  %q2 = call ptr @_RNvCsfLfy6EI15iL_7___rustc14___rust_realloc(ptr %p2, i64 4, i64 4, i64 16), !dbg !102 ; //~ bug: alloc-dealloc-mismatch
  ret i32 0
new_size:
  %p3 = call ptr @_RNvCsfLfy6EI15iL_7___rustc19___rust_alloc_zeroed(i64 8, i64 4)
  %q3 = call ptr @_RNvCsfLfy6EI15iL_7___rustc14___rust_realloc(ptr %p3, i64 8, i64 4, i64 16)
  call void @_RNvCsfLfy6EI15iL_7___rustc14___rust_dealloc(ptr %q3, i64 8, i64 4), !dbg !103 ; //~ bug: alloc-dealloc-mismatch
  ret i32 0
nothing:
  %p4 = call ptr @_RNvCsfLfy6EI15iL_7___rustc12___rust_alloc(i64 0, i64 1), !dbg !104 ; //~ bug: undefined-behaviour
  ret i32 0
of_c:
  %p5 = call ptr @malloc(i64 8)
  call void @_RNvCsfLfy6EI15iL_7___rustc14___rust_dealloc(ptr %p5, i64 8, i64 1), !dbg !105 ; //~ bug: alloc-dealloc-mismatch
  ret i32 0
to_c:
  %p6 = call ptr @_RNvCsfLfy6EI15iL_7___rustc12___rust_alloc(i64 8, i64 1)
  call void @free(ptr %p6), !dbg !106 ; //~ bug: alloc-dealloc-mismatch
  ret i32 0
end:
  %p7 = call ptr @_RNvCsfLfy6EI15iL_7___rustc12___rust_alloc(i64 8, i64 4)
  %q7 = call ptr @_RNvCsfLfy6EI15iL_7___rustc14___rust_realloc(ptr %p7, i64 8, i64 4, i64 16)
  call void @_RNvCsfLfy6EI15iL_7___rustc14___rust_dealloc(ptr %q7, i64 16, i64 4)
  ret i32 0
}
declare i32 @effigy_choose(i32)
declare ptr @malloc(i64)
declare void @free(ptr)
declare ptr @_RNvCsfLfy6EI15iL_7___rustc12___rust_alloc(i64, i64)
declare ptr @_RNvCsfLfy6EI15iL_7___rustc19___rust_alloc_zeroed(i64, i64)
declare ptr @_RNvCsfLfy6EI15iL_7___rustc14___rust_realloc(ptr, i64, i64, i64)
declare void @_RNvCsfLfy6EI15iL_7___rustc14___rust_dealloc(ptr, i64, i64)
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!5}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "layout.ll", directory: ".")
!2 = !DISubroutineType(types: !4)
!3 = distinct !DISubprogram(name: "main", file: !1, line: 2, type: !2, unit: !0)
!4 = !{null}
!5 = !{i32 2, !"Debug Info Version", i32 3}
!100 = !DILocation(line: 16, column: 3, scope: !3)
!101 = !DILocation(line: 20, column: 3, scope: !3)
!102 = !DILocation(line: 24, column: 3, scope: !3)
!103 = !DILocation(line: 29, column: 3, scope: !3)
!104 = !DILocation(line: 32, column: 3, scope: !3)
!105 = !DILocation(line: 36, column: 3, scope: !3)
!106 = !DILocation(line: 40, column: 3, scope: !3)
