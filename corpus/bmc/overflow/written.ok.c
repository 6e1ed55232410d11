// A number is written in decimal digits, from the last one.
//@ verdict: correct
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), digits = 0;
  unsigned left = n < 0 ? 0u - (unsigned)n : (unsigned)n;
  do {
    ++digits;
    left /= 10;
  } while (left != 0);
  assert(digits <= 10);
  return 0;
}
