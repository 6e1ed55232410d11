// A number is written in decimal digits, from the last one.
// The least number cannot be made positive.
//@ verdict: bug
//@ input: -2147483648
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), digits = 0;
  unsigned left = (unsigned)(n < 0 ? -n : n); //~ bug: signed-overflow
  do {
    ++digits;
    left /= 10;
  } while (left != 0);
  assert(digits <= 10);
  return 0;
}
