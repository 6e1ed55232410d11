// Steps of seven up to a limit of at most 255.
//@ verdict: correct
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  int limit = __VERIFIER_nondet_uchar();
  int rounds = 0;
  for (int i = 0; i < limit; i += 7) {
    ++rounds;
    assert(rounds <= 37);
  }
  return 0;
}
