// A vector that doubles its room when it is full.
//@ verdict: correct
#include <assert.h>
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
static int *cells;
static unsigned used, room = 1;
static void push(int value) {
  if (used >= room) {
    int *larger = malloc(2 * room * sizeof *larger);
    for (unsigned i = 0; i < used; ++i) larger[i] = cells[i];
    free(cells);
    cells = larger;
    room *= 2;
  }
  cells[used++] = value;
}
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  __VERIFIER_assume(n <= 6);
  cells = malloc(sizeof *cells);
  for (unsigned i = 0; i < n; ++i) push((int)i);
  assert(used == n);
  free(cells);
  return 0;
}
