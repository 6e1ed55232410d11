// A power by squaring, modulo 251, against repeated multiplication.
//@ verdict: correct
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
static unsigned power(unsigned x, unsigned n) {
  if (n == 0) return 1;
  unsigned half = power(x, n / 2), square = half * half % 251;
  return n % 2 == 0 ? square : square * x % 251;
}
int main(void) {
  unsigned x = __VERIFIER_nondet_uchar() & 7, n = __VERIFIER_nondet_uchar() % 7, slow = 1;
  for (unsigned i = 0; i < n; ++i) slow = slow * x % 251;
  assert(power(x, n) == slow);
  return 0;
}
