/* A sum that wraps around, and one that the program checks. */
#include <effigy.h>

int main(void) {
  int x = effigy_int("x"), y = effigy_int("y");
  unsigned u = effigy_uint("u"), v = effigy_uint("v");
  if ((int)(u + v) > 5) return 1;
  if (x + y > 5) return 2;
  if ((int)((unsigned)x * 2) > (int)((unsigned)y + 3)) return 3;
  return 0;
}
