// A variable that is defined elsewhere has any value, the same at each reading; its address is its own.
//@ incomplete: verbose
#include <effigy.h>
extern int verbose;
extern struct incomplete opaque;
int main(void) {
  int a = verbose, b = verbose;
  effigy_assert(a == b);
  effigy_assert((void *)&opaque != (void *)&verbose);
  verbose = 3;
  if (verbose != 3)
    return 1 / 0;
  if (a)
    return 1;
  return 0;
}
