define i32 @main() {
  %1 = add i32 1, i64 2
  ret i32 %1
}
