// A machine with one register and four operations.
// One `break` is missing: a negation is doubled, too.
//@ verdict: bug
//@ input: 2 1 6 2
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  int value = 1, bound = 1;
  for (int i = 0; i < 4; ++i) {
    switch (__VERIFIER_nondet_uchar() & 3) {
      case 0: value += 1; bound += 1; break;
      case 1:
        value = -value;
        // on into the next case
      case 2: value *= 2; bound += bound < 0 ? 0 : bound; break;
      default: break;
    }
    if (value == 0) return 0;
    assert(value <= bound && -value <= bound);
  }
  assert(bound <= 16);
  assert(value != -16); //~ bug: assertion-failed
  return 0;
}
