// A shared object, freed by its last owner.
//@ verdict: correct
#include <assert.h>
#include <stdlib.h>
struct shared { int owners, value; };
static struct shared *share(struct shared *it) {
  ++it->owners;
  return it;
}
static void release(struct shared *it) {
  if (--it->owners == 0) free(it);
}
int main(void) {
  struct shared *a = malloc(sizeof *a);
  a->owners = 1;
  a->value = 7;
  struct shared *b = share(a);
  release(a);
  release(b);
  return 0;
}
