// An array of n numbers.
// n bytes are asked for.
//@ verdict: bug
//@ input: 2
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  __VERIFIER_assume(n >= 1 && n <= 5);
  short *data = malloc(n + 1);
  for (unsigned i = 0; i < n; ++i)
    data[i] = (short)i; //~ bug: out-of-bounds-write
  free(data);
  return 0;
}
