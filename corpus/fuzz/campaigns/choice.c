// So is a choice among few.
//@ exit: 1
//@ flags: --stop-at-first-bug
//@ silent: no input passed
#include <effigy.h>

int main(void) {
  int a[2] = {0};
  int i = 2 + effigy_choose(3);
  return a[i]; //~ bug: out-of-bounds-read
}
