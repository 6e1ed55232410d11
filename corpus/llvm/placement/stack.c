// A local variable may lie where one of an earlier call lay.
//@ incomplete: in line 10 depends on where objects lie
#include <stdint.h>
static uintptr_t place(void) {
  int x;
  return (uintptr_t)&x;
}
int main(void) {
  uintptr_t first = place();
  if (first == place()) return 1;
  return 0;
}
