// A list of any length, of 1s and at its end a 0.
// The end is marked only in longer lists.
//@ verdict: bug
//@ input: 1
#include <assert.h>
#include <stdlib.h>
extern _Bool __VERIFIER_nondet_bool(void);
struct node { int value; struct node *next; };
int main(void) {
  struct node *head = malloc(sizeof *head);
  head->value = 0;
  head->next = NULL;
  while (__VERIFIER_nondet_bool()) {
    struct node *it = malloc(sizeof *it);
    it->value = head->next != NULL && head->next->next != NULL;
    it->next = head;
    head = it;
  }
  struct node *it = head;
  while (it->value == 1) it = it->next;
  assert(it->next == NULL); //~ bug: assertion-failed
  return 0;
}
//@ steps: bmc=3000, equations=3000
