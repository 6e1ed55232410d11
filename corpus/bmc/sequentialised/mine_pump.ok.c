// A pump in a mine never runs while there is methane.
//@ verdict: correct
//@ bmc: bounded
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
  const int low_feature = __VERIFIER_nondet_bool();
  int water = 1, pump = 0, alarm = 0;
  while (__VERIFIER_nondet_bool()) {
    alarm = __VERIFIER_nondet_bool();
    if (pump && water > 0) --water;
    if (__VERIFIER_nondet_bool() && water < 2) ++water;
    if (alarm) pump = 0;
    if (water == 2 && !alarm) pump = 1;
    if (low_feature && water == 0) pump = 0;
    assert(!(pump && alarm));
    assert(water >= 0 && water <= 2);
  }
  return 0;
}
//@ open: run
