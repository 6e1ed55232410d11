/* Clang gives an expression without a value none, and would not say so. */
#include <klee/klee.h>

int main(void) {
  int x;
  klee_make_symbolic(&x, sizeof x, "x");
  if (x == 7) {
    int none = 1 << -1; //~ bug: undefined-behaviour
    return none;
  }
  return 0;
}
