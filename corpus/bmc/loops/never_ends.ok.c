// A loop that never ends: what is behind it is not reached, and nothing is missed.
//@ verdict: correct
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int i = 0, n = __VERIFIER_nondet_int();
  if (n > 7) {
    while (i < 10) {
      n = n ^ 1;
      i = i * 1;
    }
    assert(0);
  }
  assert(n <= 7);
  return 0;
}
//@ steps: run=1000000
