// The same beyond any window, by steps, through memory, and as a number.
#include <effigy.h>
#include <stdint.h>
int z1[4], a[4] = {1, 2, 3, 4}, z2[4];
int *kept;
int main(void) {
  long i = effigy_long("i");
  effigy_assume(0x30000000000 <= i && i < 0x30000000004);
  kept = a - 0x30000000000;
  int first = kept[i];
  int *back = kept + 0x30000000001;
  effigy_assert(*back == 2);
  kept = a + (i - 0x30000000000);
  effigy_assert(*kept == first);
  uintptr_t number = (uintptr_t)a;
  effigy_assert(*(int *)(number + 8) == 3);
  // The distance between two pointers leads from the one to the other.
  ptrdiff_t distance = (char *)z2 - (char *)a;
  effigy_assert((char *)a + distance == (char *)z2);
  *(int *)((char *)a + distance) = 7;
  effigy_assert(z2[0] == 7);
  return 0;
}
