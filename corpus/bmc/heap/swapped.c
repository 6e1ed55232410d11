// Two cells are exchanged without a third.
// Where both are the same cell, it becomes 0.
//@ verdict: bug
//@ input: 0
#include <assert.h>
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
static void swap(unsigned *a, unsigned *b) {
  *a ^= *b;
  *b ^= *a;
  *a ^= *b;
}
int main(void) {
  unsigned *cells = malloc(3 * sizeof *cells), sum = 0;
  for (unsigned i = 0; i < 3; ++i) cells[i] = 1u << i;
  unsigned i = __VERIFIER_nondet_uint(), j = __VERIFIER_nondet_uint();
  __VERIFIER_assume(i < 3 && j < 3);
  swap(cells + i, cells + j);
  for (unsigned k = 0; k < 3; ++k) sum += cells[k];
  assert(sum == 7); //~ bug: assertion-failed
  free(cells);
  return 0;
}
