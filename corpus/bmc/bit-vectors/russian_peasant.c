// A product by shifts and additions.
// The highest bit of the multiplier is never looked at.
//@ verdict: bug
//@ input: 8 48
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
int main(void) {
  unsigned a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(b < 64);
  unsigned product = 0, left = a;
  for (int i = 0; i < 5; ++i, left <<= 1)
    if (b >> i & 1) product += left;
  assert(product == a * b); //~ bug: assertion-failed
  return 0;
}
