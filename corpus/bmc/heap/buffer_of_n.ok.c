// A buffer of any length is filled and read at its ends.
//@ verdict: correct
//@ bmc: bounded
#include <assert.h>
#include <stdlib.h>
extern unsigned short __VERIFIER_nondet_ushort(void);
extern void __VERIFIER_assume(int);
int main(void) {
  unsigned n = __VERIFIER_nondet_ushort();
  __VERIFIER_assume(n > 0);
  unsigned char *data = malloc(n);
  for (unsigned i = 0; i < n; ++i) data[i] = 1;
  assert(data[0] + data[n - 1] == 2);
  free(data);
  return 0;
}
//@ open: run, bmc
//@ steps: bmc=300
