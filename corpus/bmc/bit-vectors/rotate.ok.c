// A rotation to the left, and back to the right.
//@ verdict: correct
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned x = __VERIFIER_nondet_uint(), n = __VERIFIER_nondet_uchar() & 31;
  unsigned y = x << n | x >> (-n & 31);
  unsigned z = y >> n | y << (-n & 31);
  assert(z == x);
  return 0;
}
