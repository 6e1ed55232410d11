// Six features: a rule of each pair of neighbours keeps the sum of loads below its limit.
// One of the sixty-four configurations is above.
//@ verdict: bug
//@ input: 1 0 1 0 1 1
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
  int on[6], load = 0;
  for (int i = 0; i < 6; ++i) {
    on[i] = __VERIFIER_nondet_bool();
    load += on[i] ? 3 + i : 0;
  }
  for (int i = 1; i < 6; ++i)
    if (on[i] && on[i - 1]) load -= 4;
  assert(load <= 18); //~ bug: assertion-failed
  return 0;
}
