// A ball between two walls: the direction turns at each wall.
//@ verdict: correct
//@ bmc: bounded
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
  int place = 0, step = 1;
  for (;;) {
    if (place >= 10) step = -1;
    if (place <= 0) step = 1;
    place += step;
    assert(place >= 0 && place <= 10);
    if (__VERIFIER_nondet_bool()) return 0;
  }
}
//@ open: run
