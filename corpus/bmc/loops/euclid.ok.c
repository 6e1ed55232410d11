// The greatest common divisor divides both.
//@ verdict: correct
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
int main(void) {
  unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
  __VERIFIER_assume(a > 0 && a < 14 && b < 14);
  unsigned x = a, y = b;
  while (y != 0) {
    unsigned rest = x % y;
    x = y;
    y = rest;
  }
  assert(a % x == 0 && b % x == 0);
  return 0;
}
//@ steps: bmc=300
