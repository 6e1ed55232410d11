// Optimised code computes what the program did not ask for; nothing depends on it: no bug.
//@ flags: -- -O1
#include <effigy.h>
#include <limits.h>
int main(void) {
  int x = effigy_int("x"), r = 0;
  if (x > INT_MIN)
    r = -x;
  if (x < 1000 && x > -1000)
    r += x * x;
  unsigned n = effigy_uint("n");
  if (n < 32)
    r ^= 1u << n;
  return r & 15;
}
