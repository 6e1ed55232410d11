// A shared object, freed by its last owner.
// An owner is given twice.
//@ verdict: bug
//@ input: 0
#include <assert.h>
#include <stdlib.h>
extern _Bool __VERIFIER_nondet_bool(void);
struct shared { int owners, value; };
static struct shared *share(struct shared *it) {
  ++it->owners;
  return it;
}
static void release(struct shared *it) {
  if (--it->owners == 0) free(it); //~ bug: use-after-free
}
int main(void) {
  struct shared *a = malloc(sizeof *a);
  a->owners = 1;
  a->value = 7;
  struct shared *b = __VERIFIER_nondet_bool() ? share(a) : a;
  release(a);
  release(b);
  return 0;
}
