// Steps of seven up to a limit of at most 255.
// 252 + 7 does not fit into the counter.
//@ verdict: bug
//@ input: 255
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  int limit = __VERIFIER_nondet_uchar();
  int rounds = 0;
  for (unsigned char i = 0; i < limit; i += 7) {
    ++rounds;
    assert(rounds <= 37); //~ bug: assertion-failed
  }
  return 0;
}
