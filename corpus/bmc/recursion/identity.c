// A number is counted down and up again: right for every depth.
// At one depth a level is lost.
//@ verdict: bug
//@ input: 13
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
static unsigned identity(unsigned n) {
  if (n == 0) return 0;
  return n == 12 ? identity(n - 2) + 1 : identity(n - 1) + 1;
}
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  assert(identity(n) == n); //~ bug: assertion-failed
  return 0;
}
