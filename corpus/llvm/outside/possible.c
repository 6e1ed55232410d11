//@ replay: the function is not there to be linked
// A bug that rests on what an unknown function returns is a possible one; what is certain is certain.
//@ incomplete: level
#include <effigy.h>
extern int level(void);
static int table[4];
int main(void) {
  int k = effigy_int("k");
  if (k == 3)
    return table[k + 1]; //~ bug: out-of-bounds-read
  return table[level()]; //~ possible: out-of-bounds-read
}
