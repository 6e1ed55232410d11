// The classic: a number needs more characters than its buffer has.
#include <effigy.h>
#include <stdio.h>
int main(void) {
  char b[8];
  sprintf(b, "%d", effigy_int("x")); //~ bug: out-of-bounds-write
  return b[0] == '-' ? 1 : 0;
}
