// An elevator as a product line: with the features of weight and of two thirds full.
//@ verdict: correct
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
int main(void) {
  const int overloaded_feature = __VERIFIER_nondet_bool(), full_feature = __VERIFIER_nondet_bool();
  int weight = 0, door_open = 1, moving = 0;
  for (int i = 0; i < 5; ++i) {
    unsigned event = __VERIFIER_nondet_uint();
    __VERIFIER_assume(event < 3);
    if (event == 0 && door_open) weight += 40;
    if (event == 1 && door_open && weight > 0) weight -= 40;
    if (event == 2) {
      int refuses = overloaded_feature && weight > 100;
      if (full_feature && weight > 66 && !overloaded_feature) refuses = 0;
      moving = !refuses;
      door_open = !moving;
    }
    assert(!(overloaded_feature && moving && weight > 100));
    if (moving && __VERIFIER_nondet_bool()) moving = 0, door_open = 1;
  }
  return 0;
}
//@ steps: run=1000000
