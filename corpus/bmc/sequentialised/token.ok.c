// A token goes round among four, forever: one has it.
//@ verdict: correct
//@ bmc: bounded
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
int main(void) {
  unsigned char has[4] = {1, 0, 0, 0};
  unsigned at = 0, kept = 0;
  while (1) {
    if (__VERIFIER_nondet_bool()) {
      has[at] = 0;
      at = (at + 1) % 4;
      has[at] = 1;
      kept = 0;
    } else {
      kept = kept < 3 ? kept + 1 : kept;
    }
    assert(has[0] + has[1] + has[2] + has[3] == 1);
    if (__VERIFIER_nondet_bool()) return 0;
  }
}
//@ open: run, bmc
