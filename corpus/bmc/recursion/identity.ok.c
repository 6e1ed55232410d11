// A number is counted down and up again: right for every depth.
//@ verdict: correct
//@ bmc: bounded
#include <assert.h>
extern unsigned short __VERIFIER_nondet_ushort(void);
static unsigned identity(unsigned n) {
  if (n == 0) return 0;
  return identity(n - 1) + 1;
}
int main(void) {
  unsigned n = __VERIFIER_nondet_ushort();
  assert(identity(n) == n);
  return 0;
}
//@ open: run, bmc
