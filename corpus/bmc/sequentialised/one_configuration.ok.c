// Six features: a rule of each pair of neighbours keeps the sum of loads below its limit.
//@ verdict: correct
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
  assert(load <= 19);
  return 0;
}
