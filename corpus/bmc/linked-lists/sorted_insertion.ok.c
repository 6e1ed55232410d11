// Keys are inserted into a sorted list.
//@ verdict: correct
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int key; struct node *next; };
int main(void) {
  struct node *head = NULL;
  for (int i = 0; i < 3; ++i) {
    struct node *it = malloc(sizeof *it), **at = &head;
    it->key = __VERIFIER_nondet_int();
    while (*at != NULL && (*at)->key < it->key) at = &(*at)->next;
    it->next = *at;
    *at = it;
  }
  for (struct node *it = head; it->next != NULL; it = it->next)
    assert(it->key <= it->next->key);
  return 0;
}
