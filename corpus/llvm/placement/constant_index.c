// An index that the compiler sees to be a constant, but for where an object lies.
//@ incomplete: an address in line 7 depends on where objects lie
#include <stdint.h>
static char object[1];
int main(void) {
  char table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  return table[(uintptr_t)object & 7];
}
