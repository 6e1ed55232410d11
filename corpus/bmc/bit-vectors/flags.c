// Two flags of a word are switched together, others as the environment likes.
// The mask of the others covers one of the two.
//@ verdict: bug
//@ input: 1 0 4 1 0 1526610354
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned word = 0;
  while (__VERIFIER_nondet_bool()) {
    if (__VERIFIER_nondet_bool()) word ^= 0x81;
    word ^= __VERIFIER_nondet_uint() & 0xfe;
    assert((word >> 7 & 1) == (word & 1)); //~ bug: assertion-failed
  }
  return 0;
}
//@ steps: bmc=3000, equations=3000
