//@ replay: the function is not there to be linked
// An unknown function that does not return ends the path by name; what stands behind it is not reached.
//@ incomplete: die
#include <effigy.h>
extern void die(const char *why) __attribute__((noreturn));
int main(void) {
  int k = effigy_int("k");
  if (k == 3)
    die("three");
  return 0;
}
