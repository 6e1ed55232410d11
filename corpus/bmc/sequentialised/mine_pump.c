// A pump in a mine never runs while there is methane.
// The feature of low water switches on by the alarm of the round before.
//@ verdict: bug
//@ input: 1 1 1
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
  const int low_feature = __VERIFIER_nondet_bool();
  int water = 1, pump = 0, alarm = 0;
  while (__VERIFIER_nondet_bool()) {
    int earlier = alarm;
    alarm = __VERIFIER_nondet_bool();
    if (pump && water > 0) --water;
    if (__VERIFIER_nondet_bool() && water < 2) ++water;
    if (alarm) pump = 0;
    if (water == 2 && !alarm) pump = 1;
    if (low_feature && water == 1 && !earlier && !pump) pump = 1;
    assert(!(pump && alarm)); //~ bug: assertion-failed
    assert(water >= 0 && water <= 2);
  }
  return 0;
}
//@ steps: bmc=3000
