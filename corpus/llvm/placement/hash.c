// A hash of a pointer chooses by where the object lies.
//@ incomplete: in line 8 depends on where objects lie
#include <stdint.h>
static int table[8];
int main(void) {
  int x;
  uint64_t hash = (uintptr_t)&x * 0x9E3779B97F4A7C15u;
  return table[hash >> 61];
}
