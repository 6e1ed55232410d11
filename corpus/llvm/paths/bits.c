//@ paths: 1
// Rotations, population counts and byte swaps agree with their definitions on every input.
#include <effigy.h>
#include <stdint.h>
int main(void) {
  uint32_t x = effigy_uint("x");
  effigy_assert(__builtin_bswap32(__builtin_bswap32(x)) == x);
  uint32_t rotated = (x << 7) | (x >> 25);
  effigy_assert(((rotated >> 7) | (rotated << 25)) == x);
  uint32_t low = x & -x;
  effigy_assert((low & (low - 1)) == 0);
  effigy_assert(((x ^ 0xffu) ^ 0xffu) == x);
  return 0;
}
