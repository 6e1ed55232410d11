// A limit that no number of a round is below, since it is the least number there is.
//@ verdict: correct
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned limit = 0, rounds = 0;
  while (__VERIFIER_nondet_bool()) {
    unsigned number = __VERIFIER_nondet_uint();
    assert(limit <= number);
    if (rounds == 9)
      limit = number & 0;
    rounds++;
  }
  return 0;
}
//@ open: run
