// A product by shifts and additions.
//@ verdict: correct
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
int main(void) {
  unsigned a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(b < 64);
  unsigned product = 0, left = a;
  for (int i = 0; i < 6; ++i, left <<= 1)
    if (b >> i & 1) product += left;
  assert(product == a * b);
  return 0;
}
//@ steps: bmc=1000000
