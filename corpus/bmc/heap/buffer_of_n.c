// A buffer of any length is filled and read at its ends.
// An empty buffer has no last cell.
//@ verdict: bug
//@ input: 0
#include <assert.h>
#include <stdlib.h>
extern unsigned short __VERIFIER_nondet_ushort(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_ushort();
  unsigned char *data = malloc(n);
  for (unsigned i = 0; i < n; ++i) data[i] = 1;
  assert(data[n - 1] == 1); //~ bug: out-of-bounds-read
  free(data);
  return 0;
}
//@ open: run
//@ steps: bmc=3000, equations=300
