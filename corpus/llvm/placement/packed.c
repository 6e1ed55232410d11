// What is packed may lie anywhere.
//@ incomplete: in line 7 depends on where objects lie
#include <stdint.h>
#include <stdlib.h>
struct __attribute__((packed)) s { char c; int i; } g;
int main(void) {
  if ((uintptr_t)&g % 4) abort();
  return 0;
}
