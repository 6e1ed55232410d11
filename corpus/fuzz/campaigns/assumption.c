// An assumption that holds is an edge: the inputs that pass it are kept, and run under sanitizers.
//@ exit: 1
//@ flags: --stop-at-first-bug
//@ silent: no input passed
//@ replay: 1 test replayed: 1 as predicted, 0 differ
#include <effigy.h>

int main(void) {
  int a[4] = {0}, i = effigy_int("i");
  effigy_assume(0 <= i && i <= 4);
  return a[i]; //~ bug: out-of-bounds-read
}
