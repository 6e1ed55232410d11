// Fibonacci's numbers by recursion and by iteration.
//@ verdict: correct
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
static unsigned slow(unsigned n) { return n < 2 ? n : slow(n - 1) + slow(n - 2); }
int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), a = 0, b = 1;
  __VERIFIER_assume(n <= 8);
  for (unsigned i = 0; i < n; ++i) {
    unsigned next = a + b;
    a = b;
    b = next;
  }
  assert(slow(n) == a);
  return 0;
}
