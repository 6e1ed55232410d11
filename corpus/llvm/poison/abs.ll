; The absolute value of the smallest number is poison where the flag says so: a bug where it decides something.
declare i32 @klee_int(ptr)
declare i32 @llvm.abs.i32(i32, i1 immarg)
@x = private constant [2 x i8] c"x\00"
define i32 @main() {
  %x = call i32 @klee_int(ptr @x)
  %unflagged = call i32 @llvm.abs.i32(i32 %x, i1 false)
  %wraps = icmp slt i32 %unflagged, 0
  br i1 %wraps, label %smallest, label %other
smallest:
  %poison = call i32 @llvm.abs.i32(i32 %x, i1 true)
  ret i32 0
other:
  %fine = call i32 @llvm.abs.i32(i32 %x, i1 true)
  %negative = icmp slt i32 %fine, 0
  br i1 %negative, label %never, label %end
never:
  unreachable
end:
  ret i32 1
}
