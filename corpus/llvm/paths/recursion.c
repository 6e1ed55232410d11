//@ paths: 6
// Recursion to a symbolic depth.
#include <effigy.h>
static unsigned sum(unsigned n) { return n == 0 ? 0 : n + sum(n - 1); }
int main(void) {
  unsigned n = effigy_uint("n");
  effigy_assume(n <= 5);
  return (int)sum(n);
}
