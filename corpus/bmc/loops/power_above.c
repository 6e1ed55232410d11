// The smallest power of two that is not below n.
// Above 2^31 there is none: the power wraps to 0.
//@ verdict: bug
//@ input: 4294967295
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  unsigned power = 1;
  while (power < n) {
    power *= 2;
    assert(power != 0); //~ bug: assertion-failed
  }
  assert((power & (power - 1)) == 0);
  return 0;
}
