// A list is freed from its head.
//@ verdict: correct
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
    struct node *next = head->next;
    free(head);
    head = next;
  }
  return 0;
}
