; A frozen value is any value, but one: branching on it is defined. Poison that is thrown away is no bug.
define i32 @main() {
  %over = add nsw i32 2147483647, 1
  %some = freeze i32 %over
  %again = icmp eq i32 %some, %some
  br i1 %again, label %same, label %other
same:
  %n = add i32 40, 0
  %shifted = shl i32 1, %n
  %chosen = select i1 %again, i32 3, i32 %shifted
  %three = icmp eq i32 %chosen, 3
  br i1 %three, label %good, label %other
good:
  ret i32 0
other:
  unreachable
}
