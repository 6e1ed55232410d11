/* What has a value is folded, too. */
#include <klee/klee.h>

int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  int some = 1 << 30;
  if (x > 3) some = 7 / 2;
  return some == 3 || some == 1 << 30 ? 0 : 1;
}
