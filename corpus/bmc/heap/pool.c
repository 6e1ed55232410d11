// Three cells are handed out from a pool, and given back.
// A cell that is given back twice is handed out twice.
//@ verdict: bug
//@ input: 3 0 0 3 3
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
static int next_free[3] = {1, 2, -1}, head, taken[3];
static int take(void) {
  int cell = head;
  if (cell < 0) return -1;
  head = next_free[cell];
  assert(!taken[cell]); //~ bug: assertion-failed
  taken[cell] = 1;
  return cell;
}
static void give(int cell) {
  taken[cell] = 0;
  next_free[cell] = head;
  head = cell;
}
int main(void) {
  for (int i = 0; i < 5; ++i) {
    unsigned cell = __VERIFIER_nondet_uchar() & 3;
    if (cell == 3)
      take();
    else if (taken[cell] || i == 2)
      give((int)cell);
  }
  return 0;
}
