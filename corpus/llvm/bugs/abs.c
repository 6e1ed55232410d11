//@ replay: the sanitizers do not look into abs
// The smallest number has no absolute value.
#include <effigy.h>
#include <inttypes.h>
#include <stdlib.h>
static int (*volatile absolute)(int) = abs;
int main(void) {
  int x = effigy_int("x");
  switch (effigy_choose(4)) {
    case 0: return abs(x) & 1; //~ bug: signed-overflow
    case 1: return (int)labs(effigy_long("l")) & 1; //~ bug: signed-overflow
    case 2: return (int)imaxabs(effigy_long("m")) & 1; //~ bug: signed-overflow
    default: return absolute(x) & 1; //~ bug: signed-overflow
  }
}
