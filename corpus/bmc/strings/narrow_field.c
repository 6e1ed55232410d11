// A counter in a field of three bits, and the same in full.
// Eight does not fit.
//@ verdict: bug
//@ input: 8
#include <assert.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
struct state { unsigned ready : 1, count : 3, rest : 28; };
int main(void) {
  struct state it = {1, 0, 5};
  unsigned n = __VERIFIER_nondet_uint();
  __VERIFIER_assume(n <= 8);
  for (unsigned i = 0; i < n; ++i) it.count += 1;
  assert(it.ready == 1 && it.rest == 5);
  assert(it.count == n); //~ bug: assertion-failed
  return 0;
}
