// What an unknown function may write has any value afterwards; what it cannot reach keeps its own.
//@ incomplete: fill
#include <effigy.h>
extern void fill(char *into, int size);
static int kept = 7;
int main(void) {
  char b[4];
  int own = 3;
  fill(b, 4);
  if (b[0] == 'x')
    effigy_assert(b[0] == 'x');
  effigy_assert(kept == 7);
  return own == 3 ? 0 : 1 / 0;
}
