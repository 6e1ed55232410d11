//@ incomplete: nan-bits
// Which bits a NaN has is nobody's to say.
#include <klee/klee.h>
#include <string.h>
int main(void) {
  double x;
  unsigned long bits;
  klee_make_symbolic(&x, sizeof x, "x");
  double y = x - x;
  memcpy(&bits, &y, sizeof bits);
  return (bits >> 63) & 1;
}
