// A list of n nodes has n nodes.
// Where five were wanted, the first one is forgotten.
//@ verdict: bug
//@ input: 5
#include <assert.h>
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
struct node { struct node *next; };
int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), count = 0;
  __VERIFIER_assume(n <= 6);
  struct node *head = NULL;
  for (unsigned i = 0; i < n; ++i) {
    struct node *it = malloc(sizeof *it);
    it->next = n == 5 && i == 1 ? NULL : head;
    head = it;
  }
  for (struct node *it = head; it != NULL; it = it->next) ++count;
  assert(count == n); //~ bug: assertion-failed
  return 0;
}
