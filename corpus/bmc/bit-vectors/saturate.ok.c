// An addition of bytes that stops at the ends of the type.
//@ verdict: correct
#include <assert.h>
extern char __VERIFIER_nondet_char(void);
int main(void) {
  signed char a = __VERIFIER_nondet_char(), b = __VERIFIER_nondet_char();
  int sum = a + b;
  signed char got = (signed char)(sum > 127 ? 127 : sum < -128 ? -128 : sum);
  if (b >= 0)
    assert(got >= a);
  else
    assert(got <= a);
  return 0;
}
