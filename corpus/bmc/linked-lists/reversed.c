// A list is reversed in place: its first is its last.
// The loop stops before the last node, which is lost.
//@ verdict: bug
//@ input: 2
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
  while (head->next != NULL) {
    struct node *next = head->next;
    head->next = back;
    back = head;
    head = next;
  }
  if (n == 1) back = head;
  for (int i = 0; back != NULL; back = back->next, ++i)
    assert(back->value == i); //~ bug: assertion-failed
  return 0;
}
