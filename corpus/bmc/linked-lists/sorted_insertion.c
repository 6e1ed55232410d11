// Keys are inserted into a sorted list.
// A key that is smaller than the head goes behind it.
//@ verdict: bug
//@ input: 1
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int key; struct node *next; };
int main(void) {
  struct node *head = NULL;
  for (int i = 0; i < 3; ++i) {
    struct node *it = malloc(sizeof *it), **at = &head;
    it->key = __VERIFIER_nondet_int();
    if (head != NULL) at = &head->next;
    while (*at != NULL && (*at)->key < it->key) at = &(*at)->next;
    it->next = *at;
    *at = it;
  }
  for (struct node *it = head; it->next != NULL; it = it->next)
    assert(it->key <= it->next->key); //~ bug: assertion-failed
  return 0;
}
