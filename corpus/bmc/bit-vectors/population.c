// Two ways to count bits.
// The masks of the second step are mixed up.
//@ verdict: bug
//@ input: 4
#include <assert.h>
extern unsigned short __VERIFIER_nondet_ushort(void);
int main(void) {
  unsigned x = __VERIFIER_nondet_ushort(), slow = 0;
  for (unsigned y = x; y != 0; y &= y - 1) ++slow;
  unsigned fast = (x & 0x5555) + (x >> 1 & 0x5555);
  fast = (fast & 0x3333) + (fast >> 2 & 0x3332);
  fast = (fast & 0x0f0f) + (fast >> 4 & 0x0f0f);
  fast = (fast & 0xff) + (fast >> 8);
  assert(fast == slow); //~ bug: assertion-failed
  return 0;
}
