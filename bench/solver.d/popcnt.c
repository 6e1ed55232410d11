/* The bits of a word are counted in three ways that must agree. */
#include <effigy.h>

static unsigned by_masks(unsigned v) {
  v = v - (v >> 1 & 0x55555555u);
  v = (v & 0x33333333u) + (v >> 2 & 0x33333333u);
  v = (v + (v >> 4)) & 0x0f0f0f0fu;
  return v * 0x01010101u >> 24;
}

static unsigned by_bits(unsigned v) {
  unsigned count = 0;
  for (int i = 0; i < 32; i++) count += v >> i & 1;
  return count;
}

int main(void) {
  unsigned v = effigy_uint("v");
  unsigned masks = by_masks(v), cleared = 0;
  effigy_assert(masks == by_bits(v));
  for (unsigned left = v; left; left &= left - 1) {
    cleared++;
  }
  effigy_assert(cleared == masks);
  effigy_assume(masks == 5);
  effigy_assert(v % 31 != 0 || v > 31);
  return 0;
}
