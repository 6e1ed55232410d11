// As ring.ok.c; the last place is one too far.
//@ verdict: bug
//@ input: 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned char last = 0;
  unsigned next = 0;
  short laps = 0;
  while (__VERIFIER_nondet_bool()) {
    assert(next < 16); //~ bug: assertion-failed
    last = __VERIFIER_nondet_uchar();
    next = next == 16 ? 0 : next + 1;
    if (next == 0 && laps < 1000) ++laps;
  }
  assert(laps >= 0 && laps <= 1000);
  return last & 0;
}
