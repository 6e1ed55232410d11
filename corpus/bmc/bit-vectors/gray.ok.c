// Gray's code and back.
//@ verdict: correct
#include <assert.h>
extern unsigned short __VERIFIER_nondet_ushort(void);
int main(void) {
  unsigned x = __VERIFIER_nondet_ushort();
  unsigned code = x ^ x >> 1, back = code;
  for (int shift = 1; shift < 16; shift *= 2) back ^= back >> shift;
  assert((back & 0xffff) == x);
  return 0;
}
