// Kinds of triangles by their sides.
//@ verdict: correct
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
enum kind { NONE, EQUILATERAL, ISOSCELES, SCALENE };
static enum kind classify(unsigned char a, unsigned char b, unsigned char c) {
  if (a >= b + c || b >= a + c || c >= a + b) return NONE;
  if (a == b && b == c) return EQUILATERAL;
  if (a == b || b == c || a == c) return ISOSCELES;
  return SCALENE;
}
int main(void) {
  unsigned char a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar(), c = __VERIFIER_nondet_uchar();
  // The kind does not depend on the order of the sides.
  assert(classify(a, b, c) == classify(b, c, a));
  return 0;
}
