#include <assert.h>
_Bool __VERIFIER_nondet_bool(void);
unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned word = 0;
  while (__VERIFIER_nondet_bool()) {
    if (__VERIFIER_nondet_bool()) word ^= 0x81;
    word ^= __VERIFIER_nondet_uint() & 0x7e;
    assert((word >> 7 & 1) == (word & 1));
  }
  return 0;
}
