// A loop that the environment ends keeps numbers of every width within bounds, and some of them together.
//@ verdict: correct
//@ bmc: bounded
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
static short level = 3;
int main(void) {
  signed char down = 100;
  unsigned char up = 27;
  long long far = -5000000000, near = 5000000000;
  unsigned turns = 0;
  int state = 1;
  while (__VERIFIER_nondet_bool()) {
    if (down > -100) {
      --down;
      ++up;
    }
    if (far < 0) {
      ++far;
      --near;
    }
    level = level == 3 ? 7 : 3;
    state = state == 1 ? 4 : 1;
    turns += 2;
    assert(turns % 2 == 0);
    assert(level != 0 && state > 0);
    assert((unsigned char)(down + up) == 127);
    assert(far + near == 0);
  }
  return 0;
}
//@ open: run
