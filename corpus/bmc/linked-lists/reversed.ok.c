// A list is reversed in place: its first is its last.
//@ verdict: correct
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
struct node { int value; struct node *next; };
int main(void) {
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n >= 1 && n <= 5);
  struct node *head = NULL, *back = NULL;
  for (int i = 0; i < n; ++i) {
    struct node *it = malloc(sizeof *it);
    it->value = i;
    it->next = head;
    head = it;
  }
  while (head != NULL) {
    struct node *next = head->next;
    head->next = back;
    back = head;
    head = next;
  }
  for (int i = 0; back != NULL; back = back->next, ++i)
    assert(back->value == i);
  return 0;
}
