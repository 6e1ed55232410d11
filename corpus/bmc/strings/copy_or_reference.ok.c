// A point is moved; where it was is remembered.
//@ verdict: correct
#include <assert.h>
extern char __VERIFIER_nondet_char(void);
struct point { int x, y; };
static void move(struct point *it, int by) { it->x += by; }
int main(void) {
  struct point here = {3, 4};
  int by = __VERIFIER_nondet_char();
  struct point before = here, *old = &before;
  move(&here, by);
  assert(here.x - old->x == by);
  return 0;
}
