; A constant is one, a value that was computed is not.
declare i1 @llvm.is.constant.i32(i32)
define i32 @main() {
  %n = add i32 1, 2
  %yes = call i1 @llvm.is.constant.i32(i32 123)
  %no = call i1 @llvm.is.constant.i32(i32 %n)
  %same = icmp eq i1 %yes, %no
  br i1 %same, label %wrong, label %right
right:
  ret i32 0
wrong:
  unreachable
}
