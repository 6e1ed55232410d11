// A circle in a list is found by two walkers.
//@ verdict: correct
#include <assert.h>
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
struct node { struct node *next; };
int main(void) {
  struct node nodes[5];
  unsigned back = __VERIFIER_nondet_uint();
  __VERIFIER_assume(back <= 5);
  for (int i = 0; i < 4; ++i) nodes[i].next = &nodes[i + 1];
  nodes[4].next = back < 5 ? &nodes[back] : NULL;
  struct node *slow = nodes, *fast = nodes;
  int found = 0;
  while (fast != NULL && fast->next != NULL) {
    slow = slow->next;
    fast = fast->next->next;
    if (slow == fast) {
      found = 1;
      break;
    }
  }
  assert(found == (back < 5));
  return 0;
}
