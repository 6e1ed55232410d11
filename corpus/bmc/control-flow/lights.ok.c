// Two traffic lights of a crossing never both let pass.
//@ verdict: correct
//@ bmc: bounded
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
    if (__VERIFIER_nondet_bool()) north = east = RED;
    assert(north == RED || east == RED);
  }
  return 0;
}
//@ open: run
