// One counter goes twice as fast as the other, for as long as the environment wants.
// Once, a step is half as long.
//@ verdict: bug
//@ input: 1 1 1 1 1 1 1 1 1
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
  unsigned slow = 0, fast = 0;
  while (__VERIFIER_nondet_bool()) {
    slow += 1;
    fast += slow == 9 ? 1 : 2;
    assert(fast == 2 * slow); //~ bug: assertion-failed
  }
  return 0;
}
