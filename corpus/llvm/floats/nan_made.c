//@ flags: --check default,nan
//@ replay: IEEE 754 defines it
// A NaN that is made of numbers is a bug where it is asked for; one that is given is none.
#include <klee/klee.h>
int main(void) {
  float x, y;
  klee_make_symbolic(&x, sizeof x, "x");
  klee_make_symbolic(&y, sizeof y, "y");
  float sum = x + 1;
  float difference = x - y; //~ bug: nan
  return sum > difference;
}
