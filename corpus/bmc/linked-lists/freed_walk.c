// A list is freed from its head.
// The successor is read from a node that is gone.
//@ verdict: bug
//@ input: 1
#include <stdlib.h>
extern _Bool __VERIFIER_nondet_bool(void);
struct node { struct node *next; };
int main(void) {
  struct node *head = NULL;
  for (int i = 0; i < 4 && __VERIFIER_nondet_bool(); ++i) {
    struct node *it = malloc(sizeof *it);
    it->next = head;
    head = it;
  }
  while (head != NULL) {
    free(head);
    head = head->next; //~ bug: use-after-free
  }
  return 0;
}
