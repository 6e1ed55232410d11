// Two threads count in three steps each: read, add, write.
// No lock: an update can be lost.
//@ verdict: bug
//@ input: 1 1 0 1 1 0 0 1
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
static int shared, local[2], at[2], owner = -1;
static void step(int me) {
  switch (at[me]) {
    case 0:
      owner = me;
      local[me] = shared;
      break;
    case 1: ++local[me]; break;
    case 2:
      shared = local[me];
      owner = -1;
      break;
    default: return;
  }
  ++at[me];
}
int main(void) {
  for (int i = 0; i < 8; ++i) step(__VERIFIER_nondet_bool());
  if (at[0] == 3 && at[1] == 3) assert(shared == 2); //~ bug: assertion-failed
  return 0;
}
