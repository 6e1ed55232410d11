// Inputs are their own, whatever they are called.
#include <effigy.h>
int main(void) {
  int a = effigy_int("a"), b = effigy_int("a"), c = effigy_int("a#2");
  char s[2];
  effigy_symbolic(s, 2, "s");
  unsigned char t = effigy_uchar("s[0]");
  if (b != c)
    return 1;
  if ((unsigned char)s[0] != t)
    return 2;
  return a == b ? 3 : 4;
}
//@ paths: 3
