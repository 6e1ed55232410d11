#include <effigy.h>
#include <stdlib.h>

int main(void) {
  unsigned char x = effigy_uchar("x");
  int table[4] = {1, 2, 3, 4};
  // Far behind the table another object may lie.
  if (x >= 224) return table[x - 200];
  // Next to it there is a red zone.
  if (x == 4) return table[x];
  // UndefinedBehaviorSanitizer does not check `abs`.
  if (x == 5) return abs(-2147483647 - (x & 1)) & 1;
  return 0;
}
