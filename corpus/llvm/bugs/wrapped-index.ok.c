// Indices and sums that look as if they wrapped around, and do not; and addresses that are computed with integers, which
// may.
#include <effigy.h>
#include <limits.h>
#include <stdint.h>

int main(void) {
  int a[4] = {1, 2, 3, 4};
  char text[8] = "1234567";
  char *end = text + 8;
  unsigned long i = effigy_ulong("i");
  long j = effigy_long("j");
  switch (effigy_choose(6)) {
  case 0: return i < 4 ? a[i] : 0;
  case 1: return -4 <= j && j < 0 ? a[j + 4] + (a + 4)[j] : 0;
  case 2: return -8 <= j && j < 0 ? end[j] : 0;
  case 3: // Far away and back, as old books have it.
    if (j < 600000000 || j > 600000003) return 0;
    return (a - 600000000)[j];
  case 4: { // Integers wrap around.
    unsigned long large = 1UL << 62;
    uintptr_t address = (uintptr_t)a + large * 4;
    return *(int *)address;
  }
  case 5: // The distance is a signed number: the largest index but one.
    return i >= 1 && i <= 2 ? *(text + (LONG_MAX - 1) - (LONG_MAX - 1) + i) : 0;
  }
  return 0;
}
