// The average of two unsigned numbers lies between them.
//@ verdict: correct
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
int main(void) {
  unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
  __VERIFIER_assume(a <= b);
  unsigned mean = (a & b) + ((a ^ b) >> 1);
  assert(a <= mean && mean <= b);
  return 0;
}
