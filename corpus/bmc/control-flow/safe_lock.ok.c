// A lock with a code of three digits: it opens only after the code.
//@ verdict: correct
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
          assert(previous == 3 && before == 7);
          return 0;
        }
        state = digit == 7 ? 1 : 0;
        break;
    }
    before = previous;
    previous = digit;
  }
  return 0;
}
