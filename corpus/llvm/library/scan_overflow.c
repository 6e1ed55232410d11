// %s without a width writes as much as there is.
#include <effigy.h>
#include <stdio.h>
int main(void) {
  char s[4] = "", word[3];
  effigy_symbolic(s, 3, "s");
  return sscanf(s, "%s", word); //~ bug: out-of-bounds-write
}
