// The average of two unsigned numbers lies between them.
// The sum wraps.
//@ verdict: bug
//@ input: 1 4294967295
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
int main(void) {
  unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
  __VERIFIER_assume(a <= b);
  unsigned mean = (a + b) / 2;
  assert(a <= mean && mean <= b); //~ bug: assertion-failed
  return 0;
}
