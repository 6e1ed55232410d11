//@ incomplete: environment
//@ replay: the environment of a native run is another
// A variable is not set, or any text; the same for the same name.
#include <stdlib.h>
int main(void) {
  char *s = getenv("PORT"), b[4];
  int i = 0;
  if (s != getenv("PORT")) abort();
  if (!s) return 0;
  while ((b[i] = s[i])) i++; //~ bug: out-of-bounds-write
  return b[0];
}
