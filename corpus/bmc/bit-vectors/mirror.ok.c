// Reversing the bits of a byte twice gives it back.
//@ verdict: correct
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
static unsigned char mirror(unsigned char b) {
  b = (unsigned char)((b & 0xf0) >> 4 | (b & 0x0f) << 4);
  b = (unsigned char)((b & 0xcc) >> 2 | (b & 0x33) << 2);
  return (unsigned char)((b & 0xaa) >> 1 | (b & 0x55) << 1);
}
int main(void) {
  unsigned char b = __VERIFIER_nondet_uchar();
  assert(mirror(mirror(b)) == b);
  return 0;
}
