// A ball between two walls: the direction turns at each wall.
// A jump of two can pass the wall.
//@ verdict: bug
//@ input: 0 0 0 0 0 0 0 0 0 0 0 1 0 0 0 1
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
  int place = 0, step = 1;
  for (;;) {
    if (place >= 10) step = -1;
    if (place <= 0) step = 1;
    place += place > 0 && place < 10 && __VERIFIER_nondet_bool() ? 2 * step : step;
    assert(place >= 0 && place <= 10); //~ bug: assertion-failed
    if (__VERIFIER_nondet_bool()) return 0;
  }
}
//@ steps: bmc=3000
