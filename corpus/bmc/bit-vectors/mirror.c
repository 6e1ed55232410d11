// Reversing the bits of a byte twice gives it back.
// One mask lacks a bit.
//@ verdict: bug
//@ input: 2
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
static unsigned char mirror(unsigned char b) {
  b = (unsigned char)((b & 0xf0) >> 4 | (b & 0x0f) << 4);
  b = (unsigned char)((b & 0xcc) >> 2 | (b & 0x33) << 2);
  return (unsigned char)((b & 0xaa) >> 1 | (b & 0x54) << 1);
}
int main(void) {
  unsigned char b = __VERIFIER_nondet_uchar();
  assert(mirror(mirror(b)) == b); //~ bug: assertion-failed
  return 0;
}
