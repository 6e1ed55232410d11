// How long Collatz's sequence can be: 27 needs 111 steps, no smaller number as many.
// The bound forgets 27.
//@ verdict: bug
//@ input: 27
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  __VERIFIER_assume(n >= 1 && n <= 30);
  unsigned steps = 0;
  while (n != 1) {
    n = n % 2 == 0 ? n / 2 : 3 * n + 1;
    ++steps;
  }
  assert(steps <= 110); //~ bug: assertion-failed
  return 0;
}
//@ open: equations
