// Each call waits for the next: one that never comes to an end, two by turns for one input, and few that take much each.
#include <effigy.h>
static int down(int n) { return n == -1 ? 0 : 1 + down(n); } //~ bug: stack-overflow
static int odd(unsigned n);
static int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); } //~ bug: stack-overflow
static int filled(int n) {
  char page[1 << 20];
  page[n] = (char)n;
  return n == 100 ? page[0] : filled(n + 1) + page[n]; //~ bug: stack-overflow
}
int main(void) {
  switch (effigy_int("x")) {
  case 1: return down(7);
  case 2: return even(4000001);
  case 3: return filled(0);
  default: return down(-1);
  }
}
