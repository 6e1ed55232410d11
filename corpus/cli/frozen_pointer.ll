; A frozen pointer may be any: what is reached through it is made up, and the run is not complete.
define i32 @main() {
  %any = freeze ptr undef
  %value = load i32, ptr %any
  ret i32 0
}
