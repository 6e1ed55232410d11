// A lock with a code of three digits: it opens only after the code.
// A wrong digit that is the code's first one counts as progress from anywhere.
//@ verdict: bug
//@ input: 7 3 7 9
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  int state = 0, previous = -1, before = -1;
  for (int i = 0; i < 5; ++i) {
    int digit = __VERIFIER_nondet_uchar() % 10;
    switch (state) {
      case 0: state = digit == 7 ? 1 : 0; break;
      case 1: state = digit == 3 ? 2 : digit == 7 ? 1 : 0; break;
      case 2:
        if (digit == 9) {
          assert(previous == 3 && before == 7); //~ bug: assertion-failed
          return 0;
        }
        state = digit == 7 ? 2 : 0;
        break;
    }
    before = previous;
    previous = digit;
  }
  return 0;
}
