// Deep calls for which a stack of 8 MiB has room.
#include <effigy.h>
static int down(int n) { return n == 0 ? 0 : 1 + down(n - 1); }
static int filled(int n) {
  char page[1 << 20];
  page[n] = (char)n;
  return n == 6 ? page[6] : filled(n + 1) + page[n];
}
int main(void) {
  switch (effigy_int("x")) {
  case 1: return down(60000);
  case 2: return filled(0);
  default: return 0;
  }
}
