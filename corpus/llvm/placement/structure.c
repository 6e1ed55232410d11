// A number in a structure that is passed by value.
//@ incomplete: in line 8 depends on where objects lie
#include <stdint.h>
struct key { uintptr_t of, more; };
static int odd(struct key it) { return it.of >> 4 & 1; }
int main(void) {
  int x;
  if (odd((struct key){(uintptr_t)&x, 0})) return 1;
  return 0;
}
