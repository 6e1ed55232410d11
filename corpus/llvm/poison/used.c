// What decides something is a bug, told where it was computed.
//@ flags: -- -O1
//@ replay: natively nothing is checked in optimised code
#include <effigy.h>
volatile int sink;
int main(void) {
  int x = effigy_int("x"), z = effigy_int("z");
  int y = x * 3; //~ bug: signed-overflow
  if (y == z)
    sink = 1;
  return 0;
}
