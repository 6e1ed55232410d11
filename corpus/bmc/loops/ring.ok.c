// The place in a ring of sixteen cells goes round for as long as the environment writes; the last cell is kept.
//@ verdict: correct
//@ bmc: bounded
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
  unsigned char last = 0;
  unsigned next = 0;
  short laps = 0;
  while (__VERIFIER_nondet_bool()) {
    assert(next < 16);
    last = __VERIFIER_nondet_uchar();
    next = next == 15 ? 0 : next + 1;
    if (next == 0 && laps < 1000) ++laps;
  }
  assert(laps >= 0 && laps <= 1000);
  return last & 0;
}
//@ open: run
