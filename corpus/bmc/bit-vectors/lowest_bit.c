// x & -x is the lowest bit that is set.
// Zero has none.
//@ verdict: bug
//@ input: 0
#include <assert.h>
extern unsigned long __VERIFIER_nondet_ulong(void);
int main(void) {
  unsigned long x = __VERIFIER_nondet_ulong();
  unsigned long low = x & -x;
  assert((x & (low - 1)) == 0);
  assert(low != 0); //~ bug: assertion-failed
  return 0;
}
