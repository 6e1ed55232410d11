// The smallest power of two that is not below n.
//@ verdict: correct
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  __VERIFIER_assume(n <= 0x80000000u);
  unsigned power = 1;
  while (power < n) {
    power *= 2;
    assert(power != 0);
  }
  assert((power & (power - 1)) == 0);
  return 0;
}
