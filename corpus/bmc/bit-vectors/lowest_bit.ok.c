// x & -x is the lowest bit that is set.
//@ verdict: correct
#include <assert.h>
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void __VERIFIER_assume(int);
int main(void) {
  unsigned long x = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(x != 0);
  unsigned long low = x & -x;
  assert((x & (low - 1)) == 0);
  assert(low != 0);
  return 0;
}
