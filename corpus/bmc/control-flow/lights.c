// Two traffic lights of a crossing never both let pass.
// A failure of the power starts both at the same phase.
//@ verdict: bug
//@ input: 1 1 1 0 1 0 1 0 1 0 1 1 1
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
enum colour { RED, GREEN, YELLOW };
int main(void) {
  enum colour north = RED, east = RED;
  int turn = 0;
  while (__VERIFIER_nondet_bool()) {
    enum colour *light = turn ? &east : &north;
    switch (*light) {
      case RED: *light = GREEN; break;
      case GREEN: *light = YELLOW; break;
      case YELLOW: *light = RED; turn = !turn; break;
    }
    if (__VERIFIER_nondet_bool()) turn = 0, north = RED;
    assert(north == RED || east == RED); //~ bug: assertion-failed
  }
  return 0;
}
//@ steps: bmc=3000, equations=3000
