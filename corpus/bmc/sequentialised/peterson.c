// Peterson's mutual exclusion, two rounds of each of two threads at most.
// The turn is given away before the wish is told.
//@ verdict: bug
//@ input: 1 0 0 0 1 1
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
static int wants[2], turn, at[2], inside;
static void step(int me) {
  int other = 1 - me;
  switch (at[me]) {
    case 0: turn = other; break;
    case 1: wants[me] = 1; break;
    case 2:
      if (wants[other] && turn == other) return;
      ++inside;
      assert(inside == 1); //~ bug: assertion-failed
      break;
    case 3:
      --inside;
      wants[me] = 0;
      at[me] = 0;
      return;
  }
  ++at[me];
}
int main(void) {
  for (int i = 0; i < 9; ++i) step(__VERIFIER_nondet_bool());
  return 0;
}
