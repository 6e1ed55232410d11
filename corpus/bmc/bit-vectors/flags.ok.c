// Two flags of a word are switched together, others as the environment likes.
//@ verdict: correct
//@ bmc: bounded
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned word = 0;
  while (__VERIFIER_nondet_bool()) {
    if (__VERIFIER_nondet_bool()) word ^= 0x81;
    word ^= __VERIFIER_nondet_uint() & 0x7e;
    assert((word >> 7 & 1) == (word & 1));
  }
  return 0;
}
//@ open: run
