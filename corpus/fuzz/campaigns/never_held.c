// An assumption that no input passes: nothing behind it was run, and that is no clean result.
//@ exit: 3
//@ runs: 3000
//@ says: no input passed the assumption at corpus/fuzz/campaigns/never_held.c:11:3 in check
#include <effigy.h>
#include <stdlib.h>

static void check(unsigned x) {
  (void)x;
  // No square is 3 more than a multiple of 4.
  effigy_assume(x * x == 3);
  abort();
}

int main(void) {
  check((unsigned)effigy_int("x"));
  return 0;
}
