// Two threads count in three steps each: read, add, write.
//@ verdict: correct
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
static int shared, local[2], at[2], owner = -1;
static void step(int me) {
  switch (at[me]) {
    case 0:
      if (owner >= 0) return;
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
  if (at[0] == 3 && at[1] == 3) assert(shared == 2);
  return 0;
}
