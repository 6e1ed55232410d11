// A node is taken out of a doubly linked list.
// The way back still leads to it.
//@ verdict: bug
//@ input: 1
#include <assert.h>
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
struct node { struct node *next, *previous; };
int main(void) {
  struct node nodes[4];
  for (int i = 0; i < 4; ++i) {
    nodes[i].next = i < 3 ? &nodes[i + 1] : NULL;
    nodes[i].previous = i > 0 ? &nodes[i - 1] : NULL;
  }
  unsigned which = __VERIFIER_nondet_uint();
  __VERIFIER_assume(which > 0 && which < 4);
  struct node *out = &nodes[which];
  out->previous->next = out->next;
  for (struct node *it = &nodes[0]; it->next != NULL; it = it->next)
    assert(it->next->previous == it); //~ bug: assertion-failed
  return 0;
}
