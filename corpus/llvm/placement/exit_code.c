// What a program returns.
//@ incomplete: in line 6 depends on where objects lie
#include <stdint.h>
int main(void) {
  int x;
  return (uintptr_t)&x >> 4 & 7;
}
