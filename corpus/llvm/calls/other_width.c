// A call through a type that is not the function's.
#include <effigy.h>
static short narrow(char a) { return a; }
static long wide(long x) { return x + 1; }
int main(void) {
  int x = effigy_int("x");
  if (x > 0) {
    int (*p)(int) = (int (*)(int))narrow;
    return p(x); //~ bug: bad-call
  }
  int (*q)(int) = (int (*)(int))wide;
  return q(x); //~ bug: bad-call
}
