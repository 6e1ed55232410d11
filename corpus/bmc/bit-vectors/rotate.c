// A rotation to the left, and back to the right.
// A rotation by 0 shifts by the whole width.
//@ verdict: bug
//@ input: 0
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned x = __VERIFIER_nondet_uint(), n = __VERIFIER_nondet_uchar() & 31;
  unsigned y = x << n | x >> (32 - n); //~ bug: shift-too-large
  unsigned z = y >> n | y << (-n & 31);
  assert(z == x);
  return 0;
}
