// An object at the start of a page is chance.
//@ incomplete: in line 6 depends on where objects lie
#include <stdint.h>
int g;
int main(void) {
  if ((uintptr_t)&g % 4096) return 1;
  return 0;
}
