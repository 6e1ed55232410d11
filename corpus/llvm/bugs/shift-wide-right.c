//@ incomplete: a shift to the right by an amount of 64 bits, of which the compiler drops some
// No sanitizer sees that the whole amount is too large.
#include <effigy.h>
int main(void) {
  long long n = (long long)(effigy_uint("n") & 1) << 32;
  unsigned char half = 200;
  half >>= n;
  return half;
}
