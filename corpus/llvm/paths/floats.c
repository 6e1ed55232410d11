//@ paths: 2
// Floating point is exact while it is concrete.
#include <effigy.h>
int main(void) {
  double x = 0.1;
  float y = 3.75f;
  for (int i = 0; i < 10; i++) x = x * 1.5 + (double)y / 3;
  int n = effigy_int("n");
  return n > 7 ? (int)x % 100 : (int)(x * 10) % 100;
}
