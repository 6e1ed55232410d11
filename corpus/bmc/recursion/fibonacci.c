// Fibonacci's numbers by recursion and by iteration.
// The iteration makes a step too few for one number.
//@ verdict: bug
//@ input: 7
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
static unsigned slow(unsigned n) { return n < 2 ? n : slow(n - 1) + slow(n - 2); }
int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), a = 0, b = 1;
  __VERIFIER_assume(n <= 8);
  for (unsigned i = n == 7; i < n; ++i) {
    unsigned next = a + b;
    a = b;
    b = next;
  }
  assert(slow(n) == a); //~ bug: assertion-failed
  return 0;
}
