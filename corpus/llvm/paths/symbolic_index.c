//@ paths: 2
// Reads and writes at symbolic offsets in small and large objects.
#include <effigy.h>
#include <stdlib.h>
static int table[1000];
int main(void) {
  unsigned i = effigy_uint("i"), j = effigy_uint("j");
  effigy_assume(i < 1000 && j < 1000);
  short small[8] = {0};
  table[i] = 7;
  small[i & 7] = 3;
  if (table[j] == 7 && small[j & 7] == 3) return i == j ? 1 : 2;
  return 0;
}
