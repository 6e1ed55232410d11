// One counter goes twice as fast as the other, for as long as the environment wants.
//@ verdict: correct
//@ bmc: bounded
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
  unsigned slow = 0, fast = 0;
  while (__VERIFIER_nondet_bool()) {
    slow += 1;
    fast += 2;
    assert(fast == 2 * slow);
  }
  return 0;
}
//@ open: run
