// Two sorted lists become one.
// The rest of the second list is dropped.
//@ verdict: bug
//@ input: 0 1
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
struct node { int key; struct node *next; };
static struct node *make(int n) {
  struct node *head = NULL;
  for (int i = n; i > 0; --i) {
    struct node *it = malloc(sizeof *it);
    it->key = 2 * i + (n & 1);
    it->next = head;
    head = it;
  }
  return head;
}
int main(void) {
  int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int(), count = 0;
  __VERIFIER_assume(n >= 0 && n <= 3 && m >= 0 && m <= 3);
  struct node *a = make(n), *b = make(m), *head = NULL, **end = &head;
  while (a != NULL && b != NULL) {
    struct node **less = a->key <= b->key ? &a : &b;
    *end = *less;
    *less = (*less)->next;
    end = &(*end)->next;
  }
  *end = a;
  for (struct node *it = head; it != NULL; it = it->next, ++count)
    assert(it->next == NULL || it->key <= it->next->key);
  assert(count == n + m); //~ bug: assertion-failed
  return 0;
}
//@ open: bmc, equations
//@ steps: bmc=300, equations=300
