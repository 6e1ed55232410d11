// A limit that is kept to for nine rounds becomes the number of a round: a later one may be below it.
//@ verdict: bug
//@ input: 1 5 1 5 1 5 1 5 1 5 1 5 1 5 1 5 1 5 1 5 1 3
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned limit = 0, rounds = 0;
  while (__VERIFIER_nondet_bool()) {
    unsigned number = __VERIFIER_nondet_uint();
    assert(limit <= number); //~ bug: assertion-failed
    if (rounds == 9)
      limit = number;
    rounds++;
  }
  return 0;
}
//@ steps: run=3000, bmc=3000, equations=3000
