/* What shifts in a negative number lose is seen by clang's own check. */
//@ flags: -- -fsanitize=shift
#include <effigy.h>
int main(void) {
  int n = effigy_int("n");
  effigy_assume(n >= -1 && n <= 100);
  return n << 20 != 0; //~ bug: shift-too-large
}
