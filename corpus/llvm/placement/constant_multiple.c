// An index that is the same wherever the object lies.
#include <stdint.h>
static long object[2];
int main(void) {
  char table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  return table[(uintptr_t)object & 7] + table[((uintptr_t)object + 9) % 8];
}
