// An array of n numbers.
//@ verdict: correct
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  __VERIFIER_assume(n >= 1 && n <= 5);
  short *data = malloc(n * sizeof *data);
  for (unsigned i = 0; i < n; ++i)
    data[i] = (short)i;
  free(data);
  return 0;
}
