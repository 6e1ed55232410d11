// A window of an array is moved by one, to the right.
// From the left, the first cell is smeared over all.
//@ verdict: bug
//@ input: 1
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static void shift(int *to, const int *from, int n) {
  for (int i = 0; i < n; ++i) to[i] = from[i];
}
int main(void) {
  int cells[6], last = 0;
  for (int i = 0; i < 6; ++i) cells[i] = last = __VERIFIER_nondet_int();
  int before = cells[4];
  shift(cells + 1, cells, 5);
  assert(cells[5] == before); //~ bug: assertion-failed
  return last == 1;
}
